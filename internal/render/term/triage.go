package term

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"strata/internal/report"
)

// RenderTriage writes the report of a text: what it tells of the machine, then
// what else it says, and the answer last.
func RenderTriage(w io.Writer, d *report.Document, opts Options) error {
	p := newPrinter(w, opts)
	p.d, p.allShown = d, true
	p.heading(append([]string{p.Title, d.Subject.Name}, knowledge(d.Tool)...)...)
	p.told()
	p.follow()
	p.notRead()
	p.ran(p.blank)
	if p.blank || p.d.Run != nil {
		p.line("")
	}
	p.answer()
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// told is the environment in a few lines.
func (p *printer) told() {
	e := p.d.Environment
	row := func(label, text string) {
		if text != "" {
			p.blank = true
			p.wrap(fmt.Sprintf("  %-10s", label), column, clean(text))
		}
	}
	join := func(parts ...string) string {
		var known []string
		for _, x := range parts {
			if x != "" && !strings.HasSuffix(x, " ") {
				known = append(known, x)
			}
		}
		return strings.Join(known, " · ")
	}
	row("System", join(e.OS, e.Kernel, e.ContainerImage))
	var gpus []string
	for i := 0; i < len(e.GPUs); {
		n := 1
		for i+n < len(e.GPUs) && e.GPUs[i+n].Name == e.GPUs[i].Name {
			n++
		}
		name := e.GPUs[i].Name
		if n > 1 {
			name = fmt.Sprintf("%d × %s", n, name)
		}
		gpus = append(gpus, name)
		i += n
	}
	row("GPU", strings.Join(gpus, ", "))
	row("Driver", join(e.DriverVersion, "CUDA "+e.DriverCUDA))
	row("CUDA", join("runtime "+e.CUDARuntime, "toolkit "+e.Toolkit, "cuDNN "+e.CUDNN, "NCCL "+e.NCCL, "TensorRT "+e.TensorRT))
	var frameworks []string
	for _, w := range p.d.Workloads {
		if fw := w.Framework + " " + w.Version; !slices.Contains(frameworks, fw) {
			frameworks = append(frameworks, fw)
		}
	}
	row("Framework", strings.Join(frameworks, ", "))
}

// follow are findings beside the deciding one: what follows from it, and what else there is.
func (p *printer) follow() {
	var after, other []report.Finding
	primary := p.primary()
	for _, f := range p.d.Findings {
		switch {
		case primary != nil && same(f, *primary):
		case f.Because != "":
			after = append(after, f)
		default:
			other = append(other, f)
		}
	}
	show := func(heading string, list []report.Finding) {
		if len(list) == 0 {
			return
		}
		if p.blank {
			p.line("")
		}
		p.blank = true
		p.line(heading)
		for i, f := range list {
			if i == maxShown && !p.Verbose {
				p.line(fmt.Sprintf("  and %d more: -v shows them", len(list)-maxShown))
				break
			}
			where := ""
			if len(f.Evidence) > 0 && f.Evidence[0].Line > 0 {
				where = fmt.Sprintf("line %d: ", f.Evidence[0].Line)
			}
			p.wrap("  "+p.glyph(f.Severity)+" ", "    ", clean(where+f.Summary))
			p.line("    " + p.dim("strata explain "+f.ID))
		}
	}
	show("What follows from the answer below", after)
	show("Also in this text", other)
}

// maxShown is how many findings beside the deciding one are shown without -v.
const maxShown = 5

// notRead says what of the input could not be read.
func (p *printer) notRead() {
	if len(p.d.Unknowns) == 0 {
		return
	}
	if p.blank {
		p.line("")
	}
	p.blank = true
	for _, u := range p.d.Unknowns {
		p.wrap("  "+p.glyph("unknown")+" ", "    ", clean(u.What+": "+u.Why))
	}
}
