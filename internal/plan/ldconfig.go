package plan

import (
	"path"
	"slices"

	"strata/internal/stack"
)

// renewCache does what ldconfig does: every library in the directories of
// ld.so.conf and in the defaults gets its entry, by soname.
func renewCache(s *stack.Stack) {
	if !s.Loader.Cache.Known() {
		return // the linker's search is then taken from ld.so.conf anyway
	}
	var dirs []string
	for _, c := range s.Loader.Conf.Value {
		dirs = append(dirs, path.Clean(c.Dir))
	}
	dirs = append(append(dirs, s.Loader.Defaults.Value...), systemDir(s))
	for _, libs := range [][]stack.Library{s.Driver.Libraries.Value, s.CUDA.Libraries.Value} {
		for _, l := range libs {
			e := stack.CacheEntry{Name: l.Soname, Path: path.Join(path.Dir(l.Path), l.Soname)}
			if l.Real == "" || l.Fault != "" || !slices.Contains(dirs, path.Dir(l.Path)) ||
				slices.ContainsFunc(s.Loader.Cache.Value, func(x stack.CacheEntry) bool { return x.Name == e.Name && x.Path == e.Path }) {
				continue
			}
			s.Loader.Cache.Value = append(s.Loader.Cache.Value, e)
		}
	}
}
