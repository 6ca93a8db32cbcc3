package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// logs reads the lines in which programs tell on their own what they found.
var logs = reader{name: "lines of logs", read: readLogs, words: toldWords()}

func toldWords() (out []string) {
	for _, t := range tolds {
		out = append(out, t.literal)
	}
	return out
}

// told is one such line: a literal that it has, its pattern, and what its groups are.
type told struct {
	literal string
	form    *lazyregexp.Regexp
	note    func(r *reading, m []string, p *pair)
}

func field(of func(*Record) *Value, read func(string) string) func(*reading, []string, *pair) {
	return func(r *reading, m []string, p *pair) { r.set(of(&r.f.rec), read(m[1]), p, Stated) }
}

func cudaRelease(s string) string { v, _ := cudaOf(s); return v }

func same(s string) string { return s }

func version1(pkg string) func(*reading, []string, *pair) {
	return func(r *reading, m []string, p *pair) {
		r.f.Package(Package{Name: pkg, Version: strings.Trim(m[1], ".,"), From: r.f.At(p.line, p.text)}, Stated)
	}
}

func gpuOf(name, cc int) func(*reading, []string, *pair) {
	return func(r *reading, m []string, p *pair) {
		n, _ := modelName(m[name], true)
		if n == "" {
			return
		}
		id := -1
		if isDigits(m[1]) {
			id = atoi(m[1])
		}
		from := r.f.At(p.line, p.text)
		r.d.name("log "+p.key, n, id, false, Stated, p.line, from)
		if cc > 0 {
			r.d.attribute(id, 0, capabilityOf(m[cc]), p.line, from)
		}
		if mem := memoryOf(m[0]); mem > 0 && cc == 0 {
			r.d.attribute(id, mem, "", p.line, from)
		}
	}
}

func usable(yes bool) func(*reading, []string, *pair) {
	return func(r *reading, _ []string, p *pair) { availability(r, yes, p, Stated) }
}

func both(a, b func(*reading, []string, *pair)) func(*reading, []string, *pair) {
	return func(r *reading, m []string, p *pair) { a(r, m, p); b(r, m, p) }
}

func ultralytics(r *reading, m []string, p *pair) {
	from := r.f.At(p.line, p.text)
	r.set(&r.f.rec.Python, pythonOf(m[1]), p, Stated)
	r.f.Package(Package{Name: "torch", Version: m[2], From: from}, Stated)
	if m[3] != "" {
		r.d.name("log ultralytics", m[3], -1, false, Stated, p.line, from)
		r.d.attribute(-1, atoi(m[4]), "", p.line, from)
	}
	if m[3] != "" || m[5] != "" {
		availability(r, m[3] != "", p, Stated)
	}
}

func unsloth(r *reading, m []string, p *pair) {
	from := r.f.At(p.line, p.text)
	r.f.Package(Package{Name: "torch", Version: strings.TrimRight(m[1], "."), From: from}, Stated)
	r.d.attribute(-1, 0, capabilityOf(m[2]), p.line, from)
	r.f.FrameworkCUDA("torch", cudaRelease(m[3]), Stated, from)
}

func llamaBuild(r *reading, m []string, p *pair) {
	r.f.Framework("llama.cpp", m[1], Proper, r.f.At(p.line, p.text))
}

func readLogs(t *transcript.Text, f *Facts) {
	r := newReading(f)
	for _, l := range t.Lines {
		if len(l.Text) < 8 {
			continue
		}
		text := l.Text[:min(len(l.Text), maxLine)]
		for i := range tolds {
			if !strings.Contains(text, tolds[i].literal) {
				continue
			}
			body := transcript.Message(text)
			if m := tolds[i].form.FindStringSubmatch(body); m != nil {
				tolds[i].note(r, m, &pair{key: tolds[i].literal, index: -1, line: l.N, text: l.Text})
			}
		}
	}
	r.d.give(f)
}
