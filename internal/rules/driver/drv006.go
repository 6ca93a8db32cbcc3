package driver

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/version"
)

var drv006 = &rule.Rule{
	ID:       "DRV006",
	Slug:     "gpu-newer-than-driver",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The GPU is newer than the driver's branch",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedGPUs, needKernelDriver},
	Since:    "0.1",
	Cites:    []rule.Cite{citeMatrix},
	Doc: `A driver knows the GPUs of its time. The first branches are 520 for Ada and Hopper, 570 for Blackwell and 615 for
Rubin; older ones do not take the GPU, and nvidia-smi says "No devices were found". Neither a newer toolkit nor a
cuda-compat package helps, since both work over the same kernel module.

Install a newer branch. Blackwell also needs the open flavour of the kernel modules, so take the packages with "open"
in their name.`,
	Check: func(in *rule.Input) rule.Verdict {
		return supportVerdict(in, func(a kb.Architecture, branch int) bool { return !a.Tegra && branch < a.FirstBranch },
			func(in *rule.Input, hit []derive.GPU, driver version.Driver, f *rule.Finding) {
				first := in.KB.Arch(hit[0].Capability).Value
				for _, g := range hit {
					if a := in.KB.Arch(g.Capability).Value; a.FirstBranch > first.FirstBranch {
						first = a
					}
				}
				f.Summary = fmt.Sprintf("driver %s does not know %s: %s starts with branch %d", driver, gpuNames(hit), first.Name, first.FirstBranch)
				f.Cause = fmt.Sprintf("The first branch for %s is %d, and the driver is of branch %d. Its kernel module does not take the GPU: nvidia-smi says \"No devices were found\".", first.Name, first.FirstBranch, driver.Branch())
				if b, ok := remedy.Branch(in, first.FirstBranch, 0); ok {
					f.Remedies = []rule.Remedy{remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{})}
				}
			})
	},
}
