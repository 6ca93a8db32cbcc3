package term

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"strata/internal/coverage"
	"strata/internal/fatbin"
	"strata/internal/lookup"
	"strata/internal/version"
)

// Arch writes what GPU code files hold and which GPUs run it.
func Arch(w io.Writer, d *coverage.Document, opts Options) error {
	p := newPrinter(w, opts)
	head := []string{p.Title}
	if d.Driver != "" {
		head = append(head, "driver "+d.Driver)
	}
	p.heading(append(head, knowledge(d.Tool)...)...)
	a := archPrinter{printer: p, d: d, brief: len(d.Files) > maxTables && !opts.Verbose}
	for i := range d.Files {
		if i > 0 {
			p.line("")
		}
		a.file(&d.Files[i])
	}
	a.answer()
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// maxTables is how many files get a table of their targets; more are listed in short.
const maxTables = 2

type archPrinter struct {
	*printer
	d     *coverage.Document
	brief bool
}

var fileKinds = map[fatbin.Kind]string{
	fatbin.ELF: "ELF file", fatbin.Archive: "static library", fatbin.PE: "Windows file",
	fatbin.Fatbin: "fat binary file", fatbin.Cubin: "single cubin", fatbin.PTX: "PTX text",
}

func (p archPrinter) file(f *coverage.File) {
	p.line(p.bold(clean(fileName(f))))
	if f.Error != "" {
		p.wrap("  "+p.glyph("unknown")+" ", "    ", "Not read: "+clean(f.Error))
		return
	}
	parts := []string{fileKinds[f.Kind]}
	if f.Kind == fatbin.Archive && f.Members > 0 {
		parts[0] += " · " + plural(f.Members, "member with GPU code", "members with GPU code")
	}
	if f.Kind != fatbin.Cubin && f.Kind != fatbin.PTX && f.Fatbins > 0 {
		parts = append(parts, plural(f.Fatbins, "fat binary", "fat binaries"), plural(f.Entries, "code", "codes"))
	}
	if f.CUDA != "" {
		cuda := f.CUDA
		if !strings.Contains(cuda, ".") {
			cuda += ".x"
		}
		parts = append(parts, "built with CUDA "+cuda+" ("+f.CUDAFrom+")")
	}
	p.parts("  ", parts)
	if f.Relocatable {
		p.wrap("  ", "  ", "Relocatable device code: it runs only after the device linker (nvlink) made it part of a program.")
	}
	for _, problem := range f.Problems {
		p.wrap("  "+p.glyph("at-risk")+" ", "    ", "Not understood: "+clean(problem))
	}
	switch {
	case len(f.Codes) == 0:
		p.line("  " + p.glyph("absent") + " No GPU code")
		return
	case p.brief:
		p.inShort(f)
	default:
		p.line("")
		p.targets(f)
		p.line("")
	}
	if p.d.Asked || p.Verbose {
		p.verdicts(f)
	} else {
		p.groups(f)
	}
}

// parts are joined by dots, and folded between them.
func (p archPrinter) parts(indent string, parts []string) {
	line := ""
	for _, part := range parts {
		part = clean(part)
		switch {
		case line == "":
			line = indent + part
		case width(line)+3+width(part) <= p.Width:
			line += " · " + part
		default:
			p.line(line)
			line = indent + part
		}
	}
	p.line(line)
}

func fileName(f *coverage.File) string {
	if f.Member == "" {
		return f.Path
	}
	return f.Path + " · " + f.Member
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// targets is the table of a file's code.
func (p archPrinter) targets(f *coverage.File) {
	t := &lookup.Table{Columns: []lookup.Column{{Label: "Code"}, {Label: "Target"}, {Label: "Codes"}, {Label: "Fat binaries"}, {Label: "Compression"}, {Label: "PTX ISA"}}}
	for _, c := range f.Codes {
		isa := c.PTXISA
		if len(c.PTXCUDA) > 0 {
			isa += " of CUDA " + strings.Join(c.PTXCUDA, ", ")
		}
		t.Rows = append(t.Rows, []any{kindOf(c), c.Target, c.Entries, c.Fatbins, c.Compression, isa})
	}
	if f.Kind == fatbin.Cubin || f.Kind == fatbin.PTX {
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], 2, 5)
		}
		t.Columns = slices.Delete(t.Columns, 2, 5)
	}
	if !slices.ContainsFunc(f.Codes, func(c coverage.Code) bool { return c.PTXISA != "" }) {
		last := len(t.Columns) - 1
		t.Columns = t.Columns[:last]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:last]
		}
	}
	p.table("  ", t)
}

func kindOf(c coverage.Code) string {
	if c.Linkable {
		return "PTX, relinked"
	}
	return kindName(c.Kind)
}

func kindName(kind string) string {
	if kind == "ptx" {
		return "PTX"
	}
	return kind
}

// inShort lists a file's targets in a line each for cubins and PTX.
func (p archPrinter) inShort(f *coverage.File) {
	lines := map[string][]string{}
	for _, c := range f.Codes {
		text := c.Target
		if c.PTXISA != "" {
			text += " (ISA " + c.PTXISA + ")"
		}
		if !slices.Contains(lines[c.Kind], text) {
			lines[c.Kind] = append(lines[c.Kind], text)
		}
	}
	for _, kind := range []string{"cubin", "ptx"} {
		if len(lines[kind]) > 0 {
			p.wrap(fmt.Sprintf("  %-6s ", kindName(kind)), strings.Repeat(" ", 9), strings.Join(lines[kind], " "))
		}
	}
}

// verdicts is a row for each GPU.
func (p archPrinter) verdicts(f *coverage.File) {
	names := 0
	for _, g := range p.d.GPUs {
		names = max(names, width(p.gpuName(g)))
	}
	names = min(names, p.Width/2-6)
	for _, r := range f.Verdicts {
		first := fmt.Sprintf("  %s %-*s  ", p.verdictGlyph(r), names, cut(p.gpuName(p.d.GPUs[r.GPU]), names))
		next := strings.Repeat(" ", names+6)
		text := r.Summary
		if p.d.Driver == "" && r.NeedsDriver != "" && !r.Fails() {
			text += "; takes " + driverName(r.NeedsDriver) + " or newer"
		}
		p.wrap(first, next, clean(text))
		if p.d.Asked || p.Verbose {
			p.wrap("      ", "      ", clean(r.Why))
		}
	}
}

func (p archPrinter) gpuName(g coverage.GPU) string {
	name := strings.TrimPrefix(strings.TrimPrefix(g.Name, "NVIDIA "), "GeForce ")
	sm := "sm_" + strings.Replace(g.ComputeCapability, ".", "", 1)
	switch {
	case g.ComputeCapability == "":
		return clean(name)
	case strings.HasPrefix(g.Name, "GPU of compute capability"):
		return sm
	}
	return clean(name) + " (" + sm + ")"
}

func driverName(driver string) string {
	d, err := version.ParseDriver(driver)
	if err != nil {
		return driver
	}
	return coverage.DriverName(d)
}

func (p archPrinter) verdictGlyph(r coverage.GPUResult) string {
	switch {
	case r.Fails() && !p.d.Asked:
		return p.glyph("absent")
	case r.Fails():
		return p.glyph("broken")
	case r.Status == coverage.Unknown:
		return p.glyph("unknown")
	case r.Status == coverage.Empty:
		return p.glyph("absent")
	case r.Sparse || r.Blocked > 0 || r.Unpromised:
		return p.glyph("at-risk")
	}
	return p.glyph("ok")
}

var statusNames = map[coverage.Status]string{
	coverage.Native: "native", coverage.JIT: "by JIT", coverage.NoCode: "no code", coverage.PTXTooNew: "PTX newer than the driver",
	coverage.Packed: "driver cannot unpack it", coverage.DriverTooOld: "driver too old", coverage.DriverLacksGPU: "not with this driver",
	coverage.Unknown: "not known",
}

// groups is a line for each verdict, with the architectures that have it.
func (p archPrinter) groups(f *coverage.File) {
	type group struct {
		glyph, name string
		sms, why    []string
	}
	var list []group
	for _, r := range f.Verdicts {
		glyph, name := p.verdictGlyph(r), statusNames[r.Status]
		if r.Beyond {
			name = "beyond the horizon"
		} else if r.Sparse {
			name += ", few kernels"
		} else if r.Blocked > 0 {
			name += ", not all kernels"
		} else if r.Unpromised {
			name += ", not promised"
		}
		i := slices.IndexFunc(list, func(g group) bool { return g.name == name })
		if i < 0 {
			i, list = len(list), append(list, group{glyph: glyph, name: name})
		}
		list[i].sms = append(list[i].sms, "sm_"+strings.Replace(p.d.GPUs[r.GPU].ComputeCapability, ".", "", 1))
		if why := strings.TrimSpace(r.Summary + ". " + r.Why); r.Status == coverage.Unknown && !slices.Contains(list[i].why, why) {
			list[i].why = append(list[i].why, why)
		}
	}
	names := 0
	for _, g := range list {
		names = max(names, width(g.name))
	}
	for _, g := range list {
		p.wrap(fmt.Sprintf("  %s %-*s  ", g.glyph, names, g.name), strings.Repeat(" ", names+6), strings.Join(g.sms, " "))
		for _, why := range g.why {
			p.wrap("      ", "      ", clean(why))
		}
	}
}
