package kb

import "strata/internal/version"

// PTXISA is one version of the PTX instruction set: who emits it first and who can compile it first.
type PTXISA struct {
	Row
	PTX    version.PTX  `kb:"ptx,key"`
	CUDA   version.CUDA `kb:"cuda,required"`   // first toolkit that emits it, or first CUDA of a driver that accepts it
	Branch int          `kb:"branch,required"` // first driver branch that compiles it
	Note   string       `kb:"note"`
}

var ptxISA = csvFile("nvidia/ptx_isa.csv", reaches[PTXISA]("driver", "cuda"), checkPTX)

// PTXForDriver returns the newest PTX ISA that Linux driver d compiles. PTX of a newer one fails with error 222, whatever minor-version
// compatibility says.
func (b *Base) PTXForDriver(d version.Driver) Answer[version.PTX] {
	t := ptxISA.in(b)
	switch {
	case d.IsZero():
		return notFound[version.PTX](t, "no driver version given")
	case driverBeyond(t, d):
		return beyond[version.PTX](t, "driver "+d.String())
	}
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if r := t.Rows[i]; r.Branch <= d.Branch() {
			return found(b, t, r.Row, r.PTX)
		}
	}
	return notFound[version.PTX](t, "no PTX ISA is known for driver %s", d)
}

// PTXForCUDA returns the newest PTX ISA that toolkit v emits, which is what nvcc writes unless told otherwise.
func (b *Base) PTXForCUDA(v version.CUDA) Answer[version.PTX] {
	t := ptxISA.in(b)
	switch {
	case v.IsZero():
		return notFound[version.PTX](t, "no CUDA version given")
	case cudaBeyond(t, v):
		return beyond[version.PTX](t, "CUDA "+v.String())
	}
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if r := t.Rows[i]; !v.Less(r.CUDA) {
			return found(b, t, r.Row, r.PTX)
		}
	}
	return notFound[version.PTX](t, "no PTX ISA is known for CUDA %s", v)
}

// PTXBranch returns the first driver branch that compiles PTX ISA p.
func (b *Base) PTXBranch(p version.PTX) Answer[int] {
	t := ptxISA.in(b)
	for _, r := range t.Rows {
		if !r.PTX.Less(p) {
			return found(b, t, r.Row, r.Branch)
		}
	}
	return beyond[int](t, "PTX ISA "+p.String())
}

// checkPTX reports rows out of order, which both queries rely on.
func checkPTX(_ *Base, t *Table[PTXISA]) (problems []Problem) {
	for i := 1; i < len(t.Rows); i++ {
		before, r := t.Rows[i-1], t.Rows[i]
		if !before.PTX.Less(r.PTX) || !before.CUDA.Less(r.CUDA) || before.Branch >= r.Branch {
			problems = append(problems, Problem{t.Name, r.Line, "not newer than the row before in every column"})
		}
	}
	return problems
}
