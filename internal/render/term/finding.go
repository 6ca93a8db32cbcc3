package term

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/report"
)

// findings are those that do not decide the verdict, one short paragraph each.
func (p *printer) findings() {
	rest, notes := p.others()
	p.list("Also", rest)
	if p.Verbose || !p.bad() {
		p.list("Worth knowing", notes)
	}
}

// bad tells whether something is broken: then what is merely worth knowing
// does not come between the reader and the answer.
func (p *printer) bad() bool {
	return p.primary() != nil && p.d.Verdict.Status != report.AtRisk
}

// others are the findings that do not decide the verdict, and apart from them
// the notes.
func (p *printer) others() (rest, notes []report.Finding) {
	primary := p.primary()
	for _, f := range p.d.Findings {
		switch {
		case primary != nil && same(f, *primary):
		case f.Severity != "note":
			rest = append(rest, f)
		case p.noGPU() && f.Layer == p.d.Verdict.Layer: // the answer says it
		default:
			notes = append(notes, f)
		}
	}
	return rest, notes
}

// list shows findings in short under a heading, those of one rule as one.
func (p *printer) list(heading string, findings []report.Finding) {
	if len(findings) == 0 {
		return
	}
	p.line("")
	p.line(heading)
	const most = 5
	more := map[string]int{}
	var shown []report.Finding
	for _, f := range findings {
		if slices.ContainsFunc(shown, func(g report.Finding) bool { return g.ID == f.ID }) && !p.Verbose {
			more[f.ID]++
			continue
		}
		shown = append(shown, f)
	}
	for i, f := range shown {
		if i == most && !p.Verbose {
			p.line(fmt.Sprintf("  and %d more: -v shows them", len(shown)-most))
			break
		}
		text := clean(f.Summary)
		if n := more[f.ID]; n > 0 {
			text += fmt.Sprintf(" (and %d more like it)", n)
		}
		p.wrap("  "+p.glyph(f.Severity)+" "+f.ID+"  ", column, text)
		if f.Severity != "note" && len(f.Remedies) > 0 && len(f.Remedies[0].Commands) > 0 {
			p.line(column + p.bold(clean(f.Remedies[0].Commands[0].Run)))
		}
	}
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

// unknowns are all reasons why something could not be judged; otherwise the
// answer counts them.
func (p *printer) unknowns() {
	if !p.Verbose || len(p.d.Unknowns) == 0 {
		return
	}
	type reason struct{ why, allow string }
	var order []reason
	rules := map[reason][]string{}
	for _, u := range p.d.Unknowns {
		r := reason{because(u), clean(u.HowToAllow)}
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
	for _, r := range order {
		text := r.why
		if r.allow != "" {
			text += "; " + r.allow
		}
		if len(rules[r]) > 0 {
			text += " (" + strings.Join(rules[r], " ") + ")"
		}
		p.wrap("  "+p.glyph("unknown")+" ", "    ", text)
	}
}

// because is the reason of something unknown, without the words of the heading.
func because(u report.Unknown) string {
	return strings.TrimPrefix(clean(u.Why), "not known: ")
}

// unjudged counts the rules that had too little to go on. Of a root that holds
// no running system the ladder says already that the host is not in it.
func (p *printer) unjudged() int {
	rules := map[string]bool{}
	n := 0
	for _, u := range p.d.Unknowns {
		if !p.d.Subject.Live && u.Layer.Shared() {
			continue
		}
		if len(u.Rules) == 0 {
			n++
		}
		for _, id := range u.Rules {
			rules[id] = true
		}
	}
	return n + len(rules)
}
