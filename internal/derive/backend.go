package derive

import (
	"slices"

	"strata/internal/stack"
)

// Backends are the libraries that a program chooses from at run time, one built
// for each CUDA, as Ollama's cuda_v12 and cuda_v13: those whose CUDA the driver
// runs, and where it runs none the one that asks least of it. All are returned
// where the driver is not known; chosen is false then. There are none for a
// workload that does not choose.
func (v *View) Backends(w *Workload) (list []*stack.Library, chosen bool) {
	var all []*stack.Library
	for i := range w.Framework.Libraries {
		// Only libraries that are alternatives have their code read one by one.
		if l := &w.Framework.Libraries[i]; l.Code.State != stack.NotCollected {
			all = append(all, l)
		}
	}
	if w.Program == nil || len(all) < 2 {
		return nil, false
	}
	slices.SortStableFunc(all, func(a, b *stack.Library) int { return v.linkedCUDA(a) - v.linkedCUDA(b) })
	if !v.DriverCUDA.Known {
		return all, false
	}
	runs := func(l *stack.Library) bool { return v.linkedCUDA(l) <= v.DriverCUDA.Value.Major() }
	if n := len(all) - len(slices.DeleteFunc(slices.Clone(all), runs)); n > 0 {
		return all[:n], true
	}
	return all[:1], true
}

// linkedCUDA is the CUDA major that a library is linked against; 0 where its needs do not tell.
func (v *View) linkedCUDA(l *stack.Library) int {
	for _, n := range l.Needed {
		if rows := v.KB.Sonames(n).Value; len(rows) == 1 && rows[0].CUDA > 0 {
			return rows[0].CUDA
		}
	}
	return 0
}

// codeOfBackends is the code that any of a program's backends could run. Shares
// of one build's fat binaries mean nothing beside those of another and are left out.
func codeOfBackends(list []*stack.Library) stack.Fact[[]stack.DeviceCode] {
	sum := stack.Know[[]stack.DeviceCode](nil)
	for _, l := range list {
		if !l.Code.Known() && l.Code.State != stack.Absent {
			return l.Code
		}
		for _, c := range l.Code.Value {
			c.Containers, c.Of = 0, 0
			sum.Value = append(sum.Value, c)
		}
		sum.Sources = append(sum.Sources, l.Code.Sources...)
	}
	return sum
}
