package textscan

import "testing"

// TestShortEnds holds that a literal of three bytes is found whatever follows it, and that no hash of it comes twice.
func TestShortEnds(t *testing.T) {
	s, err := newSieve([]string{"xid"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint16]bool{}
	for _, e := range s.short(nil, 0) {
		if seen[e.hash] {
			t.Errorf("hash %#x comes twice", e.hash)
		}
		seen[e.hash] = true
	}
	for c := range 256 {
		block := append([]byte("an XID"), byte(c))
		if hits := s.scan(block, nil); len(hits) != 1 || hits[0].End != 6 {
			t.Errorf("%q: hits %v, want one that ends at 6", block, hits)
		}
	}
}
