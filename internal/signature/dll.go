package signature

import (
	"path"
	"regexp"
	"strings"
)

// Soname is the name that the knowledge base knows a library by: its file's
// name, and for one of Windows the name of the same release on Linux, which is
// libcublasLt.so.12 for cublasLt64_12.dll. A DLL that has no counterpart keeps its name.
func Soname(lib string) string {
	lib = path.Base(strings.ReplaceAll(lib, `\`, "/"))
	name, isDLL := cutDLL(lib)
	if !isDLL {
		return lib
	}
	if so := driverDLLs[strings.ToLower(name)]; so != "" {
		return so
	}
	m := dllForm.FindStringSubmatch(name)
	if m == nil {
		return lib
	}
	stem, number := m[1], m[2]
	switch strings.ToLower(stem) {
	case "cudart", "nvrtc", "nvjitlink":
		// 110 is 11.0, 101 is 10.1, 12 is 12; NVRTC writes 120_0 for 12, NVJitLink 120_0 too.
		number, _, _ = strings.Cut(number, "_")
		if len(number) == 3 {
			major, minor := number[:2], number[2:]
			if number = major; major < "12" {
				number += "." + minor
			}
		}
	}
	return "lib" + stem + ".so." + number
}

func cutDLL(lib string) (name string, ok bool) {
	if len(lib) > 4 && strings.EqualFold(lib[len(lib)-4:], ".dll") {
		return lib[:len(lib)-4], true
	}
	return "", false
}

var (
	// dllForm is cudnn_ops64_9, cublasLt64_12, nvrtc64_120_0, nvinfer_10, nvJitLink_120_0.
	dllForm    = regexp.MustCompile(`^([A-Za-z_]+?)(?:64)?_([0-9]+(?:_[0-9]+)?)$`)
	driverDLLs = map[string]string{
		"nvcuda": "libcuda.so.1", "nvml": "libnvidia-ml.so.1", "nvcuvid": "libnvcuvid.so.1", "nvencodeapi64": "libnvidia-encode.so.1",
		// TensorRT wrote no release into the names before 10.
		"nvinfer": "libnvinfer.so.8", "nvinfer_plugin": "libnvinfer_plugin.so.8", "nvonnxparser": "libnvonnxparser.so.8",
	}
)
