package version

import "testing"

func FuzzDriver(f *testing.F) { fuzz(f, ParseDriver, "535.161.05-grid", "31.0.15.3713") }
func FuzzCUDA(f *testing.F)   { fuzz(f, ParseCUDA, "12.4.1") }
func FuzzLib(f *testing.F)    { fuzz(f, ParseLib, "9.1.0.70") }
func FuzzPEP440(f *testing.F) { fuzz(f, ParsePEP440, "1!2.1.0rc1.post2.dev3+cu-118.1", "v1.0-1") }
func FuzzDeb(f *testing.F)    { fuzz(f, ParseDeb, "1:535.129.03-0ubuntu0.22.04.1", "1.0~rc1+b2") }
func FuzzRPM(f *testing.F)    { fuzz(f, ParseRPM, "3:550.54.15-1.el9", "1.0^git1~pre") }
func FuzzGlibc(f *testing.F)  { fuzz(f, ParseGlibc, "2.36") }
func FuzzKernel(f *testing.F) {
	fuzz(f, ParseKernel, "6.12.0-rc3-amd64", "5.14.0-427.13.1.el9_4.x86_64")
}
func FuzzPTX(f *testing.F) { fuzz(f, ParsePTX, "8.4") }

func FuzzComputeCapability(f *testing.F) { fuzz(f, ParseComputeCapability, "sm_90a", "12.0") }

func FuzzCUDATag(f *testing.F) {
	f.Add("cu121")
	f.Fuzz(func(t *testing.T, tag string) {
		if v, ok := ParseCUDATag(tag); ok == v.IsZero() {
			t.Errorf("ParseCUDATag(%q) = %q, %v", tag, v, ok)
		}
	})
}

func FuzzSpecifier(f *testing.F) {
	for _, text := range []string{"(>=12.5.82,<13)", "==12.4.*", "~=2.1.0", "===x", "!=1!2.0+cu118"} {
		f.Add(text, "2.1.0+cu118")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		spec, err := ParseSpecifier(text)
		if err != nil {
			return
		}
		if again, err := ParseSpecifier(spec.String()); err != nil || again.String() != spec.String() {
			t.Errorf("parsing %q again: %v, %v", spec, again, err)
		}
		v, err := ParsePEP440(version)
		if err != nil {
			return
		}
		if spec.IsZero() && !spec.Contains(v) {
			t.Errorf("%q has no clause but refuses %q", text, version)
		}
	})
}

func FuzzRange(f *testing.F) {
	f.Add(">=1.2,<2", "1.5")
	f.Add("==570.86.10", "570.86.10")
	f.Fuzz(func(t *testing.T, text, version string) {
		r, err := ParseRange(text, ParseLib)
		if err != nil {
			return
		}
		again, err := ParseRange(r.String(), ParseLib)
		if err != nil {
			t.Fatalf("parsing %q again: %v", r, err)
		}
		if v, err := ParseLib(version); err == nil && again.Contains(v) != r.Contains(v) {
			t.Errorf("%q and %q differ about %q", text, again, version)
		}
	})
}

// fuzz checks what holds for any text: no panic, text that parses again to the
// same version, equality with itself, and a place above the zero version.
func fuzz[V scheme[V]](f *testing.F, parse func(string) (V, error), seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var zero V
		v, err := parse(text)
		if err != nil {
			if v != zero {
				t.Errorf("parsing %q gives %v with an error", text, v)
			}
			return
		}
		if again, err := parse(v.String()); err != nil || again != v {
			t.Errorf("parsing %q again gives %v, %v", v.String(), again, err)
		}
		if v.IsZero() || v.Compare(v) != 0 || !zero.Less(v) {
			t.Errorf("%q does not sort as a version", text)
		}
	})
}
