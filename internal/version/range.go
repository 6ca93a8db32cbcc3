package version

import (
	"fmt"
	"strings"
)

// Ordered is what a scheme offers to be used in a [Range].
type Ordered[V any] interface {
	Compare(V) int
	IsZero() bool
}

// Range is the half-open interval [Min, Max) of one scheme. A zero bound is
// open, so the zero Range holds every version. Equal non-zero bounds stand for
// that one version, since the empty interval is of no use here; see [Exactly].
type Range[V Ordered[V]] struct {
	Min V // first version inside; zero: no lower bound
	Max V // first version after; zero: no upper bound
}

// Exactly returns the Range that holds v and whatever compares equal to it.
func Exactly[V Ordered[V]](v V) Range[V] { return Range[V]{Min: v, Max: v} }

// ParseRange reads ">=A,<B", ">=A", "<B", "==A" or "" (everything); parse reads
// A and B. Bounds may come in either order, each at most once. A range that
// could hold nothing (">=2,<1", ">=1,<1") is an error.
func ParseRange[V Ordered[V]](text string, parse func(string) (V, error)) (Range[V], error) {
	fail := func(format string, args ...any) (Range[V], error) {
		return Range[V]{}, fmt.Errorf("parsing version range %q: "+format, append([]any{text}, args...)...)
	}
	if len(text) > maxLen {
		return Range[V]{}, fmt.Errorf("parsing version range: %d bytes exceed the limit of %d", len(text), maxLen)
	}
	var r Range[V]
	if strings.TrimSpace(text) == "" {
		return r, nil
	}
	for clause := range strings.SplitSeq(text, ",") {
		clause = strings.TrimSpace(clause)
		op := clause[:len(clause)-len(strings.TrimLeft(clause, "<>=!~"))]
		v, err := parse(clause[len(op):])
		if err != nil {
			return fail("reading bound %q: %w", clause, err)
		}
		switch {
		case v.IsZero():
			return fail("bound %q is the zero version", clause)
		case op == "==" && clause == strings.TrimSpace(text):
			return Exactly(v), nil
		case op == "==":
			return fail("== stands alone")
		case op == ">=" && r.Min.IsZero():
			r.Min = v
		case op == "<" && r.Max.IsZero():
			r.Max = v
		case op == ">=" || op == "<":
			return fail("%s is given twice", op)
		default:
			return fail("operator %q is not one of >=, <, ==", op)
		}
	}
	if !r.Min.IsZero() && !r.Max.IsZero() && r.Min.Compare(r.Max) >= 0 {
		return fail("no version is inside")
	}
	return r, nil
}

// Contains reports whether v is inside. The zero version never is: a version
// that nobody read cannot be vouched for.
func (r Range[V]) Contains(v V) bool {
	switch {
	case v.IsZero():
		return false
	case r.single():
		return v.Compare(r.Min) == 0
	}
	return (r.Min.IsZero() || v.Compare(r.Min) >= 0) && (r.Max.IsZero() || v.Compare(r.Max) < 0)
}

// Overlaps reports whether some version could be inside both, taking it that a
// scheme has versions between any two.
func (r Range[V]) Overlaps(o Range[V]) bool {
	switch {
	case r.single():
		return o.Contains(r.Min)
	case o.single():
		return r.Contains(o.Min)
	}
	return before(r.Min, r.Max) && before(r.Min, o.Max) && before(o.Min, r.Max) && before(o.Min, o.Max)
}

// IsZero reports whether r has no bounds and so holds every version.
func (r Range[V]) IsZero() bool { return r.Min.IsZero() && r.Max.IsZero() }

// String returns the notation that [ParseRange] reads.
func (r Range[V]) String() string {
	switch {
	case r.single():
		return fmt.Sprintf("==%v", r.Min)
	case r.IsZero():
		return ""
	case r.Max.IsZero():
		return fmt.Sprintf(">=%v", r.Min)
	case r.Min.IsZero():
		return fmt.Sprintf("<%v", r.Max)
	}
	return fmt.Sprintf(">=%v,<%v", r.Min, r.Max)
}

func (r Range[V]) single() bool { return !r.Min.IsZero() && r.Min.Compare(r.Max) == 0 }

// before reports whether a lower bound leaves room below an upper bound.
func before[V Ordered[V]](lo, hi V) bool {
	return lo.IsZero() || hi.IsZero() || lo.Compare(hi) < 0
}
