package cudnn

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// loaded is the cuDNN that a workload gets: the library that programs link, or
// where only sub-libraries are asked for, the first of them.
func loaded(in *rule.Input) (derive.Want, bool) {
	wants, _ := in.Wants(in.Workload)
	var first derive.Want
	found := false
	for _, w := range wants {
		if w.Component != "cudnn" || w.Winner == nil || w.Winner.Fault != "" || derive.Optional(in.Workload, w) {
			continue
		}
		if stemIs(w.Soname, "libcudnn") {
			return w, true
		}
		if !found {
			first, found = w, true
		}
	}
	return first, found
}

func stemIs(soname, name string) bool {
	return len(soname) > len(name) && soname[:len(name)+1] == name+"."
}

// releaseOf is the release of a library, three numbers of four: the last one
// counts builds.
func releaseOf(l *stack.Library) (version.Lib, bool) {
	v, err := version.ParseLib(l.Version)
	if err != nil || l.Version == "" {
		return version.Lib{}, false
	}
	return v, true
}

// needLoaded is known where cuDNN's release is; absent where the workload
// has nothing to do with cuDNN.
var needLoaded = rule.Need{Name: "the cuDNN that is loaded", Seen: func(in *rule.Input) stack.Seen {
	if seen := rule.NeedWants.Seen(in); seen.State != stack.Known {
		return seen
	}
	w, ok := loaded(in)
	if !ok {
		return stack.Seen{State: stack.Absent} // not needed, or not found, which is DNN001's
	}
	if _, ok := releaseOf(w.Winner); !ok {
		return stack.Seen{State: stack.NotCollected, Why: fmt.Sprintf("neither the name nor the package of %s tells its release", w.Winner.Path)}
	}
	return stack.Seen{State: stack.Known, Sources: []stack.Source{w.Winner.From}}
}}

// release writes 9.10.2 for 9.10.2.21.
func release(v version.Lib) string {
	s, dots := v.String(), 0
	for i, r := range s {
		if r == '.' {
			if dots++; dots == 3 {
				return s[:i]
			}
		}
	}
	return s
}
