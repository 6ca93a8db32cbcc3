package remedy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// OnSearchPath puts directories of the environment on the dynamic linker's
// search path.
func OnSearchPath(in *rule.Input, layer rule.Layer, dirs []string) rule.Remedy {
	what := enumerate(dirs)
	if len(dirs) > 2 {
		what = fmt.Sprintf("%s and %d more directories beside it", dirs[0], len(dirs)-1)
	}
	return rule.Remedy{
		Summary:  fmt.Sprintf("put %s on the search path of the program", what),
		Layer:    layer,
		Changes:  []stack.Change{searchPath(in, dirs)},
		Commands: []rule.Command{{For: "shell", Run: Prepend(dirs...)}},
	}
}

func searchPath(in *rule.Input, dirs []string) stack.SetEnv {
	value := strings.Join(dirs, ":")
	if v, ok := in.Stack.Getenv("LD_LIBRARY_PATH"); ok && v.Value != "" {
		value += ":" + v.Value
	}
	return stack.SetEnv{Name: "LD_LIBRARY_PATH", Value: value}
}

// Unshadow takes a copy of a library out of the dynamic linker's way: its
// directory off the search path.
func Unshadow(in *rule.Input, layer rule.Layer, lib *stack.Library, why string) (rule.Remedy, bool) {
	dir, _, _ := strings.Cut(path.Dir(lib.Path), "/glibc-hwcaps/") // below the directory that the path names
	switch {
	case why == "LD_PRELOAD":
		return unpreload(in, layer, lib), true
	case why == preloadFile:
		return rule.Remedy{
			Summary:  fmt.Sprintf("take %s out of %s", lib.Path, preloadFile),
			Layer:    layer,
			Commands: Shell(fmt.Sprintf("sudo sed -i '\\|%s|d' %s", lib.Path, preloadFile)),
		}, plain.MatchString(lib.Path)
	case why == "ld.so.cache" && slices.Contains(in.Stack.Loader.Defaults.Value, dir), strings.HasSuffix(dir, "-linux-gnu"), dir == "/usr/lib64", dir == "/lib64":
		// The system's own directory holds more than this library.
	case why == "LD_LIBRARY_PATH":
		r := rule.Remedy{
			Summary: fmt.Sprintf("take %s off LD_LIBRARY_PATH", dir),
			Layer:   layer,
			Changes: []stack.Change{stack.DropLibraryPath{Dir: dir}},
		}
		r.Commands = Shell(Without(in, dir))
		return r, true
	case why == "ld.so.cache" && plain.MatchString(dir):
		for _, c := range in.Stack.Loader.Conf.Value {
			if path.Clean(c.Dir) == dir {
				return rule.Remedy{
					Summary:  fmt.Sprintf("remove %s from %s and run ldconfig", dir, c.From.Locator),
					Layer:    layer,
					Changes:  []stack.Change{stack.DropLibraryPath{Dir: dir}},
					Commands: Shell(Unlist(dir, c.From.Locator)),
				}, true
			}
		}
	}
	return rule.Remedy{}, false
}

const preloadFile = "/etc/ld.so.preload"

// unpreload takes a library off LD_PRELOAD, and the variable away where nothing else stands in it.
func unpreload(in *rule.Input, layer rule.Layer, lib *stack.Library) rule.Remedy {
	v, _ := in.Stack.Getenv("LD_PRELOAD")
	var keep []string
	for name := range strings.FieldsFuncSeq(v.Value, func(r rune) bool { return r == ' ' || r == ':' }) {
		if name != lib.Path && path.Clean(name) != lib.Path {
			keep = append(keep, name)
		}
	}
	r := rule.Remedy{Summary: fmt.Sprintf("take %s off LD_PRELOAD", lib.Path), Layer: layer}
	if len(keep) == 0 {
		r.Changes, r.Commands = []stack.Change{stack.UnsetEnv{Name: "LD_PRELOAD"}}, Shell("unset LD_PRELOAD")
		return r
	}
	rest := strings.Join(keep, ":")
	r.Changes, r.Commands = []stack.Change{stack.SetEnv{Name: "LD_PRELOAD", Value: rest}}, Shell("export LD_PRELOAD="+Quote(rest))
	return r
}
