package plan

import (
	"strings"

	"strata/internal/stack"
)

// forget takes out what was followed of the dynamic linker where a change can
// alter the answer: on the copy there are no files to follow it through again.
func forget(s *stack.Stack, change stack.Change) {
	switch c := change.(type) {
	case stack.Install:
		eachEnv(s, c.Prefix, forgetIn)
	case stack.Uninstall:
		eachEnv(s, c.Prefix, forgetIn)
	case stack.SetEnv:
		if strings.HasPrefix(c.Name, "LD_") {
			forgetAll(s)
		}
	case stack.UnsetEnv:
		if strings.HasPrefix(c.Name, "LD_") {
			forgetAll(s)
		}
	case stack.SetDriver, stack.GiveGPU, stack.RenewCache, stack.DropLibraryPath, stack.RemoveLibrary, stack.InstallCompat,
		stack.InstallOSPackage, stack.RemoveOSPackage:
		forgetAll(s)
	}
}

// changed is the fact of a workload whose libraries are no longer those that were followed.
var changed = stack.Fact[stack.Loads]{Why: "a remedy that is tried changed what the dynamic linker finds"}

func forgetIn(e *stack.Environment) {
	for i := range e.Frameworks {
		e.Frameworks[i].Loads = changed
	}
}

func forgetAll(s *stack.Stack) {
	for i := range s.Python.Value {
		forgetIn(&s.Python.Value[i])
	}
	for i := range s.Programs.Value {
		s.Programs.Value[i].Framework.Loads = changed
	}
}
