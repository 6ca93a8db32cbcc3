package kb

import (
	"slices"

	"strata/internal/version"
)

// Circumstances are what the conditions of an advisory are tried on. A zero field says that the answer is not known.
type Circumstances struct {
	// GPUs are the compute capabilities of the GPUs that the workload sees, one entry each; empty and not nil: it sees none.
	GPUs []version.ComputeCapability
	// CUDAMajor is the CUDA major that the package was built for.
	CUDAMajor int
	// Variant is the local version of the package where that is known and differs from that of its version, such as the one of
	// torch/version.py: cu126.
	Variant string
	// Packages are all distributions and components of the environment by their normal name. What is not in it is not there, once
	// the map is not nil.
	Packages map[string]version.PEP440
	// Copies are all versions of each component that the loader could find, by component.
	Copies map[string][]version.PEP440
}

// Applicability says whether an advisory holds.
type Applicability int

// MayApply says that a condition could not be tried, because the fact that it is about is not known; no other condition fails.
const (
	DoesNotApply Applicability = iota
	MayApply
	Applies
)

func (a Applicability) String() string {
	return [...]string{"does not apply", "may apply", "applies"}[a]
}

// Applies reports whether a holds for release v of its package in circumstances c. A zero v is a release that is not known.
func (a Advisory) Applies(v version.PEP440, c Circumstances) Applicability {
	result := Applies
	for _, condition := range []Applicability{
		a.Versions.holds(v), a.When.gpuHolds(c), a.When.gpusHold(c), a.When.cudaHolds(c), a.When.variantHolds(v, c),
		anyHolds(a.When.With, c), anyHolds(a.When.Also, c), a.When.secondCopyHolds(c),
	} {
		result = min(result, condition)
	}
	return result
}

func (r VersionRange) holds(v version.PEP440) Applicability {
	switch {
	case r.IsZero():
		return Applies
	case v.IsZero():
		return MayApply
	}
	return truth(r.Contains(released(v)))
}

func (w AdvisoryWhen) gpuHolds(c Circumstances) Applicability {
	switch {
	case w.CCFrom.IsZero() && w.CCBelow.IsZero():
		return Applies
	case c.GPUs == nil:
		return MayApply
	}
	within := version.Range[version.ComputeCapability]{Min: w.CCFrom, Max: w.CCBelow}
	return truth(slices.ContainsFunc(c.GPUs, within.Contains))
}

func (w AdvisoryWhen) gpusHold(c Circumstances) Applicability {
	switch {
	case w.MinGPUs == 0:
		return Applies
	case c.GPUs == nil:
		return MayApply
	}
	return truth(len(c.GPUs) >= w.MinGPUs)
}

func (w AdvisoryWhen) cudaHolds(c Circumstances) Applicability {
	switch {
	case w.CUDAMajors == nil:
		return Applies
	case c.CUDAMajor == 0:
		return MayApply
	}
	return truth(slices.Contains(w.CUDAMajors, c.CUDAMajor))
}

func (w AdvisoryWhen) variantHolds(v version.PEP440, c Circumstances) Applicability {
	variant := c.Variant
	if variant == "" {
		variant = v.Local()
	}
	switch {
	case w.Variants == nil:
		return Applies
	case variant == "":
		return MayApply
	}
	return truth(slices.Contains(w.Variants, variant))
}

// anyHolds reports whether one of list is there; an empty list asks for nothing.
func anyHolds(list []AdvisoryWith, c Circumstances) Applicability {
	if list == nil {
		return Applies
	}
	if c.Packages == nil {
		return MayApply
	}
	result := DoesNotApply
	for _, other := range list {
		if v, ok := c.Packages[other.Package]; ok {
			result = max(result, other.Versions.holds(v))
		}
	}
	return result
}

func (w AdvisoryWhen) secondCopyHolds(c Circumstances) Applicability {
	if w.SecondCopy == nil {
		return Applies
	}
	if c.Copies == nil {
		return MayApply
	}
	result := DoesNotApply
	for _, v := range c.Copies[w.SecondCopy.Package] {
		result = max(result, w.SecondCopy.Versions.holds(v))
	}
	return result
}

func truth(holds bool) Applicability {
	if holds {
		return Applies
	}
	return DoesNotApply
}
