package term

import "strata/internal/report"

// probed is what happened when the workloads were tried, or when a command ran, beside what was predicted of them.
func (p *printer) probed() {
	const fault = "not as predicted: a fault of Strata"
	if p.d.Probe != nil {
		p.line("")
		p.line("Tried")
		p.happened("this machine", *p.d.Probe, fault)
		for _, w := range p.d.Workloads {
			if w.Probe != nil {
				p.happened(w.Name+" in "+w.Environment, *w.Probe, fault)
			}
		}
	}
	p.ran(true)
}

// ran is what a record of strata run says.
func (p *printer) ran(apart bool) {
	if p.d.Run == nil {
		return
	}
	if apart {
		p.line("")
	}
	p.line("Ran")
	p.happened("by the record", *p.d.Run, "not as predicted: see run-differs")
}

func (p *printer) happened(what string, h report.Probed, differs string) {
	as := map[string]string{"yes": "as predicted", "no": differs}[h.Agrees]
	text := what + ": " + h.Verdict.Summary
	if as != "" {
		text += " (" + as + ")"
	}
	p.wrap("  "+p.glyph(string(h.Verdict.Status))+" ", "    ", clean(text))
}
