package recipe

import (
	"path"
	"regexp"
	"strings"

	"strata/internal/loader"
)

// tensorflow is `import tensorflow` and a look for GPUs.
func tensorflow(r *run) {
	dir := r.module("tensorflow")
	if dir == "" {
		r.stop("tensorflow is not installed")
		return
	}
	// This module comes first, and $ORIGIN of the libraries is from then on the way that it found them.
	guard := r.extension(path.Join(dir, "python/platform"), "_pywrap_cpu_feature_guard")
	if r.imports(Must, guard, path.Join(dir, "python/platform/self_check.py")+" imports it before all else") != nil {
		return
	}
	internal := r.extension(path.Join(dir, "python"), "_pywrap_tensorflow_internal")
	if r.imports(Must, internal, path.Join(dir, "python/pywrap_tensorflow.py")) != nil {
		return
	}
	framework := r.named("libtensorflow_framework.so.")
	if framework == nil {
		r.stop("libtensorflow_framework is not part of this build")
		return
	}
	cuda, cudnn := r.tensorflowBuild()
	if cuda == "" {
		r.stop("this build of TensorFlow has no CUDA (tensorflow/python/platform/build_info.py)")
		return
	}
	if r.open(GPU, framework, "libcuda.so.1", dso) != nil {
		return
	}
	r.later = true
	for _, name := range tensorflowNames(cuda, cudnn) {
		r.open(GPU, framework, name, dso+"; without one of these no GPU is registered (core/common_runtime/gpu/gpu_device.cc)")
	}
	r.cudnnParts()
	r.nvrtc(Part)
}

const dso = "TensorFlow opens it by name (tsl/platform/default/dso_loader.cc)"

// tensorflowFramework is what the initialisation of libtensorflow_framework opens.
func (r *run) tensorflowFramework(o *loader.Object) {
	cuda, cudnn := r.tensorflowBuild()
	if names := tensorflowNames(cuda, cudnn); names != nil {
		r.open(GPU, o, names[0], "libtensorflow_framework opens the CUDA runtime when it is initialised (stream_executor/cuda/cudart_stub.cc)")
	}
}

var buildInfo = regexp.MustCompile(`['"](cuda|cudnn)_version['"][,:]\s*['"](\d[\d.]*)['"]`)

// tensorflowBuild are the releases of CUDA and cuDNN of the build, "" for one without.
func (r *run) tensorflowBuild() (cuda, cudnn string) {
	dir := r.module("tensorflow")
	for _, m := range buildInfo.FindAllStringSubmatch(r.source(path.Join(dir, "python/platform/build_info.py")), 8) {
		if m[1] == "cuda" {
			cuda = m[2]
		} else {
			cudnn = m[2]
		}
	}
	return cuda, cudnn
}

// major is the first number of a version.
func major(v string) string {
	m, _, _ := strings.Cut(v, ".")
	return m
}

// tensorflowNames are the sonames that go with a CUDA release, in the order of DsoLoader.
func tensorflowNames(cuda, cudnn string) []string {
	front := "libcudnn.so." + major(cudnn)
	switch major(cuda) {
	case "11":
		return []string{"libcudart.so.11.0", "libcublas.so.11", "libcublasLt.so.11", "libcufft.so.10", "libcusolver.so.11", "libcusparse.so.11", front}
	case "12":
		return []string{"libcudart.so.12", "libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12", front}
	case "13":
		return []string{"libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcufft.so.12", "libcusolver.so.12", "libcusparse.so.12", front}
	}
	return nil
}
