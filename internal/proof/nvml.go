package proof

import (
	"fmt"

	"strata/internal/probe"
	"strata/internal/rule"
)

// graveNVML are errors of NVML that mean a fault of the GPU or the driver, from whatever call.
var graveNVML = map[int]bool{15: true, 16: true, 17: true, 18: true, 999: true}

// nvmlLayers are the layers at fault by the codes of nvmlReturn_t, and what they say.
var nvmlLayers = map[int]struct {
	layer rule.Layer
	cause string
}{
	4:  {rule.DeviceExposure, "This user may not open the driver's device nodes."},
	9:  {rule.KernelModule, "The kernel module is not loaded, or /dev/nvidiactl cannot be opened: NVML gives one error for both."},
	10: {rule.KernelModule, "The driver did not answer in its own time."},
	12: {rule.Driver, "NVML did not find another library of the driver."},
	15: {rule.Hardware, "The GPU fell off the bus or no longer answers: the kernel log has Xid 79 or another one. A restart may bring it back; if it comes again it is power, heat, seat or the card."},
	16: {rule.Hardware, "The GPU must be reset before it works again."},
	17: {rule.DeviceExposure, "The operating system refused what NVML asked of it: permissions, a sandbox, limits."},
	18: {rule.KernelModule, "The driver's libraries and the loaded kernel module are of different releases, as after an update without a restart; in a container, when libraries are in the image."},
	20: {rule.Hardware, "There was not enough memory."},
}

// judgeNVML knows failures of NVML.
func judgeNVML(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.run.Part != "nvml" {
		return said{}, false
	}
	s := said{kind: kindNVML, layer: rule.Driver, confidence: rule.Possible, summary: fmt.Sprintf("%s%s: %s", f.call(), f.on(), f.said())}
	s.cause = "NVML does not say more."
	if n, ok := nvmlLayers[f.step.Code]; ok {
		s.layer, s.cause, s.confidence = n.layer, n.cause, rule.Likely
	}
	s.remedies = append(s.remedies, remedy(s.layer, "read what the kernel says of the GPU", "sudo dmesg | grep -iE 'NVRM|Xid'"))
	if f.step.Code == 9 && b.moduleLoaded() {
		s.layer = rule.DeviceExposure
		s.cause = "The kernel says that the module is loaded, so it is /dev/nvidiactl that cannot be opened from here: not there, no permission, or not allowed by the container's device rules."
		s.remedies = nil
		s.remedies = append(s.remedies, remedy(s.layer, "look at the nodes, and at who may open them", "ls -l /dev/nvidia*"))
	}
	return s, true
}

// cudaWorks tells whether libcuda started and showed a device.
func (b *builder) cudaWorks() bool {
	for i := range b.Runs {
		r := &b.Runs[i]
		if r.Part == "cuda" && !r.Failed() && r.Rung == probe.Driver {
			return b.shown() > 0
		}
	}
	return false
}
