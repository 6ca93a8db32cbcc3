package kernelmodule

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var krn005 = &rule.Rule{
	ID:       "KRN005",
	Slug:     "open-module-required",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The GPU needs NVIDIA's open kernel module, but the proprietary one is installed",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needNative, rule.NeedGPUs, needFlavor},
	After:    []string{"DRV006"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeInstall, citeOpen},
	Doc: `NVIDIA ships its kernel module in two flavours. Blackwell and Grace Hopper GPUs work with the open flavour only. With
the proprietary one the module loads and ignores the GPU: nvidia-smi says "No devices were found", and the kernel log
"installed in this system requires use of the NVIDIA open kernel modules".

Both flavours have the same version numbers and the same libraries; install the packages with "open" in their name
and restart. In /proc/driver/nvidia/version the open flavour calls itself "Open Kernel Module".`,
	Check: func(in *rule.Input) rule.Verdict {
		return flavorVerdict(in, kb.OpenRequired, "proprietary", "open",
			"needs the open one", "nvidia-smi says \"No devices were found\"; the kernel log that the GPU \"requires use of the NVIDIA open kernel modules\".",
			"requires use of the NVIDIA open kernel modules")
	},
}

// flavorVerdict is what KRN005 and KRN006 share: GPUs that stand in one
// relation to the open flavour, and the flavour that is wrong for them.
func flavorVerdict(in *rule.Input, need kb.OpenModule, wrong, right, what, seen, said string) rule.Verdict {
	have, sources := flavor(in)
	if len(in.GPUs) == 0 {
		return rule.NA()
	}
	var hit, unknown []derive.GPU
	var refs []kb.Ref
	var evidence []stack.Source
	for _, g := range in.GPUs {
		switch g.OpenModule {
		case string(need):
			hit = append(hit, g)
			refs = append(refs, g.Ref)
			evidence = append(evidence, g.From)
		case "":
			unknown = append(unknown, g)
		}
	}
	if have != wrong || len(hit) == 0 {
		if have == wrong && len(unknown) > 0 {
			return rule.Cannot(fmt.Sprintf("which kernel module %s needs is not known: %s", unknown[0].Name, unknown[0].Unknown), "say --assume gpu=NAME")
		}
		return rule.Clean()
	}
	f := rule.Finding{
		Summary:  fmt.Sprintf("the %s module is installed, and %s %s", wrong, names(hit), what),
		Cause:    "The module loads and does not take the GPU. " + seen,
		Evidence: append(append(evidence, sources...), kernellog.Find(in, said, "GPU System Processor")...),
		Refs:     refs,
	}
	if len(hit) < len(in.GPUs) {
		f.Severity = rule.AtRisk
		f.Cause += " The other GPUs of this machine are not affected."
	}
	driver := in.Stack.Kernel.Version
	if !driver.Known() {
		driver = in.Driver
	}
	if driver.Known() {
		r := remedy.Driver(in, kb.DriverBranch{Branch: driver.Value.Branch(), Latest: driver.Value}, right, driver.Value)
		r.Summary = fmt.Sprintf("install the %s kernel modules of branch %d and restart", right, driver.Value.Branch())
		f.Remedies = []rule.Remedy{r}
	}
	return rule.Found(f)
}

// flavor is that of the loaded module, else of the file that would be loaded,
// since a module without a GPU that it can drive may unload again.
func flavor(in *rule.Input) (string, []stack.Source) {
	if f := in.Stack.Kernel.Flavor; f.Known() {
		return f.Value, f.Sources
	}
	for _, f := range moduleFiles(in, in.Stack.Kernel.Release.Or("")) {
		if f.Flavor != "" {
			return f.Flavor, []stack.Source{f.From}
		}
	}
	return "", nil
}

// needFlavor is the flavour from either place.
var needFlavor = rule.Need{Name: "the kernel module's flavour", Seen: func(in *rule.Input) stack.Seen {
	if v, _ := flavor(in); v != "" {
		return stack.Seen{State: stack.Known}
	}
	return in.Stack.Kernel.Flavor.Seen()
}}
