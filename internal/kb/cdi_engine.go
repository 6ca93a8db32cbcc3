package kb

import "strata/internal/version"

// CDIEngine says since when a container engine reads CDI specifications.
type CDIEngine struct {
	Row
	Engine    string      `kb:"engine,key"`          // "docker"
	OptIn     version.Lib `kb:"opt_in,required"`     // first release that does when it is told to
	ByDefault version.Lib `kb:"by_default,required"` // first release that does without being told
	Note      string      `kb:"note"`
}

var cdiEngines = csvFile("system/cdi_engines.csv", reaches[CDIEngine]("date"), checkCDIEngines)

// CDIEngine returns what is known about container engine name.
func (b *Base) CDIEngine(name string) Answer[CDIEngine] {
	t := cdiEngines.in(b)
	for _, r := range t.Rows {
		if r.Engine == name {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[CDIEngine](t, "since when %q reads CDI specifications is not known", name)
}

func checkCDIEngines(_ *Base, t *Table[CDIEngine]) (problems []Problem) {
	for _, r := range t.Rows {
		if r.ByDefault.Less(r.OptIn) {
			problems = append(problems, Problem{t.Name, r.Line, "by default before it can be told to"})
		}
	}
	return problems
}
