package driver

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/rules/remedy"
	"strata/internal/version"
)

var drv005 = &rule.Rule{
	ID:       "DRV005",
	Slug:     "driver-dropped-gpu",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The driver's branch no longer supports this GPU",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedGPUs, needKernelDriver},
	Since:    "0.1",
	Cites: []rule.Cite{
		citeMatrix,
		{Title: "Legacy GPUs of the Unix drivers", URL: "https://www.nvidia.com/en-us/drivers/unix/legacy-gpu/", Date: "2026-11-30"},
	},
	Doc: `Each driver branch supports GPUs from some architecture on, and a newer one may leave the oldest behind: 390 is the
last for Fermi, 470 for Kepler, 580 for Maxwell, Pascal and Volta. A driver above that ignores the GPU. nvidia-smi says
"No devices were found", and the kernel log that the GPU "is supported through the NVIDIA 580.xx Legacy drivers".

Install the last branch that supports the GPU. That bounds CUDA too: a branch runs CUDA up to its own number, and
libraries built with CUDA 13 hold no code for GPUs below compute capability 7.5, whatever the driver.`,
	Check: func(in *rule.Input) rule.Verdict {
		return supportVerdict(in, func(a kb.Architecture, branch int) bool { return a.LastBranch > 0 && branch > a.LastBranch },
			func(in *rule.Input, hit []derive.GPU, driver version.Driver, f *rule.Finding) {
				last := in.KB.Arch(hit[0].Capability).Value
				for _, g := range hit {
					if a := in.KB.Arch(g.Capability).Value; a.LastBranch < last.LastBranch {
						last = a
					}
				}
				f.Summary = fmt.Sprintf("driver %s does not support %s: branch %d is the last for %s", driver, gpuNames(hit), last.LastBranch, last.Name)
				f.Cause = fmt.Sprintf("Support for %s ended after branch %d, and the driver is of branch %d. It ignores the GPU: nvidia-smi says \"No devices were found\".", last.Name, last.LastBranch, driver.Branch())
				f.Evidence = append(f.Evidence, kernellog.Find(in, "Legacy drivers", "will ignore this GPU")...)
				if b, ok := remedy.Branch(in, 0, last.LastBranch); ok {
					f.Remedies = []rule.Remedy{remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{})}
				}
			})
	},
}

// supportVerdict is what DRV005 and DRV006 share: GPUs outside the range of
// branches that drive them.
func supportVerdict(in *rule.Input, outside func(kb.Architecture, int) bool, tell func(*rule.Input, []derive.GPU, version.Driver, *rule.Finding)) rule.Verdict {
	driver := kernelDriver(in)
	// WSL's libcuda has a Linux number over the driver of Windows, and JetPack numbers by itself.
	if len(in.GPUs) == 0 || in.Stack.OS.Jetson.Known() {
		return rule.NA()
	}
	var hit []derive.GPU
	var f rule.Finding
	unknown := ""
	for _, g := range in.GPUs {
		a := in.KB.Arch(g.Capability)
		switch {
		case g.Capability.IsZero():
			unknown = g.Unknown
		case !a.Known:
			unknown = a.Why
		case outside(a.Value, driver.Value.Branch()):
			hit = append(hit, g)
			f.Evidence = append(f.Evidence, g.From)
			f.Refs = append(f.Refs, a.Ref)
		}
	}
	if len(hit) == 0 {
		if unknown != "" {
			return rule.Cannot(unknown, "say --assume gpu=NAME or gpu=sm_NN")
		}
		if b := in.KB.Branch(driver.Value.Branch()); b.Beyond {
			return rule.FromAnswer(b)
		}
		return rule.Clean()
	}
	f.Evidence = append(f.Evidence, driver.Sources...)
	tell(in, hit, driver.Value, &f)
	if len(hit) < len(in.GPUs) {
		f.Severity = rule.AtRisk
		f.Cause += " The other GPUs of this machine are not affected."
	}
	return rule.Found(f)
}
