package kb

import (
	"strings"
	"testing"

	"strata/internal/version"
)

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

func TestNewerSoname(t *testing.T) {
	for soname, want := range map[string]string{
		"libcublas.so.14": ">", "libcudart.so.14": ">", "libcudnn.so.10": ">", "libcurand.so.11": ">", "libnvinfer.so.12": ">", "libnvrtc-builtins.so.14.0": ">",
		"libcublas.so.13": "cublas", "libnvrtc-builtins.so.13.7": "nvrtc",
		"libcublas.so.8.0": "?", "libcublas.so.12.4.5.8": "?", "libcublas.so.13.1": "?", "libcublas.so": "?", "libcudart-d0da41ae.so.11.0": "?", "libfoo.so.99": "?", "": "?",
	} {
		a := Default().Sonames(soname)
		component := ""
		if a.Known {
			component = a.Value[0].Component
		}
		if got := shape(a, component); got != want {
			t.Errorf("%q: got %s, want %s (%s)", soname, got, want, a.Why)
		}
	}
	if !Default().Soname("libcublas.so.14", 14).Beyond || !Default().Soname("libnccl.so.2", 14).Beyond || Default().Soname("libcublas.so.12", 13).Beyond {
		t.Error("the library of a newer CUDA is beyond, that of an older one under another is not")
	}
	if !Default().SonamesOf("cublas", 14).Beyond || Default().SonamesOf("nonesuch", 13).Beyond {
		t.Error("a component of a newer CUDA is beyond")
	}
}

func TestPackagesOf(t *testing.T) {
	tests := []struct {
		soname, cuda string
		where        Ecosystem
		want         string // names with specifiers; "?" none, ">" beyond
	}{
		{"libcublas.so.12", "12.4", NVIDIADebPackages, "libcublas-12-4"},
		{"libcublas.so.12", "12.4.1", NVIDIARPMPackages, "libcublas-12-4"},
		{"libcublas.so.12", "12.7", NVIDIADebPackages, "libcublas-12-8"}, // there is no CUDA 12.7
		{"libcublas.so.12", "", NVIDIADebPackages, "libcublas-12-8"},
		{"libcublas.so.12", "12", NVIDIADebPackages, "libcublas-12-8"},
		{"libnvrtc-builtins.so.12.4", "12.6", NVIDIARPMPackages, "cuda-nvrtc-12-4"},
		{"libcublasLt.so.13", "13.5", NVIDIARPMPackages, "libcublas-13-5"},
		{"libcublas.so.13", "13.0", PipPackages, "nvidia-cublas==13.*"},
		{"libcublas.so.12", "12.4", DebianPackages, "libcublas12"},
		{"libcublas.so.12", "12.4", CondaPackages, "libcublas"},
		{"libcurand.so.10", "", PipPackages, "nvidia-curand-cu11 nvidia-curand-cu12 nvidia-curand==10.*"},
		{"libcusolver.so.10", "11.0", NVIDIADebPackages, "libcusolver-11-0"},
		{"libcusolver.so.10", "11.4", NVIDIADebPackages, "?"}, // 11.1 and newer have .so.11
		{"libcusolver.so.11", "11.4", NVIDIADebPackages, "libcusolver-11-4"},
		{"libnvrtc.so.11.2", "11.8", NVIDIARPMPackages, "cuda-nvrtc-11-8"},
		{"libnvrtc.so.11.2", "11.1", NVIDIARPMPackages, "?"},
		{"libcudnn.so.9", "12.4", NVIDIARPMPackages, "libcudnn9-cuda-12"},
		{"libnccl.so.2", "13.0", NVIDIARPMPackages, "libnccl"},
		{"libnccl.so.2", "13.0", NVIDIADebPackages, "libnccl2"},
		{"libnvonnxparser.so.10", "12.4", NVIDIADebPackages, "libnvonnxparsers10"},
		{"libcuda.so.1", "12.4", PipPackages, "?"}, // never from pip
		{"libcublas.so.12", "13.9", NVIDIADebPackages, ">"},
		{"libcublas.so.15", "", NVIDIADebPackages, ">"},
		{"libfoo.so.1", "", PipPackages, "?"},
	}
	for _, tt := range tests {
		var v version.CUDA
		if tt.cuda != "" {
			v = cuda(tt.cuda)
		}
		a := Default().PackagesOf(tt.soname, v, tt.where)
		var names []string
		for _, p := range a.Value {
			names = append(names, p.Name+p.Spec)
		}
		if got := shape(a, strings.Join(names, " ")); got != tt.want {
			t.Errorf("%s for CUDA %q in %s: got %q, want %q (%s)", tt.soname, tt.cuda, tt.where, got, tt.want, a.Why)
		}
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
