package proof

import (
	"fmt"

	"strata/internal/probe"
	"strata/internal/rule"
)

// graveNVML are errors of NVML that mean more than one fact that is missing, from whatever call: the GPU is lost or has to
// be reset, the system bars the way to it, the releases differ, or the driver failed within.
var graveNVML = map[int]bool{15: true, 16: true, 17: true, 18: true, 999: true}

// nvmlLayers are the layers at fault by the codes of nvmlReturn_t, and what they say. Numbers and meanings are those of
// NVIDIA's header, https://github.com/NVIDIA/go-nvml/blob/main/gen/nvml/nvml.h; the layers are our judgement of them.
// Codes that tell of a wrong call (2, 7, 25), or of what a GPU does not have (3, 21), name no layer and are not here.
var nvmlLayers = map[int]struct {
	layer rule.Layer
	cause string
}{
	4:  {rule.DeviceExposure, "This user has no permission for it: mostly the driver's device nodes may not be opened."},
	8:  {rule.Hardware, "The power cables of the GPU are not properly attached."},
	9:  {rule.KernelModule, "The kernel module is not loaded, or /dev/nvidiactl cannot be opened: NVML gives one error for both."},
	11: {rule.KernelModule, "The kernel has trouble with the GPU's interrupts: the kernel log says more."},
	12: {rule.Driver, "A library of the driver was not found, or could not be loaded."},
	13: {rule.Driver, "This NVML does not have the function: it is of an older driver."},
	14: {rule.Hardware, "The infoROM, in which the card keeps facts of its own, is damaged."},
	15: {rule.Hardware, "The GPU fell off the bus or no longer answers: the kernel log has Xid 79 or another one. A restart may bring it back; if it comes again it is power, heat, seat or the card."},
	16: {rule.Hardware, "The GPU must be reset before it works again."},
	17: {rule.DeviceExposure, "The operating system or a control group bars the GPU's control device: permissions, a sandbox, a container's device rules."},
	18: {rule.KernelModule, "The driver's libraries and the loaded kernel module are of different releases, as after an update without a restart; in a container, when libraries are in the image."},
	20: {rule.Hardware, "There was not enough memory."},
	23: {rule.Hardware, "A resource other than memory ran out."},
	28: {rule.DeviceExposure, "NVML found no GPU: none is there, none could be started, or none is given to this process."},
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
