package kb

import "testing"

func TestArch(t *testing.T) {
	tests := []struct {
		cc, name    string
		first, last string
		open        OpenModule
	}{
		{"7.0", "Volta", "9.0", "12.9", OpenUnsupported}, {"7.5", "Turing", "10.0", "", OpenSupported}, {"8.0", "Ampere", "11.0", "", OpenSupported},
		{"9.0", "Hopper", "11.8", "", OpenSupported}, {"10.0", "Blackwell", "12.8", "", OpenRequired}, {"12.0", "Blackwell", "12.8", "", OpenRequired},
		{"12.1", "Blackwell", "12.9", "", OpenRequired}, {"8.7", "Ampere", "11.4", "", ""},
	}
	for _, tt := range tests {
		a := Default().Arch(capability(tt.cc)).Value
		if a.Name != tt.name || a.FirstCUDA.String() != tt.first || a.LastCUDA.String() != tt.last || a.OpenModule != tt.open {
			t.Errorf("%s: got %s, CUDA %s to %q, open module %q", tt.cc, a.Name, a.FirstCUDA, a.LastCUDA, a.OpenModule)
		}
	}
	if !Default().Arch(capability("13.0")).Beyond {
		t.Error("compute capability 13.0: not beyond the horizon")
	}
	if a := Default().Arch(capability("9.5")); a.Known || a.Beyond {
		t.Errorf("compute capability 9.5 does not exist: got %+v", a)
	}
	if first := Default().Arch(capability("12.0")).Value.FirstBranch; first != 570 {
		t.Errorf("first driver branch of 12.0: got R%d, want R570", first)
	}
}

func TestNVCCTargets(t *testing.T) {
	tests := []struct {
		cuda, cc string
		want     bool
	}{
		{"11.7", "8.9", false}, {"11.8", "8.9", true}, {"12.6", "12.0", false}, {"12.8", "12.0", true}, {"12.9.1", "7.0", true},
		{"13.0", "7.0", false}, {"13.0", "7.5", true}, {"12.9", "10.1", true}, {"13.0", "10.1", false}, {"13.0", "11.0", true}, {"11.8", "3.5", true}, {"12.0", "3.5", false},
	}
	for _, tt := range tests {
		got := false
		for _, target := range Default().NVCCTargets(cuda(tt.cuda)).Value {
			got = got || target == capability(tt.cc)
		}
		if got != tt.want {
			t.Errorf("nvcc %s compiles for %s: got %t, want %t", tt.cuda, tt.cc, got, tt.want)
		}
	}
}

func TestHostCompiler(t *testing.T) {
	for v, want := range map[string]int{"10.2": 8, "11.8": 11, "12.3.2": 12, "12.4": 13, "12.9": 14, "13.0": 15, "13.3": 15, "13.4.1": 16} {
		if got := Default().HostCompiler(cuda(v)).Value.GCCMax; got != want {
			t.Errorf("nvcc %s: got GCC up to %d, want %d", v, got, want)
		}
	}
	if !Default().HostCompiler(cuda("13.5")).Beyond {
		t.Error("nvcc 13.5: not beyond the horizon")
	}
}
