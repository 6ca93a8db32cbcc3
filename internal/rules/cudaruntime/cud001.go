package cudaruntime

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var cud001 = &rule.Rule{
	ID:       "CUD001",
	Slug:     "forward-compat-on-unsupported-gpu",
	Layer:    rule.CUDARuntime,
	Severity: rule.Broken,
	Title:    "A forward-compatibility libcuda is used on a GPU that may not use it",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib, needCompat, rule.NeedGPUs, rule.NeedModule},
	After:    []string{"CUD002"},
	Since:    "0.1",
	Cites:    []rule.Cite{forwardCompatibility},
	Doc: `NVIDIA's cuda-compat packages bring a newer libcuda for an older kernel module. They are for
data-centre GPUs, some NGC-Ready workstation boards and Jetson. On a GeForce card cuInit ends with error 804,
"forward compatibility was attempted on non supported HW", even where the driver itself would have run the
program.

Container images based on nvidia/cuda carry such a package in /usr/local/cuda/compat; it does harm only when that
directory comes before the driver's own on the search path (LD_LIBRARY_PATH, or a file in ld.so.conf.d). Take the
directory off the path: inside one CUDA major release the driver then runs the program by minor-version compatibility.
Where the driver is below the floor of that major release only a newer driver helps.`,
	Check: func(in *rule.Input) rule.Verdict {
		lib, module := in.Libcuda, in.Stack.Kernel.Version
		if v, err := version.ParseDriver(lib.Version); err == nil && v.Compare(module.Value) == 0 {
			return rule.NA() // the module's own libcuda, whatever its directory is called
		}
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		var refused []string
		var refs []kb.Ref
		evidence := []stack.Source{stack.From("elf", lib.Path, 0, "forward-compatibility note, CUDA "+lib.Compat.CUDA)}
		for _, g := range in.GPUs {
			allowed, known := kb.GPUClass(g.Class).ForwardCompatible()
			if g.Class == "" || !known {
				return rule.Cannot(fmt.Sprintf("whether %s may use forward-compatibility packages: NVIDIA allows some workstation boards and does not name them all", g.Name), "")
			}
			if !allowed {
				refused = append(refused, g.Name)
				evidence = append(evidence, g.From)
				refs = append(refs, g.Ref)
			}
		}
		if len(refused) == 0 {
			return rule.Clean()
		}
		return rule.Found(rule.Finding{
			Summary: fmt.Sprintf("cuda-compat is not for %s: %s (CUDA %s) comes before the driver's own libcuda", strings.Join(refused, ", "), lib.Path, lib.Compat.CUDA),
			Cause: fmt.Sprintf("Forward-compatibility packages work on data-centre GPUs only, and where kernel module %s needs one. "+
				`Here cuInit fails with error 804, "forward compatibility was attempted on non supported HW".`, module.Value),
			Evidence: append(evidence, module.Sources...),
			Refs:     refs,
			Remedies: offPath(in),
		})
	},
}
