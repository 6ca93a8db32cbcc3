package hardware

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/stack"
)

var hwr003 = &rule.Rule{
	ID:       "HWR003",
	Slug:     "gpu-fell-off-the-bus",
	Layer:    rule.Hardware,
	Severity: rule.Broken,
	Title:    "A GPU no longer answers on the PCI bus",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needGPU, needBus},
	Since:    "0.1",
	Cites:    []rule.Cite{xidCite},
	Doc: `The GPU stopped answering: its configuration space reads as all ones (lspci shows "rev ff"), and the driver
logs Xid 79, "GPU has fallen off the bus". nvidia-smi then says "Unable to determine the device handle … Unknown
Error" or "No devices were found", and CUDA fails with error 100, 719 or 999. Reinstalling drivers, CUDA or a
framework cannot help.

The usual causes are power (supply, cable, a peak of load), heat, the slot or riser, PCIe power management, and a
failing card. Restart the machine, by switching it off where a warm restart does not bring the GPU back; if it
returns and falls off again under load, look at these in that order.`,
	Check: func(in *rule.Input) rule.Verdict {
		var gone []string
		var evidence []stack.Source
		answered := false
		for _, d := range in.Stack.Hardware.PCI.Value {
			if !derive.IsGPU(d) || !d.Responds.Known() {
				continue
			}
			answered = true
			if !d.Responds.Value {
				gone = append(gone, d.Address)
				evidence = append(evidence, d.Responds.Sources...)
			}
		}
		lost, _ := sinceLoad(in, func(l stack.LogLine) bool {
			return l.Xid == fallenOff || strings.Contains(l.Text, "has fallen off the bus")
		})
		if len(gone) == 0 && len(lost) == 0 {
			if !answered && !in.Stack.Kernel.Log.Known() {
				return rule.Cannot("neither the GPU's configuration space nor the kernel log could be read", in.Stack.Kernel.Log.Allow)
			}
			return cleanLog(in)
		}
		f := rule.Finding{Evidence: append(evidence, kernellog.Quote(lost)...), Remedies: []rule.Remedy{{
			Summary: "restart the machine, from power-off if a warm restart does not help; then check power, temperature, slot and firmware", Layer: rule.Hardware,
			Commands: []rule.Command{{For: "shell", Run: "sudo poweroff"}},
		}}}
		if x := in.KB.Xid(fallenOff); x.Known {
			f.Refs = []kb.Ref{x.Ref}
		}
		var why []string
		if len(gone) > 0 {
			f.Summary = fmt.Sprintf("the GPU at %s does not answer on the PCI bus", strings.Join(gone, ", "))
			why = append(why, "its configuration space reads as ff ff ff ff, which is what a read gives when no device answers")
		} else {
			f.Summary = "the driver reported that a GPU has fallen off the bus (Xid 79)"
			f.Confidence = rule.Likely
		}
		if len(lost) > 0 {
			why = append(why, "the driver logged it, and was not loaded again since")
		}
		f.Cause = "Signs: " + strings.Join(why, "; ") + ". The software stack is not at fault; CUDA fails with error 100, 719 or 999 until the GPU is back."
		return rule.Found(f)
	},
}

// needBus is one of the two places that tell.
var needBus = rule.Need{Name: "the GPU's configuration space or the kernel log", Seen: func(in *rule.Input) stack.Seen {
	if pci := in.Stack.Hardware.PCI; pci.Known() {
		return pci.Seen()
	}
	return in.Stack.Kernel.Log.Seen()
}}
