package framework

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
)

var torch = reader{"pytorch", []string{"torch", "pytorch"}, func(in *install) {
	in.fw.Package = "torch"
	if text, ok := in.require("torch/version.py"); ok {
		in.torchVersion(parseAssignments(text))
	}
	// Up to 1.12 the GPU part was split in two; a debug build may have more.
	for _, name := range []string{"libtorch_cuda.so", "libtorch_cuda_cu.so", "libtorch_cuda_cpp.so", "libtorch_hip.so", "libc10_cuda.so", "libtorch_cuda_linalg.so"} {
		in.library("torch/lib/" + name)
	}
	in.code("torch/lib/libtorch_cuda.so", "torch/lib/libtorch_cuda_cu.so", "torch/lib/libtorch_cuda_linalg.so")
	in.torchABI()
	// A CPU build has the pin as well, behind a marker for other machines.
	if v, from, ok := in.pin("nvidia-cudnn"); ok && in.fw.Variant.Or("cuda") == "cuda" {
		in.builtWithCUDNN(v, from)
	}
}}

// torchVersion reads version.py, which torch's build writes.
func (in *install) torchVersion(a assignments) {
	const file = "torch/version.py"
	if v, ok := a.set("__version__"); ok {
		in.fw.Version = v.value
	}
	cuda, known := a["cuda"]
	switch {
	case known && cuda.value != "None" && cuda.value != "":
		in.isVariant("cuda", in.source(file, cuda))
		in.builtWith(cuda.value, in.source(file, cuda))
	default:
		for _, other := range []struct{ name, variant string }{{"hip", "rocm"}, {"xpu", "xpu"}} {
			if v, ok := a.set(other.name); ok {
				in.isVariant(other.variant, in.source(file, v))
				return
			}
		}
		if known {
			in.isVariant("cpu", in.source(file, cuda))
		}
	}
}

var torchConfigABI = lazyregexp.New(`_GLIBCXX_USE_CXX11_ABI=([01])`)

// torchABI reads the C++ ABI out of the CMake file that extensions build with.
func (in *install) torchABI() {
	const file = "torch/share/cmake/Torch/TorchConfig.cmake"
	text, ok := in.text(file)
	if !ok {
		return
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if g := torchConfigABI.FindStringSubmatch(line); g != nil {
			abi := stack.ABI{CXX11: "FALSE", Python: pythonTag(in.pkg)}
			if g[1] == "1" {
				abi.CXX11 = "TRUE"
			}
			in.fw.ABI = stack.Know(abi, stack.Line(in.path(file), n, strings.TrimSpace(line)))
			return
		}
	}
}

var torchvision = reader{"torchvision", []string{"torchvision"}, func(in *install) {
	in.companion("torchvision/version.py")
	found := in.match("torchvision", "_C*.so")
	in.code(found...)
	in.cxx11(found...)
	in.unresolved(found...)
}}

var torchaudio = reader{"torchaudio", []string{"torchaudio"}, func(in *install) {
	in.companion("torchaudio/version.py")
	in.code(in.match("torchaudio/lib", "*.so")...)
}}

// companion reads what torch's companions say in version.py and in the version
// of torch that they pin.
func (in *install) companion(file string) {
	if a, ok := in.python(file); ok {
		if v, ok := a.set("__version__"); ok {
			in.fw.Version = v.value
			_, local, _ := strings.Cut(v.value, "+")
			in.use(parseLabel(local), in.source(file, v))
		}
		if v, ok := a.set("cuda"); ok {
			in.isVariant("cuda", in.source(file, v))
			in.builtWith(v.value, in.source(file, v))
		}
	}
	in.builtForTorch()
}

// builtForTorch takes the exact torch that an extension's metadata asks for as
// what it was compiled against.
func (in *install) builtForTorch() {
	if v, from, ok := in.pin("torch"); ok && !in.fw.ABI.Known() {
		in.fw.ABI = stack.Know(stack.ABI{Torch: v, Python: pythonTag(in.pkg)}, from)
	}
}
