package remedy

import (
	"testing"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// TestLibraries_system: a program without a Python environment gets its libraries from NVIDIA's repository for the distribution, of the
// CUDA that it is built with.
func TestLibraries_system(t *testing.T) {
	for _, tt := range []struct {
		id, built string
		sonames   []string
		want      string // the command; "" none is offered
	}{
		{"ubuntu", "12.4", []string{"libcublas.so.12", "libcublasLt.so.12", "libcudart.so.12"}, "sudo apt install libcublas-12-4 cuda-cudart-12-4"},
		{"debian", "12.4", []string{"libnccl.so.2"}, "sudo apt install libnccl2"},
		{"rocky", "12.4", []string{"libcublas.so.12", "libnccl.so.2"}, "sudo dnf install libcublas-12-4 libnccl"},
		{"rhel", "13.0", []string{"libcudart.so.13", "libcudnn.so.9"}, "sudo dnf install cuda-cudart-13-0 libcudnn9-cuda-13"},
		{"rhel", "12.4", []string{"libcusparseLt.so.0"}, ""}, // the name of the RPM is not known
		{"arch", "12.4", []string{"libcublas.so.12"}, ""},
		{"ubuntu", "12.4", []string{"libcublas.so.14"}, ""}, // newer than what is known
	} {
		s := &stack.Stack{}
		s.OS.ID = stack.Know(tt.id)
		built, err := version.ParseCUDA(tt.built)
		if err != nil {
			t.Fatal(err)
		}
		w := &derive.Workload{Framework: &stack.Framework{Name: "program", CUDA: stack.Know(built)}}
		got := Libraries(&rule.Input{View: &derive.View{Stack: s, KB: kb.Default()}, Workload: w}, rule.CUDALibraries, tt.sonames)
		run := ""
		if len(got) == 1 && len(got[0].Commands) == 1 {
			run = got[0].Commands[0].Run
		}
		if run != tt.want {
			t.Errorf("%s on %s: %q, want %q (%d remedies)", tt.sonames, tt.id, run, tt.want, len(got))
		}
	}
}
