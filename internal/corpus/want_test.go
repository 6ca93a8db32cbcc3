package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"strata/internal/report"
)

// want is the want section of a machine. Its lines:
//
//	verdict STATUS [LAYER] [ID]         of the whole machine
//	workload NAME STATUS [LAYER] [ID]   of one workload; NAME@PREFIX where several environments have it
//	finding ID                          a further finding that must be there
//	no ID                               a finding that must not be there
//	only ID                             the one finding of severity at-risk or broken
//	exit N                              the exit status of strata check
//	mentions TEXT                       stands in the verdict, or in the deciding finding's cause or remedies
//	record FIELD VALUE                  of the report's environment; - where it must be left out
//	unknowns TEXT                       stands in the reason of something unknown
//	pending LINE                        one of the lines above that the tool does not fulfil yet; fails once it does
//
// verdict and exit are required, pending or not.
type want struct {
	verdict   expected
	workloads []expected
	finding   []string
	no        []string
	only      string
	exit      string
	mentions  []string
	record    [][2]string
	unknowns  []string
	pending   []want // each of one line
	text      string // that line
}

// expected is a verdict; an empty layer or finding is not compared.
type expected struct{ name, status, layer, finding string }

func (e expected) differs(v report.Verdict) bool {
	return string(v.Status) != e.status || e.layer != "" && string(v.Layer) != e.layer || e.finding != "" && v.Finding != e.finding
}

func (e expected) String() string {
	return strings.TrimSpace(strings.Join([]string{e.status, e.layer, e.finding}, " "))
}

func parseWant(text string) (want, error) {
	w, err := parseLines(text)
	all := append([]want{w}, w.pending...)
	has := func(part func(want) string) bool {
		return slices.ContainsFunc(all, func(w want) bool { return part(w) != "" })
	}
	if err == nil && (!has(func(w want) string { return w.verdict.status }) || !has(func(w want) string { return w.exit })) {
		err = fmt.Errorf("the want section lacks verdict or exit")
	}
	return w, err
}

func parseLines(text string) (want, error) {
	var w want
	for line := range strings.Lines(text) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		f := strings.Fields(rest)
		switch {
		case key == "" || key[0] == '#':
		case key == "verdict" && len(f) > 0 && len(f) < 4:
			w.verdict = expectation("", f)
		case key == "workload" && len(f) > 1 && len(f) < 5:
			w.workloads = append(w.workloads, expectation(f[0], f[1:]))
		case key == "finding" && len(f) == 1:
			w.finding = append(w.finding, f[0])
		case key == "no" && len(f) == 1:
			w.no = append(w.no, f[0])
		case key == "only" && len(f) == 1:
			w.only = f[0]
		case key == "exit" && len(f) == 1:
			w.exit = f[0]
		case key == "mentions" && len(f) > 0:
			w.mentions = append(w.mentions, rest)
		case key == "record" && len(f) == 2:
			w.record = append(w.record, [2]string{f[0], f[1]})
		case key == "unknowns" && len(f) > 0:
			w.unknowns = append(w.unknowns, rest)
		case key == "pending":
			p, err := parseLines(rest)
			if err != nil {
				return w, err
			}
			p.text = rest
			w.pending = append(w.pending, p)
		default:
			return w, fmt.Errorf("reading want line %q: see the comment of want for those that exist", strings.TrimSpace(line))
		}
	}
	return w, nil
}

func expectation(name string, f []string) expected {
	e := expected{name: name, status: f[0]}
	if len(f) > 1 {
		e.layer = f[1]
	}
	if len(f) > 2 {
		e.finding = f[2]
	}
	return e
}

// judge compares a report with what is wanted and returns what differs.
func (w want) judge(d *report.Document) []string {
	var wrong []string
	miss := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if w.verdict.status != "" && w.verdict.differs(d.Verdict) {
		miss("verdict is %s; want %s", said(d.Verdict), w.verdict)
	}
	for _, e := range w.workloads {
		name, place, _ := strings.Cut(e.name, "@")
		i := slices.IndexFunc(d.Workloads, func(x report.Workload) bool { return x.Name == name && (place == "" || x.Environment == place) })
		if i < 0 {
			miss("no workload %s", e.name)
		} else if v := d.Workloads[i].Verdict; e.differs(v) {
			miss("workload %s is %s; want %s", e.name, said(v), e)
		}
	}
	found := map[string]report.Finding{}
	for _, f := range d.Findings {
		if _, ok := found[f.ID]; !ok {
			found[f.ID] = f
		}
		if w.only != "" && f.ID != w.only && f.Severity != "note" {
			miss("finding %s (%s) beside %s: %s", f.ID, f.Severity, w.only, f.Summary)
		}
		if w.verdict.status == "ok" && f.Severity != "note" {
			miss("false alarm %s (%s): %s", f.ID, f.Severity, f.Summary)
		}
	}
	for _, id := range w.finding {
		if _, ok := found[id]; !ok {
			miss("no finding %s", id)
		}
	}
	for _, id := range w.no {
		if f, ok := found[id]; ok {
			miss("finding %s must not be there: %s", id, f.Summary)
		}
	}
	text := d.Verdict.Summary
	if f, ok := found[d.Verdict.Finding]; ok {
		text += "\n" + f.Cause
		for _, r := range f.Remedies {
			text += "\n" + r.Summary
			for _, c := range r.Commands {
				text += "\n" + c.Run
			}
		}
	}
	for _, m := range w.mentions {
		if !strings.Contains(text, m) {
			miss("%q is mentioned nowhere in:\n%s", m, text)
		}
	}
	record := fields(d.Environment)
	for _, r := range w.record {
		if have := record[r[0]]; have != strings.TrimPrefix(r[1], "-") {
			miss("record %s is %q; want %q", r[0], have, r[1])
		}
	}
	for _, u := range w.unknowns {
		if !slices.ContainsFunc(d.Unknowns, func(x report.Unknown) bool { return strings.Contains(x.Why, u) }) {
			miss("nothing is unknown because of %q", u)
		}
	}
	if have := exit(d); w.exit != "" && have != w.exit {
		miss("exit is %s; want %s", have, w.exit)
	}
	return wrong
}

func said(v report.Verdict) string {
	return expected{status: string(v.Status), layer: string(v.Layer), finding: v.Finding}.String() + " (" + v.Summary + ")"
}

// fields are the plain values of the environment record, by their JSON names.
func fields(e report.Environment) map[string]string {
	out := map[string]string{}
	raw := map[string]any{}
	data, err := json.Marshal(e)
	if err == nil {
		err = json.Unmarshal(data, &raw)
	}
	if err != nil {
		out["error"] = err.Error()
	}
	for k, v := range raw {
		if s, ok := v.(string); ok {
			out[k] = s
		}
	}
	return out
}

// exit is the status of strata check with its default --fail-on.
func exit(d *report.Document) string {
	if slices.ContainsFunc(d.Findings, func(f report.Finding) bool { return f.Severity == "broken" }) {
		return "1"
	}
	return "0"
}
