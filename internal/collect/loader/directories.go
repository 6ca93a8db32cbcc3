package loader

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/collect/environment"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Dir is a directory of shared libraries.
type Dir struct {
	Path string
	// Place is what kind of directory it is, in the words of stack.Library.
	Place string
	// From is what makes it a library directory: the variable, the line of
	// ld.so.conf, the loader; "derived" for a well-known place.
	From stack.Source
}

// wellKnown are places where libraries of the GPU stack lie although the
// loader may not be told of them: that they are there and not found is often
// the finding.
var wellKnown = []string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/usr/local/lib64",
	"/usr/lib/wsl/lib",                                 // WSL mounts the Windows driver's here
	"/usr/local/nvidia/lib", "/usr/local/nvidia/lib64", // GKE and images of the old nvidia-docker
	"/usr/lib64/nvidia", "/usr/lib/nvidia", "/usr/lib/nvidia-*", // RPM Fusion; Ubuntu up to 16.04
	"/usr/lib/x86_64-linux-gnu/nvidia/*", "/usr/lib/aarch64-linux-gnu/nvidia/*", // Debian's alternatives
	"/usr/lib/aarch64-linux-gnu/nvidia", "/usr/lib/aarch64-linux-gnu/tegra", // Jetson, from R36 and before
	"/run/opengl-driver/lib",                                                      // NixOS
	"/run/nvidia/driver/usr/lib64", "/run/nvidia/driver/usr/lib/x86_64-linux-gnu", // GPU operator's driver container
	"/home/kubernetes/bin/nvidia/lib64",                  // Container-Optimized OS
	"/usr/local/cuda/compat", "/usr/local/cuda-*/compat", // forward compatibility
	"/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64", "/usr/local/cuda*/lib64/stubs", // toolkits
	"/usr/local/cuda*/targets/*/lib", "/usr/local/cuda*/targets/*/lib/stubs", "/usr/local/cuda*/extras/CUPTI/lib64",
	"/opt/cuda/lib64", "/opt/cuda/targets/*/lib", "/opt/cuda/lib64/stubs", // Arch
}

// maxDirectories bounds the list; a usual machine has 10 to 40.
const maxDirectories = 2000

// Directories lists the library directories of a machine outside Python
// environments: LD_LIBRARY_PATH, ld.so.conf, the loader's own, then well-known
// ones. One that two of these name appears once, at its first place; one that
// does not exist is left out, one that may not be read is not.
func Directories(m *machine.Machine) []Dir {
	l := list{m: m, seen: map[string]bool{}}
	for _, v := range environment.Variables(m).Value {
		if v.Name == "LD_LIBRARY_PATH" {
			// ld.so separates by either sign.
			for d := range strings.FieldsFuncSeq(v.Value, func(r rune) bool { return r == ':' || r == ';' }) {
				l.add(d, "ldpath", v.From)
			}
		}
	}
	conf, _ := Conf(context.Background(), m) // its problems are in stack.Loader
	for _, c := range conf {
		l.add(c.Dir, "system", c.From)
	}
	defaults := Defaults(m)
	for _, d := range defaults.Value {
		l.add(d, "system", defaults.Sources[0])
	}
	for _, pattern := range wellKnown {
		found, _ := m.Glob(pattern) // a directory that cannot be listed is reported by who reads /usr
		for _, d := range found {
			l.add(d, "system", stack.From("derived", d, 0, "well-known place"))
		}
	}
	return l.dirs
}

type list struct {
	m    *machine.Machine
	seen map[string]bool
	dirs []Dir
}

func (l *list) add(dir, place string, from stack.Source) {
	// A relative element depends on where a program is started.
	if !path.IsAbs(dir) || len(l.dirs) == maxDirectories {
		return
	}
	dir = path.Clean(dir)
	real, err := l.m.Real(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		real = dir
	default:
		if info, err := l.m.Stat(dir); err == nil && !info.IsDir() {
			return
		}
	}
	if l.seen[real] {
		return
	}
	l.seen[real] = true
	if p := Place(real); p != "" {
		place = p
	} else if p := Place(dir); p != "" {
		place = p
	}
	l.dirs = append(l.dirs, Dir{Path: dir, Place: place, From: from})
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
