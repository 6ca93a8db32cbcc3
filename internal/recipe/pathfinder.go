package recipe

import (
	"path"
	"regexp"
	"strings"

	"strata/internal/loader"
)

// pathfinder is cuda.pathfinder.load_nvidia_dynamic_lib, by which CuPy 14, numba-cuda and cuda.core find NVIDIA's libraries: what is
// loaded already; the wheels; a conda environment, which is not followed here; the linker's own search; CUDA_PATH, which is not either.
// The wheels are looked through by directory, nvidia/cu13/lib first, and in each by soname, the newest first: beside a wheel of CUDA 13,
// one of CUDA 12 is not found. It reports success.
func (r *run) pathfinder(need Need, name string) bool {
	dir := r.module("cuda/pathfinder/_dynamic_libs")
	catalog := path.Join(dir, "descriptor_catalog.py")
	all := parsePathfinder(r.source(catalog))
	return dir != "" && r.pathfind(need, all, name, catalog, 0)
}

// maxDependencies bounds how deep the catalogue's dependencies are followed; cuSOLVER's go down to 2.
const maxDependencies = 4

func (r *run) pathfind(need Need, all map[string]pathfinderLib, name, why string, depth int) bool {
	lib, ok := all[name]
	if !ok || depth > maxDependencies {
		return false
	}
	found := ""
	for _, dir := range lib.dirs {
		for _, site := range r.w.Site {
			for _, soname := range lib.sonames {
				if file := path.Join(site, dir, soname); found == "" && r.m.Exists(file) {
					found = file
				}
			}
		}
	}
	loaded := false
	for _, soname := range lib.sonames {
		loaded = loaded || r.isLoaded(soname, why)
	}
	for _, dep := range lib.dependencies {
		if !r.pathfind(need, all, dep, why, depth+1) {
			return false
		}
	}
	for _, dep := range lib.optional {
		r.pathfind(Optional, all, dep, why, depth+1)
	}
	if loaded {
		return true
	}
	if found != "" {
		return r.cdll(need, found, why+": "+name+", from its wheel") == nil
	}
	for i, soname := range lib.sonames {
		n := Optional
		if i == len(lib.sonames)-1 {
			n = need
		}
		if r.cdll(n, soname, why+": "+name+", by name") == nil {
			return true
		}
	}
	return false
}

// isLoaded asks with RTLD_NOLOAD, for which the linker searches all the same: a name that is not loaded yet is one more miss in its words.
func (r *run) isLoaded(soname, why string) bool {
	if r.named(soname) != nil {
		return true
	}
	r.cdllObject()
	r.out.Results = append(r.out.Results, Result{
		Step:    Step{Open: soname, By: r.ctypes, Need: Optional, Later: r.later, Why: why + " asks whether it is loaded"},
		Failure: &loader.Failure{Name: soname, By: r.ctypes, Reason: "not loaded yet"},
	})
	return false
}

// pathfinderLib is one entry of the catalogue.
type pathfinderLib struct {
	sonames, dirs, dependencies, optional []string
}

var (
	pathfinderName  = regexp.MustCompile(`^\s*name="(\w+)"`)
	pathfinderTuple = regexp.MustCompile(`^\s*(linux_sonames|site_packages_linux|dependencies|optional_dependencies)=\(([^)]*)\)`)
)

// parsePathfinder reads descriptor_catalog.py of cuda-pathfinder, whose entries are calls of DescriptorSpec, a field a line.
func parsePathfinder(source string) map[string]pathfinderLib {
	all := map[string]pathfinderLib{}
	name := ""
	for line := range strings.Lines(source) {
		if m := pathfinderName.FindStringSubmatch(line); m != nil {
			name = m[1]
			continue
		}
		m := pathfinderTuple.FindStringSubmatch(line)
		if _, known := all[name]; m == nil || name == "" || !known && len(all) >= maxListed {
			continue
		}
		var values []string
		for _, q := range quoted.FindAllStringSubmatch(m[2], 16) {
			values = append(values, q[1])
		}
		lib := all[name]
		switch m[1] {
		case "linux_sonames":
			lib.sonames = values
		case "site_packages_linux":
			lib.dirs = values
		case "dependencies":
			lib.dependencies = values
		case "optional_dependencies":
			lib.optional = values
		}
		all[name] = lib
	}
	return all
}
