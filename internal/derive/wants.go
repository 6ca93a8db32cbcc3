package derive

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/stack"
)

// Want is one library that a workload needs, and what it gets.
type Want struct {
	Soname string
	// Soname's component and layer, from the knowledge base: cublas, cuda_libraries.
	Component, Layer string
	CUDAMajor        int // 0 where the soname does not tell
	// By is the library that asks, nil where the framework opens it by name.
	By *stack.Library
	// Ref cites the table where no file says it but the knowledge base does.
	Ref kb.Ref
	Resolution
}

// maxWants bounds the walk; a CUDA stack has about forty libraries.
const maxWants = 512

// Wants are the CUDA-family libraries that a workload needs, directly or
// through one another, each with the copy that would be loaded. What the
// driver brings (libcuda, NVML) is not among them. ok is false where the
// workload's own libraries were not read, so that an empty list means nothing.
func (v *View) Wants(w *Workload) (wants []Want, ok bool) {
	if v.wants == nil {
		v.wants = map[*Workload]wanted{}
	}
	if got, hit := v.wants[w]; hit {
		return got.list, got.ok
	}
	wants, ok = v.walkWants(w)
	v.wants[w] = wanted{wants, ok}
	return wants, ok
}

type wanted struct {
	list []Want
	ok   bool
}

func (v *View) walkWants(w *Workload) ([]Want, bool) {
	type ask struct {
		name string
		by   *stack.Library
		ref  kb.Ref
	}
	var queue []ask
	for i := range w.Framework.Libraries {
		lib := &w.Framework.Libraries[i]
		if !v.loads(w, lib) {
			continue
		}
		for _, n := range lib.Needed {
			queue = append(queue, ask{n, lib, kb.Ref{}})
		}
	}
	for _, o := range v.opens(w) {
		queue = append(queue, ask{o.soname, nil, o.ref})
	}
	ok := len(queue) > 0
	seen := map[string]bool{}
	loader := map[*stack.Library]*stack.Library{} // who a library was first loaded for
	var wants []Want
	follow := v.followed(w)
	for len(wants) < maxWants {
		if len(queue) == 0 {
			// What was seen to be asked for comes last: it is all there where nothing else named it.
			for _, x := range follow.further(seen) {
				queue = append(queue, ask{x.name, follow.asker(x.by), kb.Ref{}})
			}
			follow = nil
			if len(queue) == 0 {
				break
			}
		}
		a := queue[0]
		queue = queue[1:]
		if seen[a.name] {
			continue
		}
		seen[a.name] = true
		known := v.KB.Component(a.name)
		if !known.Known || known.Value.Layer == "driver" {
			continue
		}
		want := Want{Soname: a.name, Component: known.Value.Name, Layer: string(known.Value.Layer),
			By: a.by, Ref: a.ref, Resolution: v.Resolve(w, a.by, a.name, chain(loader, a.by)...)}
		if rows := v.KB.Sonames(a.name); len(rows.Value) == 1 {
			want.CUDAMajor = rows.Value[0].CUDA
		}
		if a.by == nil {
			// A dlopen from the framework's own library uses that library's paths.
			for i := range w.Framework.Libraries {
				if want.Winner != nil || want.Exact {
					break
				}
				want.Resolution = v.Resolve(w, &w.Framework.Libraries[i], a.name)
			}
		}
		want.Winner = v.bundled(w, want.Winner)
		if want.Winner != nil && want.Winner.Fault == "" {
			if _, before := loader[want.Winner]; !before {
				loader[want.Winner] = a.by
			}
			for _, n := range want.Winner.Needed {
				queue = append(queue, ask{n, want.Winner, kb.Ref{}})
			}
		}
		wants = append(wants, want)
	}
	return wants, ok
}

// chain are the libraries that one was loaded for, the nearest first.
func chain(loader map[*stack.Library]*stack.Library, lib *stack.Library) []*stack.Library {
	var out []*stack.Library
	for up := loader[lib]; up != nil && len(out) < maxChain; up = loader[up] {
		out = append(out, up)
	}
	return out
}

// maxChain ends a chain of loaders that files lie into a circle.
const maxChain = 64

// loads tells whether a workload loads one of its own libraries. bitsandbytes
// ships one for every CUDA and loads the one of torch's; see Backends for others.
func (v *View) loads(w *Workload, lib *stack.Library) bool {
	if list, _ := v.Backends(w); list != nil {
		return slices.Contains(list, lib)
	}
	if w.Name != "bitsandbytes" || w.On == nil || !w.On.Framework.CUDA.Known() {
		return true
	}
	tag := strings.ReplaceAll(shortCUDA(w.On.Framework.CUDA.Value), ".", "")
	return strings.Contains(path.Base(lib.Path), "_cuda"+tag+".")
}

// bundled tells the release of the cuDNN in PyTorch's own package, whose file
// name has the major alone: the table of PyTorch's builds knows it.
func (v *View) bundled(w *Workload, l *stack.Library) *stack.Library {
	torch := w
	if w.On != nil {
		torch = w.On
	}
	if l == nil || l.Version != "" || l.Fault != "" || l.Place != "framework" || torch.Name != "pytorch" || !v.isCUDNN(l.Soname) {
		return l
	}
	p := v.Published(torch.Framework)
	if !strings.HasSuffix(l.Soname, fmt.Sprintf(".so.%d", p.CUDNNMajor)) {
		return l
	}
	named := *l
	named.Version = p.CUDNN.String()
	return &named
}
