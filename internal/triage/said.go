package triage

import (
	"maps"
	"slices"
	"strings"

	"strata/internal/dump"
	"strata/internal/lazyregexp"
	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/rule"
)

// withFacts is the cause of the deciding finding with the numbers of the text
// that belong to its layer and that it does not have yet. Who reads the answer
// alone, in a ticket or by a program, needs them beside it. What the lines of later messages name comes last.
func (j *judge) withFacts(f *report.Finding, later ...report.Evidence) string {
	told := strings.ToLower(f.Title + " " + f.Summary + " " + f.Cause)
	for _, r := range f.Remedies {
		told += " " + strings.ToLower(r.Summary)
	}
	var parts []string
	for _, p := range slices.Concat(factsOf(f.Layer, j.record), namesIn(f.Evidence), namesIn(later)) {
		_, value, ok := strings.Cut(p, "\t")
		if value == "" || !ok || strings.Contains(told, strings.ToLower(value)) || len(parts) == maxSaid {
			continue
		}
		told += " " + strings.ToLower(value)
		parts = append(parts, strings.TrimSpace(strings.ReplaceAll(p, "\t", " ")))
	}
	var about []string
	if f.Confidence == rule.Possible.String() {
		about = j.speaksOf(told, f.Evidence)
	}
	if len(parts)+len(about) == 0 {
		return f.Cause
	}
	because, question, asks := strings.Cut(f.Cause, asking)
	if len(parts) > 0 {
		because += " The text has: " + redact.Foreign(strings.Join(parts, ", ")) + "."
	}
	if len(about) > 0 {
		because += " It speaks of " + strings.Join(about, ", ") + "."
	}
	because = strings.TrimSpace(because)
	if asks {
		return because + asking + question
	}
	return because
}

// maxSaid bounds the numbers beside an answer: what else there is stands in the environment.
const maxSaid = 7

// factsOf are the facts that matter for a layer, "label\tvalue", the nearest first.
func factsOf(layer rule.Layer, r *dump.Record) []string {
	gpu, framework := []string{}, []string{}
	for _, g := range r.GPUs {
		if p := "GPU\t" + g.Name; !slices.Contains(gpu, p) && len(gpu) < 2 {
			gpu = append(gpu, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Frameworks)) {
		framework = append(framework, name+"\t"+r.Frameworks[name].Text)
		if cuda := r.FrameworkCUDA[name]; cuda.Known() {
			framework = append(framework, name+" built for CUDA\t"+cuda.Text)
		}
	}
	driver := []string{"driver\t" + r.Driver.Text, "kernel module\t" + r.Module.Text, "CUDA of the driver\t" + r.DriverCUDA.Text}
	kernel := []string{"kernel\t" + r.Kernel.Text, "system\t" + r.OS.Text, "module\t" + r.ModuleFlavor.Text}
	cuda := []string{"CUDA runtime\t" + r.CUDARuntime.Text, "toolkit\t" + r.Toolkit.Text, "cuDNN\t" + r.CUDNN.Text, "TensorRT\t" + r.TensorRT.Text, "NCCL\t" + r.NCCL.Text}
	switch layer {
	case rule.Hardware, rule.KernelModule:
		return slices.Concat(gpu, driver, kernel)
	case rule.Driver, rule.DeviceExposure:
		return slices.Concat(driver, gpu, kernel, framework, cuda[:2])
	case rule.ContainerRuntime:
		return slices.Concat([]string{"image\t" + r.Image.Text}, driver, gpu, kernel)
	case rule.GPUArch, rule.FrameworkBuild:
		return slices.Concat(framework, gpu, driver, cuda)
	case rule.PythonEnv, rule.PackageConflict:
		return slices.Concat(framework, []string{"Python\t" + r.Python.Text}, cuda, gpu)
	case rule.Application:
		return slices.Concat(framework, gpu)
	}
	return slices.Concat(cuda, framework, driver, gpu)
}

// names are what a message names beside its words: libraries, variables, error codes, device files, programs and modules of the driver.
var names = lazyregexp.New(`\blib[\w+-]+(?:\.[\w+-]+)*\.so(?:\.\d+)*|\b\w+\.dll\b|\bsm_\d{2,3}[af]?\b|\b(?:CUDA|CUBLAS|CUDNN|CUFFT|NVML|NCCL)_(?:ERROR|STATUS)_[A-Z_]+\b|` +
	`\b(?:CUDA|NVIDIA|LD|TF|XLA|NCCL|TORCH|PYTORCH|ORT)_[A-Z][A-Z_]{3,}\b|/dev/(?:nvidia[\w-]*|dxg|dri)\b|` +
	`\bXid\W{1,3}\d+\b|\bnvidia[-_](?:fabricmanager|persistenced|modprobe|uvm|drm|modeset|peermem|container-cli|container-runtime|container-toolkit|ctk|device-plugin|operator-validator|mig-manager|dkms|open|gridd|imex|cuda-mps-\w+)\b|\bnvidia\.com/[\w.-]*\w|` +
	// releases of drivers and of kernels, and packages of a branch
	`\b[3-6]\d\d\.\d{2,3}(?:\.\d{2})?\b|\b[2-7]\.\d{1,2}\.\d{1,3}-[\w.+-]*\w|\b(?:lib)?nvidia-(?:[a-z]+-)*\d{3}\b`)

func namesIn(list []report.Evidence) (out []string) {
	for _, e := range list {
		for _, n := range names.FindAllString(e.Text, maxSaid) {
			out = append(out, "\t"+n)
		}
	}
	return out
}
