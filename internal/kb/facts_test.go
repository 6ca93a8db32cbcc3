package kb

import (
	"testing"

	"strata/internal/version"
)

// The tests here are spot checks of facts that users rely on most, against what NVIDIA publishes. They also hold the queries to
// their edges: between two ranges, at a bound, beyond the horizon.

func driver(s string) version.Driver { return must(version.ParseDriver(s)) }
func cuda(s string) version.CUDA     { return must(version.ParseCUDA(s)) }
func capability(s string) version.ComputeCapability {
	return must(version.ParseComputeCapability(s))
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// shape is how an answer is written in the tables of this file: its value, "?" for not found, ">" for beyond.
func shape[T any](a Answer[T], value string) string {
	switch {
	case a.Known:
		return value
	case a.Beyond:
		return ">"
	}
	return "?"
}

func TestDriverCUDA(t *testing.T) {
	for d, want := range map[string]string{
		"535.129.03": "12.2", "535.274.02": "12.2", "550.144": "12.4", "550.54.14": "12.4", "570": "?", "570.86.15": "12.8",
		"565.77": "12.7", "575.64": "12.9", "580.65.06": "13.0", "580": "?", "595.71.05": "13.2", "620.70.06": "13.5",
		"430.26": "10.2", "430.64": "10.1", // the one branch that went backwards
		"450.248.02": "11.0", "304.137": "?", "345.1": "?", "621": ">", "630.10.01": ">",
	} {
		a := Default().DriverCUDA(driver(d))
		if got := shape(a, a.Value.String()); got != want {
			t.Errorf("driver %s: got CUDA %s, want %s (%s)", d, got, want, a.Why)
		}
	}
	if a := Default().WindowsDriverCUDA(driver("551.61")); a.Value.String() != "12.4" {
		t.Errorf("Windows driver 551.61: got CUDA %s (%s), want 12.4", a.Value, a.Why)
	}
	if a := Default().DriverCUDA(version.Driver{}); a.Known || a.Beyond {
		t.Errorf("no driver: got %+v", a)
	}
}

func TestBranch(t *testing.T) {
	a := Default().Branch(580)
	if b := a.Value; b.Type != LongTermSupport || b.Modules != BothModules || b.First.String() != "580.65.06" || b.EOL != "2028-06" {
		t.Errorf("R580: got %+v", b)
	}
	if b := Default().Branch(590).Value; len(b.Dropped) != 3 || b.Oldest != "Turing" {
		t.Errorf("R590: got dropped %q, oldest %q; want Maxwell, Pascal, Volta and Turing", b.Dropped, b.Oldest)
	}
	if b := Default().Branch(620).Value; b.Modules != OpenModules {
		t.Errorf("R620: got modules %q, want open only", b.Modules)
	}
	if !Default().Branch(625).Beyond {
		t.Error("R625: not beyond the horizon")
	}
	if a := Default().Branch(536); a.Known || a.Beyond {
		t.Errorf("R536 does not exist: got %+v", a)
	}
}

func TestMinDriver(t *testing.T) {
	for v, want := range map[string]struct {
		linux string
		basis Basis
	}{
		"9.1": {"390.46", Toolkit}, "10.1": {"418.39", Toolkit}, "10.1.243": {"418.39", Toolkit}, "10.2": {"440.33", Toolkit},
		"11.0": {"450.36.06", MinorVersion}, "11.0.3": {"450.36.06", MinorVersion}, "11": {"450.80.02", MinorVersion}, "11.1": {"450.80.02", MinorVersion}, "11.8": {"450.80.02", MinorVersion},
		"12.0": {"525.60.13", MinorVersion}, "12.9.1": {"525.60.13", MinorVersion}, "13.0": {"580.65.06", MinorVersion},
		"13.5.1": {"580.65.06", MinorVersion}, "13.6": {linux: ">"}, "14.0": {linux: ">"}, "6.5": {linux: "?"},
	} {
		a := Default().MinDriverFor(cuda(v))
		if got := shape(a, a.Value.Linux.String()); got != want.linux || a.Value.Basis != want.basis {
			t.Errorf("CUDA %s: got driver %s by %q, want %s by %q (%s)", v, got, a.Value.Basis, want.linux, want.basis, a.Why)
		}
	}
	for major, want := range map[int]string{10: "?", 11: "450.80.02", 12: "525.60.13", 13: "580.65.06", 14: ">"} {
		a := Default().MinDriverForMajor(major)
		if got := shape(a, a.Value.Linux.String()); got != want {
			t.Errorf("CUDA %d: got driver %s, want %s (%s)", major, got, want, a.Why)
		}
	}
	if w := Default().MinDriverForMajor(12).Value.Windows.String(); w != "528.33" {
		t.Errorf("CUDA 12 on Windows: got driver %s, want 528.33", w)
	}
	if b := Default().MinDriverFor(cuda("13.4.1")).Value.FeatureBranch; b != 615 {
		t.Errorf("features of CUDA 13.4: got branch %d, want 615", b)
	}
	if b := Default().MinDriverFor(cuda("13.3")).Value.FeatureBranch; b != 0 {
		t.Errorf("features of CUDA 13.3: got branch %d, want none", b)
	}
}

func TestCUDARelease(t *testing.T) {
	for v, want := range map[string]string{
		"12.4": "CUDA 12.4 GA", "12.4.1": "CUDA 12.4 Update 1", "12.4.99": "CUDA 12.4 GA", "11.0": "CUDA 11.0 GA",
		"13.4": "CUDA 13.4 GA", "12.7": "CUDA 12.7", "13.5": "CUDA 13.5 GA", "13.5.0": "CUDA 13.5 GA", "13.6": ">", "12.10": "?", "5.0": "?",
	} {
		a := Default().CUDARelease(cuda(v))
		if got := shape(a, a.Value.Label); got != want {
			t.Errorf("CUDA %s: got %q, want %q (%s)", v, got, want, a.Why)
		}
	}
	if k := Default().CUDARelease(cuda("12.7")).Value.Kind; k != NeverReleased {
		t.Errorf("CUDA 12.7: got %q, want never released", k)
	}
	if !cuda("12.9").Less(cuda("12.10")) {
		t.Error("12.9 is not older than 12.10")
	}
}

func TestForwardCompat(t *testing.T) {
	tests := []struct{ compat, base, want string }{
		{"12.4", "535.129.03", "supported"}, {"13.0", "570.86.15", "supported"}, {"12.8", "570.86.15", "native"},
		{"12.4", "570.86.15", "unsupported"}, {"12.8", "580.65.06", "unsupported"},
		{"12.4", "525.60.13", "unlisted"}, {"11.8", "525.60.13", "unsupported"}, {"12.0", "525.60.13", "native"},
		{"13.5", "580.65.06", ">"}, {"13.4", "620.70.06", ">"}, {"12.1", "535.129.03", "?"},
	}
	for _, tt := range tests {
		a := Default().ForwardCompat(cuda(tt.compat), driver(tt.base))
		if got := shape(a, string(a.Value.Status)); got != tt.want {
			t.Errorf("cuda-compat %s over %s: got %s, want %s (%s)", tt.compat, tt.base, got, tt.want, a.Why)
		}
	}
}

func TestForwardCompatible(t *testing.T) {
	for class, want := range map[GPUClass][2]bool{DataCenter: {true, true}, GeForce: {false, true}, Workstation: {}, "": {}} {
		if allowed, known := class.ForwardCompatible(); allowed != want[0] || known != want[1] {
			t.Errorf("%q: got %t, %t; want %t, %t", class, allowed, known, want[0], want[1])
		}
	}
}

func TestJetPackCompat(t *testing.T) {
	tests := []struct{ jetpack, cuda, want string }{
		{"6.0", "12.6", "supported"}, {"6.0", "12.3", "unsupported"}, {"6.1", "13.2", "unsupported"}, {"5.1.2", "11.4", "native"},
		{"7.2", "13.4", "supported"}, {"7.0", "13.1", "unsupported"}, {"8.0", "13.0", ">"}, {"4.6", "11.4", "?"}, {"six", "12.6", "?"},
	}
	for _, tt := range tests {
		a := Default().JetPackCompat(tt.jetpack, cuda(tt.cuda))
		if got := shape(a, string(a.Value.Status)); got != tt.want {
			t.Errorf("CUDA %s on JetPack %s: got %s, want %s (%s)", tt.cuda, tt.jetpack, got, tt.want, a.Why)
		}
	}
}

func TestPTX(t *testing.T) {
	for v, want := range map[string]string{"12.4": "8.4", "12.5": "8.5", "12.6.3": "8.5", "12.8": "8.7", "13.5": "9.5", "11.8": "7.8", "13.6": ">", "7.5": "4.3", "6.0": "?"} {
		a := Default().PTXForCUDA(cuda(v))
		if got := shape(a, a.Value.String()); got != want {
			t.Errorf("CUDA %s: got PTX %s, want %s (%s)", v, got, want, a.Why)
		}
	}
	for d, want := range map[string]string{"550.54.14": "8.4", "535.129.03": "8.2", "560.35.03": "8.5", "565.57.01": "8.6", "430.26": "6.4", "622": ">", "340.108": "4.1", "304.137": "?"} {
		a := Default().PTXForDriver(driver(d))
		if got := shape(a, a.Value.String()); got != want {
			t.Errorf("driver %s: got PTX %s, want %s (%s)", d, got, want, a.Why)
		}
	}
}

func TestAnswersCite(t *testing.T) {
	ref := Default().DriverCUDA(driver("535.129.03")).Ref
	if ref.Table != "nvidia/driver_cuda.csv" || ref.Line < 4 || ref.AsOf == "" || ref.Confidence != High || len(ref.Sources) == 0 || ref.Sources[0].Title == "" {
		t.Errorf("got %+v", ref)
	}
	beyond := Default().DriverCUDA(driver("999"))
	if want := "driver 999 is newer than what is known: driver 620 as of 2026-11-30"; beyond.Why != want {
		t.Errorf("got  %q\nwant %q", beyond.Why, want)
	}
}
