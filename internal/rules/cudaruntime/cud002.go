package cudaruntime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var cud002 = &rule.Rule{
	ID:       "CUD002",
	Slug:     "forward-compat-does-not-fit-driver",
	Layer:    rule.CUDARuntime,
	Severity: rule.Broken,
	Title:    "A forward-compatibility libcuda does not fit the loaded kernel module",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib, needCompat, rule.NeedModule},
	Since:    "0.1",
	Cites:    []rule.Cite{forwardCompatibility},
	Doc: `A forward-compatibility libcuda works over kernel modules of older driver branches that NVIDIA tested it
with, and only over those. Over a module that is newer than itself, which happens after the host's driver was updated
under an old image, or over a branch it does not list, cuInit ends with error 803, "system has unsupported display
driver / cuda driver combination".

The library carries the list of branches in a note, which is what this rule reads. Take its directory off the search
path: a driver that is newer than the compatibility package needs none.`,
	Check: func(in *rule.Input) rule.Verdict {
		lib, module := in.Libcuda, in.Stack.Kernel.Version
		own, err := version.ParseDriver(lib.Version)
		if err == nil && own.Compare(module.Value) == 0 {
			return rule.Clean()
		}
		why := ""
		var refs []kb.Ref
		switch branches := lib.Compat.Branches; {
		case err == nil && own.Less(module.Value):
			why = fmt.Sprintf("is of driver %s, older than the module", own)
		case len(branches) > 0 && !slices.Contains(branches, module.Value.Branch()):
			why = "lists the branches " + numbers(branches)
		case len(branches) == 0:
			cuda, cerr := version.ParseCUDA(lib.Compat.CUDA)
			if cerr != nil {
				return rule.Cannot("the note in "+lib.Path+" names neither driver branches nor a CUDA release", "")
			}
			row := in.KB.ForwardCompat(cuda, module.Value)
			if !row.Known {
				return rule.FromAnswer(row)
			}
			if row.Value.Status == kb.Unlisted {
				return rule.Cannot(fmt.Sprintf("NVIDIA no longer lists whether the package of CUDA %s works over branch %d", cuda, module.Value.Branch()), "")
			}
			refs = append(refs, row.Ref)
			if row.Value.Status == kb.Unsupported {
				why = fmt.Sprintf("is one that NVIDIA's matrix calls unsupported (CUDA %s over branch %d)", cuda, module.Value.Branch())
			}
		}
		if why == "" {
			return rule.Clean()
		}
		return rule.Found(rule.Finding{
			Summary: fmt.Sprintf("cuda-compat %s does not fit module %s: %s %s", lib.Compat.CUDA, module.Value, lib.Path, why),
			Cause: "This forward-compatibility libcuda is the first one on the search path. " +
				`cuInit fails with error 803, "system has unsupported display driver / cuda driver combination".`,
			Evidence: append([]stack.Source{stack.From("elf", lib.Path, 0, "forward-compatibility note, branches "+numbers(lib.Compat.Branches))}, module.Sources...),
			Refs:     refs,
			Remedies: offPath(in),
		})
	},
}

func numbers(list []int) string {
	if len(list) == 0 {
		return "not named"
	}
	var out []string
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}
