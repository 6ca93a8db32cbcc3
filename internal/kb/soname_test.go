package kb

import "testing"

func TestSoname(t *testing.T) {
	tests := []struct {
		soname    string
		cuda      int
		component string // "?" not found
		pip, spec string
	}{
		{"libcublas.so.12", 12, "cublas", "nvidia-cublas-cu12", ""},
		{"libcublasLt.so.13", 13, "cublas", "nvidia-cublas", "==13.*"},
		{"libcublas.so.12", 13, "?", "", ""},
		{"libcurand.so.10", 13, "curand", "nvidia-curand", "==10.*"},
		{"libcurand.so.10", 11, "curand", "nvidia-curand-cu11", ""},
		{"libcudnn.so.8", 12, "cudnn", "nvidia-cudnn-cu12", "==8.*"}, // the newest package has .so.9
		{"libcudnn.so.9", 13, "cudnn", "nvidia-cudnn-cu13", "==9.*"},
		{"libnvrtc-builtins.so.12.8", 12, "nvrtc", "nvidia-cuda-nvrtc-cu12", ""},
		{"libcusolver.so.10", 11, "cusolver", "", ""}, // CUDA 11.0 alone
		{"libcuda.so.1", 12, "driver", "", ""},        // never from pip
		{"libfoo.so.1", 12, "?", "", ""},
	}
	for _, tt := range tests {
		a := Default().Soname(tt.soname, tt.cuda)
		if got := shape(a, a.Value.Component); got != tt.component || a.Value.Pip != tt.pip || a.Value.PipSpec != tt.spec {
			t.Errorf("%s for CUDA %d: got %s from %q %q, want %s from %q %q (%s)",
				tt.soname, tt.cuda, got, a.Value.Pip, a.Value.PipSpec, tt.component, tt.pip, tt.spec, a.Why)
		}
	}
	if n := len(Default().Sonames("libcurand.so.10").Value); n != 4 {
		t.Errorf("libcurand.so.10: in %d CUDA major releases, want 4", n)
	}
	if list := Default().SonamesOf("cufft", 13).Value; len(list) != 2 || list[0].Soname != "libcufft.so.12" {
		t.Errorf("cufft of CUDA 13: got %+v", list)
	}
}

func TestComponent(t *testing.T) {
	for soname, want := range map[string]Component{
		"libcublas.so.14":                  {"cublas", "cuda_libraries"},
		"libcublas.so":                     {"cublas", "cuda_libraries"},
		"/usr/lib/libcudnn_graph.so.9.1.0": {"cudnn", "cudnn"},
		"libcuda.so.535.129.03":            {"driver", "driver"},
		"libnvidia-ml.so.1":                {"driver", "driver"},
		"libnvinfer.so.12":                 {"tensorrt", "tensorrt"},
		"libcudart.so.13":                  {"cudart", "cuda_runtime"},
		"libcudart-d0da41ae.so.11.0":       {}, // bundled under a hashed name: not ours to guess
		"libfoo.so.1":                      {},
		"":                                 {},
	} {
		if got := Default().Component(soname).Value; got != want {
			t.Errorf("%q: got %+v, want %+v", soname, got, want)
		}
	}
}
