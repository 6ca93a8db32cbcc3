// Package loads follows the dynamic linker of a machine for every workload that
// the other collectors found: what each framework opens (package recipe), and
// what the linker makes of it (package loader). It is a second round, since it
// needs their environments and programs.
package loads

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strata/internal/collect"
	config "strata/internal/collect/loader"
	"strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/recipe"
	"strata/internal/stack"
)

// each is what one workload gets. The largest real ones take some 20 ms; a directory that hangs must not cost the others theirs.
const each = 5 * time.Second

// Collector follows the workloads of a stack. One linker serves them all.
func Collector(s *stack.Stack) collect.Collector {
	return collect.Collector{Name: "loads", Read: func(ctx context.Context, m *machine.Machine) (collect.Put, error) {
		work := workloads(s)
		if len(work) == 0 {
			return nil, nil
		}
		env := Environment(s, nil) // the stack is read before anything that may hang
		l, err := Linker(m)
		if err != nil {
			fact := stack.Fact[stack.Loads]{State: stack.Failed, Why: "following the dynamic linker: " + err.Error()}
			if errors.Is(err, loader.ErrNoLinker) {
				fact.State = stack.NotCollected
			}
			return func(*stack.Stack) {
				for _, w := range work {
					w.framework.Loads = fact
				}
			}, nil
		}
		facts := collect.Each(ctx, work, each, func(_ context.Context, w workload) stack.Fact[stack.Loads] {
			return stack.Know(Of(m, recipe.Run(m, l, env, w.recipe)), stack.From("derived", l.Path, 0, "the search of this dynamic linker, followed"))
		}, func(workload) stack.Fact[stack.Loads] {
			return stack.Broken[stack.Loads](fmt.Sprintf("gave up after %s: a read did not return", each))
		})
		return func(*stack.Stack) {
			for i, w := range work {
				w.framework.Loads = facts[i]
			}
		}, nil
	}}
}

// Linker is the dynamic linker of a machine, with its processor.
func Linker(m *machine.Machine) (*loader.Linker, error) {
	return loader.New(m, loader.Options{CPU: loader.ReadCPU(m), Defaults: func() []string { return config.Defaults(m).Value }})
}

// Environment is what the linker sees: the machine's variables, those given on top.
func Environment(s *stack.Stack, given map[string]string) loader.Environment {
	get := func(name string) string {
		if value, ok := given[name]; ok {
			return value
		}
		v, _ := s.Getenv(name)
		return v.Value
	}
	return loader.Environment{LibraryPath: get("LD_LIBRARY_PATH"), Preload: get("LD_PRELOAD"), Dir: "/"}
}

type workload struct {
	framework *stack.Framework
	recipe    recipe.Workload
}

// workloads are those of a stack that have a recipe, and the native programs.
func workloads(s *stack.Stack) (list []workload) {
	for i := range s.Python.Value {
		env := &s.Python.Value[i]
		for j := range env.Frameworks {
			if f := &env.Frameworks[j]; recipe.Known(f.Name) {
				list = append(list, workload{f, InPython(env, f)})
			}
		}
	}
	for i := range s.Programs.Value {
		p := &s.Programs.Value[i]
		list = append(list, workload{&p.Framework, Native(p)})
	}
	return list
}

// InPython is a framework of an environment in the words of package recipe.
func InPython(env *stack.Environment, f *stack.Framework) recipe.Workload {
	r := recipe.Workload{Framework: f.Name, Version: f.Version, Python: env.Interpreter, Site: env.Site, Packages: map[string]string{}}
	for _, p := range env.Packages.Value {
		r.Packages[p.Name] = p.Version
	}
	return r
}

// Native is a native program in the words of package recipe.
func Native(p *stack.Program) recipe.Workload {
	return recipe.Workload{Framework: p.Name, Version: p.Framework.Version, Program: p.Path, Directories: p.Directories}
}
