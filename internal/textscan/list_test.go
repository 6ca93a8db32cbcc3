package textscan

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestList adds more literals than there are places at first, each in two cases, and wants each once.
func TestList(t *testing.T) {
	var l List
	want := make([]string, 3*firstPlaces)
	for i := range want {
		want[i] = "literal-" + strconv.Itoa(i)
		if n, fresh := l.Add(want[i]); n != i || !fresh {
			t.Fatalf("Add(%q) = %d, %v; want %d, true", want[i], n, fresh, i)
		}
		if n, fresh := l.Add(strings.ToUpper(want[i])); n != i || fresh {
			t.Fatalf("Add(%q) = %d, %v; want %d, false", strings.ToUpper(want[i]), n, fresh, i)
		}
	}
	if got := l.Literals(); !slices.Equal(got, want) {
		t.Errorf("%d literals, the first %q; want %d", len(got), got[0], len(want))
	}
}

// TestListOfOthers holds that bytes beyond ASCII and empty literals are kept as they are.
func TestListOfOthers(t *testing.T) {
	var l List
	for _, s := range []string{"", "Ä not ä", "显卡", "显卡"} {
		l.Add(s)
	}
	if got, want := l.Literals(), []string{"", "Ä not ä", "显卡"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
