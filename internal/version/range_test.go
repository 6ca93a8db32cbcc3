package version

import "testing"

func TestRange(t *testing.T) {
	tests := []struct {
		text    string
		in, out string // one version inside, one outside ("" for none)
		want    string // String
	}{
		{"", "1.0", "", ""},
		{">=1.2,<2", "1.2", "2", ">=1.2,<2"},
		{" <2 , >=1.2 ", "1.9.9", "1.1.9", ">=1.2,<2"},
		{">=1.2", "99", "1.1", ">=1.2"},
		{"<2", "1.99", "2.0", "<2"},
		{"==1.2", "1.2.0", "1.2.1", "==1.2"},
	}
	for _, tt := range tests {
		r, err := ParseRange(tt.text, ParseLib)
		if err != nil {
			t.Error(err)
			continue
		}
		if r.String() != tt.want {
			t.Errorf("ParseRange(%q).String() = %q, want %q", tt.text, r, tt.want)
		}
		if !r.Contains(must(t, ParseLib, tt.in)) {
			t.Errorf("%q does not contain %s", tt.text, tt.in)
		}
		if tt.out != "" && r.Contains(must(t, ParseLib, tt.out)) {
			t.Errorf("%q contains %s", tt.text, tt.out)
		}
		if r.Contains(Lib{}) {
			t.Errorf("%q contains the zero version", tt.text)
		}
	}
}

func TestParseRangeErrors(t *testing.T) {
	for _, text := range []string{
		"1.2", ">1", "<=2", "~=1.2", "!=1", ">=1,", ",", ">=1,>=2", "<1,<2", "==1,<2", ">=1,==1", ">=2,<1", ">=1,<1.0", ">=x", "[1.2,2)",
	} {
		if r, err := ParseRange(text, ParseLib); err == nil {
			t.Errorf("ParseRange(%q) = %v, want an error", text, r)
		}
	}
}

func TestRangeOverlaps(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"", "==1", true},
		{"<1", ">=1", false},
		{"<1.1", ">=1", true},
		{">=1,<2", ">=2,<3", false},
		{">=1,<2", ">=1.5,<3", true},
		{">=1,<4", ">=2,<3", true},
		{"==2", ">=1,<2", false},
		{"==1", ">=1,<2", true},
		{"==1", "==1.0", true},
		{"==1", "==2", false},
		{"<2", "<1", true},
		{">=2", ">=1", true},
	}
	for _, tt := range tests {
		parse := func(s string) (Range[Lib], error) { return ParseRange(s, ParseLib) }
		a, b := must(t, parse, tt.a), must(t, parse, tt.b)
		if a.Overlaps(b) != tt.want || b.Overlaps(a) != tt.want {
			t.Errorf("%q.Overlaps(%q) = %v, reversed %v, want %v", tt.a, tt.b, a.Overlaps(b), b.Overlaps(a), tt.want)
		}
	}
	empty := Range[Lib]{Min: must(t, ParseLib, "2"), Max: must(t, ParseLib, "1")}
	if empty.Overlaps(Range[Lib]{}) || (Range[Lib]{}).Overlaps(empty) {
		t.Error("a range with Max below Min overlaps something")
	}
}
