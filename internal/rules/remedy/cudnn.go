package remedy

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/version"
)

// NewestCUDNN is the newest range of cuDNN releases of one major, for a CUDA
// major, that has code for all GPUs here. last is false where a newer range
// exists that has not.
func NewestCUDNN(in *rule.Input, major, cudaMajor int) (row kb.CUDNN, last, ok bool) {
	last = true
	for _, r := range slices.Backward(in.KB.CUDNNReleases(cudaMajor)) {
		if r.From.Major() != major || r.Pip == "" {
			continue
		}
		fits := true
		for _, g := range in.GPUs {
			if has, known := r.Supports(g.Capability); known && !has {
				fits = false
			}
		}
		if fits {
			return r, last, true
		}
		last = false
	}
	return kb.CUDNN{}, false, false
}

// ReleasesOf is a range of releases as a specifier of pip, and what pip takes of
// it: last, or as far as the table knows, the last minor release.
func ReleasesOf(from, below, last version.Lib) (spec, newest string) {
	if !last.IsZero() {
		return "==" + last.String(), last.String()
	}
	if m := below.Minor(); m > 0 {
		newest = fmt.Sprintf("%d.%d", below.Major(), m-1)
	}
	return fmt.Sprintf(">=%s,<%s", from, below), newest
}

// anyCUDNN narrows "any cuDNN 9" to releases that have code for the GPUs here.
// plan is the one that pip takes of them.
func anyCUDNN(in *rule.Input, soname, spec string, cudaMajor int) (narrowed, plan string) {
	_, number, _ := strings.Cut(soname, ".so.")
	if number != "9" {
		return spec, number
	}
	row, last, ok := NewestCUDNN(in, 9, cudaMajor)
	if !ok {
		return spec, ""
	}
	narrowed, plan = ReleasesOf(row.From, row.Below, row.Last)
	if last {
		return spec, plan
	}
	return narrowed, plan
}
