package framework

import (
	"strings"

	"strata/internal/stack"
)

var tensorflow = reader{"tensorflow", []string{"tensorflow", "tensorflow-gpu", "tensorflow-cpu", "tf-nightly", "tf-nightly-gpu", "tensorflow-rocm", "intel-tensorflow", "tensorflow-cpu-aws", "tensorflow-intel"}, func(in *install) {
	const file = "tensorflow/python/platform/build_info.py"
	if text, ok := in.require(file); ok {
		in.tensorflowBuild(text, stack.File(in.path(file)))
	}
	// CUDA is loaded by dlopen from these; until 2.10 the kernels were in the second.
	in.library("tensorflow/libtensorflow_cc.so.2")
	in.library("tensorflow/python/_pywrap_tensorflow_internal.so")
	in.library("tensorflow/libtensorflow_framework.so.2")
	if in.fw.Variant.Or("cuda") == "cuda" {
		declared := in.fw.Code
		in.fw.Code = stack.Fact[[]stack.DeviceCode]{}
		in.code("tensorflow/libtensorflow_cc.so.2", "tensorflow/python/_pywrap_tensorflow_internal.so")
		if !in.fw.Code.Known() && declared.Known() {
			in.fw.Code = declared
		}
	}
}}

// tensorflowBuild reads the one dictionary of build_info.py, which TensorFlow's
// build writes (tensorflow/tools/build_info/gen_build_info.py).
func (in *install) tensorflowBuild(text string, from stack.Source) {
	info := parseDict(text, "build_info")
	if info == nil {
		in.fw.Variant = stack.Broken[string]("no build_info dictionary in "+from.Locator, from)
		return
	}
	switch {
	case info["is_cuda_build"] == "True":
		in.isVariant("cuda", from)
		in.builtWith(info["cuda_version"], from)
		in.builtWithCUDNN(info["cudnn_version"], from)
	case info["is_rocm_build"] == "True":
		in.isVariant("rocm", from)
	case info["is_cuda_build"] == "False":
		in.isVariant("cpu", from)
	}
	var code []stack.DeviceCode
	for _, arch := range parseList(info["cuda_compute_capabilities"]) {
		switch {
		case strings.HasPrefix(arch, "sm_"):
			code = append(code, stack.DeviceCode{Kind: "cubin", Arch: arch})
		case strings.HasPrefix(arch, "compute_"):
			code = append(code, stack.DeviceCode{Kind: "ptx", Arch: arch})
		}
	}
	if len(code) > 0 {
		in.fw.Code = stack.Know(code, from)
	}
}
