package textscan

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naive finds every literal at every place.
func naive(literals []string, block []byte) (hits []Hit) {
	low := bytes.ToLower(block)
	for end := range len(low) + 1 {
		for i, l := range literals {
			if l := strings.ToLower(l); bytes.HasSuffix(low[:end], []byte(l)) {
				hits = append(hits, Hit{i, end})
			}
		}
	}
	return hits
}

func sortHits(h []Hit) {
	slices.SortFunc(h, func(a, b Hit) int {
		if a.End != b.End {
			return a.End - b.End
		}
		return a.Literal - b.Literal
	})
}

// TestScanFindsWhatIsThere holds the automaton against a search in plain loops,
// over an alphabet so small that literals overlap and hold one another.
func TestScanFindsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abAB.]{5,9}`)
		literals := rapid.SliceOfN(word, 1, 12).Draw(t, "literals")
		text := []byte(rapid.StringMatching(`[abcABC.\n]{0,200}`).Draw(t, "text"))
		s, err := Compile(literals)
		if err != nil {
			t.Fatal(err)
		}
		got, want := s.Scan(text, nil), naive(literals, text)
		sortHits(got)
		sortHits(want)
		if !slices.Equal(got, want) {
			t.Fatalf("literals %q in %q: got %v, want %v", literals, text, got, want)
		}
	})
}

// TestScanOfBlocks holds the scan in parts against the plain one, on blocks that are long enough for it.
func TestScanOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		literals := rapid.SliceOfN(rapid.StringMatching(`[ab]{3,5}`), 1, 4).Draw(t, "literals")
		lines := rapid.SliceOfN(rapid.StringMatching(`[abc]{0,40}`), 1, 60).Draw(t, "lines")
		text := []byte(strings.Repeat(strings.Join(lines, "\n")+"\n", 1+8000/(1+len(strings.Join(lines, "\n")))))
		s, err := Compile(literals)
		if err != nil {
			t.Fatal(err)
		}
		got, want := s.Scan(text, nil), s.scan(text, text, 0, 0, nil)
		if !slices.Equal(got, want) {
			t.Fatalf("in parts %d hits, plain %d", len(got), len(want))
		}
	})
}

// TestManyCharacters has more characters than classes: those that share one must not be taken for one another.
func TestManyCharacters(t *testing.T) {
	var all []string
	for c := byte('!'); c < 0x7f; c++ {
		all = append(all, "key"+string(rune(c))+"end")
	}
	s, err := Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Join(all, "\n") + "\nkey\x01end\nkey\xc3end\n")
	got, want := s.Scan(text, nil), naive(all, text)
	sortHits(got)
	sortHits(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %d hits, want %d", len(got), len(want))
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, bad := range []string{"", "ab", "two\nlines"} {
		if _, err := Compile([]string{"long enough", bad}); err == nil {
			t.Errorf("Compile took %q", bad)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("libcuda.so.1", "cannot open shared object", "error: libcuda.so.1: cannot open shared object file")
	f.Fuzz(func(t *testing.T, a, b, text string) {
		s, err := Compile([]string{a, b})
		if err != nil || !isASCII(a+b+text) {
			return
		}
		got, want := s.Scan([]byte(text), nil), naive([]string{a, b}, []byte(text))
		sortHits(got)
		sortHits(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, %q in %q: got %v, want %v", a, b, text, got, want)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}
