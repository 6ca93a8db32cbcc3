package derive

import (
	"path"
	"slices"

	"strata/internal/stack"
	"strata/internal/version"
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
	// torch/__init__.py loads libtorch_global_deps first and walks nvidia/*/lib when
	// that fails; releases that walk it in any case are in preloadOf and preloadedAlone.
	"pytorch": after,
	// jax_plugins.xla_cuda12 loads each library from the nvidia packages it can import, else by name; all but one, see skips.
	"jax": before,
	// These look with cuda.pathfinder: wheels first, then conda, then the system. CuPy since 14, see preloadOf.
	"cupy": before, "numba-cuda": before, "rapids": before,
	"paddle": after, "tensorflow": after,
	// tensorrt/__init__.py opens the libraries of tensorrt_libs by path.
	"tensorrt": before,
	// onnxruntime.preload_dlls() exists since 1.21 and is the program's business.
	"onnxruntime": asked,
}

// PreloadsOnlyWhenAsked tells whether the workload finds the wheels' libraries
// only if the program says so itself.
func PreloadsOnlyWhenAsked(w *Workload) bool { return preloadOf(w) == asked }

// preloadOf knows the releases in which a framework changed its ways.
func preloadOf(w *Workload) preloadKind {
	kind := preload[w.Name]
	v, err := version.ParsePEP440(w.Framework.Version)
	if err != nil || len(v.Release()) < 2 {
		return kind
	}
	release := v.Release()
	switch w.Name {
	case "cupy": // 13 goes through the dynamic linker alone (measured on 13.6.0)
		if release[0] < 14 {
			return never
		}
	case "pytorch": // right after the CUDA runtime, whatever else was found (measured on 2.15.0)
		if release[0] > 2 || release[0] == 2 && release[1] >= 15 {
			return before
		}
	case "onnxruntime":
		if release[0] == 1 && release[1] < 21 {
			return never
		}
	}
	return kind
}

// preloadedAlone is the wheel's directory of a library that a framework loads
// by path before anything asks for it, although it leaves the others to the
// dynamic linker; "" where it does not. PyTorch does so with nvJitLink and NVRTC
// since 2.6, so that a toolkit on LD_LIBRARY_PATH cannot put an older nvJitLink
// under cuSPARSE any more (https://github.com/pytorch/pytorch/pull/141063).
func preloadedAlone(w *Workload, name string) string {
	torch := w
	if w.On != nil {
		torch = w.On
	}
	if torch.Name != "pytorch" || stem(name) != "libnvJitLink" && stem(name) != "libnvrtc" {
		return ""
	}
	v, err := version.ParsePEP440(torch.Framework.Version)
	if err != nil || len(v.Release()) < 2 || v.Release()[0] == 2 && v.Release()[1] < 6 || v.Release()[0] < 2 {
		return ""
	}
	if lib := InWheel(torch, name); lib != nil {
		return path.Dir(lib.Path)
	}
	return ""
}

// skips tells whether a framework that loads the wheels' libraries by path
// leaves this one to the dynamic linker. JAX's list has no nvJitLink, so that
// cuSPARSE gets the one on LD_LIBRARY_PATH before that of its own RUNPATH
// (https://github.com/jax-ml/jax/issues/28929).
func skips(w *Workload, name string) bool {
	return w.Name == "jax" && stem(name) == "libnvJitLink"
}

// kindOf is how a workload treats the wheels, also through what it extends.
func kindOf(w *Workload) preloadKind {
	kind := preloadOf(w)
	if w.On != nil && kind == never {
		// Whoever extends a framework imports it first, and what is loaded once stays.
		switch preloadOf(w.On) {
		case before, after:
			kind = before
		}
	}
	return kind
}

// preloads are the directories loaded by path before the linker is asked, and
// those tried after it failed.
func preloads(w *Workload) (first, last []string) {
	switch kindOf(w) {
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
