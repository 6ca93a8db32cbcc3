package kb

import "strata/internal/version"

// DriverRange is a range of driver versions and the newest CUDA that they report, which is what cuDriverGetVersion
// returns and nvidia-smi prints. Branches map to one CUDA each, but for early builds of R430.
type DriverRange struct {
	Row
	Platform Platform       `kb:"platform,key"`
	Branch   int            `kb:"branch,required"`
	From     version.Driver `kb:"from,key"`
	Below    version.Driver `kb:"below,required"` // the first version after the range
	MaxCUDA  version.CUDA   `kb:"max_cuda,required"`
	Note     string         `kb:"note"`
}

// Platform is an operating system as far as driver numbers go: those of Linux and Windows are two series.
type Platform string

// The platforms.
const (
	Linux   Platform = "linux"
	Windows Platform = "windows"
)

// UnmarshalText accepts the platforms and nothing else.
func (p *Platform) UnmarshalText(text []byte) error { return unmarshalWord(p, text, Linux, Windows) }

var driverCUDA = csvFile("nvidia/driver_cuda.csv", reaches[DriverRange]("driver"), checkDriverRanges)

// DriverCUDA returns the newest CUDA that the Linux driver d reports. It says nothing about installed toolkits. Within WSL, ask with the
// Windows driver; see [Base.WindowsDriverCUDA].
func (b *Base) DriverCUDA(d version.Driver) Answer[version.CUDA] { return b.driverCUDA(Linux, d) }

// WindowsDriverCUDA returns the newest CUDA that the Windows driver d reports.
func (b *Base) WindowsDriverCUDA(d version.Driver) Answer[version.CUDA] {
	return b.driverCUDA(Windows, d)
}

func (b *Base) driverCUDA(p Platform, d version.Driver) Answer[version.CUDA] {
	t := driverCUDA.in(b)
	switch {
	case d.IsZero():
		return notFound[version.CUDA](t, "no driver version given")
	case driverBeyond(t, d):
		return beyond[version.CUDA](t, "driver "+d.String())
	}
	for _, r := range t.Rows {
		if r.Platform == p && (version.Range[version.Driver]{Min: r.From, Max: r.Below}).Contains(d) {
			return found(b, t, r.Row, r.MaxCUDA)
		}
	}
	return notFound[version.CUDA](t, "no %s driver range holds %s", p, d)
}

// checkDriverRanges reports ranges that are empty or overlap the range before.
func checkDriverRanges(_ *Base, t *Table[DriverRange]) (problems []Problem) {
	for i, r := range t.Rows {
		if !r.From.Less(r.Below) {
			problems = append(problems, Problem{t.Name, r.Line, "range is empty"})
		}
		if i > 0 && t.Rows[i-1].Platform == r.Platform && r.From.Less(t.Rows[i-1].Below) {
			problems = append(problems, Problem{t.Name, r.Line, "range starts inside the one before"})
		}
	}
	return problems
}
