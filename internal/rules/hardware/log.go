package hardware

import (
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// sinceLoad splits the lines of the kernel log that satisfy a test into those
// after the driver was last loaded and those before. The driver greets with
// "NVRM: loading NVIDIA UNIX …" when its module loads; what was logged before
// that belongs to an earlier start, and a restart resets the GPU. Each file is
// in order for itself only, since logs are read one after the other.
func sinceLoad(in *rule.Input, is func(stack.LogLine) bool) (now, before []stack.LogLine) {
	lines := in.Stack.Kernel.Log.Value
	lastLoad := map[string]int{}
	for i, l := range lines {
		if strings.Contains(l.Text, "NVRM: loading NVIDIA UNIX") {
			lastLoad[l.From.Locator] = i
		}
	}
	for i, l := range lines {
		if !is(l) {
			continue
		}
		if loaded, ok := lastLoad[l.From.Locator]; ok && i < loaded {
			before = append(before, l)
		} else {
			now = append(now, l)
		}
	}
	return now, before
}

var xidCite = rule.Cite{Title: "NVIDIA GPU driver: Xid errors", URL: "https://docs.nvidia.com/deploy/xid-errors/index.html", Date: "2026-11-30"}

// needGPU leaves a rule unasked where it is known that there is neither a GPU
// nor a driver nor a log that could tell of one.
var needGPU = rule.Need{Name: "a GPU", Seen: func(in *rule.Input) stack.Seen {
	nothing := in.GPUsSeen.State == stack.Known && len(in.GPUs) == 0 && !in.Stack.Kernel.Version.Known() && !in.Stack.Kernel.Log.Known()
	if nothing {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}
