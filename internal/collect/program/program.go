// Package program finds native programs that use the GPU outside Python:
// Ollama, llama.cpp, the native ONNX Runtime, Bareun's server, Triton Inference
// Server. It reads their libraries and configuration and runs nothing.
package program

import (
	"context"
	"errors"
	"slices"
	"strings"

	"strata/internal/collect"
	"strata/internal/collect/library"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads the native programs of a machine.
var Collector = collect.Collector{Name: "program", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	saw, err := find(ctx, m)
	f := &finding{ctx: ctx, m: m, marks: saw.marks}
	for _, r := range readers {
		if ctx.Err() != nil {
			err = errors.Join(err, ctx.Err())
			break
		}
		r(f)
	}
	for i := range f.programs {
		f.beside(&f.programs[i])
	}
	fact := stack.Know(f.programs)
	if len(f.programs) == 0 {
		fact = stack.None[[]stack.Program](saw.places...)
		if err != nil {
			fact = stack.Broken[[]stack.Program](err.Error(), saw.places...)
		}
	}
	if err != nil {
		fact.Why = err.Error()
	}
	if len(saw.denied) > 0 {
		if fact.State == stack.Absent {
			fact.State = stack.Denied // there may be some where we may not look
		}
		list := strings.Join(saw.denied, ", ")
		fact.Why = strings.TrimPrefix(fact.Why+"; not allowed to look into "+list, "; ")
		fact.Allow = "run as a user who may read " + list
	}
	return func(s *stack.Stack) { s.Programs = fact }, err
}

// readers take what they know out of the marks, the most specific first: what
// a server ships is not reported again as a library of its own.
var readers = []func(*finding){bareun, triton, ollama, llamaCpp, onnxruntime}

// finding is one machine while its programs are read.
type finding struct {
	ctx      context.Context
	m        *machine.Machine
	marks    []mark
	programs []stack.Program
}

// named returns the marks whose file name passes, in the order found.
func (f *finding) named(pass func(name string) bool) []mark {
	var list []mark
	for _, k := range f.marks {
		if pass(k.name) {
			list = append(list, k)
		}
	}
	return list
}

// within returns the marks below a directory whose file name passes.
func (f *finding) within(dir string, pass func(name string) bool) []mark {
	var list []mark
	for _, k := range f.named(pass) {
		if k.dir == dir || strings.HasPrefix(k.dir, strings.TrimSuffix(dir, "/")+"/") {
			list = append(list, k)
		}
	}
	return list
}

// take removes marks that a program has claimed.
func (f *finding) take(dir string) {
	var rest []mark
	for _, k := range f.marks {
		if k.dir != dir && !strings.HasPrefix(k.dir, dir+"/") {
			rest = append(rest, k)
		}
	}
	f.marks = rest
}

func is(want string) func(string) bool { return func(name string) bool { return name == want } }

func starts(prefix string) func(string) bool {
	return func(name string) bool { return strings.HasPrefix(name, prefix) }
}

// beside adds the CUDA libraries that lie in a program's own directories, where
// it finds them before those of the system. Directories that it shares with
// the whole system are read with the system's libraries.
func (f *finding) beside(p *stack.Program) {
	for _, dir := range p.Directories {
		if shared(dir) {
			continue
		}
		found, _ := library.Scan(f.ctx, f.m, dir, "framework") // what cannot be listed was found there by its name and is reported with its fault
		for _, l := range found {
			if !slices.ContainsFunc(p.Framework.Libraries, func(have stack.Library) bool { return have.Path == l.Path }) {
				p.Framework.Libraries = append(p.Framework.Libraries, l)
			}
		}
	}
}

// shared tells whether a directory is one of the distribution's, not a program's own.
func shared(dir string) bool {
	return slices.ContainsFunc(tops, func(t struct {
		dir   string
		depth int
	}) bool {
		return t.dir == dir && t.depth == 0
	})
}
