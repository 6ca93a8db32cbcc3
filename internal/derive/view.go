// Package derive turns raw facts into what rules and reports talk about: which
// GPU a PCI id is, which driver counts, which copy of a library wins, which
// workloads there are. Its functions are pure; what rests on the knowledge base
// cites the row.
package derive

import (
	"path"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// View is one stack seen through one knowledge base.
type View struct {
	Stack *stack.Stack
	KB    *kb.Base
	// GPUs are NVIDIA's GPUs, in bus order. Whether the list may be trusted to
	// be complete is GPUsSeen's state: Known also when it is empty.
	GPUs     []GPU
	GPUsSeen stack.Seen
	// Away are GPUs that the host keeps for virtual machines, beside others that
	// it uses itself. They are not among GPUs.
	Away []GPU
	// Driver is the version that decides compatibility: what --assume says, else
	// the copy of libcuda that wins, else the loaded module.
	Driver stack.Fact[version.Driver]
	// Libcuda is the copy of libcuda.so.1 that a program would load; nil where none is found.
	Libcuda *stack.Library
	// DriverCUDA is the newest CUDA that Driver runs.
	DriverCUDA kb.Answer[version.CUDA]
	// DriverPTX is the newest PTX ISA that Driver compiles.
	DriverPTX kb.Answer[version.PTX]
	// Workloads are in the order of environments, frameworks before their extensions.
	Workloads []*Workload
	// Search is where the dynamic linker looks for a program without paths of its own.
	Search []SearchDir
	// Trial is true while a remedy is tried: findings then need no remedies of their own.
	Trial bool

	cache linkerCache

	wants map[*Workload]wanted
	exact map[*Workload]*followed
}

// New derives everything that does not depend on a single workload.
func New(s *stack.Stack, base *kb.Base) *View {
	v := &View{Stack: s, KB: base}
	v.GPUs, v.GPUsSeen = gpus(s, base)
	v.GPUs, v.Away = kept(v.GPUs)
	v.cache = newLinkerCache(s)
	v.Search = systemSearch(s, v.cache)
	v.Libcuda = v.findSystem("libcuda.so.1")
	v.Driver = v.driver()
	if v.Driver.Known() {
		v.DriverCUDA = base.DriverCUDA(v.Driver.Value)
		v.DriverPTX = base.PTXForDriver(v.Driver.Value)
		// A forward-compatibility libcuda brings its own, newer CUDA.
		if note := v.compatNote(); note != "" {
			if c, err := version.ParseCUDA(note); err == nil {
				v.DriverCUDA.Value, v.DriverCUDA.Known = c, true
				if p := base.PTXForCUDA(c); p.Known {
					v.DriverPTX = p
				}
			}
		}
	}
	v.Workloads = workloads(s)
	return v
}

func (v *View) compatNote() string {
	if v.Libcuda == nil || v.Libcuda.Compat == nil || v.Stack.Driver.Assumed.Known() {
		return ""
	}
	return v.Libcuda.Compat.CUDA
}

// driver picks the version that compatibility is judged by, with its reason.
func (v *View) driver() stack.Fact[version.Driver] {
	s := v.Stack
	if s.Driver.Assumed.Known() {
		return s.Driver.Assumed
	}
	if lib := v.Libcuda; lib != nil && lib.Fault == "" && lib.Place != "stubs" && lib.Version != "" {
		if d, err := version.ParseDriver(lib.Version); err == nil {
			return stack.Know(d, stack.From("elf", lib.Path, 0, path.Base(lib.Real)))
		}
	}
	if s.Kernel.Version.Known() {
		return s.Kernel.Version
	}
	// NVML is installed with libcuda and carries the same version.
	if lib := v.findSystem("libnvidia-ml.so.1"); lib != nil && lib.Place != "stubs" {
		if d, err := version.ParseDriver(lib.Version); err == nil {
			return stack.Know(d, lib.From)
		}
	}
	if s.Kernel.Version.State == stack.Absent || s.Driver.Libraries.State == stack.Known {
		return stack.Fact[version.Driver]{
			State: stack.NotCollected,
			Why:   "none was found in what was read",
			Allow: "read the host that will run this, or say --assume driver=VERSION",
		}
	}
	return stack.Fact[version.Driver]{State: s.Kernel.Version.State, Why: s.Kernel.Version.Why, Allow: s.Kernel.Version.Allow}
}
