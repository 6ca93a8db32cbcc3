package term

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/coverage"
)

// answer is the last part: what runs, what does not, what was not looked at.
func (p archPrinter) answer() {
	if len(p.d.Files) == 0 {
		p.wrap(p.glyph("absent")+" ", "  ", "No file with GPU code among "+plural(p.d.Looked, "file", "files")+" looked at")
	}
	p.line("")
	for _, problem := range p.d.Problems {
		p.wrap("  "+p.glyph("unknown")+" ", "    ", "Not looked at: "+clean(problem))
	}
	with := 0
	for _, f := range p.d.Files {
		if len(f.Codes) > 0 {
			with++
		}
	}
	switch {
	case with == 0:
	case !p.d.Asked:
		p.wrap("  ", "  ", "No GPU was named: --gpu 'RTX 5090' or --gpu sm_120 judges for one, --driver 570 for a driver.")
	default:
		p.judged(with)
	}
	if p.d.Looked > len(p.d.Files) {
		p.wrap("  ", "  ", fmt.Sprintf("%s with GPU code, %s looked at", plural(with, "file", "files"), thousands(p.d.Looked)))
	}
}

// judged is a line for each GPU.
func (p archPrinter) judged(with int) {
	for i, g := range p.d.GPUs {
		var fails, risky, unknown []string
		beyond := false
		for _, f := range p.d.Files {
			at := slices.IndexFunc(f.Verdicts, func(r coverage.GPUResult) bool { return r.GPU == i })
			if at < 0 {
				continue
			}
			name := clean(fileName(&f))
			switch r := f.Verdicts[at]; {
			case r.Fails():
				fails = append(fails, name)
			case r.Status == coverage.Unknown:
				unknown = append(unknown, name)
				beyond = beyond || r.Beyond
			case r.Sparse || r.Blocked > 0:
				risky = append(risky, name)
			}
		}
		on := "on " + p.gpuName(g)
		if p.d.Driver != "" {
			on += " with driver " + p.d.Driver
		}
		switch {
		case len(fails) > 0:
			p.tell("broken", share(len(fails), with)+on, fails, with)
		case beyond:
			p.tell("unknown", "Whether it runs "+on+" is not told: the driver is beyond the horizon of the knowledge base", unknown, with)
		case len(unknown) > 0:
			p.tell("unknown", "Whether it runs "+on+" is not known", unknown, with)
		case len(risky) > 0:
			p.tell("at-risk", "Runs "+on+", and not all of its kernels do", risky, with)
		case with == 1:
			p.tell("ok", "Runs "+on, nil, with)
		case with == 2:
			p.tell("ok", "Both files run "+on, nil, with)
		default:
			p.tell("ok", fmt.Sprintf("All %s files run %s", thousands(with), on), nil, with)
		}
	}
}

func share(fails, with int) string {
	switch {
	case with == 1:
		return "Does not run "
	case fails == with && with == 2:
		return "Neither file runs "
	case fails == with:
		return fmt.Sprintf("None of the %s files runs ", thousands(with))
	case fails == 1:
		return fmt.Sprintf("1 of %s files does not run ", thousands(with))
	}
	return fmt.Sprintf("%s of %s files do not run ", thousands(fails), thousands(with))
}

// tell is one sentence, and the files that it is about where there are several.
func (p archPrinter) tell(status, text string, files []string, with int) {
	p.wrap(p.glyph(status)+" ", "  ", text)
	if with == 1 {
		return
	}
	const most = 5
	for n, f := range files {
		if n == most && len(files) > most+1 {
			p.line(fmt.Sprintf("    and %d more", len(files)-most))
			break
		}
		p.line("    " + strings.TrimSpace(f))
	}
}
