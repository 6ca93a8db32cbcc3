package library

import (
	"slices"
	"strings"

	"strata/internal/version"
)

// exact are the members of the CUDA family whose name without "lib" and from
// ".so" on is one of these. Names: NVIDIA's CUDA toolkit component list
// (https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/) and the file
// lists of its packages.
var exact = []string{
	"cublas", "cublasLt", "nvblas", "cudart", "cufft", "cufftw", "cufile", "cufile_rdma", "cupti", "curand",
	"cusolver", "cusolverMg", "cusparse", "cusparseLt", "cudss", "nccl", "nvJitLink", "nvToolsExt", "nvfatbin",
	"nvjpeg", "nvrtc", "nvrtc-builtins", "nvvm", "nvonnxparser",
	"nppc", "nppial", "nppicc", "nppicom", "nppidei", "nppif", "nppig", "nppim", "nppist", "nppisu", "nppitc", "npps",
}

// drivers are the members that come with the driver and carry its version.
var drivers = []string{"cuda", "nvidia-ml", "nvidia-ptxjitcompiler", "nvidia-nvvm", "nvidia-gpucomp"}

// split are products that come as one library in some releases and as many
// sub-libraries in others (libcudnn_ops, libnvinfer_plugin, libnvshmem_host).
var split = []string{"cudnn", "cutensor", "nvinfer", "nvshmem"}

// IsCUDA tells whether a file name is that of a shared library of the CUDA
// family: the driver's own, the toolkit's, cuDNN, NCCL, TensorRT and the like,
// with or without version and also as wheel builders rename it
// (libcudart-d0da41ae.so.11.0).
func IsCUDA(name string) bool {
	s, _, ok := cut(name)
	if !ok {
		return false
	}
	s = strings.TrimPrefix(s, "lib")
	if slices.Contains(exact, s) || slices.Contains(drivers, s) {
		return true
	}
	for _, p := range split {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// IsDriver tells whether a file name is that of a library that comes with the
// driver: libcuda, libnvidia-ml, the PTX compiler.
func IsDriver(name string) bool {
	s, _, ok := cut(name)
	return ok && slices.Contains(drivers, strings.TrimPrefix(s, "lib"))
}

// cut takes "libcudart-d0da41ae.so.11.0" apart into "libcudart" and "11.0".
// It is false for what is not named as a shared library.
func cut(name string) (stem, number string, ok bool) {
	i := strings.Index(name, ".so")
	if i < 0 || !strings.HasPrefix(name, "lib") {
		return "", "", false
	}
	stem, number = name[:i], name[i+len(".so"):]
	if number != "" {
		if number, ok = strings.CutPrefix(number, "."); !ok || number == "" || strings.Trim(number, "0123456789.") != "" {
			return "", "", false
		}
	}
	if j := strings.LastIndexByte(stem, '-'); j > 0 && len(stem)-j-1 == 8 && strings.Trim(stem[j+1:], "0123456789abcdef") == "" {
		stem = stem[:j] // auditwheel's hash: the first 8 hex digits of the file's SHA-256
	}
	return stem, number, true
}

// fileVersion reads the version out of the real file's name. Where the name
// ends with no more than its soname does, it tells no version: wheels ship
// libcublas.so.12 under that very name.
func fileVersion(name, soname string) string {
	stem, number, ok := cut(name)
	if !ok || number == "" || name == soname {
		return ""
	}
	if slices.Contains(drivers, strings.TrimPrefix(stem, "lib")) {
		// WSL and Jetson call the real file libcuda.so.1.1: not a driver's version.
		if v, err := version.ParseDriver(number); err != nil || !strings.Contains(v.String(), ".") {
			return ""
		}
		return number
	}
	if !strings.Contains(number, ".") {
		return "" // a lone number is a soname's, whatever the ELF says
	}
	if _, err := version.ParseLib(number); err != nil {
		return ""
	}
	return number
}
