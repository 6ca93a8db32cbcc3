package rule

import (
	"strata/internal/derive"
	"strata/internal/stack"
	"strata/internal/version"
)

// Need is a fact that a rule cannot do without.
type Need struct {
	// Name is what is needed, in words, for "unknown because".
	Name string
	// Seen tells how much is known of it.
	Seen func(*Input) stack.Seen
	// AbsentIsFine lets the rule run where the thing is known not to be there;
	// otherwise the question does not arise then.
	AbsentIsFine bool
}

// OrAbsent is the need that also runs where the thing is not there.
func (n Need) OrAbsent() Need { n.AbsentIsFine = true; return n }

func fact[T any](name string, get func(*Input) stack.Fact[T]) Need {
	return Need{Name: name, Seen: func(in *Input) stack.Seen { return get(in).Seen() }}
}

// The facts that rules ask for. A rule with a need of its own makes a Need.
var (
	NeedGPUs = Need{Name: "the GPUs", Seen: func(in *Input) stack.Seen { return in.GPUsSeen }}

	NeedDriver    = fact("the driver's version", func(in *Input) stack.Fact[version.Driver] { return in.Driver })
	NeedModule    = fact("the loaded kernel module's version", func(in *Input) stack.Fact[version.Driver] { return in.Stack.Kernel.Version })
	NeedFlavor    = fact("the kernel module's flavour", func(in *Input) stack.Fact[string] { return in.Stack.Kernel.Flavor })
	NeedLoaded    = fact("the loaded kernel modules", func(in *Input) stack.Fact[[]stack.LoadedModule] { return in.Stack.Kernel.Loaded })
	NeedRelease   = fact("the running kernel", func(in *Input) stack.Fact[string] { return in.Stack.Kernel.Release })
	NeedFiles     = fact("the module files on disk", func(in *Input) stack.Fact[[]stack.ModuleFile] { return in.Stack.Kernel.Files })
	NeedKernelLog = fact("the kernel log", func(in *Input) stack.Fact[[]stack.LogLine] { return in.Stack.Kernel.Log })
	NeedDriverLib = fact("the driver's libraries", func(in *Input) stack.Fact[[]stack.Library] { return in.Stack.Driver.Libraries })
	NeedNodes     = fact("the device nodes", func(in *Input) stack.Fact[[]stack.DeviceNode] { return in.Stack.Devices.Nodes })
	NeedUser      = fact("the user who asks", func(in *Input) stack.Fact[stack.User] { return in.Stack.Devices.User })
	NeedEnv       = fact("the environment variables", func(in *Input) stack.Fact[[]stack.Variable] { return in.Stack.Environment })
	NeedInside    = fact("whether this is a container", func(in *Input) stack.Fact[string] { return in.Stack.Container.Inside })
	NeedEngines   = fact("the container engines", func(in *Input) stack.Fact[[]stack.Engine] { return in.Stack.Container.Engines })
	NeedCDI       = fact("the CDI specifications", func(in *Input) stack.Fact[[]stack.CDISpec] { return in.Stack.Container.CDI })
	NeedToolkits  = fact("the CUDA toolkits", func(in *Input) stack.Fact[[]stack.Toolkit] { return in.Stack.CUDA.Toolkits })

	// NeedBuildCUDA is what View.BuildCUDA returns: read in the build, published
	// for the release, or told by what it links. A build for the CPU has none.
	NeedBuildCUDA = Need{Name: "the CUDA the framework was built with", Seen: func(in *Input) stack.Seen {
		switch f := in.Framework(); {
		case f.CUDA.Known():
			return f.CUDA.Seen()
		case f.Variant.Known() && f.Variant.Value != "cuda":
			return stack.Seen{State: stack.Absent}
		case !in.BuildCUDA(in.Workload).IsZero():
			return stack.Seen{State: stack.Known}
		case derive.Pure(in.Workload):
			return stack.Seen{State: stack.Absent} // it was built with none: what it stands on was
		default:
			return f.CUDA.Seen()
		}
	}}
	NeedVariant  = fact("which variant of the framework this is", func(in *Input) stack.Fact[string] { return in.Framework().Variant })
	NeedCode     = fact("the machine code in the framework", func(in *Input) stack.Fact[[]stack.DeviceCode] { return in.Framework().Code })
	NeedPackages = fact("the environment's packages", func(in *Input) stack.Fact[[]stack.Package] {
		if in.Workload.Env == nil {
			return stack.None[[]stack.Package]()
		}
		return in.Workload.Env.Packages
	})
	// NeedTorch is the PyTorch that an extension is installed beside.
	NeedTorch = Need{Name: "the PyTorch that it extends", Seen: func(in *Input) stack.Seen {
		if in.Workload.On == nil || in.Workload.On.Name != "pytorch" {
			return stack.Seen{State: stack.Absent}
		}
		return stack.Seen{State: stack.Known}
	}}
	// NeedWants is known where the workload's native libraries could be read, and
	// absent of a build that is known not to use CUDA.
	NeedWants = Need{Name: "the workload's native libraries", Seen: func(in *Input) stack.Seen {
		if v := in.Framework().Variant; v.Known() && v.Value != "cuda" {
			return stack.Seen{State: stack.Absent, Sources: v.Sources}
		}
		if derive.Pure(in.Workload) {
			return stack.Seen{State: stack.Absent}
		}
		if _, ok := in.Wants(in.Workload); ok {
			return stack.Seen{State: stack.Known}
		}
		return stack.Seen{State: stack.NotCollected, Why: "none of the framework's native libraries could be read"}
	}}
)
