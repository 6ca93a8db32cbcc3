package report

import (
	"strings"

	"strata/internal/derive"
	"strata/internal/stack"
)

// environment keeps what is known and says nothing about the rest. Where
// several environments differ, the first one found gives the value.
func environment(v *derive.View) Environment {
	s := v.Stack
	e := Environment{
		OS: s.OS.Name.Or(""), Kernel: s.Kernel.Release.Or(""), ModuleFlavor: s.Kernel.Flavor.Or(""),
		Frameworks: map[string]string{}, FrameworkCUDA: map[string]string{}, NotablePackages: map[string]string{},
	}
	for _, g := range v.GPUs {
		e.GPUs = append(e.GPUs, GPU{Name: g.Name, ComputeCapability: g.Capability.String()})
	}
	if v.Driver.Known() {
		e.DriverVersion = v.Driver.Value.String()
	}
	if v.DriverCUDA.Known {
		e.DriverCUDA = v.DriverCUDA.Value.String()
	}
	if s.Kernel.Version.Known() {
		e.KernelModuleVersion = s.Kernel.Version.Value.String()
	}
	for _, t := range s.CUDA.Toolkits.Value {
		if e.Toolkit == "" || t.Default {
			e.Toolkit = t.Version.String()
		}
	}
	first := func(dst *string, value string) {
		if *dst == "" {
			*dst = value
		}
	}
	libraries := func(libs []stack.Library) {
		for _, l := range libs {
			if l.Version == "" {
				continue
			}
			switch {
			case strings.HasPrefix(l.Soname, "libcudart.so"):
				first(&e.CUDARuntime, l.Version)
			case strings.HasPrefix(l.Soname, "libcudnn.so"):
				first(&e.CUDNN, l.Version)
			case strings.HasPrefix(l.Soname, "libnccl.so"):
				first(&e.NCCL, l.Version)
			case strings.HasPrefix(l.Soname, "libnvinfer.so"):
				first(&e.TensorRT, l.Version)
			}
		}
	}
	for i := range s.Python.Value {
		env := &s.Python.Value[i]
		for _, f := range env.Frameworks {
			if _, ok := e.Frameworks[f.Package]; ok {
				continue
			}
			e.Frameworks[f.Package] = f.Version
			first(&e.Python, env.Python.Or(""))
			if f.CUDA.Known() {
				e.FrameworkCUDA[f.Package] = f.CUDA.Value.String()
			}
		}
		for _, p := range env.Packages.Value {
			if strings.HasPrefix(p.Name, "nvidia-") {
				if _, ok := e.NotablePackages[p.Name]; !ok {
					e.NotablePackages[p.Name] = p.Version
				}
			}
		}
		libraries(env.Libraries.Value)
	}
	libraries(s.CUDA.Libraries.Value)
	first(&e.Python, firstPython(s))
	return e
}

func firstPython(s *stack.Stack) string {
	for _, env := range s.Python.Value {
		if env.Python.Known() {
			return env.Python.Value
		}
	}
	return ""
}
