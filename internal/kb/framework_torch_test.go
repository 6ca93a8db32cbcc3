package kb

import (
	"slices"
	"strings"
	"testing"

	"strata/internal/version"
)

func TestTorchArchs(t *testing.T) {
	tests := []struct {
		version, variant, arch string
		want                   bool
	}{
		{"2.7.1", "cu126", "sm_120", false},
		{"2.7.1+cu126", "", "sm_50", true},
		{"2.7.1", "cu128", "sm_120", true},
		{"2.7.1", "cu128", "sm_70", false},
		{"2.10.0", "cu128", "sm_70", true},
		{"2.11.0", "cu128", "sm_70", false},
		{"2.11.0", "cu126", "sm_70", true},
		{"2.14.0", "cu130", "sm_70", false},
		{"2.0.0", "cu117", "sm_90", false},
		{"2.0.0", "cu118", "sm_90", true},
		{"1.13.1", "cu117", "sm_86", true},
	}
	for _, tt := range tests {
		a := Default().Torch(pep(tt.version), tt.variant)
		if !a.Known || !a.Value.Archs.Known {
			t.Errorf("Torch(%s, %s) is not known: %s", tt.version, tt.variant, a.Why)
			continue
		}
		if got := a.Value.Archs.Has(targetOf(tt.arch)); got != tt.want {
			t.Errorf("Torch(%s, %s) has %s: %v, want %v", tt.version, tt.variant, tt.arch, got, tt.want)
		}
		if len(a.Ref.Sources) == 0 || a.Ref.Line == 0 {
			t.Errorf("Torch(%s, %s) cites nothing", tt.version, tt.variant)
		}
	}
}

func TestTorchWithoutVariantIsWhatPyPIHas(t *testing.T) {
	for release, want := range map[string]string{
		"1.12.1": "10.2", "1.13.1": "11.7", "2.0.1": "11.7", "2.1.0": "12.1", "2.5.1": "12.4", "2.7.1": "12.6", "2.8.0": "12.8",
		"2.11.0": "13.0", "2.14.0": "13.0", "2.15.0": "13.2",
	} {
		a := Default().Torch(pep(release), "")
		if got := a.Value.CUDA.String(); got != want {
			t.Errorf("torch %s on PyPI: CUDA %q, want %q (%s)", release, got, want, a.Why)
		}
	}
}

func TestTorchBuilds(t *testing.T) {
	a := Default().TorchBuilds(pep("2.6.0+cu121"))
	var got []string
	for _, build := range a.Value {
		got = append(got, build.Variant)
	}
	if want := []string{"cpu", "cu118", "cu124", "cu126"}; !slices.Equal(got, want) {
		t.Errorf("builds of 2.6.0: %q, want %q", got, want)
	}
	if url := a.Value[3].IndexURL(); !strings.HasSuffix(url, "/whl/cu126") {
		t.Errorf("index of cu126: %s", url)
	}
}

func TestTorchNotKnown(t *testing.T) {
	tests := []struct {
		version, variant string
		beyond           bool
	}{
		{"2.6.0", "cu121", false},        // a wheel that never existed
		{"2.6.1", "", false},             // a release that never existed
		{"2.8.0.dev20250601", "", false}, // not a release
		{"2.15.0", "cu126", false},       // no longer built
		{"2.16.0", "", true},             // newer than the table
		{"2.16.0.dev20261101+cu134", "", true},
		{"2.15.1", "", true},
	}
	for _, tt := range tests {
		a := Default().Torch(pep(tt.version), tt.variant)
		if a.Known || a.Beyond != tt.beyond || a.Why == "" {
			t.Errorf("Torch(%s, %s) = known %v, beyond %v, %q; want beyond %v", tt.version, tt.variant, a.Known, a.Beyond, a.Why, tt.beyond)
		}
	}
	if a := Default().TorchBuilds(version.PEP440{}); a.Known || a.Beyond {
		t.Error("builds of no version are known")
	}
}

func TestTorchCompanions(t *testing.T) {
	tests := []struct{ torch, pkg, want string }{
		{"2.0.0", "torchaudio", "2.0.1"},
		{"2.7.1+cu128", "torchvision", "0.22.1"},
		{"2.7.1", "triton", "3.3.1"},
		{"2.13.0", "torchaudio", "2.11.0"},
		{"2.9.1", "xformers", "0.0.33.post2"},
	}
	for _, tt := range tests {
		a := Default().TorchCompanion(pep(tt.torch), tt.pkg)
		if !slices.ContainsFunc(a.Value.Versions, func(v version.PEP440) bool { return v.Compare(pep(tt.want)) == 0 }) {
			t.Errorf("%s for torch %s: %v, want %s (%s)", tt.pkg, tt.torch, a.Value.Versions, tt.want, a.Why)
		}
	}
	if a := Default().TorchCompanion(pep("2.16.0"), "triton"); !a.Beyond {
		t.Errorf("triton for a torch beyond the table: %+v", a)
	}
	if a := Default().TorchCompanion(pep("2.7.1"), "numpy"); a.Known || a.Beyond {
		t.Errorf("numpy is no companion: %+v", a)
	}
}

// The companion table and the build table name the same triton.
func TestTorchTritonAgrees(t *testing.T) {
	for _, release := range Default().TorchReleases() {
		triton := Default().TorchCompanion(release, "triton")
		for _, build := range Default().TorchBuilds(release).Value {
			if build.Triton.IsZero() {
				continue
			}
			if !triton.Known || !slices.ContainsFunc(triton.Value.Versions, func(v version.PEP440) bool { return v.Compare(build.Triton) == 0 }) {
				t.Errorf("torch %s %s: triton %s in one table, %v in the other", release, build.Variant, build.Triton, triton.Value.Versions)
			}
		}
	}
}
