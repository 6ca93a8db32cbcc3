package term

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/coverage"
	"strata/internal/libs"
)

// loadedCode is the table of the loaded GPU code, a line for each library and a column for each GPU, and below it why something does not run.
func (p *printer) loadedCode(d *libs.Document, w *libs.Workload) {
	if len(d.GPUs) == 0 || len(w.Code) == 0 {
		return
	}
	a := archPrinter{printer: p, d: &coverage.Document{GPUs: d.GPUs, Driver: d.Driver, Asked: true}}
	names, cells := 0, 0
	for i := range w.Code {
		names = max(names, min(width(codeName(&w.Code[i])), maxLibName))
		for _, r := range w.Code[i].Verdicts {
			cells = max(cells, width(cellOf(r)))
		}
	}
	var heads []string
	for _, g := range d.GPUs {
		head, _, _ := strings.Cut(a.gpuName(g), " (sm_") // the sentences below have it
		heads = append(heads, head)
		cells = max(cells, min(width(head)-2, maxGPUHead))
	}
	title := "GPU code; the driver is not known"
	if d.Driver != "" {
		title = "GPU code, by driver " + d.Driver
	}
	p.line("")
	p.line("  " + p.dim(title))
	// As many GPUs side by side as the line has room for, the others in further tables.
	room := p.Width - 4 - names
	cells = min(cells, room-4)
	for first, beside := 0, max(room/(cells+4), 1); first < len(heads); first += beside {
		last := min(first+beside, len(heads))
		if first > 0 {
			p.line("")
		}
		line := strings.Repeat(" ", names+4)
		for _, h := range heads[first:last] {
			line += fmt.Sprintf("  %-*s", cells+2, cut(h, cells+2))
		}
		p.line(p.dim(strings.TrimRight(line, " ")))
		for i := range w.Code {
			f := &w.Code[i]
			line := fmt.Sprintf("    %-*s", names, cut(codeName(f), names))
			if f.Error != "" {
				p.wrap(line+"  "+p.glyph("unknown")+" ", strings.Repeat(" ", names+8), "not read: "+clean(f.Error))
				continue
			}
			for _, r := range f.Verdicts[first:last] {
				text := cut(cellOf(r), cells)
				line += "  " + a.verdictGlyph(r) + " " + text + strings.Repeat(" ", cells-width(text))
			}
			p.line(line)
		}
	}
	a.reasons(w)
}

// maxGPUHead is room for "RTX PRO 6000" and the like above a column; what is longer is cut.
const maxGPUHead = 13

func codeName(f *coverage.File) string { return clean(path.Base(f.Path)) }

// cellOf is a verdict in a few words, 15 characters where it can: so two GPUs have room beside the longest name.
func cellOf(r coverage.GPUResult) string {
	text := statusNames[r.Status]
	switch r.Status {
	case coverage.Unknown:
		if r.Beyond {
			text = "beyond"
		}
	case coverage.PTXTooNew:
		text = "PTX too new"
	case coverage.Packed:
		text = "cannot unpack"
	case coverage.DriverLacksGPU:
		text = "GPU unsupported"
	case coverage.Native, coverage.JIT:
		if r.Sparse || r.Blocked > 0 {
			text += fmt.Sprintf(", %s of %s", thousands(r.Native+r.JIT), thousands(r.Of))
		}
	}
	return text
}

// reason is why some libraries do not run on some GPUs.
type reason struct {
	coverage.GPUResult
	files, gpus []string
}

func (r reason) same(o reason) bool { return r.Summary == o.Summary && r.Why == o.Why }

// reasons says why, once for all libraries and GPUs that have the same reason.
func (p archPrinter) reasons(w *libs.Workload) {
	var list []reason
	for i := range p.d.GPUs {
		var own []reason
		for n := range w.Code {
			f := &w.Code[n]
			at := slices.IndexFunc(f.Verdicts, func(r coverage.GPUResult) bool { return r.GPU == i })
			if at < 0 || !f.Verdicts[at].Fails() && f.Verdicts[at].Why == "" {
				continue
			}
			r := reason{GPUResult: f.Verdicts[at], gpus: []string{p.gpuName(p.d.GPUs[i])}}
			if same := slices.IndexFunc(own, r.same); same >= 0 {
				own[same].files = append(own[same].files, codeName(f))
			} else {
				r.files = []string{codeName(f)}
				own = append(own, r)
			}
		}
		for _, r := range own {
			if same := slices.IndexFunc(list, func(o reason) bool { return r.same(o) && slices.Equal(r.files, o.files) }); same >= 0 {
				list[same].gpus = append(list[same].gpus, r.gpus...)
			} else {
				list = append(list, r)
			}
		}
	}
	for i, r := range list {
		if i == 0 {
			p.line("")
		}
		text := p.some(r.files) + " on " + p.some(r.gpus) + ": " + r.Summary
		if r.Why != "" {
			text += ". " + r.Why
		}
		p.wrap("  "+p.verdictGlyph(r.GPUResult)+" ", "    ", clean(text))
	}
}

// some names the first of a long list.
func (p archPrinter) some(names []string) string {
	const most = 4
	if more := len(names) - most; more > 1 && !p.Verbose {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
