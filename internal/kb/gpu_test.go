package kb

import "testing"

func TestGPUByPCI(t *testing.T) {
	tests := []struct{ device, subsystem, name, cc string }{
		{"20b2", "10de:1463", "NVIDIA A100-SXM4-80GB", "8.0"},
		{"0x20B2", "", "A100 SXM4 80GB", "8.0"}, // no row under nvidia-smi's name for the id alone
		{"20b0", "10de:1450", "NVIDIA A100-PG509-200", "8.0"},
		{"2b85", "1043:0000", "NVIDIA GeForce RTX 5090", "12.0"},
		{"2684", "", "NVIDIA GeForce RTX 4090", "8.9"},
		{"1db1", "10de:1212", "Tesla V100 SXM2 16GB", "7.0"},
		{"2e12", "", "GB10", "12.1"},
		{"ffff", "", "?", ""}, {"", "", "?", ""},
	}
	for _, tt := range tests {
		a := Default().GPUByPCI(tt.device, tt.subsystem)
		if got := shape(a, a.Value.Name); got != tt.name || a.Value.ComputeCapability.String() != tt.cc {
			t.Errorf("%s %s: got %q of %s, want %q of %s", tt.device, tt.subsystem, got, a.Value.ComputeCapability, tt.name, tt.cc)
		}
	}
}

func TestGPUsByName(t *testing.T) {
	tests := []struct {
		name, cc string // cc "?" not found, "!" ambiguous
		open     OpenModule
		class    GPUClass
	}{
		{"NVIDIA A100-SXM4-80GB", "8.0", OpenSupported, DataCenter},
		{"GeForce RTX 4090", "8.9", OpenSupported, GeForce},
		{"RTX 4090", "8.9", OpenSupported, GeForce}, // and no laptop GPU
		{"NVIDIA GeForce RTX 4090 Laptop GPU", "8.9", OpenSupported, Laptop},
		{"NVIDIA GeForce RTX 5090", "12.0", OpenRequired, GeForce},
		{"GTX 1080Ti", "6.1", OpenUnsupported, GeForce}, // without the space
		{"GB10", "12.1", OpenRequired, Workstation},
		{"V100", "7.0", OpenUnsupported, DataCenter},
		{"Tesla V100-SXM2-16GB", "7.0", OpenUnsupported, DataCenter},
		{"Tesla T4", "7.5", OpenSupported, DataCenter},
		{"H100", "9.0", OpenSupported, DataCenter},
		{"NVIDIA GH200 480GB", "9.0", OpenRequired, DataCenter},
		{"NVIDIA B200", "10.0", OpenRequired, DataCenter},
		{"Orin (nvgpu)", "8.7", "", ""},
		{"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", OpenSupported, DataCenter},
		{"NVIDIA A40-48Q", "8.6", OpenSupported, DataCenter},
		{"GRID V100D-8Q", "7.0", OpenUnsupported, DataCenter},
		{"Quadro RTX 6000", "7.5", OpenSupported, Workstation},
		{"RTX 6000", "!", "", ""}, // Quadro, Ada or PRO
		{"GeForce GT 1030", "!", OpenUnsupported, GeForce},
		{"Voodoo 2", "?", "", ""}, {"NVIDIA", "?", "", ""}, {"", "?", "", ""},
	}
	for _, tt := range tests {
		a := Default().GPUsByName(tt.name)
		got := shape(a, a.Value.ComputeCapability.String())
		if a.Value.Ambiguous {
			got = "!"
		}
		if got != tt.cc || a.Value.OpenModule != tt.open && tt.cc != "!" || a.Value.Class != tt.class && tt.cc != "!" {
			t.Errorf("%q: got %s, open module %q, class %q; want %s, %q, %q (%s)", tt.name, got, a.Value.OpenModule, a.Value.Class, tt.cc, tt.open, tt.class, a.Why)
		}
		if (a.Value.Ambiguous || !a.Known) && a.Why == "" {
			t.Errorf("%q: no reason given", tt.name)
		}
	}
}

// TestGPUsFindThemselves asks for products under their own names, for one row in eleven: each question reads all names.
func TestGPUsFindThemselves(t *testing.T) {
	for i, g := range gpus.in(Default()).Rows {
		if g.Board || i%11 != 0 {
			continue
		}
		itself := false
		for _, m := range Default().GPUsByName(g.Name).Value.GPUs {
			itself = itself || m.Line == g.Line
		}
		if !itself {
			t.Errorf("%q (line %d) is not among the GPUs of that name", g.Name, g.Line)
		}
	}
}
