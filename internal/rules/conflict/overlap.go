package conflict

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// maxNamed bounds the files that a sentence names for one package.
const maxNamed = 4

// winners are the files that several packages claim, below a directory of the
// environment, by the package whose file is on disk. Files that none or several
// could have written are left out.
func winners(env *stack.Environment, dir string) map[string][]string {
	won := map[string][]string{}
	for _, o := range env.Overlaps.Value {
		if o.Winner == "" || !strings.Contains(o.Path, dir) || !isLibrary(o.Path) {
			continue
		}
		if list := won[o.Winner]; len(list) < maxNamed {
			won[o.Winner] = append(list, path.Base(o.Path))
		}
	}
	return won
}

// isLibrary: what two packages ship besides libraries is text that hardly matters.
func isLibrary(name string) bool { return strings.Contains(path.Base(name), ".so") }

// unlessPartial is "nothing found" where all packages could be read.
func unlessPartial(env *stack.Environment) rule.Verdict {
	if env.Packages.Why != "" {
		return rule.Cannot("the packages of "+env.Prefix+" could be read only in part: "+env.Packages.Why, "run as a user who may read "+env.Prefix)
	}
	return rule.Clean()
}

func sorted(m map[string][]string) []string { return slices.Sorted(maps.Keys(m)) }

func withVersions(env *stack.Environment, names []string) []string {
	var out []string
	for _, n := range names {
		p, _ := env.Find(n)
		out = append(out, fmt.Sprintf("%s %s", n, p.Version))
	}
	return out
}

func packageSources(env *stack.Environment, names []string) []stack.Source {
	var out []stack.Source
	for _, n := range names {
		if p, ok := env.Find(n); ok {
			out = append(out, p.From)
		}
	}
	return out
}

// cudaSuffix takes the CUDA major off a distribution's name: nvidia-nccl-cu12
// is nvidia-nccl and 12; 0 where the name has none.
func cudaSuffix(name string) (stem string, major int) {
	i := strings.LastIndex(name, "-cu")
	if i < 0 {
		return name, 0
	}
	if _, err := fmt.Sscanf(name[i:], "-cu%d", &major); err != nil {
		return name, 0
	}
	return name[:i], major
}
