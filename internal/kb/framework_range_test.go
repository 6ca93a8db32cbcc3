package kb

import (
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/version"
)

// The horizon that a table announces lies in its last range, so that the two ways to say how far it reaches agree.
func TestFrameworkHorizons(t *testing.T) {
	endsAt(t, onnxRuntimes.in(Default()), "pep440", version.ParsePEP440)
	endsAt(t, tensorFlows.in(Default()), "pep440", version.ParsePEP440)
	endsAt(t, jaxes.in(Default()), "pep440", version.ParsePEP440)
	endsAt(t, cudnns.in(Default()), "lib", version.ParseLib)
	endsAt(t, cudnnLibraries.in(Default()), "lib", version.ParseLib)
	endsAt(t, tensorRTs.in(Default()), "lib", version.ParseLib)
	endsAt(t, ncclArchs.in(Default()), "cuda", version.ParseCUDA)
}

func endsAt[V version.Ordered[V], R ranged[V]](t *testing.T, table *Table[R], scheme string, parse func(string) (V, error)) {
	t.Helper()
	horizon, err := parse(table.limit(scheme))
	if err != nil {
		t.Fatalf("%s: %v", table.Name, err)
	}
	within := false
	for _, r := range table.Rows {
		within = within || r.span().Contains(horizon)
		if later := r.span().Min; horizon.Compare(later) < 0 {
			t.Errorf("%s: a row starts at %v, after the horizon", table.Name, later)
		}
	}
	if !within {
		t.Errorf("%s: no row holds for the horizon %v", table.Name, horizon)
	}
}

func TestNoOverlap(t *testing.T) {
	text := "# as_of: 2026-01-01\n# horizon: lib 2\n" + strings.Join([]string{
		"from,below,cuda_major,cc_min,cc_max,pip,last,src,confidence",
		"1.0,2.0,12,5.0,,,,s,high",
		"1.5,2.5,12,5.0,,,,s,high",
		"1.5,2.5,13,5.0,,,,s,high",
		"3.0,3.0,12,5.0,,,,s,high",
	}, "\n") + "\n"
	table, problems := decode[CUDNN](fstest.MapFS{"c.csv": {Data: []byte(text)}}, "c.csv", nil)
	if problems != nil {
		t.Fatal(problems)
	}
	var lines []int
	for _, p := range noOverlap(func(r CUDNN) string { return string(rune(r.CUDAMajor)) })(nil, table) {
		lines = append(lines, p.Line)
	}
	if len(lines) != 2 || lines[0] != 5 || lines[1] != 7 {
		t.Errorf("problems in lines %v, want 5 (overlap) and 7 (empty range)", lines)
	}
}

func TestTargets(t *testing.T) {
	for text, want := range map[string]bool{
		"sm_80": true, "sm_80;sm_90a;sm_120f": true, "none": true,
		"sm_90;sm_80": false, "sm_80;sm_80": false, "ninety": false, "sm_80;": false,
	} {
		var got Targets
		if err := got.UnmarshalText([]byte(text)); (err == nil) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		} else if err == nil && !got.Known {
			t.Errorf("%q: not known", text)
		}
	}
}
