package version

import (
	"testing"

	pep440 "github.com/aquasecurity/go-pep440-version"
	"pgregory.net/rapid"
)

// Texts are drawn from small alphabets so that equal and nearly equal versions
// meet often.
const (
	numsPattern = `(0|00|1|2|10|09)(\.(0|1|10)){0,3}`
	driverText  = `(71|535|550)(\.(0|1|10|08)){0,2}(-(grid|open))?`
	cudaText    = `(9|12|13)(\.(0|1|10)){0,2}`
	pep440Text  = `([01]!)?[0-2](\.[0-2]){0,2}(a[01]|rc[01])?(\.post[01])?(\.dev[01])?(\+[a1](\.[ab01]){0,2})?`
	debText     = `([01]:)?[0a~+.][0-2a~+.-]{0,4}[0-2a~+.](-[01a~+.]{1,3})?`
	rpmText     = `([01]:)?[0-2a._+~^]{1,5}(-[01a.~^]{1,3})?`
	glibcText   = `2\.([0-9]|17|36)(\.[0-2])?`
	kernelText  = `[56]\.[0-2](\.[0-2])?(-rc[12])?(-[0-2](\.[0-2])?)?(-generic|\+)?`
	ptxText     = `[78]\.([0-9]|10)`
	ccText      = `(sm_|compute_|)(80|86|90a|100f|120)|8\.[0-9]|9\.0a|12\.[01]f?`
)

func TestProperties(t *testing.T) {
	t.Run("driver", order(ParseDriver, driverText))
	t.Run("cuda", order(ParseCUDA, cudaText))
	t.Run("library", order(ParseLib, numsPattern))
	t.Run("pep440", order(ParsePEP440, pep440Text))
	t.Run("deb", order(ParseDeb, debText))
	t.Run("rpm", order(ParseRPM, rpmText))
	t.Run("glibc", order(ParseGlibc, glibcText))
	t.Run("kernel", order(ParseKernel, kernelText))
	t.Run("ptx", order(ParsePTX, ptxText))
	t.Run("compute capability", order(ParseComputeCapability, ccText))
}

// order checks that Compare is a total order over zero and parsed versions,
// that equal versions are interchangeable, and that text survives.
func order[V scheme[V]](parse func(string) (V, error), pattern string) func(*testing.T) {
	version := rapid.Custom(func(t *rapid.T) V {
		if rapid.IntRange(0, 20).Draw(t, "zero") == 0 {
			var zero V
			return zero
		}
		text := rapid.StringMatching(pattern).Draw(t, "text")
		v, err := parse(text)
		if err != nil {
			t.Fatalf("the pattern drew text that does not parse: %v", err)
		}
		if again, err := parse(v.String()); err != nil || again != v {
			t.Fatalf("parsing %q again gives %v, %v", v.String(), again, err)
		}
		return v
	})
	return rapid.MakeCheck(func(t *rapid.T) {
		a, b, c := version.Draw(t, "a"), version.Draw(t, "b"), version.Draw(t, "c")
		ab, bc, ac := a.Compare(b), b.Compare(c), a.Compare(c)
		switch {
		case a.Compare(a) != 0:
			t.Fatalf("%v is not equal to itself", a)
		case b.Compare(a) != -ab:
			t.Fatalf("%v and %v: %d one way, %d the other", a, b, ab, b.Compare(a))
		case a.Less(b) != (ab < 0):
			t.Fatalf("Less(%v, %v) and Compare disagree", a, b)
		case ab <= 0 && bc <= 0 && (ac > 0 || ac == 0 && (ab < 0 || bc < 0)):
			t.Fatalf("not transitive: %v, %v, %v give %d, %d, %d", a, b, c, ab, bc, ac)
		case ab == 0 && bc != ac:
			t.Fatalf("%v equals %v, but they differ about %v", a, b, c)
		}
	})
}

// TestPEP440Wrapped compares our order key with the order of the wrapped library.
func TestPEP440Wrapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringMatching(pep440Text).Draw(t, "a")
		b := rapid.StringMatching(pep440Text).Draw(t, "b")
		got := must440(t, a).Compare(must440(t, b))
		if want := pep440.MustParse(a).Compare(pep440.MustParse(b)); got != want {
			t.Fatalf("%q.Compare(%q) = %d, the library says %d", a, b, got, want)
		}
	})
}

func must440(t *rapid.T, text string) PEP440 {
	v, err := ParsePEP440(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRangeOverlapsSound checks that ranges with a common version overlap.
func TestRangeOverlapsSound(t *testing.T) {
	lib := rapid.Custom(func(t *rapid.T) Lib {
		v, _ := ParseLib(rapid.StringMatching(`([0-4](\.[01])?)?`).Draw(t, "text"))
		return v // zero when the text is empty: an open bound
	})
	rapid.Check(t, func(t *rapid.T) {
		a := Range[Lib]{lib.Draw(t, "a.Min"), lib.Draw(t, "a.Max")}
		b := Range[Lib]{lib.Draw(t, "b.Min"), lib.Draw(t, "b.Max")}
		v := lib.Draw(t, "v")
		if a.Contains(v) && b.Contains(v) && !a.Overlaps(b) {
			t.Fatalf("%v and %v both contain %v but do not overlap", a, b, v)
		}
		if a.Overlaps(b) != b.Overlaps(a) {
			t.Fatalf("%v and %v: Overlaps is not symmetric", a, b)
		}
	})
}
