// Package cuda reads CUDA outside Python environments: toolkits, libraries of
// the CUDA family in every directory a loader or a user may take them from,
// and the host compiler that nvcc would use.
package cuda

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/library"
	"strata/internal/collect/loader"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads toolkits, CUDA-family libraries and the host compiler. The
// driver's own libraries (libcuda, libnvidia-ml, …) are the driver collector's.
var Collector = collect.Collector{Name: "cuda", Read: read}

const (
	// maxLibraries is far above what ten toolkits with all their parts have (150 each).
	maxLibraries = 20_000
	// scanTime is what one directory may take; a network file system that does
	// not answer then costs its own libraries, not all.
	scanTime = 4 * time.Second
)

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	c := stack.CUDA{Toolkits: toolkits(ctx, m), HostCompiler: compiler(m)}
	c.Libraries = libraries(ctx, m, directories(ctx, m, c.Toolkits.Value), scanTime)
	return func(s *stack.Stack) { s.CUDA = c }, ctx.Err()
}

// directories are the loader's, then those of the toolkits found and of HPC trees.
func directories(ctx context.Context, m *machine.Machine, kits []stack.Toolkit) []loader.Dir {
	dirs := loader.Directories(ctx, m)
	seen := map[string]bool{}
	for _, d := range dirs {
		seen[d.Real] = true
	}
	add := func(pattern, place string, from stack.Source) {
		if ctx.Err() != nil {
			return
		}
		found, _ := m.Glob(pattern) // one that cannot be listed was a guess
		for _, d := range found {
			real, err := m.Real(d)
			if err != nil || seen[real] {
				continue
			}
			if info, err := m.Stat(real); err != nil || !info.IsDir() {
				continue
			}
			seen[real] = true
			if p := loader.Place(d); p == "stubs" || p == "compat" || p == "hpc" || p == "conda" {
				place = p
			}
			dirs = append(dirs, loader.Dir{Path: d, Real: real, Place: place, From: from})
		}
	}
	for _, k := range kits {
		if k.Root == "/usr" || k.Root == debianRoot {
			continue // their libraries lie in the system's directories
		}
		for _, sub := range []string{"lib64", "lib", "targets/*/lib", "lib64/stubs", "targets/*/lib/stubs", "compat", "extras/CUPTI/lib64", "nvvm/lib64"} {
			add(path.Join(escape(k.Root), sub), "toolkit", k.From)
		}
	}
	for _, pattern := range hpcLibraries {
		add(pattern, "hpc", stack.From("derived", pattern, 0, "well-known place"))
	}
	return dirs
}

// hpcLibraries are the NVIDIA HPC SDK's own directories beside its toolkits.
var hpcLibraries = []string{
	"/opt/nvidia/hpc_sdk/Linux_*/*/math_libs/*/targets/*/lib",
	"/opt/nvidia/hpc_sdk/Linux_*/*/math_libs/*/lib64",
	"/opt/nvidia/hpc_sdk/Linux_*/*/comm_libs/*/nccl/lib",
	"/opt/nvidia/hpc_sdk/Linux_*/*/comm_libs/nccl/lib",
}

// libraries scans the directories, each within a time. The result is Known also when some could
// not be read; Why then says which.
func libraries(ctx context.Context, m *machine.Machine, dirs []loader.Dir, each time.Duration) stack.Fact[[]stack.Library] {
	type result struct {
		libs []stack.Library
		err  error
	}
	results := collect.Each(ctx, dirs, each,
		func(ctx context.Context, d loader.Dir) result {
			libs, err := library.Scan(ctx, m, d.Path, d.Place)
			return result{libs, err}
		},
		func(d loader.Dir) result {
			return result{nil, fmt.Errorf("reading %q: no answer within %s", d.Path, each)}
		})
	var list []stack.Library
	var sources []stack.Source
	var problem error
	where := ""
	for i, r := range results {
		sources = append(sources, stack.From("directory", dirs[i].Path, 0, ""))
		if r.err != nil && problem == nil && !errors.Is(r.err, fs.ErrNotExist) {
			problem, where = r.err, dirs[i].Path
		}
		for _, l := range r.libs {
			if !library.IsDriver(path.Base(l.Path)) && len(list) < maxLibraries {
				list = append(list, l)
			}
		}
	}
	switch {
	case len(list) == 0 && problem != nil:
		return stack.Miss[[]stack.Library](problem, where)
	case len(list) == 0 && len(dirs) == 0:
		return stack.None[[]stack.Library](stack.From("directory", "/usr/lib", 0, ""))
	case len(list) == 0:
		return stack.None[[]stack.Library](sources...)
	}
	f := stack.Know(list, sources...)
	if problem != nil {
		f.Why = problem.Error()
	}
	return f
}
