package recipe

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/loader"
	"strata/internal/machine"
)

// run is one workload under way.
type run struct {
	m   *machine.Machine
	p   *loader.Process
	w   Workload
	out *Outcome

	python *loader.Object // whose code imports: libpython, or the interpreter that has it inside
	ctypes *loader.Object // whose code ctypes opens with; nil until it is used
	opened *loader.Object // by the last dlopen that succeeded
	later  bool           // a GPU would have been found by now
}

// start starts the program. The kernel follows links to it before the linker sees it: $ORIGIN of a virtual environment's python3 is the
// directory of the interpreter behind it (glibc: elf/dl-origin.c reads /proc/self/exe).
func (r *run) start(l *loader.Linker, env loader.Environment) {
	program := r.w.Program
	if program == "" {
		program = r.w.Python
	}
	if real, err := r.m.Real(program); err == nil {
		program = real
	}
	r.p = l.Start(program, env)
	r.out.Process = r.p
	if len(r.p.Failures) > 0 {
		r.out.First = r.p.Failures[0]
	} else {
		r.out.First = r.version(r.p.Objects) // symbols are looked up when they are first called
	}
	if r.out.First != nil {
		r.out.Stopped = fmt.Sprintf("%s does not start: %v", program, r.out.First)
		return
	}
	r.python = r.p.Objects[0]
	for _, o := range r.p.Objects {
		// An interpreter that was built with --enable-shared imports from inside libpython.
		if strings.HasPrefix(path.Base(o.Path), "libpython3") {
			r.python = o
		}
	}
}

// open does one dlopen with what it sets off, and keeps the result. It returns the failure, nil for success.
func (r *run) open(need Need, by *loader.Object, name, why string) *loader.Failure {
	if by == nil {
		by = r.p.Objects[0]
	}
	res := Result{Step: Step{Open: name, By: by, Need: need, Later: r.later, Why: why}}
	before := len(r.p.Objects)
	o, err := r.p.OpenIf(name, by, r.bound)
	if err != nil {
		res.Failure = err.(*loader.Failure) // Open's word
		if r.out.First == nil && (need == Must || need == GPU) {
			r.out.First = res.Failure
		}
		r.out.Results = append(r.out.Results, res)
		return res.Failure
	}
	res.Object, res.Loaded = o, append([]*loader.Object(nil), r.p.Objects[before:]...)
	if need != Optional || len(res.Loaded) > 0 { // else nothing hangs on it and nothing came of it
		r.out.Results = append(r.out.Results, res)
	}
	r.initialise(res.Loaded)
	r.opened = o
	return nil
}

// stop ends the recipe with a reason.
func (r *run) stop(why string) { r.out.Stopped = why }

// named returns the loaded library whose soname or file name begins with prefix; nil where none is.
func (r *run) named(prefix string) *loader.Object {
	for _, o := range r.p.Objects {
		if strings.HasPrefix(o.File.Soname, prefix) || strings.HasPrefix(path.Base(o.Path), prefix) {
			return o
		}
	}
	return nil
}

// mapped reports whether a loaded file's real path has a part in it, as a framework sees that reads /proc/self/maps.
func (r *run) mapped(part string) bool {
	for _, o := range r.p.Objects {
		if !strings.Contains(path.Base(o.Path), path.Base(part)) {
			continue
		}
		if real, err := r.m.Real(o.Path); err == nil && strings.Contains(real, part) {
			return true
		}
	}
	return false
}

// bound is the linker's last check of what a dlopen brought in: RTLD_NOW, which Python, ctypes and the frameworks use, wants every
// symbol version and symbol there. Only symbols that name a CUDA library are looked up; see package loader for the others.
func (r *run) bound(loaded []*loader.Object) *loader.Failure {
	if failure := r.version(loaded); failure != nil {
		return failure
	}
	for _, o := range loaded {
		for _, m := range r.p.Bound(o, func(library string) bool { return IsCUDA(library) }) {
			return &loader.Failure{Name: o.Path, By: o.By, Reason: fmt.Sprintf("undefined symbol: %s, version %s", m.Symbol, m.Version), Mismatch: &m}
		}
	}
	return nil
}

// version is the first symbol version that one of the objects wants and does not get.
func (r *run) version(objects []*loader.Object) *loader.Failure {
	for _, m := range r.p.Versions() {
		if !m.Warning && slices.Contains(objects, m.By) {
			return &loader.Failure{Name: m.From.Path, By: m.By, Reason: fmt.Sprintf("version `%s' not found (required by %s)", m.Version, m.By.Path), Mismatch: &m}
		}
	}
	return nil
}

// families are the stems of NVIDIA's libraries that lie above the driver.
var families = []string{
	"libcudart", "libcublas", "libcublasLt", "libcudnn", "libcufft", "libcurand", "libcusolver", "libcusparse", "libcusparseLt", "libnvJitLink",
	"libnvrtc", "libnvrtc-builtins", "libnccl", "libcupti", "libnvToolsExt", "libcutensor", "libnvinfer", "libnvonnxparser", "libcufile",
	"libnvshmem_host", "libnvfatbin", "libnvjpeg", "libnpp", "libcuda", "libnvidia-ml", "libnvidia-ptxjitcompiler", "libcutlass", "libnvblas",
}

// IsCUDA reports whether a soname or file name is that of a library of CUDA, its companions or the driver.
func IsCUDA(name string) bool {
	stem, _, ok := strings.Cut(path.Base(name), ".so")
	if !ok {
		return false
	}
	for _, f := range families {
		if stem == f || (f == "libcudnn" || f == "libnpp" || f == "libnvinfer" || f == "libcusolver") && strings.HasPrefix(stem, f) {
			return true
		}
	}
	return false
}
