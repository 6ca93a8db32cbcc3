package derive

import (
	"strings"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// Circumstances are what the knowledge base's advisories about a workload are
// tried on. What is not known stays zero, so that an advisory that hangs on it
// may apply and does not pass for one that does not.
func (v *View) Circumstances(w *Workload) kb.Circumstances {
	c := kb.Circumstances{CUDAMajor: v.BuildCUDA(w).Major()}
	if v.GPUsSeen.State == stack.Known {
		c.GPUs = []version.ComputeCapability{}
		for _, g := range v.GPUs {
			if g.Capability.IsZero() {
				c.GPUs = nil
				break
			}
			c.GPUs = append(c.GPUs, g.Capability)
		}
	}
	if f := w.Framework; f.Name == "pytorch" && f.CUDA.Known() {
		c.Variant = CUDATag(f.CUDA.Value)
	}
	if w.Env == nil || !w.Env.Packages.Known() {
		return c
	}
	c.Packages, c.Copies = map[string]version.PEP440{}, map[string][]version.PEP440{}
	for _, p := range w.Env.Packages.Value {
		// A version that does not parse is an installed package all the same.
		ver, _ := version.ParsePEP440(p.Version)
		c.Packages[p.Name] = ver
	}
	add := func(l *stack.Library, own bool) {
		known := v.KB.Component(l.Soname)
		ver, err := version.ParsePEP440(l.Version)
		if !known.Known || err != nil {
			return
		}
		c.Copies[known.Value.Name] = append(c.Copies[known.Value.Name], ver)
		if own {
			c.Packages[known.Value.Name] = ver
		}
	}
	for i := range w.Env.Libraries.Value {
		add(&w.Env.Libraries.Value[i], true)
	}
	for _, l := range v.systemLibraries() {
		add(l, false)
	}
	return c
}

// BuildCUDA is the CUDA that a workload was built with: what its files say,
// else that of the wheel it compiles with, else what the knowledge base says of
// the release. It is zero where neither
// does, and a major alone where no more is known.
func (v *View) BuildCUDA(w *Workload) version.CUDA {
	if w.Framework.CUDA.Known() {
		return w.Framework.CUDA.Value
	}
	if _, c, ok := CompilerWheel(w); ok {
		return c
	}
	if w.Framework.Variant.Or("cuda") != "cuda" {
		return version.CUDA{}
	}
	if c := v.Published(w.Framework).CUDA; !c.IsZero() {
		return c
	}
	// A native program says it by what it links: libcudart.so.12.
	libs, _ := v.Backends(w)
	if len(libs) == 0 {
		for i := range w.Framework.Libraries {
			libs = append(libs, &w.Framework.Libraries[i])
		}
	}
	for _, l := range libs {
		for _, soname := range l.Needed {
			if n, ok := strings.CutPrefix(soname, "libcudart.so."); ok {
				if c, err := version.ParseCUDA(n); err == nil {
					return c
				}
			}
		}
	}
	return version.CUDA{}
}

// CUDATag writes a CUDA version as wheels' labels do: cu126 for 12.6.
func CUDATag(c version.CUDA) string {
	tag := ""
	for _, r := range shortCUDA(c) {
		if r != '.' {
			tag += string(r)
		}
	}
	return "cu" + tag
}
