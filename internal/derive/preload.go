package derive

import (
	"path"
	"slices"

	"strata/internal/stack"
)

// preloadKind says when a framework loads NVIDIA's wheels by their path, which
// beats everything the dynamic linker would search.
type preloadKind int

const (
	never  preloadKind = iota
	before             // at import, before anything asks for them
	after              // only where the linker did not find them
	asked              // only where the program calls for it
)

// preload is how each framework treats site-packages/nvidia/*/lib.
var preload = map[string]preloadKind{
	// torch/__init__.py loads libtorch_global_deps first and walks nvidia/*/lib only when that fails.
	"pytorch": after,
	// jax_plugins.xla_cuda12 loads each library from the nvidia packages it can import, else by name.
	"jax": before,
	// These look with cuda.pathfinder: wheels first, then conda, then the system.
	"cupy": before, "numba-cuda": before, "rapids": before,
	"paddle": after, "tensorflow": after,
	// onnxruntime.preload_dlls() exists since 1.21 and is the program's business.
	"onnxruntime": asked,
}

// PreloadsOnlyWhenAsked tells whether the workload finds the wheels' libraries
// only if the program says so itself.
func PreloadsOnlyWhenAsked(w *Workload) bool { return preload[w.Name] == asked }

// preloads are the directories loaded by path before the linker is asked, and
// those tried after it failed.
func preloads(w *Workload) (first, last []string) {
	kind := preload[w.Name]
	if w.On != nil && kind == never {
		// Whoever extends a framework imports it first, and what is loaded once stays.
		switch preload[w.On.Name] {
		case before, after:
			kind = before
		}
	}
	switch kind {
	case before:
		return WheelDirs(w), nil
	case after:
		return nil, WheelDirs(w)
	}
	return nil, nil
}

// WheelDirs are the directories of NVIDIA's wheels in the workload's environment.
func WheelDirs(w *Workload) []string {
	if w.Env == nil {
		return nil
	}
	var dirs []string
	for _, l := range w.Env.Libraries.Value {
		if d := path.Dir(l.Path); l.Place == "wheel" && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// InWheel finds a library by name among NVIDIA's wheels of the environment.
func InWheel(w *Workload, name string) *stack.Library {
	if w.Env == nil {
		return nil
	}
	for i := range w.Env.Libraries.Value {
		if l := &w.Env.Libraries.Value[i]; l.Place == "wheel" && path.Base(l.Path) == name {
			return l
		}
	}
	return nil
}
