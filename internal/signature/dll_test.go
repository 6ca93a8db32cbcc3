package signature

import "testing"

func TestSoname(t *testing.T) {
	for dll, want := range map[string]string{
		`C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.4\bin\cublasLt64_12.dll`: "libcublasLt.so.12",
		"cudart64_110.dll":              "libcudart.so.11.0",
		"cudart64_101.dll":              "libcudart.so.10.1",
		"cudart64_12.dll":               "libcudart.so.12",
		"cudnn_ops_infer64_8.dll":       "libcudnn_ops_infer.so.8",
		"cudnn_ops64_9.dll":             "libcudnn_ops.so.9",
		"nvrtc64_112_0.dll":             "libnvrtc.so.11.2",
		"nvrtc64_120_0.dll":             "libnvrtc.so.12",
		"nvJitLink_120_0.dll":           "libnvJitLink.so.12",
		"nvinfer_10.dll":                "libnvinfer.so.10",
		"nvinfer.dll":                   "libnvinfer.so.8",
		"nvcuda.dll":                    "libcuda.so.1",
		"zlibwapi.dll":                  "zlibwapi.dll",
		"/usr/lib/wsl/lib/libcuda.so.1": "libcuda.so.1",
		"libcublas.so.12.4.5.8":         "libcublas.so.12.4.5.8",
	} {
		if got := Soname(dll); got != want {
			t.Errorf("Soname(%q) = %q, want %q", dll, got, want)
		}
	}
}
