package term

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/report"
)

// workloads shows most of them in a line each, then the broken ones with their
// ladder, so that what is broken stands next to the answer.
func (p *printer) workloads() {
	all, ladders := p.grouped(), p.ladders()
	brief := slices.DeleteFunc(slices.Clone(all), func(g []report.Workload) bool {
		return slices.ContainsFunc(ladders, func(l []report.Workload) bool { return l[0].Name == g[0].Name && l[0].Environment == g[0].Environment })
	})
	if p.lone() == nil && len(brief) > 0 {
		p.line("")
		p.brief(brief)
	}
	for _, g := range ladders {
		p.line("")
		p.wrap("  ", "    ", clean(title(g)+" · "+g[0].Environment))
		p.ladder(g[0])
	}
}

// maxLadders keeps a host with many broken environments to one screen; the
// others are one line each and -v shows all.
const maxLadders = 3

// ladders are the workloads that are shown layer by layer.
func (p *printer) ladders() [][]report.Workload {
	var out [][]report.Workload
	for _, g := range p.grouped() {
		s := g[0].Verdict.Status
		if p.Verbose || (s == report.Broken || s == report.AtRisk) && own(g[0]) && len(out) < maxLadders {
			out = append(out, g)
		}
	}
	return out
}

// lone is the one workload of a machine where all is well: the answer names it,
// and a line of its own would say the same.
func (p *printer) lone() []report.Workload {
	g := p.grouped()
	if p.Verbose || len(g) != 1 || p.d.Verdict.Status != report.OK || !strings.HasSuffix(g[0][0].Verdict.Summary, usesGPU) {
		return nil
	}
	return g[0]
}

// usesGPU is how the verdict of a workload ends for which all is well.
const usesGPU = "can use the GPU"

// own tells whether the workload's deciding finding is not one of the machine.
func own(w report.Workload) bool {
	return slices.ContainsFunc(w.Layers, func(l report.Layer) bool { return l.Finding == w.Verdict.Finding && l.Finding != "" })
}

// grouped puts extensions that share their framework's fate behind it.
func (p *printer) grouped() [][]report.Workload {
	var groups [][]report.Workload
	for _, w := range p.d.Workloads {
		if w.Extends != "" && !p.Verbose {
			i := slices.IndexFunc(groups, func(g []report.Workload) bool {
				return g[0].Name == w.Extends && g[0].Environment == w.Environment
			})
			if i >= 0 && (groups[i][0].Verdict.Finding == w.Verdict.Finding || w.Verdict.Status == report.OK || w.Verdict.Status == report.Unsure) {
				groups[i] = append(groups[i], w)
				continue
			}
		}
		groups = append(groups, []report.Workload{w})
	}
	return groups
}

// title names a group: the framework, and the extensions behind it.
func title(g []report.Workload) string {
	text := strings.TrimSpace(g[0].Framework + " " + g[0].Version)
	for _, e := range g[1:] {
		text += ", " + strings.TrimSpace(e.Framework+" "+strings.SplitN(e.Version, "+", 2)[0])
	}
	return text
}

// brief is one line for each group, in columns where they fit.
func (p *printer) brief(groups [][]report.Workload) {
	// A title or a prefix longer than this leaves its column for itself.
	const widest = 34
	a, b := 0, 0
	for _, g := range groups {
		if n := width(title(g)); n <= widest {
			a = max(a, n)
		}
		if n := width(g[0].Environment); n <= widest {
			b = max(b, n)
		}
	}
	for _, g := range groups {
		name, place, fate := clean(title(g)), clean(g[0].Environment), p.fate(g[0])
		head := "  " + p.glyph(glyphOf(g[0])) + " "
		text := fmt.Sprintf("%-*s  %-*s  %s", a, name, b, place, fate)
		if width(head)+width(text) <= p.Width {
			p.line(head + text)
			continue
		}
		p.wrap(head, "    ", name+" · "+place+" · "+fate)
	}
}

// glyphOf shows a workload whose way is barred by a layer of the machine as waiting.
func glyphOf(w report.Workload) string {
	if w.Verdict.Status == report.Broken && !own(w) {
		return "blocked"
	}
	return string(w.Verdict.Status)
}

// fate is the verdict of a workload in a few words.
func (p *printer) fate(w report.Workload) string {
	v := w.Verdict
	switch {
	case v.Status == report.OK:
		for _, said := range []string{usesGPU, "does not use the GPU"} {
			if strings.HasSuffix(v.Summary, said) {
				return said
			}
		}
		return "nothing wrong found"
	case v.Status == report.Unsure:
		return "nothing broken found"
	case p.noGPU():
		return "not judged without a GPU"
	case v.Status == report.NotStack:
		return "not the stack: " + v.Finding
	case own(w):
		return v.Layer.Name() + ": " + v.Finding
	case v.Status == report.AtRisk:
		return "at risk: " + v.Layer.Name()
	}
	return "waits for " + v.Layer.Name()
}
