package textscan

import (
	"bytes"
	"fmt"
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

// bothWays scans as a sieve and as an automaton.
func bothWays(t interface{ Fatalf(string, ...any) }, s *Set, text []byte) []Hit {
	sifted := s.sieve.scan(text, nil)
	if err := s.Prepare(); err != nil {
		t.Fatalf("%v", err)
	}
	walked := s.Scan(text, nil)
	sortHits(walked)
	if !slices.Equal(sifted, walked) {
		t.Fatalf("%q: the sieve has %v, the automaton %v", text, sifted, walked)
	}
	return sifted
}

// TestScanFindsWhatIsThere holds the scan against a search in plain loops,
// over an alphabet so small that literals overlap and hold one another.
func TestScanFindsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abAB.]{3,9}|[ab]{18,26}`)
		literals := rapid.SliceOfN(word, 1, 12).Draw(t, "literals")
		text := []byte(rapid.StringMatching(`[abcABC.\n]{0,200}|[ab\n]{0,200}`).Draw(t, "text"))
		s, err := Compile(literals)
		if err != nil {
			t.Fatal(err)
		}
		got, want := bothWays(t, s, text), naive(literals, text)
		if !slices.Equal(got, want) { // in order of their ends
			t.Fatalf("literals %q in %q: got %v, want %v", literals, text, got, want)
		}
	})
}

// TestScanOfBlocks scans blocks that are long enough for the automaton to go through them in parts.
func TestScanOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		literals := rapid.SliceOfN(rapid.StringMatching(`[ab]{3,5}`), 1, 4).Draw(t, "literals")
		lines := rapid.SliceOfN(rapid.StringMatching(`[abc]{0,40}`), 1, 60).Draw(t, "lines")
		text := []byte(strings.Repeat(strings.Join(lines, "\n")+"\n", 1+8000/(1+len(strings.Join(lines, "\n")))))
		s, err := Compile(literals)
		if err != nil {
			t.Fatal(err)
		}
		bothWays(t, s, text)
	})
}

// TestTooManyForAnAutomaton keeps to the sieve.
func TestTooManyForAnAutomaton(t *testing.T) {
	var all []string
	for i := range 20_000 {
		all = append(all, fmt.Sprintf("%05d is a number", i))
	}
	s, err := Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	if s.Prepare() == nil {
		t.Error("an automaton of more states than it can tell apart was made")
	}
	if got := s.Scan([]byte("that 01234 is a NUMBER"), nil); !slices.Equal(got, []Hit{{1234, 22}}) {
		t.Errorf("got %v", got)
	}
}

// TestMarksAreToldApart has marks that the hash takes for one another.
func TestMarksAreToldApart(t *testing.T) {
	var all []string
	for c := byte('!'); c < 0x7f; c++ {
		all = append(all, "key"+string(rune(c))+"end", "k"+string(rune(c))+"y")
	}
	s, err := Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Join(all, "\n") + "\nkey\x01end\nkey\xc3end\nk\x01y")
	got, want := bothWays(t, s, text), naive(all, text)
	sortHits(got)
	sortHits(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %d hits, want %d", len(got), len(want))
	}
}

// TestShortAtTheEnd has a literal that is shorter than a gram as the last bytes of a block.
func TestShortAtTheEnd(t *testing.T) {
	s, err := Compile([]string{"gpu", "a gpu"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"GPU", "no gpu", "it has a GPU", "1234567 gpu", "gpu gpu gp"} {
		got, want := bothWays(t, s, []byte(text)), naive([]string{"gpu", "a gpu"}, []byte(text))
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
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
		got, want := bothWays(t, s, []byte(text)), naive([]string{a, b}, []byte(text))
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
