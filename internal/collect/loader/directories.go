package loader

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/environment"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Dir is a directory of shared libraries.
type Dir struct {
	Path string
	// Real is Path with links resolved, or Path where that failed.
	Real string
	// Place is what kind of directory it is, in the words of stack.Library.
	Place string
	// From is what makes it a library directory: the variable, the line of
	// ld.so.conf, the loader; "derived" for a well-known place.
	From stack.Source
}

// maxDirectories bounds the list; a usual machine has 10 to 40.
const maxDirectories = 2000

// Directories lists the library directories of a machine outside Python
// environments: LD_LIBRARY_PATH, ld.so.conf, the loader's own, then well-known
// ones. One that two of these name appears once, at its first place; one that
// does not exist is left out, one that may not be read is not.
func Directories(ctx context.Context, m *machine.Machine) []Dir {
	var guesses []Dir
	for _, v := range environment.Variables(m).Value {
		if v.Name == "LD_LIBRARY_PATH" {
			// ld.so separates by either sign.
			for _, d := range stack.SplitLibraryPath(v.Value) {
				guesses = append(guesses, Dir{Path: d, Place: "ldpath", From: v.From})
			}
		}
	}
	conf, _ := Conf(ctx, m) // its problems are in stack.Loader
	for _, c := range conf {
		guesses = append(guesses, Dir{Path: c.Dir, Place: "system", From: c.From})
	}
	defaults := Defaults(m)
	for _, d := range defaults.Value {
		guesses = append(guesses, Dir{Path: d, Place: "system", From: defaults.Sources[0]})
	}
	named := len(guesses)
	for _, k := range WellKnown {
		guesses = append(guesses, Dir{Path: k.Pattern, Place: k.Place})
	}
	type item struct {
		Dir
		pattern bool
	}
	items := make([]item, len(guesses))
	for i, g := range guesses {
		items[i] = item{g, i >= named}
	}
	answers := collect.Each(ctx, items, answerTime,
		func(_ context.Context, it item) []Dir {
			if !it.pattern {
				return resolve(m, it.Dir)
			}
			found, _ := m.Glob(it.Path) // a directory that cannot be listed is reported by who reads /usr
			var dirs []Dir
			for _, d := range found {
				dirs = append(dirs, resolve(m, Dir{Path: d, Place: it.Place, From: stack.From("derived", d, 0, "well-known place")})...)
			}
			return dirs
		},
		func(it item) []Dir {
			if it.pattern {
				return nil // only a guess
			}
			// Somebody named it, so that whoever reads it can say that it does not answer.
			it.Real = path.Clean(it.Path)
			return []Dir{it.Dir}
		})
	var list []Dir
	seen := map[string]bool{}
	for _, dirs := range answers {
		for _, d := range dirs {
			if !seen[d.Real] && len(list) < maxDirectories {
				seen[d.Real] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// answerTime is what one directory may take to be resolved: a network file
// system that is gone then costs its own directories, not all.
const answerTime = 1500 * time.Millisecond

// resolve returns the directory with its real path, or nothing where there is none.
func resolve(m *machine.Machine, d Dir) []Dir {
	// A relative element depends on where a program is started.
	if !path.IsAbs(d.Path) {
		return nil
	}
	d.Path = path.Clean(d.Path)
	real, err := m.Real(d.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		real = d.Path
	default:
		if info, err := m.Stat(d.Path); err == nil && !info.IsDir() {
			return nil
		}
	}
	d.Real = real
	if p := Place(real); p != "" {
		d.Place = p
	} else if p := Place(d.Path); p != "" {
		d.Place = p
	}
	return []Dir{d}
}

// Place tells the kind of a library directory from its path alone: stubs,
// compat, wsl, wheel, conda, hpc or toolkit; "" when the path says nothing.
func Place(dir string) string {
	parts := strings.Split(strings.Trim(dir, "/"), "/")
	has := func(name string) bool {
		for _, p := range parts {
			if p == name {
				return true
			}
		}
		return false
	}
	cuda := false
	for _, p := range parts {
		if v, ok := strings.CutPrefix(strings.ToLower(p), "cuda"); ok && strings.Trim(v, "-_.0123456789") == "" {
			cuda = true // cuda, cuda-12.4, CUDA
		}
	}
	switch {
	case has("stubs"):
		return "stubs"
	case cuda && (has("compat") || has("compat_orin")):
		return "compat"
	case strings.HasPrefix(dir, "/usr/lib/wsl"):
		return "wsl"
	case has("site-packages"), has("dist-packages"):
		return "wheel"
	case has("envs"), has("conda"), has("miniconda3"), has("anaconda3"), has("miniforge3"), has("mambaforge"), has("micromamba"):
		return "conda"
	case has("hpc_sdk"), has("easybuild"), has("spack"):
		return "hpc"
	case cuda && !strings.HasPrefix(dir, "/usr/lib/x86_64-linux-gnu/"):
		return "toolkit"
	}
	return ""
}
