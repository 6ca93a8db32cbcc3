package derive

import (
	"strings"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// Published is what the knowledge base says of the release that a workload
// runs, for what its files did not tell.
type Published struct {
	Known bool
	CUDA  version.CUDA // of the build; a major alone where no more is known
	CUDNN version.Lib
	Code  kb.Code
	// Sonames are opened by name at run time.
	Sonames    []string
	Python     [2]version.PEP440 // first and last supported; zero where not known
	Ref        kb.Ref
	Beyond     bool
	Why        string
	CUDNNMajor int
}

// Published looks a release up by framework, package and version.
func (v *View) Published(f *stack.Framework) Published { return publish(v.KB, f) }

func publish(base *kb.Base, f *stack.Framework) Published {
	ver, err := version.ParsePEP440(f.Version)
	if err != nil {
		return Published{Why: err.Error()}
	}
	switch f.Name {
	case "pytorch":
		variant := ver.Local()
		if variant == "" {
			variant = defaultTorch(base, ver, f)
		}
		a := base.Torch(ver, variant)
		b := a.Value
		return published(a, Published{CUDA: b.CUDA, CUDNN: b.CUDNN, Code: b.Code, Python: [2]version.PEP440{b.PythonMin, b.PythonMax}, CUDNNMajor: b.CUDNN.Major()})
	case "onnxruntime":
		if f.Variant.Known() && f.Variant.Value != "cuda" || f.Package == "onnxruntime" && !f.Variant.Known() {
			return Published{Why: "the knowledge base has builds of ONNX Runtime for CUDA only"}
		}
		a := base.ONNXRuntime(ver)
		b := a.Value
		if f.Package != "onnxruntime-gpu" {
			b.Code = kb.Code{} // archives of the same release hold other code than the wheel
		}
		return published(a, Published{CUDA: b.CUDA, Code: b.Code, Python: [2]version.PEP440{b.PythonMin}, CUDNNMajor: b.CUDNNMajor})
	case "tensorflow":
		a := base.TensorFlow(ver, kb.TensorFlowLinux)
		b := a.Value
		return published(a, Published{CUDA: b.CUDA, CUDNN: b.CUDNN, Code: b.Code, Sonames: b.Sonames, Python: [2]version.PEP440{b.PythonMin, b.PythonMax}, CUDNNMajor: b.CUDNN.Major()})
	case "jax":
		a := base.JAX(ver, jaxMajor(f))
		b := a.Value
		return published(a, Published{CUDA: b.CUDA, CUDNN: b.CUDNN, Code: b.Code, Python: [2]version.PEP440{b.PythonMin}, CUDNNMajor: b.CUDNN.Major()})
	}
	a := base.Consumer(f.Package, ver, f.CUDA.Value)
	b := a.Value
	p := Published{Code: b.Code, Sonames: b.Sonames, Python: [2]version.PEP440{b.PythonMin, b.PythonMax}, CUDNNMajor: b.CUDNNMajor}
	if len(b.CUDA) == 1 {
		p.CUDA = b.CUDA[0]
	}
	return published(a, p)
}

func published[T any](a kb.Answer[T], p Published) Published {
	p.Known, p.Ref, p.Beyond, p.Why = a.Known, a.Ref, a.Beyond, a.Why
	return p
}

// defaultTorch is the variant of a torch wheel without a local label: the one
// of its own build file where that was read, else the index's default.
func defaultTorch(base *kb.Base, ver version.PEP440, f *stack.Framework) string {
	if f.CUDA.Known() {
		return CUDATag(f.CUDA.Value)
	}
	for _, b := range base.TorchBuilds(ver).Value {
		if b.OnPyPI {
			return b.Variant
		}
	}
	return ""
}

func shortCUDA(c version.CUDA) string {
	parts := strings.SplitN(c.String(), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// jaxMajor is the CUDA major of JAX's plugin: jax-cuda12-plugin is 12.
func jaxMajor(f *stack.Framework) int {
	for _, name := range []string{f.Plugin.Value.Name, f.Package} {
		if _, rest, ok := strings.Cut(name, "cuda"); ok && len(rest) >= 2 {
			return int(rest[0]-'0')*10 + int(rest[1]-'0')
		}
	}
	return f.CUDA.Value.Major()
}

// opened is a library that a framework opens by name at run time, so that no
// ELF header mentions it.
type opened struct {
	soname string
	ref    kb.Ref
}

// opens are the libraries that the knowledge base says a release opens by name.
func (v *View) opens(w *Workload) []opened {
	if w.Framework.Variant.Or("cuda") != "cuda" {
		return nil
	}
	if w.Name == "jax" {
		return v.jaxOpens(w.Framework)
	}
	p := v.Published(w.Framework)
	var out []opened
	for _, s := range p.Sonames {
		out = append(out, opened{s, p.Ref})
	}
	return out
}

// codeFromKB is the architecture list that a release was published with.
func (v *View) codeFromKB(w *Workload) (stack.Fact[[]stack.DeviceCode], bool) {
	f := *w.Framework
	if w.On != nil && !f.CUDA.Known() {
		// bitsandbytes has a library for each CUDA and loads the one of PyTorch's.
		if c := v.BuildCUDA(w.On); !c.IsZero() {
			f.CUDA = stack.Know(c, w.On.Framework.CUDA.Sources...)
		}
	}
	p := v.Published(&f)
	if !p.Known || !p.Code.Archs.Known {
		return stack.Fact[[]stack.DeviceCode]{}, false
	}
	src := stack.From("derived", p.Ref.String(), 0, w.Framework.Package+" "+w.Framework.Version)
	return stack.Know(DeviceCode(v.KB, p.Code, p.CUDA), src), true
}

// DeviceCode turns a published architecture list into what the files of the
// build would show. PTX carries the ISA of the toolkit that wrote it.
func DeviceCode(base *kb.Base, code kb.Code, cuda version.CUDA) []stack.DeviceCode {
	var out []stack.DeviceCode
	for _, t := range code.Archs.List {
		out = append(out, stack.DeviceCode{Kind: "cubin", Arch: t.SM()})
	}
	isa := ""
	if a := base.PTXForCUDA(cuda); a.Known {
		isa = a.Value.String()
	}
	for _, t := range code.PTX.List {
		out = append(out, stack.DeviceCode{Kind: "ptx", Arch: strings.Replace(t.SM(), "sm_", "compute_", 1), ISA: isa})
	}
	return out
}

// PublishedBuild is what is known of a release before it is installed; the
// planner fills a changed framework with it.
func PublishedBuild(base *kb.Base, f *stack.Framework) Published { return publish(base, f) }
