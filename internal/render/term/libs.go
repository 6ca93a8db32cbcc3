package term

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"strata/internal/libs"
	"strata/internal/loader"
)

// Libs writes what each workload loads.
func Libs(w io.Writer, d *libs.Document, opts Options) error {
	p := newPrinter(w, opts)
	linker := d.Linker.Libc
	if d.Linker.Version != "" {
		linker += " " + d.Linker.Version
	}
	p.heading(opts.Title, string(d.Subject.Kind)+" "+d.Subject.Name, linker)
	for _, name := range libs.Variables {
		if v, ok := d.Environment[name]; ok {
			p.wrap("  "+name+"=", "    ", clean(v))
		}
	}
	if d.Linker.CacheProblem != "" {
		p.wrap("  "+p.glyph("at-risk")+" ", "    ", "ld.so.cache is not used: "+clean(d.Linker.CacheProblem))
	}
	if d.Linker.NoLibc {
		p.wrap("  "+p.glyph("note")+" ", "    ", "There is no C library here, so this is part of a machine: system libraries are taken as present.")
	}
	if len(d.Workloads) == 0 {
		p.line("")
		p.wrap("  ", "  ", "No framework and no GPU program was found. Name a program with --exe.")
	}
	for i := range d.Workloads {
		if i > 0 || len(d.Environment) > 0 || d.Linker.NoLibc {
			p.line("")
		}
		p.workloadLibs(&d.Workloads[i])
		p.loadedCode(d, &d.Workloads[i])
	}
	if len(d.GPUs) == 0 && slices.ContainsFunc(d.Workloads, func(w libs.Workload) bool { return len(w.Libraries) > 0 }) {
		p.line("")
		p.wrap("  "+p.glyph("note")+" ", "    ", "No GPU is known here: --gpu 'RTX 5090' or --gpu sm_120 says what one makes of the code in these libraries.")
	}
	return p.Flush()
}

var libsGlyph = map[libs.Status]string{libs.Complete: "ok", libs.Partial: "at-risk", libs.Broken: "broken", libs.Unknown: "unknown"}

func (p *printer) workloadLibs(w *libs.Workload) {
	title := w.ID
	if w.Version != "" {
		title = strings.Replace(title, w.Framework, w.Framework+" "+w.Version, 1)
	}
	for i, line := range Fold(clean(title), p.Width) {
		p.line(strings.Repeat(" ", min(i, 1)*4) + p.bold(line))
	}
	p.wrap("  "+p.glyph(libsGlyph[w.Status])+" ", "    ", clean(w.Summary))
	for _, m := range w.Missing {
		if m.Need != "optional" || p.Verbose {
			p.missingLib(&m)
		}
	}
	for _, m := range w.Mismatches {
		p.wrap("  "+p.glyph("broken")+" ", "    ", clean(fmt.Sprintf("%s: version %s not found, required by %s", m.From, m.Version, m.By)))
	}
	p.searchSteps(w)
	p.loadedLibs(w)
}

// loadedLibs are the libraries by directory, in the order in which each directory is first needed.
func (p *printer) loadedLibs(w *libs.Workload) {
	var dirs []string
	byDir := map[string][]*libs.Library{}
	names, versions := 0, 0
	for i := range w.Libraries {
		l := &w.Libraries[i]
		if l.Component == "" && !p.Verbose {
			continue
		}
		d := path.Dir(l.Path)
		if byDir[d] == nil {
			dirs = append(dirs, d)
		}
		byDir[d] = append(byDir[d], l)
		names = max(names, min(len(path.Base(l.Name)), maxLibName))
		versions = max(versions, len(l.Version))
	}
	for i, d := range dirs {
		if i == 0 {
			p.line("")
		}
		p.line("  " + p.dim(clean(d)))
		for _, l := range byDir[d] {
			version := ""
			if versions > 0 {
				version = fmt.Sprintf("  %-*s", versions, clean(l.Version))
			}
			line := fmt.Sprintf("    %-*s%s", names, clean(path.Base(l.Name)), version)
			if width(line) > p.Width {
				p.line("    " + clean(path.Base(l.Name)))
				line = "        " + strings.TrimSpace(version)
			}
			p.beside(line, p.dim(clean(reasonFor(l))))
			for i, h := range l.Hidden {
				if i == maxHidden && !p.Verbose {
					p.line(fmt.Sprintf("      hides %d more copies; -v shows them", len(l.Hidden)-i))
					break
				}
				p.wrap("      ", "            ", clean("hides "+strings.TrimSpace(h.Version+" "+h.Path+" ("+string(h.Via)+")")))
			}
		}
	}
}

// beside writes a note behind a text, or below it where the line has no room: both can hold names of files, which are not cut.
func (p *printer) beside(text, note string) {
	if width(text)+2+width(note) <= p.Width {
		p.line(text + "  " + note)
		return
	}
	p.line(strings.TrimRight(text, " "))
	p.wrap("        ", "        ", note)
}

const (
	maxLibName = 38 // libcudnn_engines_runtime_compiled.so.9 is the longest name of CUDA
	maxHidden  = 2
)

// reasonFor says how a library was found.
func reasonFor(l *libs.Library) string {
	by := path.Base(l.By)
	switch l.Via {
	case loader.ViaPath:
		return "opened by path"
	case loader.ViaRPath, loader.ViaRunPath:
		return string(l.Via) + " of " + cmp.Or(by, "the program")
	case loader.ViaProgram:
		return "the program"
	}
	return string(l.Via)
}

func (p *printer) missingLib(m *libs.Missing) {
	glyph := map[string]string{"must": "broken", "gpu": "broken", "part": "at-risk", "optional": "note"}[m.Need]
	reason := m.Reason
	if strings.HasSuffix(reason, "No such file or directory") { // the summary has the linker's words
		reason = "not found"
	}
	text := m.Name + ": " + reason
	if m.By != "" {
		text += "; asked for by " + m.By
	}
	if m.Why != "" {
		text += " (" + m.Why + ")"
	}
	p.wrap("  "+p.glyph(glyph)+" ", "    ", clean(text))
	if m.Searched > 0 {
		p.wrap("      ", "      ", fmt.Sprintf("%d directories searched; --why %s shows them", m.Searched, clean(path.Base(m.Name))))
	}
	for i, c := range m.Elsewhere {
		if i == 3 && !p.Verbose {
			p.line(fmt.Sprintf("      and %d more copies", len(m.Elsewhere)-i))
			break
		}
		p.wrap("      ", "        ", clean("a copy that nothing leads to: "+strings.TrimSpace(c.Path+" "+c.Version)))
	}
}

// searchSteps is the whole search for the name of --why.
func (p *printer) searchSteps(w *libs.Workload) {
	for _, s := range w.Searches {
		p.line("")
		p.wrap("  ", "    ", clean(fmt.Sprintf("%s, asked for by %s:", s.Name, cmp.Or(s.By, "the interpreter"))))
		via := loader.Via("")
		taken := false
		for _, st := range s.Steps {
			if st.Via != via {
				via = st.Via
				label := string(via)
				if st.From != "" {
					label += " of " + st.From
				}
				p.wrap("    ", "      ", p.dim(clean(label)))
			}
			switch {
			case st.Why != "":
				p.beside("      "+p.glyph("absent")+" "+clean(st.Path), p.dim(clean(st.Why)))
			case !taken:
				taken = true
				p.beside("      "+p.glyph("ok")+" "+p.bold(clean(st.Path)), "taken")
			default:
				p.beside("      "+p.glyph("at-risk")+" "+clean(st.Path), p.dim("hidden"))
			}
		}
		if s.Loaded != "" {
			p.wrap("      "+p.glyph("note")+" ", "        ", clean("not searched: it was loaded before from "+s.Loaded))
		}
	}
}
