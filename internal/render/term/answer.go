package term

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"strata/internal/report"
	"strata/internal/rule"
)

// column is where the answer's labels end.
var column = strings.Repeat(" ", 12)

// answer is the verdict with its proof and its remedy.
func (p *printer) answer() {
	f := p.primary()
	if f == nil {
		p.plain()
		return
	}
	label := "First broken layer"
	switch p.d.Verdict.Status {
	case report.AtRisk:
		label = "At risk"
		if len(f.Workloads) > 0 {
			label = "Works, but at risk"
		}
	case report.NotStack:
		label = "Not the software stack"
	}
	where := ""
	if len(f.Workloads) == 1 {
		where = ", for " + p.workload(f.Workloads[0])
	} else if len(f.Workloads) > 1 {
		where = fmt.Sprintf(", for %d workloads", len(f.Workloads))
	}
	p.wrap(p.glyph(string(p.d.Verdict.Status))+" ", "  ", p.bold(clean(fmt.Sprintf("%s: %s%s", label, f.Layer.Name(), where))))
	p.wrap("  ", "  ", clean(p.sentence(f.Summary)))
	p.line("")
	p.wrap("  ", "  ", clean(f.Cause))
	p.evidence(f)
	p.blocks(f)
	p.remedies(f)
	p.line("")
	p.wrap("  Why       ", column, "strata explain "+f.ID)
	for _, r := range f.References[:min(1, len(f.References))] {
		p.wrap("  Source    ", column, r.URL)
	}
	if text := p.hidden(); text != "" {
		p.wrap("  More      ", column, text)
	}
}

// plain is an answer without a finding.
func (p *printer) plain() {
	v := p.d.Verdict
	text := v.Summary
	if g := p.lone(); g != nil {
		text = title(g) + " in " + g[0].Environment + " " + usesGPU
	}
	p.wrap(p.glyph(string(v.Status))+" ", "  ", clean(p.sentence(text)))
	switch {
	case p.noGPU():
		p.line("  Strata can judge an image, a disk or another machine for a GPU that you name:")
		p.line("    strata check --root DIR --assume gpu='NVIDIA L4' --assume driver=550.144.03")
		return // what was not looked at for want of a GPU is no news
	case v.Status == report.Unsure:
		for _, text := range p.ways() {
			p.wrap("  ", "  ", clean(text))
		}
	}
	if text := p.hidden(); text != "" {
		p.wrap("  ", "  ", "More "+text+".")
	}
}

// ways are what would let Strata see what the verdict says it does not know.
func (p *printer) ways() []string {
	var out []string
	for _, u := range p.d.Unknowns {
		why := because(u)
		inner := why
		if i := strings.IndexByte(why, '('); i >= 0 {
			inner = strings.TrimSuffix(why[i+1:], ")")
		}
		text := strings.ToUpper(u.HowToAllow[:min(1, len(u.HowToAllow))]) + u.HowToAllow[min(1, len(u.HowToAllow)):] + "."
		if u.HowToAllow != "" && strings.Contains(p.d.Verdict.Summary, inner) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out[:min(2, len(out))]
}

// hidden says what -v would add.
func (p *printer) hidden() string {
	if p.Verbose || p.allShown {
		return ""
	}
	var parts []string
	if _, notes := p.others(); len(notes) > 0 && p.bad() {
		parts = append(parts, count(len(notes), "note"))
	}
	if n := p.unjudged(); n > 0 {
		parts = append(parts, count(n, "check")+" that could not be made")
	}
	if len(parts) == 0 {
		return ""
	}
	return "with -v: " + strings.Join(parts, ", and ")
}

// count is "1 thing", "2 things".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// workload says where a workload is: in an environment, or which program it is.
func (p *printer) workload(id string) string {
	for _, w := range p.d.Workloads {
		if w.Python == "" && path.IsAbs(w.Environment) && id == w.Name+" in "+w.Environment && path.Base(w.Environment) != "" && !p.environment(w) {
			return w.Name + ", " + w.Environment
		}
	}
	return id
}

// environment tells whether a workload is in a Python environment: only those
// have a layer for it.
func (p *printer) environment(w report.Workload) bool {
	return slices.ContainsFunc(w.Layers, func(l report.Layer) bool { return l.ID == rule.PythonEnv && l.Status != report.LayerAbsent })
}

// sentence ends a summary with a full stop and begins it with a capital,
// unless it begins with a name that has none, such as torch or libcuda.
func (p *printer) sentence(s string) string {
	if s == "" {
		return s
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	first, _, _ := strings.Cut(s, " ")
	name := strings.HasPrefix(first, "lib") || strings.HasPrefix(first, "nvidia") || slices.Contains(named, first) ||
		strings.ContainsAny(first, "0123456789/_-.") || strings.ContainsFunc(first[1:], unicode.IsUpper) || // cuInit
		slices.ContainsFunc(p.d.Workloads, func(w report.Workload) bool { return w.Framework == first || w.Name == first })
	if name {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// named are things that are written small even at the beginning of a sentence.
var named = []string{"cuDNN", "nouveau", "nvcc", "docker", "containerd", "podman", "bareun", "ollama"}

// evidence is what was read: where, and what stood there if that tells more.
func (p *printer) evidence(f *report.Finding) {
	const most = 4
	last := ""
	for i, e := range f.Evidence {
		label := column
		if i == 0 {
			p.line("")
			label = "  Read      "
		}
		if i == most && !p.Verbose {
			p.line(label + fmt.Sprintf("and %d more: -v shows them", len(f.Evidence)-most))
			break
		}
		where, text := clean(e.Locator), clean(e.Text)
		if e.Line > 0 {
			where += fmt.Sprintf(":%d", e.Line)
		}
		if strings.HasPrefix(text, where+"=") && width(label)+width(text) <= p.Width { // a variable; its text names it
			where, text = text, ""
		}
		if e.Source == "loader" && !p.Verbose {
			text, _, _ = strings.Cut(text, ": ") // how many; -v lists them
		}
		if strings.HasSuffix(where, "/"+text) {
			text = ""
		}
		if where == last && text != "" { // more of the same file
			p.wrap(column+"  ", column+"  ", p.dim(cut(text, 2*(p.Width-width(column)-2))))
			continue
		}
		last = where
		if room := p.Width - width(label) - width(where) - 2; text != "" && width(text) <= room {
			p.line(label + where + "  " + p.dim(text))
			continue
		}
		p.line(label + where)
		if text != "" {
			most := 2 * (p.Width - width(column) - 2)
			if p.Verbose {
				most = width(text)
			}
			p.wrap(column+"  ", column+"  ", p.dim(cut(text, most)))
		}
	}
}

// blocks are the layers that wait, where no ladder shows them.
func (p *printer) blocks(f *report.Finding) {
	if p.waits(f) {
		return
	}
	var names []string
	for _, id := range f.Blocks {
		if p.present(id) {
			names = append(names, id.Name())
		}
	}
	if len(names) > 0 {
		p.line("")
		p.wrap("  Blocks    ", column, strings.Join(names, ", "))
	}
}

// present tells whether any ladder has the layer as waiting.
func (p *printer) present(id rule.Layer) bool {
	waits := func(l report.Layer) bool { return l.ID == id && l.Status == report.LayerBlocked }
	if slices.ContainsFunc(p.d.Layers, waits) {
		return true
	}
	return slices.ContainsFunc(p.d.Workloads, func(w report.Workload) bool { return slices.ContainsFunc(w.Layers, waits) })
}

func (p *printer) remedies(f *report.Finding) {
	if len(f.Remedies) == 0 {
		p.line("")
		p.wrap("  Remedy    ", column, "none passed the check; strata explain "+f.ID+" tells the choices")
		return
	}
	for i, r := range f.Remedies {
		p.line("")
		if i == 2 && !p.Verbose {
			p.line("  " + count(len(f.Remedies)-2, "more way") + ": -v shows " + map[bool]string{true: "it", false: "them"}[len(f.Remedies) == 3])
			break
		}
		label := "Remedy, checked: "
		switch {
		case !r.Checked && i > 0:
			label = "Or, not checked: "
		case !r.Checked:
			label = "Advice, not checked: "
		case i > 0:
			label = "Or, checked: "
		}
		p.wrap("  "+p.bold(strings.TrimRight(label, " "))+" ", "    ", clean(r.Summary))
		p.commands(r.Commands)
	}
}

// commands stand in lines of their own, whole, to be copied. A label says for
// which tool one is, where there is a choice.
func (p *printer) commands(list []rule.Command) {
	labels := 0
	for _, c := range list {
		if c.For != "shell" {
			labels = max(labels, len(c.For)+2, len("then")+2)
		}
	}
	for i, c := range list {
		label := c.For
		if label == "shell" {
			label = ""
			if i > 0 && list[i-1].For != "shell" {
				label = "then"
			}
		}
		p.line(fmt.Sprintf("    %-*s%s", labels, label, clean(c.Run)))
	}
}
