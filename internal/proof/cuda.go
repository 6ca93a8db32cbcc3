package proof

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
)

// Errors that another reading than the general one fits, because of what the probe does:
// its own program is small and right, so what points to an application elsewhere does not here.
// The numbers are those of CUresult, as NVIDIA explains them one by one in
// https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py.
var layersHere = map[int]rule.Layer{
	1: rule.Driver, 3: rule.Driver, 201: rule.Driver, 400: rule.Driver, 500: rule.Driver, 801: rule.Driver,
	// PTX of ours, which every driver compiles for every GPU since Kepler.
	200: rule.Driver, 209: rule.Driver, 218: rule.Driver, 300: rule.Driver,
	// A kernel that adds two arrays within their bounds.
	700: rule.Hardware, 714: rule.Hardware, 715: rule.Hardware, 716: rule.Hardware, 717: rule.Hardware, 718: rule.Hardware, 719: rule.Hardware,
	999: rule.KernelModule,
}

// judgeCUDA knows errors of the driver API by the table of the knowledge base.
func judgeCUDA(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.step.Code == 0 {
		return said{}, false
	}
	code := f.step.Code
	row := b.Base.CUDAError(kb.DriverAPI, code)
	s := said{kind: kindCUDA, layer: rule.Driver, confidence: rule.Possible, summary: fmt.Sprintf("%s%s: %s", f.call(), f.on(), f.said())}
	if row.Known {
		if row.Value.Layer != "" {
			s.layer, s.confidence = rule.Layer(row.Value.Layer), rule.Likely
		}
		for _, x := range row.Ref.Sources {
			if x.URL != "" {
				s.references = append(s.references, report.Reference{Title: x.Title, URL: x.URL})
			}
		}
		if row.Value.Causes != "" {
			s.cause = "Known reasons: " + row.Value.Causes + "."
		}
		if row.Value.Action != "" {
			s.remedies = append(s.remedies, remedy(s.layer, row.Value.Action))
		}
	} else {
		s.cause = "The knowledge base does not know this error."
	}
	if l, ok := layersHere[code]; ok {
		s.layer, s.confidence = l, rule.Possible
	}
	if why := b.here(f); why != "" {
		s.cause = strings.TrimSpace(why + " " + s.cause)
	}
	for i := range s.remedies {
		s.remedies[i].Layer = s.layer
	}
	return s, true
}

// here is what this probe adds to an error's known reasons.
func (b *builder) here(f *failure) string {
	code := f.step.Code
	switch {
	case code == 2 && f.run.Rung == probe.Compute:
		return b.memory(f)
	case code == 46:
		for _, d := range b.devices {
			switch {
			case d.MIG == "on" && zero(d.Instances):
				return "The GPU is in MIG mode and has no instance."
			case d.ComputeMode == "prohibited":
				return "The GPU's compute mode is prohibited: no process may compute on it (nvidia-smi -c DEFAULT allows it)."
			case d.ComputeMode == "exclusive-process" && d.Processes != nil && *d.Processes > 0:
				return fmt.Sprintf("The GPU's compute mode is exclusive-process, and %d process computes on it.", *d.Processes)
			}
		}
	case code >= 700 && code < 720:
		return "The kernel adds two arrays within their bounds, so it is not the program that is at fault."
	case code == 999:
		return "CUDA does not say more."
	case code == 222:
		return "The probe's PTX is of CUDA 11.0: the driver is older than 450."
	}
	return ""
}

// memory says who has the GPU's memory.
func (b *builder) memory(f *failure) string {
	for _, d := range b.devices {
		if d.Ordinal == nil || f.run.Device == nil || *d.Ordinal != *f.run.Device || d.MemoryMiB == 0 {
			continue
		}
		text := fmt.Sprintf("The probe asks for less than 1 MiB. Of %d MiB %d are in use", d.MemoryMiB, d.UsedMiB)
		if d.Processes != nil {
			text += fmt.Sprintf(", by %d processes that NVML shows", *d.Processes)
		}
		return text + "."
	}
	return "The probe asks for less than 1 MiB."
}

func zero(n *int) bool { return n != nil && *n == 0 }

// judgeHidden knows CUDA without a device where NVML has one.
func judgeHidden(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.run.Part != "cuda" || f.step.Code != 100 && f.step.Code != 101 {
		return said{}, false
	}
	var names []string
	bare := 0
	for _, d := range b.devices {
		if d.Index != nil {
			names = append(names, d.Name)
			if d.MIG == "on" && zero(d.Instances) {
				bare++
			}
		}
	}
	if len(names) == 0 {
		return said{}, false
	}
	s := said{kind: kindHidden, layer: rule.DeviceExposure, confidence: rule.Likely}
	s.summary = fmt.Sprintf("CUDA shows no device (%s), and NVML shows %s: %s", f.said(), gpus(len(names)), strings.Join(names, ", "))
	if bare == len(names) {
		s.kind, s.confidence = kindMIG, rule.Certain
		s.summary = fmt.Sprintf("CUDA shows no device: %s, and MIG mode is on without an instance", names[0])
		s.cause = "In MIG mode a GPU computes only in instances. They do not outlive a restart of the machine."
		s.remedies = append(s.remedies, remedy(s.layer, "make an instance with its compute instance, here of profile 0, the whole GPU", "sudo nvidia-smi mig -cgi 0 -C"),
			remedy(s.layer, "or leave MIG mode", "sudo nvidia-smi -mig 0"))
		return s, true
	}
	s.cause = "NVML needs only /dev/nvidiactl, and does not look at CUDA_VISIBLE_DEVICES. What CUDA needs beyond is each GPU's own node, /dev/nvidia-uvm with its module, and to be shown the GPU."
	s.remedies = append(s.remedies, remedy(s.layer, "look at the variable and at the nodes", "echo \"$CUDA_VISIBLE_DEVICES\"; ls -l /dev/nvidia*"))
	return s, true
}
