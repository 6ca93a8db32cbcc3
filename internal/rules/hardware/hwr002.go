package hardware

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/stack"
)

var hwr002 = &rule.Rule{
	ID:       "HWR002",
	Slug:     "hardware-error-in-kernel-log",
	Layer:    rule.Hardware,
	Severity: rule.Broken,
	Title:    "The driver reported a hardware fault of a GPU (Xid)",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needGPU, rule.NeedKernelLog},
	After:    []string{"HWR003"},
	Since:    "0.1",
	Cites:    []rule.Cite{xidCite},
	Doc: `When something goes wrong on a GPU, the driver writes a line "NVRM: Xid (PCI:0000:65:00): 48, …" to the kernel
log. The number says what happened. Many, such as 13, 31 or 43, are the program's fault; others are memory that can
no longer be corrected (48, 95), links that fail (74) or a card that lost power (54). CUDA shows the same event as
error 719, 999 or "uncorrectable ECC error", which looks like a software problem: the Xid is the better witness.

The finding is "broken" for a fault since the driver was last loaded, and a note for one before, because a restart
resets the GPU. Codes that NVIDIA's catalogue lets one ignore are notes too.

Drain the GPU, reset it (nvidia-smi --gpu-reset, or restart), and run dcgmi diag. A fault that comes back is a
reason to replace the card, not to change software.`,
	Check: func(in *rule.Input) rule.Verdict {
		isFault := func(l stack.LogLine) bool {
			x := in.KB.Xid(l.Xid)
			return l.Xid != 0 && l.Xid != fallenOff && x.Known && x.Value.Class == kb.XidHardware
		}
		now, before := sinceLoad(in, isFault)
		lines := now
		if len(now) == 0 {
			lines = before
		}
		if len(lines) == 0 {
			return cleanLog(in)
		}
		f := rule.Finding{Severity: rule.Note, Confidence: rule.Likely, Evidence: kernellog.Quote(lines)}
		var codes []int
		var meanings, actions []string
		for _, l := range lines {
			if slices.Contains(codes, l.Xid) {
				continue
			}
			codes = append(codes, l.Xid)
			x := in.KB.Xid(l.Xid)
			meanings = append(meanings, fmt.Sprintf("Xid %d: %s", l.Xid, x.Value.Meaning))
			actions = append(actions, fmt.Sprintf("for Xid %d: %s", l.Xid, x.Value.Action))
			f.Refs = append(f.Refs, x.Ref)
			// IGNORE is the catalogue's own word for codes that need no action now.
			if len(now) > 0 && x.Value.CatalogAction != "IGNORE" {
				f.Severity = rule.Broken
			}
		}
		f.Summary = fmt.Sprintf("the kernel log reports %s (%s)", strings.Join(meanings, "; "), times(len(lines)))
		const whose = "NVIDIA's catalogue counts it as a fault of the GPU, its memory, its links or its power, not of CUDA or the framework."
		if len(now) == 0 {
			f.Cause = "This was logged before the driver was last loaded, and a restart resets the GPU. " + whose + " One that comes back is a reason to test and replace the card."
			return rule.Found(f)
		}
		f.Cause = "This was logged since the driver was last loaded. " + whose + " Programs on that GPU fail with errors that do not name the cause. The log does not say whether the GPU was reset by hand afterwards."
		f.Remedies = []rule.Remedy{{
			Summary: strings.Join(actions, "; "), Layer: rule.Hardware,
			Commands: []rule.Command{{For: "shell", Run: "sudo nvidia-smi --gpu-reset -i 0"}, {For: "shell", Run: "dcgmi diag -r 3"}},
		}}
		return rule.Found(f)
	},
}

// fallenOff is the Xid that HWR003 is about.
const fallenOff = 79

// cleanLog is the answer where no line matches: fine where the driver is at
// work and would have written one.
func cleanLog(in *rule.Input) rule.Verdict {
	if len(in.GPUs) == 0 && !in.Stack.Kernel.Version.Known() {
		return rule.NA()
	}
	return rule.Clean()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
