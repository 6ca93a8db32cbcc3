package triage

import (
	"strata/internal/dump"
	"strata/internal/report"
)

// environment is what the text says, and nothing that only follows from it.
func environment(r *dump.Record) report.Environment {
	e := report.Environment{
		OS: r.OS.Text, Kernel: r.Kernel.Text, DriverVersion: r.Driver.Text, DriverCUDA: r.DriverCUDA.Text,
		KernelModuleVersion: r.Module.Text, ModuleFlavor: r.ModuleFlavor.Text, CUDARuntime: r.CUDARuntime.Text, Toolkit: r.Toolkit.Text,
		CUDNN: r.CUDNN.Text, NCCL: r.NCCL.Text, TensorRT: r.TensorRT.Text, Python: r.Python.Text, ContainerImage: r.Image.Text,
		Frameworks: values(r.Frameworks), FrameworkCUDA: values(r.FrameworkCUDA), NotablePackages: map[string]string{},
	}
	for _, g := range r.GPUs {
		e.GPUs = append(e.GPUs, report.GPU{Name: g.Name, ComputeCapability: g.ComputeCapability, MemoryMiB: g.MemoryMiB})
	}
	for _, p := range r.Packages {
		if _, ok := e.NotablePackages[p.Name]; !ok {
			e.NotablePackages[p.Name] = p.Version
		}
	}
	switch r.GPUAvailable.Text {
	case "true":
		yes := true
		e.GPUAvailable = &yes
	case "unavailable":
		no := false
		e.GPUAvailable = &no
	}
	return e
}

func values(m map[string]dump.Value) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v.Text
	}
	return out
}
