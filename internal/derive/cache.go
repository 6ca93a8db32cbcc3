package derive

import (
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
)

// linkerCache is ld.so.cache by name. The linker does not look into the
// directories of ld.so.conf itself, only at what ldconfig found in them when
// it last ran: a library that was put there since is not there for it.
type linkerCache struct {
	known bool
	dirs  []string            // in the order of the cache
	names map[string][]string // soname → directories
}

func newLinkerCache(s *stack.Stack) linkerCache {
	c := linkerCache{known: s.Loader.Cache.Known(), names: map[string][]string{}}
	for _, e := range s.Loader.Cache.Value {
		dir := merged(path.Dir(e.Path))
		if !slices.Contains(c.names[e.Name], dir) {
			c.names[e.Name] = append(c.names[e.Name], dir)
		}
		if !slices.Contains(c.dirs, dir) {
			c.dirs = append(c.dirs, dir)
		}
	}
	return c
}

// lists tells whether the linker finds a name in a directory by its cache;
// without a cache that could be read, whatever lies there is taken as listed.
func (c linkerCache) lists(name, dir string) bool {
	return !c.known || slices.Contains(c.names[name], merged(dir))
}

// order puts the directories that the cache has for a name before its others:
// it is sorted by name, and within one by the search of ldconfig.
func (c linkerCache) order(name string, dirs []SearchDir) []SearchDir {
	first := c.names[name]
	at := slices.IndexFunc(dirs, func(d SearchDir) bool { return d.Why == "ld.so.cache" })
	if at < 0 || len(first) == 0 {
		return dirs
	}
	out := slices.Clone(dirs[:at])
	for _, d := range first {
		out = append(out, SearchDir{d, "ld.so.cache"})
	}
	for _, d := range dirs[at:] {
		if d.Why != "ld.so.cache" || !slices.Contains(first, merged(d.Dir)) {
			out = append(out, d)
		}
	}
	return out
}

// merged gives /lib and /usr/lib one name: distributions that NVIDIA supports
// have the first as a link to the second, and ldconfig writes either.
func merged(dir string) string {
	if rest, ok := strings.CutPrefix(dir, "/usr/lib"); ok && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, "64") || strings.HasPrefix(rest, "32")) {
		return "/lib" + rest
	}
	return dir
}
