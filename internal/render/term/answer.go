package term

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/report"
	"strata/internal/rule"
)

// findings are those that do not decide the verdict, one short paragraph each.
func (p *printer) findings() {
	primary := p.primary()
	rest := slices.DeleteFunc(slices.Clone(p.d.Findings), func(f report.Finding) bool { return primary != nil && same(f, *primary) })
	// Findings come worst first, so the notes are the end of the list.
	notes := slices.IndexFunc(rest, func(f report.Finding) bool { return f.Severity == "note" })
	if notes < 0 {
		notes = len(rest)
	}
	p.list("Also", rest[:notes])
	p.list("Worth knowing", rest[notes:])
}

// list shows findings in short under a heading.
func (p *printer) list(heading string, findings []report.Finding) {
	if len(findings) == 0 {
		return
	}
	p.line("")
	p.line(heading)
	const most = 6
	for i, f := range findings {
		if i == most && !p.Verbose {
			p.line(fmt.Sprintf("  and %d more: strata check -v", len(findings)-most))
			break
		}
		p.wrap("  "+p.glyph(f.Severity)+" "+f.ID+"  ", strings.Repeat(" ", 12), clean(f.Summary))
		if f.Severity != "note" && len(f.Remedies) > 0 && len(f.Remedies[0].Commands) > 0 {
			p.line(strings.Repeat(" ", 12) + p.bold(clean(f.Remedies[0].Commands[0].Run)))
		}
	}
}

// count is "1 thing", "2 things".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func same(a, b report.Finding) bool { return a.ID == b.ID && a.Summary == b.Summary }

// primary is the finding that decides the verdict.
func (p *printer) primary() *report.Finding {
	for i := range p.d.Findings {
		f := &p.d.Findings[i]
		if f.ID == p.d.Verdict.Finding && f.Summary == p.d.Verdict.Summary {
			return f
		}
	}
	return nil
}

// unknowns are what could not be judged, by reason, shortest form.
func (p *printer) unknowns() {
	if len(p.d.Unknowns) == 0 {
		return
	}
	if p.d.Verdict.Status != report.Unsure && !p.Verbose {
		// They do not change the verdict; one line says that they are there.
		p.line("")
		p.wrap("  "+p.glyph("unknown")+" ", "    ", fmt.Sprintf("%s could not be judged: strata check -v", count(len(p.d.Unknowns), "thing")))
		return
	}
	listed := p.d.Unknowns
	if !p.Verbose {
		// What only a running host can show was said in the ladder already.
		listed = slices.DeleteFunc(slices.Clone(listed), func(u report.Unknown) bool {
			return !p.d.Subject.Live && rule.Layer(u.Layer).Shared()
		})
	}
	if len(listed) == 0 {
		return
	}
	type reason struct{ why, allow string }
	var order []reason
	rules := map[reason][]string{}
	for _, u := range listed {
		r := reason{clean(u.Why), clean(u.HowToAllow)}
		if _, ok := rules[r]; !ok {
			order = append(order, r)
		}
		for _, id := range u.Rules {
			if !slices.Contains(rules[r], id) {
				rules[r] = append(rules[r], id)
			}
		}
	}
	p.line("")
	p.line("Not known")
	const most = 5
	for i, r := range order {
		if i == most && !p.Verbose {
			p.line(fmt.Sprintf("  and %d more: strata check -v", len(order)-most))
			break
		}
		text := r.why
		if r.allow != "" {
			text += "; " + r.allow
		}
		if p.Verbose && len(rules[r]) > 0 {
			text += " (" + strings.Join(rules[r], " ") + ")"
		}
		p.wrap("  "+p.glyph("unknown")+" ", "    ", text)
	}
}

// answer is the verdict with its proof and its remedy.
func (p *printer) answer() {
	v := p.d.Verdict
	p.line("")
	f := p.primary()
	head := p.glyph(string(v.Status)) + " "
	if f == nil {
		p.wrap(head, "  ", clean(p.sentence(v.Summary)))
		if v.Status == report.NotStack {
			p.wrap("  ", "  ", "Other ways to use Strata here: strata check --root DIR, --assume gpu=NAME --assume driver=VERSION")
		}
		return
	}
	label := "First broken layer"
	switch v.Status {
	case report.AtRisk:
		label = "Works, but at risk"
	case report.NotStack:
		label = "Not the software stack"
	}
	where := ""
	if len(f.Workloads) == 1 {
		where = ", for " + f.Workloads[0]
	} else if len(f.Workloads) > 1 {
		where = fmt.Sprintf(", for %d workloads", len(f.Workloads))
	}
	p.wrap(head, "  ", p.bold(clean(fmt.Sprintf("%s: %s%s", label, f.Layer.Name(), where))))
	p.wrap("  ", "  ", clean(p.sentence(f.Summary)))
	p.wrap("  ", "  ", clean(f.Cause))
	p.evidence(f)
	p.blocks(f)
	p.remedies(f)
	p.line("")
	p.wrap("  Why       ", strings.Repeat(" ", 12), "strata explain "+f.ID)
	for _, r := range f.References[:min(1, len(f.References))] {
		p.wrap("  Source    ", strings.Repeat(" ", 12), r.URL)
	}
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
	name := strings.HasPrefix(first, "lib") || strings.HasPrefix(first, "nvidia") || strings.ContainsAny(first, "0123456789/_-.") ||
		slices.ContainsFunc(p.d.Workloads, func(w report.Workload) bool { return w.Framework == first || w.Name == first })
	if name {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func (p *printer) evidence(f *report.Finding) {
	const most = 4
	for i, e := range f.Evidence {
		label := "  Read      "
		if i > 0 {
			label = strings.Repeat(" ", 12)
		} else {
			p.line("")
		}
		if i == most && !p.Verbose {
			p.line(label + fmt.Sprintf("and %d more: --format json", len(f.Evidence)-most))
			break
		}
		text := e.Locator
		if e.Line > 0 {
			text += fmt.Sprintf(":%d", e.Line)
		}
		p.line(label + clean(text))
		if e.Text != "" {
			p.wrap(strings.Repeat(" ", 14), strings.Repeat(" ", 14), p.dim(cut(clean(e.Text), 2*(p.Width-14))))
		}
	}
}

func (p *printer) blocks(f *report.Finding) {
	if len(f.Blocks) == 0 {
		return
	}
	var names []string
	for _, id := range f.Blocks {
		l := rule.Layer(id)
		if p.present(l) {
			names = append(names, l.Name())
		}
	}
	if len(names) > 0 {
		p.line("")
		p.wrap("  Blocks    ", strings.Repeat(" ", 12), strings.Join(names, ", "))
	}
}

// present tells whether any ladder shows the layer as waiting.
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
		p.wrap("  Remedy    ", strings.Repeat(" ", 12), "none that holds was found; strata explain "+f.ID+" says what the choices are")
		return
	}
	for i, r := range f.Remedies {
		if i == 2 && !p.Verbose {
			p.line("")
			p.line("  " + count(len(f.Remedies)-2, "more way") + ": strata check -v")
			break
		}
		p.line("")
		label := "  Remedy, checked: "
		if !r.Checked {
			label = "  Advice, not checked: "
		} else if i > 0 {
			label = "  Or, checked: "
		}
		p.wrap(p.bold(strings.TrimRight(label, " "))+" ", "    ", clean(r.Summary))
		for _, c := range r.Commands {
			p.line(fmt.Sprintf("    %-6s %s", c.For, clean(c.Run)))
		}
	}
}
