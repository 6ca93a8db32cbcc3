package framework

import (
	"strings"

	"strata/internal/stack"
)

var paddle = reader{"paddle", []string{"paddlepaddle-gpu", "paddlepaddle"}, func(in *install) {
	const file = "paddle/version/__init__.py"
	if text, ok := in.require(file); ok {
		a := parseAssignments(text)
		if v, ok := a.set("full_version"); ok {
			in.fw.Version = v.value
		}
		gpu, said := a["with_gpu"]
		if c, ok := a.set("cuda_version"); ok {
			// A CPU build writes cuda_version = 'False'; set passes over it.
			in.isVariant("cuda", in.source(file, c))
			in.builtWith(c.value, in.source(file, c))
			if v, ok := a.set("cudnn_version"); ok {
				in.builtWithCUDNN(v.value, in.source(file, v))
			}
		} else if c, ok := a["cuda_version"]; ok {
			in.isVariant("cpu", in.source(file, c))
		} else if said && strings.EqualFold(gpu.value, "OFF") {
			in.isVariant("cpu", in.source(file, gpu))
		}
	}
	in.library("paddle/base/libpaddle.so")
	in.library("paddle/fluid/libpaddle.so") // up to 2.5
	in.match("paddle/libs", "libphi*.so")
	in.code("paddle/libs/libphi_gpu.so", "paddle/base/libpaddle.so", "paddle/fluid/libpaddle.so")
}}

var tensorrt = reader{"tensorrt", []string{"tensorrt", "tensorrt-cu*", "tensorrt-libs", "tensorrt-llm", "nvidia-tensorrt"}, func(in *install) {
	for _, dir := range []string{"tensorrt_libs", "tensorrt"} {
		in.match(dir, "libnvinfer.so*")
		in.match(dir, "libnvinfer_plugin.so*")
		in.match(dir, "libnvonnxparser.so*")
	}
	in.isVariant("cuda", in.pkg.From)
	// "tensorrt" itself is empty and depends on tensorrt-cuNN.
	for _, p := range in.env.Packages.Value {
		if strings.HasPrefix(p.Name, "tensorrt-cu") {
			in.use(parseName(p.Name), stack.From("file", p.From.Locator, 0, "Name: "+p.Name))
			break
		}
	}
}}
