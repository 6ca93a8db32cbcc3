// Package python finds every Python environment of a machine and reads what is
// installed in each. Nothing is executed and no module is imported: an
// environment is its directories, a package is the name of its metadata
// directory, and a file is opened only where it decides something about GPUs.
package python

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/framework"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Options narrow and widen the search.
type Options struct {
	// Interpreter is an interpreter or the directory of an environment (--python).
	// When it is set, only that environment is read.
	Interpreter string
	// Dir is the working directory, where .venv is looked for; empty where there is none.
	Dir string
}

// The shares of one place and one environment in the collector's deadline. Both
// take milliseconds; what takes seconds hangs, and must not take the rest along.
const (
	placeShare       = 1500 * time.Millisecond
	environmentShare = 3 * time.Second
)

// New returns the collector of Python environments.
func New(opts Options) collect.Collector {
	return collect.Collector{
		Name: "python",
		Read: func(ctx context.Context, m *machine.Machine) (collect.Put, error) {
			found, denied, err := find(ctx, m, opts)
			envs := collect.Each(ctx, found, environmentShare, func(ctx context.Context, e stack.Environment) stack.Environment {
				e.Managed = managed(m, e)
				listings := readPackages(ctx, m, &e)
				framework.Read(ctx, m, &e, listings)
				return e
			}, late)
			if opts.Interpreter == "" {
				envs = slices.DeleteFunc(envs, pointless)
			}
			fact := stack.Know(envs)
			switch {
			case len(envs) > 0 && err != nil:
				fact.Why = err.Error()
			case err != nil:
				fact = stack.Broken[[]stack.Environment](err.Error())
			case len(envs) == 0:
				fact = stack.None[[]stack.Environment](stack.From("directory", "/usr", 0, ""), stack.From("directory", "/opt", 0, ""))
			}
			if len(denied) > 0 {
				if fact.State == stack.Absent {
					fact.State = stack.Denied // there may be some where we may not look
				}
				note := "not allowed to look for environments in " + strings.Join(denied, ", ")
				fact.Why = strings.TrimPrefix(fact.Why+"; "+note, "; ")
				fact.Allow = "run as a user who may read " + strings.Join(denied, ", ")
			}
			return func(s *stack.Stack) { s.Python = fact }, err
		},
	}
}

// find looks in all places and returns the environments, each once, without
// packages, and the places it was not allowed to look into.
func find(ctx context.Context, m *machine.Machine, opts Options) (all []stack.Environment, denied []string, err error) {
	if opts.Interpreter != "" {
		all, err = findNamed(ctx, m, opts)
		return all, nil, err
	}
	candidates, denied, err := candidates(ctx, m, opts)
	type sight struct {
		envs []stack.Environment
		err  error
	}
	sights := collect.Each(ctx, candidates, placeShare, func(ctx context.Context, c candidate) sight {
		envs, err := look(ctx, m, c)
		return sight{envs, err}
	}, func(c candidate) sight {
		err := fmt.Errorf("looking for Python environments in %q: gave up after %s", c.prefix, placeShare)
		if c.sure {
			return sight{[]stack.Environment{unreadable(c, err)}, nil}
		}
		return sight{nil, err}
	})
	seen := map[string]bool{}
	for _, s := range sights {
		err = errors.Join(err, s.err)
		for _, e := range s.envs {
			// The same prefix can be reached by links, PATH and lists alike. What
			// sets two environments of one prefix apart is where their packages lie.
			key := e.Prefix
			if len(e.Site) > 0 {
				key += "\x00" + e.Site[0]
			}
			if !seen[key] {
				seen[key] = true
				all = append(all, e)
			}
		}
	}
	return all, denied, err
}

// findNamed is find for --python.
func findNamed(ctx context.Context, m *machine.Machine, opts Options) ([]stack.Environment, error) {
	type answer struct {
		envs []stack.Environment
		err  error
	}
	got := collect.Each(ctx, []Options{opts}, placeShare, func(ctx context.Context, o Options) answer {
		c, err := named(ctx, m, o)
		if err != nil {
			return answer{nil, err}
		}
		envs, err := look(ctx, m, c)
		if len(envs) > 1 {
			envs = choose(envs, c.interpreter)
		}
		if err == nil && len(envs) == 0 {
			err = fmt.Errorf("no Python environment at %q; give the path of an interpreter, or the directory that holds pyvenv.cfg, conda-meta or lib/python3.*", o.Interpreter)
		}
		return answer{envs, err}
	}, func(o Options) answer {
		return answer{nil, fmt.Errorf("looking at %q: gave up after %s", o.Interpreter, placeShare)}
	})
	return got[0].envs, got[0].err
}

// managed looks for the mark of PEP 668 in the interpreter's standard library.
// A venv has none of its own, and pip ignores that of its base.
func managed(m *machine.Machine, e stack.Environment) bool {
	minor := strings.SplitN(e.Python.Or(""), ".", 3)
	if len(minor) < 2 || e.Kind == "venv" || e.Kind == "user" {
		return false
	}
	return m.Exists(path.Join(e.Prefix, "lib/python"+minor[0]+"."+minor[1], "EXTERNALLY-MANAGED"))
}

func late(e stack.Environment) stack.Environment {
	why := fmt.Sprintf("gave up after %s: a read below %s did not return", environmentShare, e.Prefix)
	e.Packages = stack.Broken[[]stack.Package](why, e.From)
	e.Libraries = stack.Broken[[]stack.Library](why, e.From)
	e.Overlaps = stack.Broken[[]stack.Overlap](why, e.From)
	return e
}

func unreadable(c candidate, err error) stack.Environment {
	return stack.Environment{
		Prefix: c.prefix, Kind: c.kind, Interpreter: c.interpreter, From: c.from,
		Packages: stack.Miss[[]stack.Package](err, c.prefix),
	}
}

// pointless is a directory that only looked like an environment: Debian makes
// /usr/local/lib/python3.X/dist-packages even where there is no Python.
func pointless(e stack.Environment) bool {
	return e.Interpreter == "" && e.Packages.Known() && e.Packages.Why == "" && len(e.Packages.Value) == 0
}
