package framework

import (
	"strings"

	"strata/internal/version"
)

var onnxruntime = reader{"onnxruntime", []string{"onnxruntime-gpu", "ort-nightly-gpu", "onnxruntime-training", "onnxruntime", "onnxruntime-rocm", "onnxruntime-migraphx", "onnxruntime-openvino", "onnxruntime-directml", "ort-nightly"}, func(in *install) {
	const file = "onnxruntime/capi/build_and_package_info.py"
	if text, ok := in.require(file); ok {
		in.onnxruntimeBuild(file, parseAssignments(text))
	} else {
		in.onnxruntimeWinner()
	}
	const older = "onnxruntime/capi/version_info.py"
	if a, ok := in.python(older); ok {
		if v, ok := a.set("cuda_version"); ok {
			in.builtWith(v.value, in.source(older, v))
		}
		if v, ok := a.set("cudnn_version"); ok {
			in.builtWithCUDNN(v.value, in.source(older, v))
		}
	}
	// The order counts: the CUDA provider is the one whose failure means no GPU.
	for _, provider := range []string{"cuda", "tensorrt", "rocm", "migraphx", "shared"} {
		in.library("onnxruntime/capi/libonnxruntime_providers_" + provider + ".so")
	}
	in.code("onnxruntime/capi/libonnxruntime_providers_cuda.so")
}}

// onnxruntimeGenAI is the generate() API over ONNX Runtime. Its build for CUDA
// has kernels of its own in a library that it opens beside its module
// (microsoft/onnxruntime-genai, src/generators.cpp). ONNX Runtime's CUDA provider
// counts where the wheel brings one, too.
var onnxruntimeGenAI = reader{"onnxruntime-genai", []string{"onnxruntime-genai-cuda"}, func(in *install) {
	in.isVariant("cuda", in.pkg.From)
	for _, lib := range []string{"libonnxruntime-genai-cuda.so", "libonnxruntime_providers_cuda.so"} {
		in.library("onnxruntime_genai/" + lib)
		in.code("onnxruntime_genai/" + lib)
	}
}}

// onnxruntimeBuild reads the file that the wheel's setup.py writes. All
// distributions of ONNX Runtime share one directory; package_name tells which
// of them wrote it last, and that one is what runs.
func (in *install) onnxruntimeBuild(file string, a assignments) {
	if v, ok := a.set("__version__"); ok {
		in.fw.Version = v.value
	}
	if v, ok := a.set("package_name"); ok {
		from := in.source(file, v)
		name := version.NormalName(v.value)
		in.fw.Package = name
		switch {
		case strings.HasSuffix(name, "-rocm"), strings.HasSuffix(name, "-migraphx"):
			in.isVariant("rocm", from)
		case strings.Contains(name, "-gpu"):
			in.isVariant("cuda", from)
		case name == "onnxruntime-training" && in.exists("onnxruntime/capi/libonnxruntime_providers_cuda.so"):
			in.isVariant("cuda", from)
		default:
			in.isVariant("cpu", from)
		}
	}
	if v, ok := a.set("cuda_version"); ok {
		in.isVariant("cuda", in.source(file, v))
		in.builtWith(v.value, in.source(file, v))
	}
	if v, ok := a.set("cudnn_version"); ok {
		in.builtWithCUDNN(v.value, in.source(file, v))
	}
}

// onnxruntimeWinner is for releases without that file: where several
// distributions are installed, it asks whose library is on disk.
func (in *install) onnxruntimeWinner() {
	for _, o := range in.env.Overlaps.Value {
		if o.Winner == "" || !strings.HasPrefix(o.Path, in.path("onnxruntime/capi")+"/") || !strings.Contains(o.Path, "onnxruntime_pybind11_state") {
			continue
		}
		for _, i := range in.byName[o.Winner] {
			in.pkg = in.env.Packages.Value[i]
			in.fw.Package, in.fw.Version = in.pkg.Name, in.pkg.Version
		}
		if in.fw.Package == "onnxruntime" {
			in.isVariant("cpu", o.From)
		}
	}
}
