package framework

import (
	"strings"

	"strata/internal/collect/library"
	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/version"
)

// isVariant records what the build is, unless a better source said so before.
func (in *install) isVariant(v string, from stack.Source) {
	if !in.fw.Variant.Known() {
		in.fw.Variant = stack.Know(v, from)
	}
}

// builtWith records the CUDA version of the build, unless a better source said
// so before. What does not parse is no version.
func (in *install) builtWith(cuda string, from stack.Source) {
	if in.fw.CUDA.Known() {
		return
	}
	if v, err := version.ParseCUDA(cuda); err == nil {
		in.fw.CUDA = stack.Know(v, from)
	}
}

// builtWithCUDNN is builtWith for cuDNN.
func (in *install) builtWithCUDNN(cudnn string, from stack.Source) {
	if in.fw.CUDNN.Known() {
		return
	}
	if v, err := version.ParseLib(cudnn); err == nil {
		in.fw.CUDNN = stack.Know(v, from)
	}
}

// settle fills variant and CUDA from what every distribution has, where the
// framework's own files did not tell: the local version label, conda's build
// string, the distribution's name, and last what its libraries need.
func (in *install) settle() {
	if in.gone {
		return
	}
	_, local, _ := strings.Cut(in.pkg.Version, "+")
	in.use(parseLabel(local), stack.From(in.pkg.From.Kind, in.pkg.From.Locator, 0, "Version: "+in.pkg.Version))
	build := in.pkg.Build
	in.use(parseBuild(build), stack.From("file", in.pkg.From.Locator, 0, "build "+build))
	in.use(parseName(in.pkg.Name), stack.From(in.pkg.From.Kind, in.pkg.From.Locator, 0, "Name: "+in.pkg.Name))
	for _, l := range in.fw.Libraries {
		if library.NeedsCUDA(l) {
			in.isVariant("cuda", l.From)
		}
	}
}

// hint is what a label says about a build.
type hint struct {
	variant, cuda, cudnn string
	abi                  stack.ABI
}

func (in *install) use(h hint, from stack.Source) {
	if h.variant != "" {
		in.isVariant(h.variant, from)
	}
	if in.fw.Variant.Or("") == "cuda" {
		in.builtWith(h.cuda, from)
		in.builtWithCUDNN(h.cudnn, from)
	}
	if h.abi != (stack.ABI{}) && !in.fw.ABI.Known() {
		in.fw.ABI = stack.Know(h.abi, from)
	}
}

// labelPart finds the pieces of local labels: cu126, cu12torch2.6cxx11abiFALSE,
// pt2.4cu121, cuda12.cudnn89, rocm6.2, cpu, xpu.
var (
	labelCUDA  = lazyregexp.New(`(?:^|[^a-z])(?:cu|cuda)(\d{1,3})(?:\.(?:(\d{1,2})(?:\.|$))?|[^0-9]|$)`)
	labelTorch = lazyregexp.New(`(?:torch|pt)(\d\.\d{1,2})`)
	labelABI   = lazyregexp.New(`cxx11abi(true|false)`)
	labelCUDNN = lazyregexp.New(`cudnn(\d)(\d?)`)
)

// parseLabel reads a local version label (what follows + in a version).
func parseLabel(local string) hint {
	s := strings.ToLower(local)
	var h hint
	switch {
	case s == "":
		return h
	case strings.HasPrefix(s, "rocm"):
		h.variant = "rocm"
	case strings.HasPrefix(s, "xpu"):
		h.variant = "xpu"
	case s == "cpu" || strings.HasPrefix(s, "cpu."):
		h.variant = "cpu"
	}
	// "pt2.4cu121": a digit before cu separates as well as a dot does.
	if g := labelCUDA.FindStringSubmatch(s); g != nil {
		h.variant = "cuda"
		h.cuda = cudaNumber(g[1], g[2])
	}
	if g := labelCUDNN.FindStringSubmatch(s); g != nil {
		h.cudnn = strings.TrimSuffix(g[1]+"."+g[2], ".")
	}
	if g := labelTorch.FindStringSubmatch(s); g != nil {
		h.abi.Torch = g[1]
	}
	if g := labelABI.FindStringSubmatch(s); g != nil {
		h.abi.CXX11 = strings.ToUpper(g[1])
	}
	if h.abi != (stack.ABI{}) {
		h.abi.CUDA = h.cuda
	}
	return h
}

// cudaNumber reads 126 as 12.6 and 12 as the major 12 (see version.ParseCUDATag
// for where tags end); minor is what followed a dot.
func cudaNumber(digits, minor string) string {
	if v, ok := version.ParseCUDATag("cu" + digits); ok {
		return v.String()
	}
	if len(digits) != 2 {
		return ""
	}
	if minor != "" {
		return digits + "." + minor
	}
	return digits
}

var (
	buildCUDA  = lazyregexp.New(`cuda_?(\d{2})\.?(\d{1,2})?`)
	buildCUDNN = lazyregexp.New(`cudnn_?(\d+(?:\.\d+){0,3})`)
	buildCPU   = lazyregexp.New(`(?:^|_)cpu(?:_|$|[a-z])`)
)

// parseBuild reads conda's build string: py3.11_cuda12.1_cudnn8.9.2_0 of the
// pytorch channel, cuda126_generic_py312_… and cpu_mkl_… of conda-forge.
func parseBuild(build string) hint {
	var h hint
	switch {
	case buildCPU.MatchString(build):
		h.variant = "cpu"
	case strings.Contains(build, "rocm"):
		h.variant = "rocm"
	case strings.Contains(build, "cuda"):
		h.variant = "cuda"
	}
	if g := buildCUDA.FindStringSubmatch(build); g != nil && h.variant == "cuda" {
		h.cuda = g[1]
		if g[2] != "" {
			h.cuda += "." + strings.TrimLeft(g[2][:len(g[2])-1], "0") + g[2][len(g[2])-1:]
		}
	}
	if g := buildCUDNN.FindStringSubmatch(build); g != nil {
		h.cudnn = g[1]
	}
	return h
}

var nameCUDA = lazyregexp.New(`-cu(?:da)?(\d{2,3})x?(?:-|$)`)

// parseName reads what a distribution's name says: cupy-cuda12x,
// tensorrt-cu12-libs, onnxruntime-gpu, tensorflow-cpu.
func parseName(name string) hint {
	if g := nameCUDA.FindStringSubmatch(name); g != nil {
		return hint{variant: "cuda", cuda: cudaNumber(g[1], "")}
	}
	for _, s := range []struct{ suffix, variant string }{{"-gpu", "cuda"}, {"-cpu", "cpu"}, {"-rocm", "rocm"}, {"-xpu", "xpu"}, {"-intel", "cpu"}} {
		if strings.HasSuffix(name, s.suffix) {
			return hint{variant: s.variant}
		}
	}
	return hint{}
}
