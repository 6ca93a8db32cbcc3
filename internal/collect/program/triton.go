package program

import (
	"path"
	"strings"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

// triton reads NVIDIA's Triton Inference Server: PREFIX/bin/tritonserver, its
// version in PREFIX/TRITON_VERSION, backends under PREFIX/backends.
func triton(f *finding) {
	for _, k := range f.named(is("tritonserver")) {
		if path.Base(k.dir) != "bin" {
			continue
		}
		prefix := path.Dir(k.dir)
		p := stack.Program{Name: "triton", Path: k.path(), From: stack.File(k.path()), Directories: []string{path.Join(prefix, "lib")}}
		if data, err := f.m.ReadFile(path.Join(prefix, "TRITON_VERSION"), 256); err == nil {
			p.Version = strings.ToValidUTF8(strings.TrimSpace(string(data)), "\uFFFD")
		}
		p.Framework = stack.Framework{Name: "triton-server", Package: "tritonserver", Version: p.Version, From: p.From}
		l := library.Read(f.m, k.path(), "framework")
		p.Framework.Libraries = []stack.Library{l}
		switch {
		case l.Fault != "":
			p.Framework.Variant = stack.Broken[string](l.Path+": "+l.Fault, l.From)
		case library.NeedsCUDA(l):
			p.Framework.Variant = stack.Know("cuda", l.From)
		default:
			p.Framework.Variant = stack.Know("cpu", l.From)
		}
		f.programs = append(f.programs, p)
		// Its ONNX Runtime is a workload of its own, found as such.
		if backend := path.Join(prefix, "backends/onnxruntime"); f.m.Exists(backend) {
			fw, core := f.onnxruntimeIn(backend)
			f.programs = append(f.programs, stack.Program{
				Name: "onnxruntime", Path: backend, Version: fw.Version, Framework: fw, Directories: []string{backend}, From: core.From,
			})
			f.take(backend)
		}
	}
}
