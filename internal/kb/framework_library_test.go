package kb

import (
	"slices"
	"testing"
)

func TestCUDNNSupports(t *testing.T) {
	tests := []struct {
		version          string
		cuda             int
		cc               string
		supported, known bool
	}{
		{"9.10.2.21", 12, "7.0", true, true},
		{"9.11.0", 12, "7.0", false, true},
		{"9.27.0.42", 12, "6.1", false, true},
		{"9.5.1.17", 12, "12.0", false, true},
		{"9.10.2", 12, "12.1", true, true},
		{"9.10.2", 11, "12.0", false, true},
		{"9.28.1.4", 13, "7.5", true, true},
		{"8.2.4", 11, "8.9", true, true},
		{"8.2.4", 11, "9.0", false, true},
		{"8.3.2", 10, "8.6", false, true},
	}
	for _, tt := range tests {
		a := Default().CUDNN(libOf(tt.version), tt.cuda)
		if !a.Known {
			t.Errorf("cuDNN %s for CUDA %d: %s", tt.version, tt.cuda, a.Why)
			continue
		}
		if supported, known := a.Value.Supports(targetOf(tt.cc)); supported != tt.supported || known != tt.known {
			t.Errorf("cuDNN %s for CUDA %d on %s: %v, known %v", tt.version, tt.cuda, tt.cc, supported, known)
		}
	}
	if a := Default().CUDNN(libOf("9.11.0"), 11); a.Known || a.Beyond {
		t.Errorf("cuDNN 9.11 for CUDA 11 does not exist, but: %+v", a)
	}
	if a := Default().CUDNN(libOf("9.40.0"), 12); !a.Beyond {
		t.Errorf("9.40.0 is not beyond: %+v", a)
	}
}

func TestCUDNNLibraries(t *testing.T) {
	tests := []struct {
		version, soname, has, hasNot string
	}{
		{"8.9.7", "libcudnn.so.8", "libcudnn_ops_infer.so.8", "libcudnn_ops.so.9"},
		{"9.1.0.70", "libcudnn.so.9", "libcudnn_engines_precompiled.so.9", "libcudnn_ops_infer.so.8"},
		{"9.20.0.48", "libcudnn.so.9", "libcudnn_graph.so.9", "libcudnn_engines_tensor_ir.so.9"},
		{"9.21.0.82", "libcudnn.so.9", "libcudnn_engines_tensor_ir.so.9", "libcudnn_ext.so.9"},
		{"9.22.0.52", "libcudnn.so.9", "libcudnn_ext.so.9", ""},
	}
	for _, tt := range tests {
		a := Default().CUDNNLibraries(libOf(tt.version))
		list := a.Value.Sublibraries
		if a.Value.Soname != tt.soname || !slices.Contains(list, tt.has) || slices.Contains(list, tt.hasNot) {
			t.Errorf("cuDNN %s: %s with %q (%s)", tt.version, a.Value.Soname, list, a.Why)
		}
	}
}

func TestNCCL(t *testing.T) {
	for symbol, since := range map[string]string{
		"ncclCommInitRank": "2.3.5", "ncclCommSplit": "2.18.1", "ncclCommRegister": "2.19.1", "ncclMemFree": "2.19.1",
		"ncclCommWindowRegister": "2.27.3", "ncclCommResume": "2.29.7",
	} {
		a := Default().NCCLSymbol(symbol)
		if a.Value.Since.String() != since {
			t.Errorf("%s: since %s, want %s (%s)", symbol, a.Value.Since, since, a.Why)
		}
	}
	if a := Default().NCCLSymbol("ncclCommFromTheFuture"); a.Known {
		t.Errorf("%+v", a)
	}
	v := toolkitOf("12.4.1")
	if a := Default().NCCLArchs(v); !a.Value.PTX.Has(targetOf("9.0")) || a.Value.Archs.Has(targetOf("12.0")) {
		t.Errorf("NCCL with CUDA 12.4: %+v", a)
	}
}

func TestTensorRT(t *testing.T) {
	tests := []struct {
		version string
		cuda    int
		ccMin   string
		ccMax   string
		known   bool
	}{
		{"10.4.0", 12, "7.0", "9.0", true},
		{"10.5.0", 12, "7.5", "9.0", true},
		{"10.13.0", 11, "7.5", "9.0", true},
		{"10.13.2", 11, "", "", false},
		{"10.13.2", 13, "7.5", "12.0", true},
		{"9.3.0", 12, "6.0", "9.0", true},
		{"8.5.1", 11, "3.5", "9.0", true},
		{"8.6.1", 11, "5.0", "9.0", true},
		{"11.0.0", 12, "7.5", "12.0", true},
		{"11.4.0", 12, "7.5", "12.1", true},
		{"11.5.0", 13, "7.5", "12.1", true},
		{"11.5.0", 12, "", "", false},
	}
	for _, tt := range tests {
		a := Default().TensorRT(libOf(tt.version), tt.cuda)
		if a.Known != tt.known || a.Beyond || a.Value.CCMin.String() != tt.ccMin || a.Value.CCMax.String() != tt.ccMax {
			t.Errorf("TensorRT %s for CUDA %d: %+v", tt.version, tt.cuda, a)
		}
	}
}
