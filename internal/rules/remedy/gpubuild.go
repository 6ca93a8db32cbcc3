package remedy

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// GPUBuild offers builds of the workload's framework that this driver and
// these GPUs run, smallest change first; none where the knowledge base has no
// table of that framework's builds.
func GPUBuild(in *rule.Input, layer rule.Layer) []rule.Remedy {
	if in.Trial || in.Workload == nil || in.Workload.Env == nil {
		return nil
	}
	if !wheelsKnown(in) {
		return elsewhere(in, layer)
	}
	switch in.Workload.Name {
	case "pytorch":
		return OtherTorchBuild(in, layer)
	case "onnxruntime":
		return OtherONNXRuntime(in, layer)
	case "tensorflow":
		return TensorFlowWithCUDA(in, layer)
	case "jax":
		return JAXPlugin(in, layer)
	case "cupy":
		return OtherCuPy(in, layer)
	case "bitsandbytes", "ctranslate2":
		return OtherConsumer(in, layer)
	}
	return nil
}

// elsewhere is advice for machines of which the tables say nothing. PyTorch's
// indexes have wheels for aarch64 too, in some of the variants.
func elsewhere(in *rule.Input, layer rule.Layer) []rule.Remedy {
	if in.Workload.Name != "pytorch" {
		return nil
	}
	return []rule.Remedy{{
		Summary: fmt.Sprintf("install the CUDA build of torch for %s from one of PyTorch's indexes, such as https://download.pytorch.org/whl/cu130; PyPI's wheel for it may be without CUDA", in.Stack.OS.Arch.Or("this machine")),
		Layer:   layer,
	}}
}

// wheelsKnown: the tables describe wheels for Linux on x86_64.
func wheelsKnown(in *rule.Input) bool { return in.Stack.OS.Arch.Or("x86_64") == "x86_64" }

// fits tells whether a build of a CUDA with some GPU code runs here: the driver
// starts that CUDA, and every GPU whose capability is known has code. What is
// not known, here or of the build, does not speak against it.
func fits(in *rule.Input, cuda version.CUDA, code kb.Code) bool {
	return driverStarts(in, cuda) && codeCovers(in, cuda, code)
}

// driverStarts tells whether the driver starts programs of a CUDA, which may be
// a major alone. A driver that is not known starts everything.
func driverStarts(in *rule.Input, cuda version.CUDA) bool {
	if !in.Driver.Known() || cuda.IsZero() {
		return true
	}
	floor := in.KB.MinDriverFor(cuda)
	if !floor.Known {
		floor = in.KB.MinDriverForMajor(cuda.Major())
	}
	return floor.Known && !in.Driver.Value.Less(floor.Value.Linux)
}

func codeCovers(in *rule.Input, cuda version.CUDA, code kb.Code) bool {
	if !code.Archs.Known {
		return true
	}
	have := derive.DeviceCode(in.KB, code, cuda)
	for _, g := range in.GPUs {
		if !g.Capability.IsZero() && derive.Cover(have, g.Capability, in.DriverPTX.Value) < derive.JIT {
			return false
		}
	}
	return true
}

// pythonFits tells whether a release has wheels for the environment's Python;
// a zero bound is not known and does not bind.
func pythonFits(env *stack.Environment, from, last version.PEP440) bool {
	py, err := version.ParsePEP440(env.Python.Or(""))
	if err != nil {
		return true
	}
	return (from.IsZero() || !py.Less(from)) && (last.IsZero() || !last.Less(minor(py)))
}

// missingWheels are NVIDIA's packages that bring sonames which the workload
// does not find here, each once, for a CUDA major.
func missingWheels(in *rule.Input, sonames []string, cudaMajor int) (specs []string, changes []stack.Change) {
	env := in.Workload.Env
	seen := map[string]bool{}
	for _, name := range sonames {
		if derive.InWheel(in.Workload, name) != nil || in.FindSystem(name).Winner != nil {
			continue
		}
		row := in.KB.Soname(name, cudaMajor)
		if !row.Known || row.Value.Pip == "" || seen[row.Value.Pip] {
			continue
		}
		seen[row.Value.Pip] = true
		specs = append(specs, quote(row.Value.Pip+row.Value.PipSpec))
		ver := ""
		if v := trimSpec(row.Value.PipSpec); v != "" {
			ver = v
		}
		changes = append(changes, stack.Install{Prefix: env.Prefix, Package: row.Value.Pip, Version: ver})
	}
	return specs, changes
}

// trimSpec makes the version out of a specifier such as "==9.*".
func trimSpec(spec string) string {
	v := ""
	if _, err := fmt.Sscanf(spec, "==%s", &v); err != nil {
		return ""
	}
	for len(v) > 0 && (v[len(v)-1] == '*' || v[len(v)-1] == '.') {
		v = v[:len(v)-1]
	}
	return v
}
