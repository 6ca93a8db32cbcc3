package kb

import (
	"slices"
	"testing"

	"strata/internal/version"
)

func TestONNXRuntime(t *testing.T) {
	tests := []struct {
		version      string
		cuda, cudnn  int
		need         Need
		soname, arch string // in the lists
		ptx          string // the newest target; "" for none
	}{
		{"1.16.3", 11, 8, NeedRequired, "libcudart.so.11.0", "sm_70", "compute_80"},
		{"1.18.1", 11, 8, NeedRequired, "libcudnn.so.8", "sm_52", "compute_80"},
		{"1.19.2", 12, 9, NeedRequired, "libcublasLt.so.12", "sm_80", "compute_80"},
		{"1.20.1", 12, 9, NeedRequired, "libcudnn_adv.so.9", "sm_80", "compute_80"},
		{"1.22.0", 12, 9, NeedRequired, "libnvrtc.so.12", "sm_90", "compute_90"},
		{"1.23.0", 12, 9, NeedRequired, "libcudnn.so.9", "sm_90a", "compute_90a"},
		{"1.23.2", 12, 9, NeedRequired, "libcudnn.so.9", "sm_90a", "compute_90"},
		{"1.27.0", 13, 9, NeedRequired, "libcufft.so.12", "sm_100a", "compute_120"},
		{"1.28.0", 13, 9, NeedOptional, "libcublas.so.13", "sm_120a", "compute_120"},
		{"1.31.1", 13, 9, NeedOptional, "libcuda.so.1", "sm_120a", ""},
	}
	for _, tt := range tests {
		a := Default().ONNXRuntime(pep(tt.version))
		r := a.Value
		if !a.Known || r.CUDAMajor != tt.cuda || r.CUDNNMajor != tt.cudnn || r.CUDNN != tt.need {
			t.Errorf("%s: CUDA %d, cuDNN %d %s (%s)", tt.version, r.CUDAMajor, r.CUDNNMajor, r.CUDNN, a.Why)
		}
		if !slices.Contains(r.Sonames, tt.soname) || !r.Archs.Has(targetOf(tt.arch)) {
			t.Errorf("%s: no %s in %q, or no %s in %v", tt.version, tt.soname, r.Sonames, tt.arch, r.Archs)
		}
		if tt.ptx == "" {
			if !r.PTX.Known || r.PTX.List != nil {
				t.Errorf("%s: PTX %v, want none and known", tt.version, r.PTX)
			}
		} else if n := len(r.PTX.List); n == 0 || r.PTX.List[n-1] != targetOf(tt.ptx) {
			t.Errorf("%s: PTX %v, want %s last", tt.version, r.PTX, tt.ptx)
		}
	}
	if a := Default().ONNXRuntime(pep("1.32.0")); !a.Beyond {
		t.Errorf("1.32.0 is not beyond: %+v", a)
	}
	// A release candidate counts as its release, not as the one before.
	if a := Default().ONNXRuntime(pep("1.27.0rc1")); a.Value.CUDAMajor != 13 {
		t.Errorf("1.27.0rc1: CUDA %d", a.Value.CUDAMajor)
	}
}

func TestONNXRuntimeBuilds(t *testing.T) {
	a := Default().ONNXRuntimeBuilds(pep("1.24.1"))
	var majors []int
	for _, r := range a.Value {
		majors = append(majors, r.CUDAMajor)
		if r.Package != PyPI && !Default().ONNXRuntimeFeed(r.Package).Known {
			t.Errorf("nobody knows where %s is", r.Package)
		}
	}
	if !slices.Equal(majors, []int{12, 13}) {
		t.Errorf("CUDA majors of 1.24.1: %v", majors)
	}
}

func TestTensorFlow(t *testing.T) {
	a := Default().TensorFlow(pep("2.20.0"), TensorFlowLinux)
	var sms []string
	for _, target := range a.Value.Archs.List {
		sms = append(sms, target.SM())
	}
	if want := []string{"sm_60", "sm_70", "sm_80", "sm_89"}; !slices.Equal(sms, want) {
		t.Errorf("2.20.0: %v, want %v (%s)", sms, want, a.Why)
	}
	if !a.Value.PTX.Has(targetOf("9.0a")) || a.Value.PTX.Has(targetOf("9.0")) {
		t.Errorf("2.20.0: PTX %v, want compute_90a", a.Value.PTX)
	}
	if a := Default().TensorFlow(pep("2.21.0"), TensorFlowLinux); !a.Value.PTX.Has(targetOf("9.0")) {
		t.Errorf("2.21.0: PTX %v, want compute_90", a.Value.PTX)
	}
	tests := []struct {
		version  string
		platform TensorFlowPlatform
		gpu      bool
		soname   string
	}{
		{"2.17.1", TensorFlowLinux, true, "libcudnn.so.8"},
		{"2.18.0", TensorFlowLinux, true, "libcudnn.so.9"},
		{"2.4.1", TensorFlowLinux, true, "libcusolver.so.10"},
		{"2.5.0", TensorFlowLinux, true, "libcusolver.so.11"},
		{"2.10.1", TensorFlowWindows, true, "cudnn64_8.dll"},
		{"2.11.0", TensorFlowWindows, false, ""},
	}
	for _, tt := range tests {
		a := Default().TensorFlow(pep(tt.version), tt.platform)
		if !a.Known || a.Value.GPU != tt.gpu || tt.soname != "" && !slices.Contains(a.Value.Sonames, tt.soname) {
			t.Errorf("%s on %s: GPU %v, %q (%s)", tt.version, tt.platform, a.Value.GPU, a.Value.Sonames, a.Why)
		}
	}
	if a := Default().TensorFlow(pep("2.22.0"), TensorFlowLinux); !a.Beyond {
		t.Errorf("2.22.0 is not beyond: %+v", a)
	}
}

func TestJAX(t *testing.T) {
	tests := []struct {
		version   string
		cuda      int
		cudnn, py string
		known     bool
	}{
		{"0.4.25", 11, "8.8", "3.9", true},
		{"0.4.26", 11, "", "", false},
		{"0.5.0", 12, "9.1", "3.10", true},
		{"0.8.1", 13, "9.12", "3.11", true},
		{"0.12.0.1", 12, "9.10.2", "3.12", true},
	}
	for _, tt := range tests {
		a := Default().JAX(pep(tt.version), tt.cuda)
		if a.Known != tt.known || a.Beyond || a.Value.CUDNNMin.String() != tt.cudnn || a.Value.PythonMin.String() != tt.py {
			t.Errorf("JAX %s for CUDA %d: %+v", tt.version, tt.cuda, a)
		}
	}
	if a := Default().JAXVariants(pep("0.13.0")); !a.Beyond {
		t.Errorf("0.13.0 is not beyond: %+v", a)
	}
}

func TestConsumer(t *testing.T) {
	var anyCUDA version.CUDA
	tests := []struct {
		pkg, version string
		need         Need
		cudnn        int
	}{
		{"ctranslate2", "4.4.0", NeedRequired, 8},
		{"CTranslate2", "4.5.0", NeedRequired, 9},
		{"ctranslate2", "4.7.1", NeedNone, 0},
		{"cupy_cuda12x", "13.6.0", NeedOptional, 8},
		{"cupy-cuda12x", "14.0.1", NeedNone, 0},
	}
	for _, tt := range tests {
		a := Default().Consumer(tt.pkg, pep(tt.version), anyCUDA)
		if !a.Known || a.Value.CUDNN != tt.need || a.Value.CUDNNMajor != tt.cudnn {
			t.Errorf("%s %s: cuDNN %d %s (%s)", tt.pkg, tt.version, a.Value.CUDNNMajor, a.Value.CUDNN, a.Why)
		}
	}
	vllm := Default().Consumer("vllm", pep("0.30.0"), anyCUDA)
	if !vllm.Value.Torch.Contains(pep("2.13.0+cu130")) || vllm.Value.Torch.Contains(pep("2.14.0")) {
		t.Errorf("vllm 0.30.0 asks for torch %s", vllm.Value.Torch)
	}
	if a := Default().Consumer("vllm", pep("0.40.0"), anyCUDA); !a.Beyond {
		t.Errorf("vllm 0.40.0 is not beyond: %+v", a)
	}
	if a := Default().Consumer("no-such-package", pep("1.0"), anyCUDA); a.Known || a.Beyond {
		t.Errorf("a package without rows: %+v", a)
	}
}

// bitsandbytes has a library for each CUDA release, with code of its own.
func TestConsumerByCUDA(t *testing.T) {
	for release, want := range map[string]bool{"12.6": false, "12.8": true, "13.0": true} {
		v := toolkitOf(release)
		a := Default().Consumer("bitsandbytes", pep("0.49.0"), v)
		if got := a.Value.Archs.Has(targetOf("12.0")); !a.Known || got != want {
			t.Errorf("bitsandbytes for CUDA %s has sm_120: %v, want %v (%s)", release, got, want, a.Why)
		}
	}
	old := toolkitOf("10.2")
	if a := Default().Consumer("bitsandbytes", pep("0.49.0"), old); a.Known {
		t.Errorf("bitsandbytes for CUDA 10.2: %+v", a)
	}
}
