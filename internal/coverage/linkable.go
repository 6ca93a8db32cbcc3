package coverage

import (
	"slices"

	"strata/internal/fatbin"
)

// withLinkable returns f with the PTX that the driver links anew counted as PTX of every fat binary, which is what it comes to: where no
// cubin fits, all of the library's device code is compiled from it. first is the index of the first such code.
func withLinkable(f *fatbin.File) (with *fatbin.File, first int) {
	if len(f.Linkable) == 0 {
		return f, len(f.Codes)
	}
	out := *f
	out.Codes, out.Mixes = slices.Clone(f.Codes), slices.Clone(f.Mixes)
	var added []int
	for _, c := range f.Linkable {
		c.Containers = f.Containers
		added = append(added, len(out.Codes))
		out.Codes = append(out.Codes, c)
	}
	for i := range out.Mixes {
		out.Mixes[i].Codes = slices.Concat(out.Mixes[i].Codes, added)
	}
	return &out, len(f.Codes)
}
