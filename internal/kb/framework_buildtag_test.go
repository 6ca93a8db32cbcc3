package kb

import (
	"strings"
	"testing"
)

func TestBuildTag(t *testing.T) {
	tests := []struct {
		local                   string
		cuda, cudnn, torch, abi string
		cpu                     bool
	}{
		{"cu12torch2.6cxx11abiFALSE", "12", "", "2.6", "FALSE", false},
		{"cu124torch2.10cxx11abitrue", "12.4", "", "2.10", "TRUE", false}, // as PEP 440 writes it
		{"pt26cu124", "12.4", "", "2.6", "", false},
		{"pt213cu130", "13.0", "", "2.13", "", false},
		{"cuda12.cudnn89", "12", "8.9", "", "", false},
		{"cu126", "12.6", "", "", "", false},
		{"cpu", "", "", "", "", true},
	}
	for _, tt := range tests {
		a := Default().BuildTag(tt.local)
		v := a.Value
		if v.CUDA.String() != tt.cuda || v.CUDNN.String() != tt.cudnn || v.Torch.String() != tt.torch || v.ABI != tt.abi || v.CPU != tt.cpu {
			t.Errorf("BuildTag(%q) = %+v (%s)", tt.local, v, a.Why)
		}
	}
	for _, local := range []string{"", "rocm6.2", "git1234abc", strings.Repeat("cu126", 100)} {
		if a := Default().BuildTag(local); a.Known || a.Why == "" {
			t.Errorf("BuildTag(%q) = %+v", local, a)
		}
	}
}

func FuzzBuildTag(f *testing.F) {
	for _, r := range buildTags.in(Default()).Rows {
		f.Add(r.Example)
	}
	f.Fuzz(func(t *testing.T, local string) {
		if a := Default().BuildTag(local); a.Known == (a.Why != "") {
			t.Errorf("BuildTag(%q): known %v, why %q", local, a.Known, a.Why)
		}
	})
}
