package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// modules reads the environment modules of a cluster: what "module list" shows,
// and what "module load" and "ml" are given.
var modules = reader{name: "environment modules", read: readModules, around: listLines, words: []string{
	"urrently loaded module", "module load ", "module add ", "$ml ", "#ml ", "%ml ", "$ ml ", "# ml ", "% ml ",
}, form: func(l *transcript.Line) bool { return strings.HasPrefix(unindented(l.Message), "ml ") }}

var (
	moduleWord = lazyregexp.New(`(?:^|\s)(?:[\w.-]+/)?([A-Za-z][\w+.-]*)/v?(\d[\w.]*)(\S*)`)
	moduleLoad = lazyregexp.New(`^\s*(?:\$ |\S+[$#%] ?)?(?:module (?:load|add)|ml(?: load)?) (\S.*)$`)
	moduleCUDA = lazyregexp.New(`-CUDA-(\d{1,2}\.\d)`)
)

// listLines is how many lines the list of the modules that are loaded may have.
const listLines = 40

func readModules(t *transcript.Text, f *Facts) {
	r := newReading(f)
	listed := 0 // the last line that can belong to the list
	for _, l := range t.Lines {
		if len(l.Text) > maxLine {
			continue
		}
		switch {
		case strings.Contains(l.Text, "urrently Loaded Module"), strings.Contains(l.Text, "urrently loaded module"):
			listed = l.N + listLines
		case l.N <= listed && strings.Contains(l.Text, ") "):
			r.modules(l.Message, Stated, l)
		case strings.Contains(l.Text, "module ") || strings.Contains(l.Text, "ml "):
			if m := moduleLoad.FindStringSubmatch(l.Message); m != nil {
				r.modules(m[1], Prose, l)
			}
		}
	}
	r.d.give(f)
}

// modules takes NAME/VERSION, with the toolchain that EasyBuild puts behind it.
func (r *reading) modules(line string, most Rank, l transcript.Line) {
	for _, m := range moduleWord.FindAllStringSubmatch(line, 32) {
		p := pair{key: m[1], value: m[2], index: -1, line: l.N, text: l.Text}
		key := keyOf(m[1])
		if r.known(key, &p, most) || r.packaged(key, &p, most) {
			if c := moduleCUDA.FindStringSubmatch(m[3]); c != nil && gpuFrameworks[packageKey(key)] {
				r.f.FrameworkCUDA(packageKey(key), c[1], most, r.f.At(l.N, l.Text))
			}
		}
	}
}
