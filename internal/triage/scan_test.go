package triage

import (
	"slices"
	"strings"
	"testing"

	"strata/internal/textscan"
)

// TestCatalogueIsScannedFast holds the catalogue to what an automaton can hold, since without one long logs take half as long again, unnoticed.
func TestCatalogueIsScannedFast(t *testing.T) {
	if err := the().set.Prepare(); err != nil {
		t.Error(err)
	}
}

// TestTwoWaysFindTheSame scans every literal of the catalogue, before and after the automaton is there.
func TestTwoWaysFindTheSame(t *testing.T) {
	set, err := textscan.Compile(Literals())
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, l := range Literals() {
		text = append(append(text, l...), " x\n"...)
	}
	sifted := set.Scan(text, nil)
	if err := set.Prepare(); err != nil {
		t.Fatal(err)
	}
	walked := set.Scan(text, nil)
	byEnd := func(a, b textscan.Hit) int {
		if a.End != b.End {
			return a.End - b.End
		}
		return a.Literal - b.Literal
	}
	slices.SortFunc(sifted, byEnd)
	slices.SortFunc(walked, byEnd)
	if !slices.Equal(sifted, walked) {
		t.Errorf("a sieve has %d hits, an automaton %d", len(sifted), len(walked))
	}
	if len(sifted) < len(Literals()) {
		t.Errorf("%d hits for %d literals", len(sifted), len(Literals()))
	}
}

// TestLiteralsAreLower holds that the case of no letter beyond ASCII is taken away: a condition asks for its word in
// lower case, and the scan folds ASCII alone.
func TestLiteralsAreLower(t *testing.T) {
	for _, l := range Literals() {
		if strings.ToLower(l) != l {
			t.Errorf("literal %q has a capital beyond ASCII; write it in lower case", l)
		}
	}
}
