package ospackage

import (
	"path"
	"strings"

	"strata/internal/stack"
)

// owners says which package ships a file: "libnvidia-compute-535 535.183.01-0ubuntu1".
type owners map[string]string

// add keeps the files that somebody will ask for: shared libraries and nvcc.
func (o owners) add(file, owner string) {
	base := path.Base(file)
	if path.IsAbs(file) && (strings.HasPrefix(base, "lib") && strings.Contains(base, ".so") || base == "nvcc") {
		o[merged(file)] = owner
	}
}

func (o owners) of(files ...string) string {
	for _, f := range files {
		if owner := o[merged(f)]; owner != "" {
			return owner
		}
	}
	return ""
}

// merged makes /lib/X and /usr/lib/X one: since the directories were merged, a
// package may list either.
func merged(file string) string {
	file = path.Clean(file)
	if rest, ok := strings.CutPrefix(file, "/usr/"); ok && strings.HasPrefix(rest, "lib") {
		return "/" + rest
	}
	return file
}

// fillOwners fills in what is not known yet. The real file comes first: the
// links to it are often made by ldconfig and belong to nobody.
func fillOwners(s *stack.Stack, o owners) {
	for _, libs := range [][]stack.Library{s.Driver.Libraries.Value, s.CUDA.Libraries.Value} {
		for i := range libs {
			if l := &libs[i]; l.Owner == "" {
				l.Owner = o.of(l.Real, l.Path)
			}
		}
	}
	for i := range s.CUDA.Toolkits.Value {
		if t := &s.CUDA.Toolkits.Value[i]; t.Owner == "" && t.NVCC != "" {
			t.Owner = o.of(t.NVCC)
		}
	}
}
