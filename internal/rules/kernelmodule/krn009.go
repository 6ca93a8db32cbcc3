package kernelmodule

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var krn009 = &rule.Rule{
	ID:       "KRN009",
	Slug:     "next-kernel-has-no-module",
	Layer:    rule.KernelModule,
	Severity: rule.AtRisk,
	Title:    "The kernel that starts next has no nvidia module",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needOwnModule, rule.NeedRelease, rule.NeedFiles, needInstalled},
	Since:    "0.1",
	Cites:    []rule.Cite{citeInstall},
	Doc: `Everything works now, but a newer kernel is installed than the one that runs, and there is no nvidia module for it.
Boot loaders start the newest kernel, so the next restart leaves the machine without its GPU: "NVIDIA-SMI has failed
because it couldn't communicate with the NVIDIA driver". Usually the kernel came by an unattended upgrade without its
headers package, or DKMS could not build the driver against it.

Install the headers of the new kernel and let DKMS build, before restarting. Kernels of another flavour (-aws beside
-generic) are not compared, since only the boot loader knows which of them it starts.`,
	Check: func(in *rule.Input) rule.Verdict {
		running, files := in.Stack.Kernel.Release.Value, moduleFiles(in, "")
		if len(files) == 0 || len(moduleFiles(in, running)) == 0 {
			return rule.NA() // KRN002, or a driver that is put into place some other way
		}
		next := running
		for _, r := range in.Stack.Kernel.Installed.Value { // oldest first
			if kernelFlavor(r) == kernelFlavor(running) {
				next = r
			}
		}
		if next == running || len(moduleFiles(in, next)) > 0 {
			return rule.Clean()
		}
		f := rule.Finding{
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("the next restart loses the GPU: kernel %s, installed beside %s, which runs, has no nvidia module", next, running),
			Evidence:   append([]stack.Source{files[0].From}, in.Stack.Kernel.Installed.Sources...),
		}
		f.Cause, f.Evidence = whyNoModule(in, next, f.Evidence)
		f.Cause += " This assumes that the boot loader starts the newest kernel, as it does unless told otherwise."
		apt, dnf := headers(next)
		f.Remedies = []rule.Remedy{{
			Summary: fmt.Sprintf("install the headers of kernel %s and build the module for it before restarting", next), Layer: rule.KernelModule,
			Changes: []stack.Change{stack.BuildModule{Release: next}}, Commands: remedy.ForDistribution(in, apt, dnf),
		}}
		return rule.Found(f)
	},
}

var needInstalled = rule.Need{Name: "the installed kernels", Seen: func(in *rule.Input) stack.Seen { return in.Stack.Kernel.Installed.Seen() }}

// kernelFlavor is what distributions put behind the numbers: generic in
// 6.5.0-44-generic, +debug in 5.14.0-427.el9.x86_64+debug.
func kernelFlavor(release string) string {
	if _, after, ok := strings.Cut(release, "+"); ok {
		return "+" + after
	}
	i := strings.LastIndexByte(release, '-')
	if last := release[i+1:]; i > 0 && last != "" && (last[0] < '0' || last[0] > '9') {
		return last
	}
	return ""
}
