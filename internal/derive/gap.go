package derive

import (
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
)

// Gap is a library that a workload needs and the dynamic linker does not find.
type Gap struct {
	Want
	// Other are copies of the same library with another number in the soname.
	Other []*stack.Library
}

// Gaps are the libraries of one layer that a workload needs and does not get.
// Left out is what the workload can do without, and what its environment holds
// for programs that ask for it (see PreloadsOnlyWhenAsked): that is another
// finding. ok is false where the workload's needs are not known.
func (v *View) Gaps(w *Workload, layer string) (gaps []Gap, ok bool) {
	wants, ok := v.Wants(w)
	for _, want := range wants {
		if want.Layer != layer || want.Winner != nil || Optional(w, want) || v.partOfCUDNN(want) {
			continue
		}
		if v.Preloadable(w, want.Soname) || w.On != nil && v.lacks(w.On, want.Soname) {
			continue
		}
		gaps = append(gaps, Gap{want, v.OtherMajors(w, want.Soname)})
	}
	// What only some functions need comes last.
	slices.SortStableFunc(gaps, func(a, b Gap) int { return part(a) - part(b) })
	return gaps, ok
}

func part(g Gap) int {
	if g.Need == "part" {
		return 1
	}
	return 0
}

// partOfCUDNN tells whether cuDNN asks for a library: a cuDNN whose parts are
// not all there is another finding than none.
func (v *View) partOfCUDNN(want Want) bool {
	return want.By != nil && v.isCUDNN(want.By.Soname) && v.isCUDNN(want.Soname)
}

// lacks tells whether a workload does not get a library either; what is built
// on it then needs no finding of its own.
func (v *View) lacks(w *Workload, soname string) bool {
	wants, _ := v.Wants(w)
	return slices.ContainsFunc(wants, func(x Want) bool { return x.Soname == soname && x.Winner == nil })
}

// Preloadable tells whether a library that the dynamic linker does not find is
// there all the same once the program does its part: it lies in a wheel, and
// the framework loads it when asked, or importing PyTorch first does.
func (v *View) Preloadable(w *Workload, soname string) bool {
	if InWheel(w, soname) == nil {
		return false
	}
	if PreloadsOnlyWhenAsked(w) {
		return true
	}
	torch := v.besides(w, "pytorch")
	if torch == nil || w.On != nil {
		return false
	}
	wants, _ := v.Wants(torch)
	return slices.ContainsFunc(wants, func(x Want) bool { return x.Soname == soname && x.Winner != nil })
}

// besides is another workload of the same environment, nil where there is none.
func (v *View) besides(w *Workload, name string) *Workload {
	for _, o := range v.Workloads {
		if o != w && o.Env != nil && o.Env == w.Env && o.Name == name {
			return o
		}
	}
	return nil
}

// OtherMajors are the copies of a library that have another major number
// behind ".so" than the soname asked for. The parts of cuDNN changed their
// names from 8 to 9, so that for them any part of the other release counts.
func (v *View) OtherMajors(w *Workload, soname string) []*stack.Library {
	var out []*stack.Library
	seen := map[string]bool{}
	for _, l := range v.known(w) {
		if l.Place == "stubs" || l.Fault != "" || path.Base(l.Path) == soname || seen[l.Real] {
			continue
		}
		if have, want := majorOf(l.Soname), majorOf(soname); have == "" || have == want {
			continue
		}
		if stem(l.Soname) != stem(soname) && !(v.isCUDNN(l.Soname) && v.isCUDNN(soname)) {
			continue
		}
		seen[l.Real] = true
		out = append(out, l)
	}
	return out
}

func (v *View) isCUDNN(soname string) bool { return v.KB.Component(soname).Value.Name == "cudnn" }

// majorOf is the first number behind ".so": 12 of libcublas.so.12.4.5.8.
func majorOf(soname string) string {
	_, number, _ := strings.Cut(soname, ".so.")
	major, _, _ := strings.Cut(number, ".")
	return major
}

// Copies are all copies of a library that a workload could meet, wherever
// they lie, each file once.
func (v *View) Copies(w *Workload, soname string) []*stack.Library {
	var out []*stack.Library
	seen := map[string]bool{}
	for _, l := range v.known(w) {
		if (l.Soname == soname || path.Base(l.Path) == soname) && l.Place != "stubs" && l.Fault == "" && !seen[l.Real] {
			seen[l.Real] = true
			out = append(out, l)
		}
	}
	return out
}

// Anywhere are the sound copies of a library on the whole machine, also in
// environments that are none of the workload's business, each file once.
func (v *View) Anywhere(w *Workload, soname string) []*stack.Library {
	out := v.Copies(w, soname)
	seen := map[string]bool{}
	for _, l := range out {
		seen[l.Real] = true
	}
	for i := range v.Stack.Python.Value {
		env := &v.Stack.Python.Value[i]
		for j := range env.Libraries.Value {
			l := &env.Libraries.Value[j]
			if (l.Soname == soname || path.Base(l.Path) == soname) && l.Fault == "" && l.Real != "" && !seen[l.Real] {
				seen[l.Real] = true
				out = append(out, l)
			}
		}
	}
	return out
}

// stem is a library's name up to ".so": libcudnn.
func stem(soname string) string {
	name, _, _ := strings.Cut(path.Base(soname), ".so")
	return name
}

// optional are components that a framework runs without. CuPy has one module
// for each of them and imports it when it is used.
var optional = map[string][]string{
	"cupy": {"cudnn", "nccl", "cutensor", "cusparselt", "nvtx", "cupti"},
}

// Optional tells whether a workload runs on the GPU without a library.
func Optional(w *Workload, want Want) bool {
	if want.Need == "optional" || slices.Contains(optional[w.Name], want.Component) {
		return true
	}
	// What only the TensorRT provider asks for keeps that provider from
	// loading, not the CUDA provider.
	return want.By != nil && strings.Contains(path.Base(want.By.Path), "_providers_tensorrt")
}

// CUDAMajor is the CUDA major release that a workload is built for; 0 where
// neither its files nor its needs tell.
func (v *View) CUDAMajor(w *Workload) int {
	if c := v.BuildCUDA(w); !c.IsZero() {
		return c.Major()
	}
	wants, _ := v.Wants(w)
	for _, want := range wants {
		if want.CUDAMajor > 0 {
			return want.CUDAMajor
		}
	}
	if w.On != nil {
		return v.CUDAMajor(w.On)
	}
	return 0
}
