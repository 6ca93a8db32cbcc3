package recipe

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// torch is `import torch; torch.cuda.is_available()`.
func torch(r *run) {
	if r.importTorch() != nil || r.out.Stopped != "" {
		return
	}
	if r.named("libtorch_cuda.so") == nil {
		r.stop("this build of PyTorch has no CUDA")
		return
	}
	failure := r.driver(r.named("libcudart.so."), "libcudart opens the driver when c10_cuda counts the devices (c10/cuda/CUDAFunctions.cpp)")
	r.cudnnVersion(Part) // torch.backends.cudnn.version() needs no GPU
	if failure != nil {
		return
	}
	r.later = true
	cuda := r.named("libtorch_cuda.so")
	r.cudnnParts()
	r.open(Part, cuda, "libcaffe2_nvrtc.so", "kernels that are compiled at run time (aten/src/ATen/cuda/detail/LazyNVRTC.cpp)")
	r.nvrtc(Part)
	r.open(Part, cuda, "libtorch_cuda_linalg.so", "linear algebra loads when it is first used (aten/src/ATen/native/cuda/linalg/BatchLinearAlgebra.cpp)")
}

// importTorch is torch/__init__.py up to the import of torch._C.
func (r *run) importTorch() error {
	dir := r.module("torch")
	if dir == "" {
		r.stop("torch is not installed")
		return nil
	}
	file := path.Join(dir, "__init__.py")
	source := r.source(file)
	if source == "" {
		r.stop(file + " cannot be read, which says how this release finds its libraries")
		return nil
	}
	pre := parseTorch(source)
	cuda := torchCUDA(r.source(path.Join(dir, "version.py")))
	// Since 2.13, an editable install may have it elsewhere; wheels do not.
	if global := path.Join(dir, "lib", "libtorch_global_deps.so"); r.m.Exists(global) {
		why := fmt.Sprintf("%s:%d loads it through ctypes", file, pre.global)
		need := Optional
		if len(pre.table) == 0 {
			need = Must
		}
		failure := r.cdll(need, global, why)
		switch {
		case failure == nil:
			r.torchAfter(pre, file, cuda)
		case need == Must:
			return failure
		default:
			if !pre.names(failure.Error()) {
				r.out.First = failure // torch raises the error again
				r.stop("torch does not import: " + failure.Error())
				return failure
			}
			for _, lib := range pre.table {
				if err := r.torchLibrary(lib, file, cuda, lib.need()); err != nil {
					if r.out.First == nil {
						r.out.First = failure
					}
					r.stop("torch does not import: " + err.Error())
					return err
				}
			}
			if failure := r.cdll(Must, global, why+", again after the preload"); failure != nil {
				return failure
			}
		}
	}
	ext := r.extension(dir, "_C")
	if ext == "" {
		r.stop("torch has no _C for this interpreter")
		return nil
	}
	if failure := r.imports(Must, ext, file+" imports torch._C, which needs libtorch_python.so and that the others"); failure != nil {
		return failure
	}
	return nil
}

// torchAfter is what follows where libtorch_global_deps has loaded. Errors there are swallowed, and end it.
func (r *run) torchAfter(pre torchPreload, file, cuda string) {
	if pre.guard == "" || !r.mapped(pre.guard) {
		return
	}
	for _, lib := range pre.after {
		if r.torchLibrary(lib, file, cuda, Optional) != nil {
			return
		}
	}
}

// torchLibrary is _preload_cuda_lib (_preload_cuda_deps before 2.9): the first match in any place of sys.path.
func (r *run) torchLibrary(lib torchLib, file, cuda string, need Need) error {
	found := ""
	for _, site := range r.w.Site {
		patterns := []string{path.Join(site, "nvidia", lib.folder, "lib", lib.pattern)}
		if lib.unified {
			major, _, _ := strings.Cut(cuda, ".")
			patterns = append(patterns, path.Join(site, "nvidia", "cu"+major, "lib", lib.pattern))
		}
		for _, p := range append(patterns, path.Join(site, lib.folder, "lib", lib.pattern)) {
			if found = r.glob(p); found != "" {
				break
			}
		}
		if found != "" {
			break
		}
	}
	if found == "" {
		if lib.optional {
			return nil
		}
		// A ValueError: of a fallback it ends the import, of what follows a load it is swallowed.
		return fmt.Errorf("%s not found in sys.path", lib.pattern)
	}
	if failure := r.cdll(need, found, fmt.Sprintf("%s:%d loads it by path", file, lib.line)); failure != nil {
		return failure
	}
	return nil
}

// torchLib is one library that torch/__init__.py looks for.
type torchLib struct {
	folder, pattern string // cusparse, libcusparse.so.*[0-9]
	line            int
	optional        bool
	unified         bool // nvidia/cu13/lib is looked into too
}

func (l torchLib) need() Need {
	if l.optional {
		return Optional
	}
	return Must
}

// torchPreload is what torch/__init__.py of one release does.
type torchPreload struct {
	global int        // the line that loads libtorch_global_deps.so
	table  []torchLib // loaded by path where that fails
	after  []torchLib // loaded by path where it does not,
	guard  string     // if a file with this in its path is mapped
}

// names reports whether an error speaks of a library of the table; torch raises others again.
func (p torchPreload) names(err string) bool {
	for _, lib := range p.table {
		if stem, _, _ := strings.Cut(lib.pattern, "."); strings.Contains(err, stem) {
			return true
		}
	}
	return false
}

var (
	torchEntry = regexp.MustCompile(`["'](\w+)["']\s*[:,]\s*["'](lib[\w-]+\.so[^"']*)["']`)
	torchGuard = regexp.MustCompile(`if "([^"]+)" not in _maps`)
	torchAll   = regexp.MustCompile(`^\s*_preload_cuda_deps\((required=False)?\)`)
	torchOwn   = regexp.MustCompile(`(?m)^cuda\b[^=\n]*=\s*["']([\d.]+)["']`)
)

// torchCUDA is torch.version.cuda.
func torchCUDA(source string) string {
	if m := torchOwn.FindStringSubmatch(source); m != nil {
		return m[1]
	}
	return ""
}

// parseTorch reads torch/__init__.py of 2.0 and later. Its parts:
//
//	_preload_cuda_deps(folder, name)    one library: up to 2.8
//	_load_global_deps                   the load, what follows it, and after "except OSError" the table
//	_preload_cuda_deps(err, required)   the table: later releases, which go through all of it after the load too, up to
//	                                    the first that is missing or, since 2.15 at the latest, past it
func parseTorch(source string) torchPreload {
	var p torchPreload
	unified := strings.Contains(source, `"nvidia", f"cu{`)
	function, failed, all, strict := "", false, false, false
	number := 0
	for line := range strings.Lines(source) {
		number++
		if rest, ok := strings.CutPrefix(line, "def "); ok {
			function, _, _ = strings.Cut(rest, "(")
		}
		inLoad := function == "_load_global_deps"
		if inLoad && strings.Contains(line, "ctypes.CDLL(") && p.global == 0 {
			p.global = number
		}
		if inLoad && strings.Contains(line, "except OSError") {
			failed = true
		}
		if m := torchAll.FindStringSubmatch(line); m != nil && inLoad && !failed {
			all, strict = true, m[1] == ""
		}
		if m := torchGuard.FindStringSubmatch(line); m != nil && inLoad {
			p.guard = m[1]
		}
		m := torchEntry.FindStringSubmatch(line)
		if m == nil || !inLoad && function != "_preload_cuda_deps" || len(p.table)+len(p.after) >= maxListed {
			continue
		}
		lib := torchLib{folder: m[1], pattern: m[2], line: number, optional: strings.Contains(line, "required=False"), unified: unified}
		if inLoad && !failed && p.global > 0 {
			p.after = append(p.after, lib)
		} else {
			p.table = append(p.table, lib)
		}
	}
	if all {
		for _, lib := range p.table {
			lib.optional = lib.optional || !strict
			p.after = append(p.after, lib)
		}
	}
	return p
}
