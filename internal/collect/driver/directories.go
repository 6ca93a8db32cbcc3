package driver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/environment"
	"strata/internal/collect/loader"
	"strata/internal/machine"
	"strata/internal/stack"
)

// dir is a directory to look into, and what kind of place it is (stack.Library.Place).
type dir struct{ path, place string }

// maxDirs bounds the directories looked into.
const maxDirs = 2000

// eachDir is how long one directory may take. A dead network mount on
// LD_LIBRARY_PATH then costs its own directory only.
const eachDir = 2 * time.Second

// searchDirs lists the directories that exist, each real one once. The error
// says which could not be looked at.
func searchDirs(ctx context.Context, m *machine.Machine) ([]dir, error) {
	candidates, problem := candidateDirs(ctx, m)
	type resolved struct {
		real string
		err  error
	}
	reals := collect.Each(ctx, candidates, eachDir,
		func(_ context.Context, d dir) resolved {
			real, err := m.Real(d.path)
			return resolved{real, err}
		},
		func(d dir) resolved { return resolved{"", lateError(d)} })
	var dirs []dir
	seen := map[string]bool{}
	for i, r := range reals {
		switch {
		case errors.Is(r.err, fs.ErrNotExist):
		case r.err != nil:
			problem = errors.Join(problem, r.err)
		case !seen[r.real]:
			seen[r.real] = true
			dirs = append(dirs, candidates[i])
		}
	}
	return dirs, problem
}

func lateError(d dir) error { return fmt.Errorf("%q did not answer within %s", d.path, eachDir) }

// candidateDirs lists places to look into. The system's own come first, so
// that one which is also on LD_LIBRARY_PATH or in ld.so.conf keeps its kind.
func candidateDirs(ctx context.Context, m *machine.Machine) (dirs []dir, problem error) {
	add := func(p, place string) {
		if len(dirs) < maxDirs {
			dirs = append(dirs, dir{p, placeOf(p, place)})
		}
	}
	known := func(system bool) {
		for _, k := range loader.WellKnown {
			if k.Place == "toolkit" || (k.Place == "system") != system {
				continue
			}
			if !strings.Contains(k.Pattern, "*") {
				add(k.Pattern, k.Place)
				continue
			}
			paths, err := m.Glob(k.Pattern)
			if err != nil {
				problem = errors.Join(problem, err)
			}
			for _, p := range paths {
				// /usr/local/cuda matches too and is a link to one of the others.
				if real, err := m.Real(p); err == nil {
					p = real
				}
				add(p, k.Place)
			}
		}
	}
	known(true)
	for _, v := range environment.Variables(m).Value {
		if v.Name != "LD_LIBRARY_PATH" {
			continue
		}
		for _, p := range stack.SplitLibraryPath(v.Value) {
			if path.IsAbs(p) { // ld.so takes others relative to a directory nobody knows here
				add(path.Clean(p), "ldpath")
			}
		}
	}
	conf, err := loader.Conf(ctx, m)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problem = errors.Join(problem, err)
	}
	for _, c := range conf {
		add(c.Dir, "system")
	}
	known(false)
	return dirs, problem
}

// placeOf tells the kind of a directory by its path, whoever named it.
func placeOf(p, otherwise string) string {
	switch {
	case strings.HasSuffix(p, "/stubs") || strings.Contains(p, "/stubs/"):
		return "stubs"
	case strings.Contains(p, "/compat") || strings.Contains(p, "/cuda-compat"):
		return "compat"
	case strings.HasPrefix(p, "/usr/lib/wsl/"):
		return "wsl"
	case otherwise == "system" && (strings.HasPrefix(p, "/usr/local/cuda") || strings.HasPrefix(p, "/opt/cuda")):
		return "toolkit" // named by ld.so.conf.d
	}
	return otherwise
}
