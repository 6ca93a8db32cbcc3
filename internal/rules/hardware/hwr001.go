package hardware

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
)

var hwr001 = &rule.Rule{
	ID:       "HWR001",
	Slug:     "no-gpu",
	Layer:    rule.Hardware,
	Severity: rule.Broken,
	Title:    "There is no NVIDIA GPU on this machine",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedGPUs},
	After:    []string{"HWR003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "NVIDIA Driver Installation Guide: verify you have a supported GPU", URL: "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/", Date: "2026-11-30"},
	},
	Doc: `No function on the PCI bus has NVIDIA's vendor number 10de and a display class, so there is no GPU for any
driver to find. nvidia-smi says "No devices were found" or that it cannot reach the driver, frameworks run on the
CPU, and code that insists on CUDA stops with error 100, "no CUDA-capable device is detected".

In a virtual machine or a cloud instance the GPU was not passed through, or the instance type has none. On a
computer of your own the card is not seated, not powered, switched off in the firmware, or hidden behind a bridge
without address space ("Above 4G decoding").

Without a driver and without a CUDA build of a framework this is only a note: nothing here expects a GPU. To judge
an environment for another machine, name its GPU: strata check --assume gpu='NVIDIA A100-SXM4-80GB'.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) > 0 {
			return rule.Clean()
		}
		where := append([]stack.Source{}, in.Stack.Hardware.PCI.Sources...)
		expecting, evidence := expectsGPU(in)
		f := rule.Finding{
			Evidence: append(where, evidence...),
			Remedies: []rule.Remedy{
				{Summary: "look whether the bus shows a GPU; in a virtual machine pass one through or choose an instance type that has one, on a computer check seat, power and firmware settings",
					Layer: rule.Hardware, Commands: []rule.Command{{For: "shell", Run: "lspci -d 10de:"}}},
				{Summary: "if another machine is meant to run this, name its GPU and driver",
					Layer: rule.Hardware, Commands: []rule.Command{{For: "shell", Run: "strata check --assume gpu='NVIDIA A100-SXM4-80GB' --assume driver=580.95.05"}}},
			},
		}
		if len(expecting) == 0 {
			f.Severity = rule.Note
			f.Summary = "no NVIDIA GPU on the PCI bus, and nothing here that would use one"
			f.Cause = "Every function of the bus was looked at; none is an NVIDIA GPU. No NVIDIA driver and no CUDA build of a framework was found either."
			return rule.Found(f)
		}
		f.Summary = fmt.Sprintf("no NVIDIA GPU on the PCI bus, but %s", strings.Join(expecting, ", "))
		f.Cause = "Every function of the bus was looked at; none is an NVIDIA GPU. Frameworks fall back to the CPU or stop with error 100, \"no CUDA-capable device is detected\"."
		if !in.Stack.Kernel.Version.Known() {
			f.Confidence = rule.Likely
			f.Cause += " This assumes that the machine that was read is the one to run the program."
		}
		return rule.Found(f)
	},
}

// expectsGPU names what on the machine has no use without a GPU: a driver, or
// the CUDA build of a framework.
func expectsGPU(in *rule.Input) (what []string, evidence []stack.Source) {
	if v := in.Stack.Kernel.Version; v.Known() {
		what = append(what, fmt.Sprintf("the nvidia module %s is loaded", v.Value))
		evidence = append(evidence, v.Sources...)
	} else if l := in.Libcuda; l != nil && l.Place == "system" {
		what = append(what, fmt.Sprintf("the driver's %s is installed", l.Path))
		evidence = append(evidence, l.From)
	}
	var builds []string
	for _, w := range in.Workloads {
		f := w.Framework
		if w.On == nil && f.Variant.Or("") == "cuda" {
			builds = append(builds, describe(w))
			evidence = append(evidence, f.Variant.Sources...)
		}
	}
	if len(builds) > 0 {
		what = append(what, strings.Join(builds, " and ")+" is built for CUDA")
	}
	return what, evidence
}

func describe(w *derive.Workload) string {
	return fmt.Sprintf("%s %s in %s", w.Framework.Package, w.Framework.Version, w.Place())
}
