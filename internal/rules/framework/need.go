package framework

import (
	"strata/internal/rule"
	"strata/internal/stack"
)

// needStandalone passes over what extends another framework: that one's build
// decides.
var needStandalone = rule.Need{Name: "a framework of its own", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.On != nil {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}

// needTorchVariant is which build of PyTorch that is.
var needTorchVariant = rule.Need{Name: "which variant of PyTorch is installed", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.On == nil {
		return stack.Seen{State: stack.Absent}
	}
	return in.Workload.On.Framework.Variant.Seen()
}}

// needOwnVariant is the extension's own; one without native libraries is pure
// Python and fits every build.
var needOwnVariant = rule.Need{Name: "which variant of the extension this is", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Framework().Variant.Seen()
	if seen.State == stack.NotCollected && len(in.Framework().Libraries) == 0 {
		seen.State = stack.Absent
	}
	return seen
}}
