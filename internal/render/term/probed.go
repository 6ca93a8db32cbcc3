package term

import "strata/internal/report"

// probed is what happened when the workloads were tried, beside what was predicted of them.
func (p *printer) probed() {
	if p.d.Probe == nil {
		return
	}
	p.line("")
	p.line("Tried")
	p.happened("this machine", *p.d.Probe)
	for _, w := range p.d.Workloads {
		if w.Probe != nil {
			p.happened(w.Name+" in "+w.Environment, *w.Probe)
		}
	}
}

func (p *printer) happened(what string, h report.Probed) {
	as := map[string]string{"yes": "as predicted", "no": "not as predicted: a fault of Strata"}[h.Agrees]
	text := what + ": " + h.Verdict.Summary
	if as != "" {
		text += " (" + as + ")"
	}
	p.wrap("  "+p.glyph(string(h.Verdict.Status))+" ", "    ", clean(text))
}
