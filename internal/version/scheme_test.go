package version

import (
	"encoding"
	"strings"
	"testing"
)

func TestRejects(t *testing.T) {
	reject(t, "driver", ParseDriver, "31.0.15.3713", "32.0.15.6094", "17.4", "550.54.14.01", "v550", "550.", ".550", "550..1",
		"550.54.14-", "550.54-a b", "N/A", "550,54", "99999999999999999999.1")
	reject(t, "cuda", ParseCUDA, "cu121", "12.4.1.0", "V12.4.131", "12.x", "12.", "CUDA 12.4", "12.4-1")
	reject(t, "library", ParseLib, "2.21.5+cuda12.4", "9.1.0-1", "a", "1..2", "libcudnn.so.9")
	reject(t, "pep440", ParsePEP440, "2.1.0-cu118", "2.1.0+", "2.1.0+cu118+x", "french toast", "1.0 1", "1.0+\u212a",
		"9223372036854775808.0", "99999999999999999999999")
	reject(t, "deb", ParseDeb, ":1.0", "a:1.0", "-1:1.0", "+1:1.0", "4294967296:1.0", "1:", "1.0-", "-1", "1 0", "1.0_1", "1.0-1:1")
	reject(t, "rpm", ParseRPM, ":1.0", "(none):1.0", "4294967296:1.0", "1.0-", "-1", "1:", "1.0-1:1", "1 0", "1,0")
	reject(t, "glibc", ParseGlibc, "2", "GLIBC_2.36", "2.36-9+deb12u14", "2.3.4.5")
	reject(t, "kernel", ParseKernel, "6", "generic", "6.8.0 generic", "6.8.0_45", "6.8.0-45 generic", "6.8.0.1.2", "6.8.")
	reject(t, "ptx", ParsePTX, "8", "8.4.1", "ptx84")
	reject(t, "compute capability", ParseComputeCapability, "8", "sm_8", "0.0", "08.0", "8.10", "8.6+PTX", "sm_8.0", "sm_90b",
		"90aa", "a", "sm_", "1000", "sm_80,sm_90", "-8.0", "+80")
}

func reject[V any](t *testing.T, scheme string, parse func(string) (V, error), texts ...string) {
	for _, text := range append(texts, "", " ", "1.0\x00", "8.0\u00e9", strings.Repeat("1", 257), strings.Repeat(" ", 300)) {
		if v, err := parse(text); err == nil {
			t.Errorf("%s: parsing %q = %v, want an error", scheme, text, v)
		}
	}
}

func TestText(t *testing.T) {
	roundTrip(t, ParseDriver, "545.23.08")
	roundTrip(t, ParseCUDA, "12.4.1")
	roundTrip(t, ParseLib, "09.1.0.70")
	roundTrip(t, ParsePEP440, "v2.1.0+CU118")
	roundTrip(t, ParseDeb, "0:535.129.03-0ubuntu1")
	roundTrip(t, ParseRPM, "3:550.54.15-1.el9")
	roundTrip(t, ParseGlibc, "2.36")
	roundTrip(t, ParseKernel, "6.8.0-45-generic")
	roundTrip(t, ParsePTX, "8.4")
	roundTrip(t, ParseComputeCapability, "9.0a")
}

// scheme is the method set that every scheme shares.
type scheme[V any] interface {
	comparable // so that versions can be map keys and go-cmp can be told to use ==
	Ordered[V]
	Less(V) bool
	String() string
	encoding.TextMarshaler
}

func roundTrip[V scheme[V]](t *testing.T, parse func(string) (V, error), text string) {
	t.Helper()
	var zero, back V
	v := must(t, parse, "\t"+text+"\n")
	if v.String() != text {
		t.Errorf("String of %q = %q", text, v.String())
	}
	out, err := v.MarshalText()
	if err != nil || string(out) != text {
		t.Errorf("MarshalText of %q = %q, %v", text, out, err)
	}
	into := any(&back).(encoding.TextUnmarshaler)
	if err := into.UnmarshalText(out); err != nil || back != v {
		t.Errorf("UnmarshalText(%q) = %v, %v", out, back, err)
	}
	if err := into.UnmarshalText([]byte("?")); err == nil || back != v {
		t.Errorf("UnmarshalText(?) left %v, error %v; want no change and an error", back, err)
	}
	if err := into.UnmarshalText(nil); err != nil || !back.IsZero() {
		t.Errorf("UnmarshalText of empty text = %v, %v", back, err)
	}
	if out, err := zero.MarshalText(); err != nil || len(out) != 0 || zero.String() != "" {
		t.Errorf("the zero version is written %q, %v", out, err)
	}
	if !zero.IsZero() || v.IsZero() || !zero.Less(v) || v.Less(zero) || zero.Compare(zero) != 0 {
		t.Errorf("the zero version is not older than %q", text)
	}
}

func TestFromInt(t *testing.T) {
	tests := []struct {
		name string
		from func(int) (Lib, error)
		n    int
		want string
	}{
		{"cuDNN", CUDNNFromInt, 5110, "5.1.10"},
		{"cuDNN", CUDNNFromInt, 7605, "7.6.5"},
		{"cuDNN", CUDNNFromInt, 8907, "8.9.7"},
		{"cuDNN", CUDNNFromInt, 90100, "9.1.0"},
		{"cuDNN", CUDNNFromInt, 91002, "9.10.2"},
		{"cuDNN", CUDNNFromInt, 9100, ""},
		{"cuDNN", CUDNNFromInt, 0, ""},
		{"cuDNN", CUDNNFromInt, -8907, ""},
		{"NCCL", NCCLFromInt, 2708, "2.7.8"},
		{"NCCL", NCCLFromInt, 2804, "2.8.4"},
		{"NCCL", NCCLFromInt, 20906, "2.9.6"},
		{"NCCL", NCCLFromInt, 21805, "2.18.5"},
		{"NCCL", NCCLFromInt, 2906, ""},
		{"NCCL", NCCLFromInt, 20806, ""},
		{"TensorRT", TensorRTFromInt, 8601, "8.6.1"},
		{"TensorRT", TensorRTFromInt, 100300, "10.3.0"},
		{"TensorRT", TensorRTFromInt, 101303, "10.13.3"},
		{"TensorRT", TensorRTFromInt, 10300, ""},
		{"TensorRT", TensorRTFromInt, 1 << 30, ""},
	}
	for _, tt := range tests {
		v, err := tt.from(tt.n)
		if v.String() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s %d = %q, %v, want %q", tt.name, tt.n, v, err, tt.want)
		}
	}
}

func TestCUDAFromInt(t *testing.T) {
	for n, want := range map[int]string{12040: "12.4", 13000: "13.0", 9020: "9.2", 11080: "11.8", 12100: "12.10", 0: "", -12040: "", 124: "", 1 << 30: ""} {
		v, err := CUDAFromInt(n)
		if v.String() != want || (err == nil) != (want != "") {
			t.Errorf("CUDAFromInt(%d) = %q, %v, want %q", n, v, err, want)
		}
	}
}

func TestParseCUDATag(t *testing.T) {
	for tag, want := range map[string]string{
		"cu121": "12.1", "cu130": "13.0", "cu92": "9.2", "cu118": "11.8", "cu111": "11.1", "cu102": "10.2", "cu100": "10.0", "cu75": "7.5",
		"cu12": "", "cu13": "", "cu11": "", "cu": "", "cu1": "", "cu1210": "", "cu012": "", "cpu": "", "121": "", "cu12x": "", "CU121": "",
	} {
		v, ok := ParseCUDATag(tag)
		if v.String() != want || ok != (want != "") {
			t.Errorf("ParseCUDATag(%q) = %q, %v, want %q", tag, v, ok, want)
		}
	}
}

func TestParts(t *testing.T) {
	if d := must(t, ParseDriver, "535.161.05-grid"); d.Branch() != 535 || d.Suffix() != "grid" {
		t.Errorf("Branch %d, Suffix %q", d.Branch(), d.Suffix())
	}
	if c := must(t, ParseCUDA, "12"); c.Major() != 12 || c.Minor() != 0 {
		t.Errorf("CUDA 12: Major %d, Minor %d", c.Major(), c.Minor())
	}
	if l := must(t, ParseLib, "9.10.2.21"); l.Major() != 9 || l.Minor() != 10 {
		t.Errorf("library 9.10.2.21: Major %d, Minor %d", l.Major(), l.Minor())
	}
	if p := must(t, ParsePTX, "8.4"); p.Major() != 8 || p.Minor() != 4 {
		t.Errorf("PTX 8.4: Major %d, Minor %d", p.Major(), p.Minor())
	}
	for text, want := range map[string][2]string{
		"8.0": {"8.0", "sm_80"}, "80": {"8.0", "sm_80"}, "compute_80": {"8.0", "sm_80"},
		"sm_90a": {"9.0a", "sm_90a"}, "sm_120f": {"12.0f", "sm_120f"}, "12.1": {"12.1", "sm_121"},
	} {
		if c := must(t, ParseComputeCapability, text); c.String() != want[0] || c.SM() != want[1] {
			t.Errorf("%q: String %q, SM %q, want %q", text, c, c.SM(), want)
		}
	}
}

func TestLibHasPrefix(t *testing.T) {
	tests := []struct {
		v, p string
		want bool
	}{
		{"9.1.0.70", "9.1", true},
		{"9.10.2", "9.1", false},
		{"9.1.0.70", "9.1.0.70", true},
		{"9.1", "9.1.0", true}, // 9.1 and 9.1.0 are equal
		{"9.1", "9.1.1", false},
		{"12.4.127", "12", true},
	}
	for _, tt := range tests {
		if got := must(t, ParseLib, tt.v).HasPrefix(must(t, ParseLib, tt.p)); got != tt.want {
			t.Errorf("%q.HasPrefix(%q) = %v, want %v", tt.v, tt.p, got, tt.want)
		}
	}
}
