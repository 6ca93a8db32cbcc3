package kb

import (
	"testing"

	"strata/internal/version"
)

func glibc(s string) version.Glibc { return must(version.ParseGlibc(s)) }

func TestLibraryRelease(t *testing.T) {
	tests := []struct {
		component, version string
		cuda               int
		want, date         string // "?" not found, ">" beyond
	}{
		{"nccl", "2.32.3", 13, "2.32.3", "2026-09-22"},
		{"nccl", "2.27", 12, "2.27.7", "2025-08-04"},
		{"nccl", "2.27.3", 13, "?", ""}, // the first of 2.27 for CUDA 13 is 2.27.7
		{"nccl", "2.33.1", 13, ">", ""},
		{"cusparselt", "0.9.1", 12, "?", ""}, // CUDA 13 only
		{"cusparselt", "0.9.1", 13, "0.9.1", "2026-04-29"},
		{"nvshmem", "3.3.20", 13, "3.3.20", "2025-08-04"},
		{"cudnn", "9.28", 13, "9.28.1.4", "2026-11-06"},
		{"cudnn", "9.28", 12, "9.28.0.42", "2026-11-04"},
		{"cudnn", "9.10", 11, "9.10.2.21", "2025-06-06"},
		{"tensorrt", "11.0", 12, "11.0.0.114", "2026-05-27"},
		{"tensorrt", "12.0", 13, ">", ""},
		{"tensorrt", "", 13, "?", ""},
	}
	for _, tt := range tests {
		var v version.Lib
		if tt.version != "" {
			v = libOf(tt.version)
		}
		a := Default().LibraryRelease(tt.component, v, tt.cuda)
		if got := shape(a, a.Value.Version.String()); got != tt.want || a.Value.Date != tt.date {
			t.Errorf("%s %s for CUDA %d: got %s of %s, want %s of %s (%s)", tt.component, tt.version, tt.cuda, got, a.Value.Date, tt.want, tt.date, a.Why)
		}
	}
	// NCCL for CUDA 12 lost code for Maxwell in 2.28.3; NVSHMEM 3.3.20 for CUDA 13 lacked Turing.
	for _, tt := range []struct {
		component, version string
		cuda               int
		ccMin              string
	}{{"nccl", "2.27.7", 12, "5.0"}, {"nccl", "2.28.3", 12, "6.0"}, {"nccl", "2.28.3", 13, "7.5"}, {"nvshmem", "3.3.20", 13, "8.0"}, {"nvshmem", "3.3.24", 13, "7.5"}} {
		if got := Default().LibraryRelease(tt.component, libOf(tt.version), tt.cuda).Value.CCMin.String(); got != tt.ccMin {
			t.Errorf("%s %s for CUDA %d: oldest capability %s, want %s", tt.component, tt.version, tt.cuda, got, tt.ccMin)
		}
	}
	if list := Default().LibraryReleases("nccl", 13).Value; len(list) < 10 || list[0].Version.String() != "2.27.7" {
		t.Errorf("NCCL for CUDA 13: %d releases", len(list))
	}
	if a := Default().LibraryReleases("nccl", 10); a.Known {
		t.Errorf("NCCL for CUDA 10: %+v", a)
	}
	if g := Default().LibraryRelease("nccl", libOf("2.32.3"), 13).Value.Glibc.String(); g != "2.27" {
		t.Errorf("NCCL 2.32.3: glibc %s, want 2.27", g)
	}
}

func TestFatbinCompression(t *testing.T) {
	if r := Default().FatbinCompression("zstd").Value; r.MinDriver.String() != "550.54.14" || r.FirstCUDA.String() != "12.4" || r.DefaultCUDA.String() != "13.0" {
		t.Errorf("zstd: %+v", r)
	}
	if a := Default().FatbinCompression("lz4"); !a.Known || !a.Value.MinDriver.IsZero() {
		t.Errorf("lz4: %+v", a)
	}
	if a := Default().FatbinCompression("brotli"); a.Known {
		t.Errorf("brotli: %+v", a)
	}
}

func TestJetPackOfL4T(t *testing.T) {
	for l4t, want := range map[string]string{
		"R36.4.3": "6.2", "36.4.3": "6.2", "R35.4.1": "5.1.2", "R32.7.2": "4.6.2", "R38.2.0": "7.0", "R38.2.1": "7.0", "R38.4.0": "7.1", "R39.2.1": "7.2.1",
		"R36.4.7": "6.2.1", "R36.4": "6.2.1", "R36": "6.2.3", // an update without a JetPack, a minor, a major
		"R28.2.1": "?", "R34.1.1": "?", "R40.1.0": ">", "R39.4.0": ">", "": "?", "Ubuntu": "?",
	} {
		a := Default().JetPackOfL4T(l4t)
		if got := shape(a, a.Value.JetPack); got != want {
			t.Errorf("Jetson Linux %q: got JetPack %s, want %s (%s)", l4t, got, want, a.Why)
		}
	}
	if a := Default().JetPackOfL4T("R36.4.7"); a.Why == "" {
		t.Error("R36.4.7 is not listed, and Why does not say so")
	}
	if a := Default().JetPackOfL4T("R36.4.3"); a.Why != "" || a.Value.SBSA || a.Value.CUDA.String() != "12.6" {
		t.Errorf("R36.4.3: %+v", a)
	}
	if !Default().JetPackOfL4T("R38.4.0").Value.SBSA {
		t.Error("JetPack 7.1 takes builds for SBSA")
	}
}

func TestLibstdcxx(t *testing.T) {
	for gcc, want := range map[int]string{9: "3.4.28", 11: "3.4.29", 13: "3.4.32", 15: "3.4.34", 16: ">", 6: "?"} {
		a := Default().LibstdcxxOfGCC(gcc)
		if got := shape(a, a.Value.Last.String()); got != want {
			t.Errorf("GCC %d: got GLIBCXX_%s, want %s (%s)", gcc, got, want, a.Why)
		}
	}
	for symbol, want := range map[string]int{"3.4.20": 7, "3.4.28": 9, "3.4.29": 11, "3.4.30": 12, "3.4.31": 13, "3.4.34": 15} {
		if got := Default().GCCOfLibstdcxx(glibc(symbol)).Value.GCC; got != want {
			t.Errorf("GLIBCXX_%s: got GCC %d, want %d", symbol, got, want)
		}
	}
	if !Default().GCCOfLibstdcxx(glibc("3.4.99")).Beyond {
		t.Error("GLIBCXX_3.4.99 is not beyond")
	}
}

func TestCDIEngine(t *testing.T) {
	if r := Default().CDIEngine("docker").Value; r.ByDefault.String() != "28.2" || r.OptIn.String() != "25.0" {
		t.Errorf("docker: %+v", r)
	}
	if a := Default().CDIEngine("podman"); a.Known {
		t.Errorf("podman: %+v", a)
	}
}

func TestTorchABI(t *testing.T) {
	for v, want := range map[string]CXX11{
		"2.5.1+cu124": OldABI, "2.6.0+cu124": OldABI, "2.6.0+cu126": NewABI, "2.6.0": OldABI, "2.7.0": NewABI, "2.7.0+cu126": NewABI, "2.15.0": NewABI, "2.16.0": "",
	} {
		a := Default().TorchABI(pep(v))
		if a.Value.CXX11 != want || want == "" && !a.Beyond {
			t.Errorf("torch %s: got %q, want %q (%s)", v, a.Value.CXX11, want, a.Why)
		}
	}
}
