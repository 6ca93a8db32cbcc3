package kb

import (
	"strconv"

	"strata/internal/version"
)

// Libstdcxx says which symbol version (GLIBCXX_) the libstdc++ of a GCC major release has at most.
type Libstdcxx struct {
	Row
	GCC   int           `kb:"gcc,key"`
	First version.Glibc `kb:"first,required"` // in its first minor release
	Last  version.Glibc `kb:"last,required"`  // in its last one
	Note  string        `kb:"note"`
}

var libstdcxx = csvFile("system/libstdcxx.csv", reaches[Libstdcxx]("gcc"), checkLibstdcxx)

// LibstdcxxOfGCC returns the symbol versions of GCC major release gcc.
func (b *Base) LibstdcxxOfGCC(gcc int) Answer[Libstdcxx] {
	t := libstdcxx.in(b)
	for _, r := range t.Rows {
		if r.GCC == gcc {
			return found(b, t, r.Row, r)
		}
	}
	if limit, err := strconv.Atoi(t.limit("gcc")); err != nil || gcc > limit {
		return beyond[Libstdcxx](t, "GCC "+strconv.Itoa(gcc))
	}
	return notFound[Libstdcxx](t, "the libstdc++ of GCC %d is not known", gcc)
}

// GCCOfLibstdcxx returns the oldest GCC major release whose last libstdc++ has symbol version want ("3.4.30").
func (b *Base) GCCOfLibstdcxx(want version.Glibc) Answer[Libstdcxx] {
	t := libstdcxx.in(b)
	if want.IsZero() {
		return notFound[Libstdcxx](t, "no symbol version given")
	}
	for _, r := range t.Rows {
		if !r.Last.Less(want) {
			return found(b, t, r.Row, r)
		}
	}
	return beyond[Libstdcxx](t, "GLIBCXX_"+want.String())
}

// checkLibstdcxx reports rows out of order, which both queries rely on.
func checkLibstdcxx(_ *Base, t *Table[Libstdcxx]) (problems []Problem) {
	for i, r := range t.Rows {
		if r.Last.Less(r.First) {
			problems = append(problems, Problem{t.Name, r.Line, "last is older than first"})
		}
		if i > 0 && (t.Rows[i-1].GCC >= r.GCC || r.First.Less(t.Rows[i-1].Last)) {
			problems = append(problems, Problem{t.Name, r.Line, "not newer than the row before"})
		}
	}
	return problems
}
