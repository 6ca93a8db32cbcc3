package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOfTorch(t *testing.T) {
	tests := map[string]bool{
		"_ZN3c105ErrorC2ENS_14SourceLocationESs": true,
		"_ZNK3c106SymInt6sym_neERKS0_":           true,
		"_ZN2at4_ops5empty":                      true,
		"_ZN5torch7LibraryC1Ev":                  true,
		"_ZN10torchaudio4initEv":                 false,
		"_ZN4c10x3fooEv":                         false,
		"_ZNSt6vectorIN2at6TensorESaIS1_EED1Ev":  false,
		"cudaMalloc":                             false,
		"":                                       false,
	}
	for symbol, want := range tests {
		if got := ofTorch(symbol); got != want {
			t.Errorf("%s: %t", symbol, got)
		}
	}
}

func TestTorchLibraries(t *testing.T) {
	got := torchLibraries([]string{"libtorch_cpu.so", "libc10.so", "libgomp-a34b3233.so.1", "libtorch_cuda.so", "libshm.so", "libtorch_python.so", "libc10_cuda.so", "libtorch.so"})
	want := []string{"libc10.so", "libc10_cuda.so", "libtorch_python.so", "libtorch_cpu.so", "libtorch_cuda.so", "libtorch.so"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
