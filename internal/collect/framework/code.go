package framework

import (
	"slices"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

// code reads the GPU code of libraries inside the site directory and adds it
// up. A library that is not there counts for nothing; one that cannot be read
// makes the sum Failed, since what it holds is then not known.
func (in *install) code(rels ...string) {
	for _, rel := range rels {
		if in.ctx.Err() != nil || !in.exists(rel) {
			continue
		}
		in.fw.Code = addCode(in.fw.Code, library.Code(in.m, in.path(rel)))
	}
}

func addCode(sum, more stack.Fact[[]stack.DeviceCode]) stack.Fact[[]stack.DeviceCode] {
	switch {
	case sum.State == stack.NotCollected:
		return more
	case more.State == stack.Absent:
		sum.Sources = append(sum.Sources, more.Sources...)
		return sum
	case sum.State == stack.Absent:
		more.Sources = append(slices.Clone(sum.Sources), more.Sources...)
		return more
	case !sum.Known():
		return sum
	case !more.Known():
		return more
	}
	for _, c := range more.Value {
		i := slices.IndexFunc(sum.Value, func(s stack.DeviceCode) bool {
			return s.Kind == c.Kind && s.Arch == c.Arch && s.ISA == c.ISA && s.Compression == c.Compression
		})
		if i < 0 {
			sum.Value = append(sum.Value, c)
			continue
		}
		sum.Value[i].Containers += c.Containers
	}
	// Each kind of code is now out of the containers of both libraries.
	total := of(sum.Value) + of(more.Value)
	for i := range sum.Value {
		sum.Value[i].Of = total
	}
	sum.Sources = append(sum.Sources, more.Sources...)
	return sum
}

func of(codes []stack.DeviceCode) int {
	if len(codes) == 0 {
		return 0
	}
	return codes[0].Of
}
