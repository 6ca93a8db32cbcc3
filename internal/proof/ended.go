package proof

import (
	"fmt"

	"strata/internal/probe"
	"strata/internal/rule"
)

// judgeCutShort knows ends that somebody outside brought about.
func judgeCutShort(_ *builder, f *failure) (said, bool) {
	e := &f.run.End
	if f.step != nil && f.step.State != probe.Begin {
		return said{}, false
	}
	s := said{kind: kindEnded, layer: rule.Application, severity: rule.Note, apart: true}
	switch {
	case e.Stopped:
		s.summary = fmt.Sprintf("the probe was stopped in %s%s", f.call(), f.on())
		s.cause = "Whoever started it did not wait for its end. Nothing is known of what it had not reached."
	case e.MemoryMiB > 0:
		s.summary = fmt.Sprintf("the probe was ended in %s%s: it held %d MiB of memory", f.call(), f.on(), e.MemoryMiB)
		s.cause = "That is above what the probe is allowed to take, so that it does not harm the machine. Whether the call would have succeeded is not known."
	case e.Signal == "SIGKILL" && !e.Timeout && !e.Stuck, e.Signal == "SIGTERM", e.Signal == "SIGINT", e.Signal == "SIGHUP":
		s.summary = fmt.Sprintf("somebody ended the probe with %s in %s%s", e.Signal, f.call(), f.on())
		s.cause = "No library ends its own process that way: it was a person, a supervisor, or the kernel for want of memory. Nothing is known of what the probe had not reached."
		s.remedies = append(s.remedies, remedy(rule.Application, "look whether the kernel ended it for want of memory", "sudo dmesg | grep -i 'out of memory'"))
	default:
		return said{}, false
	}
	return s, true
}

// judgeEnd knows calls in which the process ended or that did not return.
func judgeEnd(b *builder, f *failure) (said, bool) {
	if f.step != nil && f.step.State != probe.Begin {
		return said{}, false
	}
	e := &f.run.End
	layer := layerOf(f.run)
	s := said{kind: kindCrash, layer: layer, confidence: rule.Likely, summary: fmt.Sprintf("%s%s: %s", f.call(), f.on(), ending(e))}
	if e.Timeout || e.Stuck {
		s.kind, s.confidence = kindHang, rule.Possible
		s.cause = "Known is the call that did not return, not for what it waits. "
		switch {
		case e.Stuck:
			s.layer = rule.KernelModule
			s.cause += "The process cannot be ended, so it waits within the kernel: the kernel module, or the GPU behind it, does not answer. It stays until the machine restarts."
			s.remedies = append(s.remedies, remedy(rule.KernelModule, "read what the kernel says of the GPU", "sudo dmesg | grep -iE 'NVRM|Xid'"))
		case f.run.Rung == probe.Driver:
			s.cause += "Starting the driver takes seconds on a host with many GPUs and without persistence mode; a longer limit tells slow from stuck."
			s.remedies = append(s.remedies,
				remedy(layer, "wait longer", "strata probe --rung driver --timeout 60s"),
				remedy(layer, "read what the kernel says of the GPU", "sudo dmesg | grep -iE 'NVRM|Xid'"))
		default:
			s.cause += "The GPU may be busy with other work, or no longer answer. A longer limit tells slow from stuck."
			s.remedies = append(s.remedies,
				remedy(layer, "wait longer", fmt.Sprintf("strata probe --rung %s --timeout 60s", f.run.Rung)),
				remedy(layer, "see what else runs on the GPU", "nvidia-smi"))
		}
		return s, true
	}
	s.cause = fmt.Sprintf("The process that made the call is gone, so it was the library that ended it: %s. ", ending(e))
	switch f.run.Rung {
	case probe.Driver, probe.Compute:
		if e.Signal == "SIGBUS" && f.step != nil && f.step.Name == "load" {
			s.cause += "SIGBUS while a file is loaded means that the file ends before its own table of contents says. "
		}
		s.cause += "A driver's library that crashes is damaged, of another release than its other parts or than the kernel module, or meets a fault of the kernel module. Which of these is not known."
		s.remedies = append(s.remedies, remedy(layer, "see whether library, parts and kernel module are of one release", "cat /proc/driver/nvidia/version; ldconfig -p | grep -E 'libcuda|libnvidia'"))
	default:
		s.cause += "The driver works, since kernels of our own run; the library, or one that it loads, is damaged or does not fit the others."
		s.remedies = append(s.remedies, remedy(layer, "see which files it is made of", "strata libs"))
	}
	return s, true
}

// judgeWrong knows results that are not those of the CPU.
func judgeWrong(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.step.State != probe.Wrong {
		return said{}, false
	}
	s := said{kind: kindWrong, layer: rule.Hardware, confidence: rule.Possible, summary: fmt.Sprintf("wrong result of %s%s: %s", f.step.Subject, f.on(), f.step.Detail)}
	switch {
	case f.run.Rung == probe.Libraries:
		s.layer, s.confidence, s.apart = layerOf(f.run), rule.Likely, true
		s.cause = "Every call succeeded. Kernels of our own gave right results on the same GPU, so the library, or its code for this GPU, is what is wrong."
	case f.step.Subject == "copy":
		s.cause = "What was copied to the GPU and back came back changed; no kernel had run. Known is that memory, bus or copy engine changed it, not which of them."
	case f.step.Values["again"] != "" && f.step.Values["again"] != again:
		s.confidence = rule.Likely
		s.cause = "The same kernel on the same data gave another result when it ran again. A program does not do that: the GPU does, by unstable clocks or power, heat, or memory without ECC."
	case otherRight(f):
		s.layer = rule.Driver
		s.cause = "Another kernel gave right results on the same GPU from the same data, and this one the same wrong result twice. What differs is the PTX that the driver compiled: its compiler is the nearest suspect. A fault of the GPU in what only this kernel uses cannot be excluded."
	default:
		s.cause = "Every call succeeded, and simple arithmetic is wrong, twice alike. A fault of the GPU is the nearest reason. That the driver compiled the kernels wrongly cannot be excluded."
	}
	s.remedies = append(s.remedies, remedy(s.layer, "do not trust any result of this GPU; run the probe again, and NVIDIA's own diagnosis", "strata probe --rung compute", "dcgmi diag -r 3"))
	return s, true
}

// again is what a step says of a second try that gave the same wrong result.
const again = "the same"

// otherRight tells whether another kernel of the same run gave a right result.
func otherRight(f *failure) bool {
	for i := range f.run.Steps {
		s := &f.run.Steps[i]
		if s.Name == "compare" && s.Subject != "copy" && s.State == probe.OK {
			return true
		}
	}
	return false
}
