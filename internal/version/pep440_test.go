package version

import (
	"slices"
	"strings"
	"testing"
)

func TestPEP440(t *testing.T) {
	tests := []struct {
		text, public, local string
		release             []int
		pre                 bool
	}{
		{"2.7.1+cu126", "2.7.1", "cu126", []int{2, 7, 1}, false},
		{" 2.7.1\n", "2.7.1", "", []int{2, 7, 1}, false},
		{"v1.0-RC.1", "1.0rc1", "", []int{1, 0}, true},
		{"2.1.0a0+32f93b1", "2.1.0a0", "32f93b1", []int{2, 1, 0}, true},
		{"2.8.0.dev20250601+CU-128", "2.8.0.dev20250601", "cu.128", []int{2, 8, 0}, true},
		{"1!2.0.post3", "1!2.0.post3", "", []int{2, 0}, false},
		{"1.0-1", "1.0.post1", "", []int{1, 0}, false},
		{"9.1.0.70", "9.1.0.70", "", []int{9, 1, 0, 70}, false},
	}
	for _, tt := range tests {
		v := must(t, ParsePEP440, tt.text)
		if v.Public() != tt.public || v.Local() != tt.local || !slices.Equal(v.Release(), tt.release) || v.IsPre() != tt.pre {
			t.Errorf("%q: Public %q Local %q Release %v IsPre %v, want %q %q %v %v", tt.text,
				v.Public(), v.Local(), v.Release(), v.IsPre(), tt.public, tt.local, tt.release, tt.pre)
		}
	}
	if got := (PEP440{}).Release(); got != nil {
		t.Errorf("Release of the zero version = %v, want nil", got)
	}
}

// TestPEP440Order compares all pairs with the order of Python's packaging.
func TestPEP440Order(t *testing.T) {
	var list strings.Builder
	for _, line := range lines(t, "testdata/pep440.txt") {
		if same, ok := strings.CutPrefix(line, "= "); ok {
			list.WriteString(" " + same)
		} else {
			list.WriteString("\n" + line)
		}
	}
	ascending(t, ParsePEP440, list.String())
}

// TestSpecifier compares with the answers of Python's packaging.
func TestSpecifier(t *testing.T) {
	for _, line := range lines(t, "testdata/specifier.txt") {
		f := strings.Split(line, " | ")
		spec, v := must(t, ParseSpecifier, f[0]), must(t, ParsePEP440, f[1])
		if got, want := spec.Contains(v), f[2] == "true"; got != want {
			t.Errorf("%q.Contains(%q) = %v, want %v", f[0], f[1], got, want)
		}
		wrapped := must(t, ParseSpecifier, "("+f[0]+")")
		if wrapped.Contains(v) != spec.Contains(v) {
			t.Errorf("(%s) and %s disagree about %s", f[0], f[0], f[1])
		}
	}
}

func TestSpecifierZero(t *testing.T) {
	if (Specifier{}).Contains(PEP440{}) {
		t.Error("the zero version satisfies the empty specifier")
	}
	if !(Specifier{}).Contains(must(t, ParsePEP440, "1.0a1")) {
		t.Error("the empty specifier refuses 1.0a1")
	}
}

func TestParseSpecifierErrors(t *testing.T) {
	for _, text := range []string{
		"2.1.0", "=2.1", "=>2", "==", "(==2.1.0", "==2.1.0)", "==2.*.1", ">=2.*", "~=2", "~=2.1.*",
		">=2.1+cu118", "==2.1+cu118.*", "==2.1a1.*", "==2.1 ; python_version<'3'", "===", "=== a b",
		"== 1.\u212a", strings.Repeat(">=1,", 65), "==" + strings.Repeat("1", 300),
	} {
		if s, err := ParseSpecifier(text); err == nil {
			t.Errorf("ParseSpecifier(%q) = %+v, want an error", text, s)
		}
	}
}
