package plan

import "strata/internal/stack"

// systemDir is a directory that the dynamic linker always searches.
func systemDir(s *stack.Stack) string {
	if len(s.Loader.Defaults.Value) > 0 {
		return s.Loader.Defaults.Value[0]
	}
	return "/usr/lib/" + s.OS.Arch.Or("x86_64") + "-linux-gnu"
}
