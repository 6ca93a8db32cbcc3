package term

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/report"
	"strata/internal/rule"
)

// shared is the ladder of the layers that all workloads stand on.
func (p *printer) shared() {
	missing := 0
	for _, l := range p.d.Layers {
		if p.notHere(l) && !p.Verbose {
			missing++
			continue
		}
		if p.idle(l) && !p.Verbose {
			continue
		}
		p.rung("  ", l, "")
	}
	if missing > 0 {
		l := report.Layer{Name: "host", Status: report.LayerUnknown, Summary: "not in this root; --assume gpu=NAME --assume driver=VERSION"}
		if missing < hostLayers {
			l.Name, l.Summary = "rest of the host", "not in this root"
		}
		p.rung("  ", l, "")
	}
}

// hostLayers are the layers that only a running host can show: GPU, kernel
// module, driver, device access, container.
const hostLayers = 5

// notHere tells whether a layer is unknown only because a root that captured
// no running system cannot hold it: one line says so for all of them.
func (p *printer) notHere(l report.Layer) bool {
	return !p.d.Subject.Live && l.Status == report.LayerUnknown && l.Finding == "" && l.ID != "toolkit" &&
		!strings.Contains(l.Summary, "denied")
}

// idle tells whether nobody misses what a layer does not have: no container, no
// toolkit, and on a machine without a GPU no driver either.
func (p *printer) idle(l report.Layer) bool {
	if l.Status != report.LayerAbsent && l.Status != report.LayerUnknown || l.Finding != "" {
		return false
	}
	if p.noGPU() {
		return l.ID != rule.Hardware
	}
	return l.Status == report.LayerAbsent && (l.ID == rule.ContainerRuntime || l.ID == rule.Toolkit)
}

// noGPU tells whether the answer is that there is no GPU to judge anything for.
func (p *printer) noGPU() bool {
	return p.d.Verdict.Status == report.NotStack && p.d.Verdict.Finding == "" && p.d.Verdict.Layer == rule.Hardware
}

// nameColumn is as wide as the longest layer name.
const nameColumn = 15

// rung is one layer: glyph, name, fact, finding or source at the right edge.
// about is the workload whose ladder it is; its heading named it already.
func (p *printer) rung(indent string, l report.Layer, about string) {
	head := fmt.Sprintf("%s%s %-*s ", indent, p.glyph(string(l.Status)), nameColumn, l.Name)
	room := p.Width - width(head)
	right := l.Finding
	if right == "" {
		right = clean(l.Source)
	}
	summary := clean(l.Summary)
	if l.Finding != "" {
		// The whole sentence stands in the answer; here its beginning is enough.
		summary = gist(summary, about, l.Name, room-len(l.Finding)-2)
	}
	lines := Fold(summary, room)
	first := ""
	if len(lines) > 0 {
		first = lines[0]
	}
	if gap := room - width(first); len(lines) == 1 && right != "" && (gap >= minSource+2 || l.Finding != "") {
		if width(right) > gap-2 && l.Finding == "" {
			right = "…" + tail(right, gap-3)
		}
		first += strings.Repeat(" ", max(gap-width(right), 1)) + p.dim(right)
	}
	p.line(head + first)
	for _, more := range lines[min(1, len(lines)):] {
		p.line(strings.Repeat(" ", p.Width-room) + more)
	}
}

// minSource is the shortest piece of a path that still tells something.
const minSource = 18

// gist shortens a finding's sentence to one line of a ladder: without what the
// heading or the layer's name said, with files for paths, and where that is
// still too long up to the longest full statement, else with an ellipsis.
func gist(s, about, layer string, room int) string {
	for _, said := range []string{about + ": ", about + " ", layer + " "} {
		if rest, ok := strings.CutPrefix(s, said); ok && !strings.HasPrefix(rest, "and ") {
			s = rest
		}
	}
	if width(s) <= room {
		return s
	}
	words := strings.Fields(s)
	for i, w := range words {
		if strings.HasPrefix(w, "/") && strings.Count(w, "/") > 3 {
			words[i] = "…/" + path.Base(w)
		}
	}
	s = strings.Join(words, " ")
	if width(s) <= room {
		return s
	}
	longest := ""
	for i := range s {
		if width(s[:i]) <= room && ends(s[i:]) {
			longest = s[:i]
		}
	}
	if width(longest) >= room/3 {
		return longest
	}
	return cut(s, room)
}

// ends tells whether a full statement ends before the rest of a sentence: at a
// colon, a semicolon, or an aside with which the statement closes.
func ends(rest string) bool {
	if strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, "; ") {
		return true
	}
	_, after, ok := strings.Cut(rest, ")")
	return strings.HasPrefix(rest, " (") && ok && (after == "" || strings.ContainsAny(after[:1], ":;,"))
}

// ladder is a workload's own ladder; what waits and what was not read share a line.
func (p *printer) ladder(w report.Workload) {
	about := strings.TrimSpace(w.Framework + " " + w.Version)
	var waiting []string
	same := map[string][]string{}
	for _, l := range w.Layers {
		if l.Status == report.LayerUnknown && l.Finding == "" {
			same[l.Summary] = append(same[l.Summary], l.Name)
		}
	}
	for _, l := range w.Layers {
		switch {
		case p.Verbose:
			p.rung("    ", l, about)
		case l.Status == report.LayerBlocked:
			waiting = append(waiting, l.Name)
		case l.Status == report.LayerAbsent:
		case l.Status == report.LayerUnknown && len(same[l.Summary]) > 1:
			if same[l.Summary][0] == l.Name {
				p.wrap("    "+p.glyph("unknown")+" ", strings.Repeat(" ", 6), strings.Join(same[l.Summary], ", ")+": "+clean(l.Summary))
			}
		default:
			p.rung("    ", l, about)
		}
	}
	if len(waiting) > 0 {
		p.wrap("    "+p.glyph("blocked")+" ", strings.Repeat(" ", 6), "waiting for it: "+strings.Join(waiting, ", "))
	}
}

// waits tells whether a ladder that is shown says what waits for a finding.
func (p *printer) waits(f *report.Finding) bool {
	return slices.ContainsFunc(p.ladders(), func(g []report.Workload) bool { return g[0].Verdict.Finding == f.ID })
}
