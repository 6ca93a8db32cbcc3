package kernelmodule

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var krn002 = &rule.Rule{
	ID:       "KRN002",
	Slug:     "no-module-for-running-kernel",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "There is no nvidia kernel module for the running kernel",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needOwnModule, rule.NeedGPUs, rule.NeedRelease, rule.NeedLoaded, rule.NeedFiles.OrAbsent()},
	Since:    "0.1",
	Cites:    []rule.Cite{citeInstall},
	Doc: `A kernel module fits exactly one kernel release. After a kernel update the module has to be there for the new
kernel too: as a package of the distribution, or built by DKMS or akmods, which need that kernel's headers and a
compiler that the driver's sources still accept. Where it is missing, the machine starts without NVIDIA's driver
and nvidia-smi says that it "couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is
installed and running" although it is installed. A machine that never had a driver looks the same.

Install the headers of the running kernel and build again; where the build fails, its log names the error, and a
newer patch release of the same driver branch usually follows the kernel. The kernel that still has a module, in the
boot menu, is a way to work until then.`,
	Check: func(in *rule.Input) rule.Verdict {
		release := in.Stack.Kernel.Release.Value
		gpus := busGPUs(in)
		switch {
		case len(gpus) == 0:
			return rule.NA()
		case running(in) || len(moduleFiles(in, release)) > 0:
			return rule.Clean()
		case !in.Stack.Kernel.Files.Known():
			return rule.Cannot("/lib/modules is not there, so kernel modules lie elsewhere", "")
		}
		driver, from, installed := installedDriver(in)
		if !installed {
			return rule.Found(noDriver(in, release))
		}
		f := rule.Finding{Evidence: append(append([]stack.Source{}, in.Stack.Kernel.Release.Sources...), from...)}
		f.Summary = fmt.Sprintf("no nvidia module for the running kernel %s, although driver %s is installed", release, driver)
		f.Cause, f.Evidence = whyNoModule(in, release, f.Evidence)
		if owner := rival(in); owner != "" {
			f.Cause += fmt.Sprintf(" Meanwhile %s took the GPU.", owner)
		}
		f.Remedies = buildAgain(in, release, driver)
		return rule.Found(f)
	},
}

// whyNoModule says what DKMS and the other kernels tell.
func whyNoModule(in *rule.Input, release string, evidence []stack.Source) (string, []stack.Source) {
	cause := fmt.Sprintf("No nvidia.ko lies below /lib/modules/%s.", release)
	for _, b := range in.Stack.Kernel.DKMS.Value {
		switch {
		case b.State == "failed" && (b.Release == release || b.Release == ""):
			evidence = append(evidence, b.From)
			cause += fmt.Sprintf(" DKMS tried to build %s for it and failed: %s.", b.Version, b.From.Text)
			if strangeOption(b) {
				cause += fmt.Sprintf(" The kernel was built by %s, this build used %s, which does not know all of its options.", b.KernelCompiler, b.Compiler)
			}
			return cause, evidence
		case b.State == "added" || b.State == "failed":
			evidence = append(evidence, b.From)
		}
	}
	others := ""
	for _, f := range moduleFiles(in, "") {
		if f.Release != release {
			others = f.Release
			evidence = append(evidence, f.From)
		}
	}
	if others != "" {
		cause += fmt.Sprintf(" Kernel %s has one, so the kernel was updated and the module was not built for it, for example because its headers are missing.", others)
	}
	if in.Stack.Kernel.DKMS.Known() && len(in.Stack.Kernel.DKMS.Value) > 0 {
		cause += " DKMS has the driver's sources and no build for this kernel."
	}
	return cause, evidence
}

func buildAgain(in *rule.Input, release string, driver version.Driver) []rule.Remedy {
	apt, dnf := headers(release)
	summary := fmt.Sprintf("install the headers of kernel %s, build the module of driver %s for it and load it", release, driver)
	if b, ok := otherCompiler(in, release); ok {
		apt = "sudo dkms autoinstall -k " + remedy.Quote(release)
		dnf = apt
		summary = fmt.Sprintf("make the compiler of the kernel, %s, the default again (update-alternatives --config gcc, and cc), then build the module of driver %s and load it", b.KernelCompiler, driver)
	}
	changes := append([]stack.Change{stack.BuildModule{Release: release, Version: driver}}, unblock(in)...)
	out := []rule.Remedy{{
		Summary:  summary,
		Layer:    rule.KernelModule,
		Changes:  append(changes, reload()...),
		Commands: append(remedy.ForDistribution(in, apt, dnf), remedy.Shell("sudo modprobe nvidia && sudo modprobe nvidia_uvm")...),
	}}
	if b, ok := remedy.Branch(in, driver.Branch(), driver.Branch()); ok {
		r := remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{})
		r.Summary = fmt.Sprintf("if that build fails, install the newest release of branch %d, which knows newer kernels, and restart", b.Branch)
		r.Changes = append(r.Changes, unblock(in)...)
		out = append(out, r)
	}
	return out
}

// strangeOption tells whether a build failed on an option of the kernel's own
// compiler. Another compiler alone is a warning that most builds survive.
func strangeOption(b stack.DKMSBuild) bool {
	return b.KernelCompiler != "" && (strings.Contains(b.From.Text, "unrecognized command") || strings.Contains(b.From.Text, "unknown argument"))
}

// otherCompiler is a build that failed since another compiler than the
// kernel's was used.
func otherCompiler(in *rule.Input, release string) (stack.DKMSBuild, bool) {
	for _, b := range in.Stack.Kernel.DKMS.Value {
		if b.State == "failed" && b.Release == release && strangeOption(b) {
			return b, true
		}
	}
	return stack.DKMSBuild{}, false
}

// unblock takes the GPU from a module that holds it.
func unblock(in *rule.Input) []stack.Change {
	if owner := rival(in); owner != "" {
		return []stack.Change{stack.BlockModule{Name: owner}}
	}
	return nil
}

// noDriver is the finding on a machine that has a GPU and never got a driver.
func noDriver(in *rule.Input, release string) rule.Finding {
	f := rule.Finding{
		Summary:  fmt.Sprintf("no NVIDIA driver is installed for %s", names(busGPUs(in))),
		Cause:    fmt.Sprintf("No nvidia.ko lies below /lib/modules/%s or any other kernel, and no libcuda in the system's library directories. nvidia-smi is not there or cannot communicate with the driver; frameworks run on the CPU.", release),
		Evidence: append(append([]stack.Source{}, in.Stack.Kernel.Files.Sources...), in.Stack.Driver.Libraries.Sources...),
	}
	if !in.Stack.Driver.Libraries.Known() {
		f.Confidence = rule.Likely
	}
	if owner := rival(in); owner != "" {
		m, _ := loaded(in, owner)
		f.Cause += fmt.Sprintf(" %s drives the GPU, which is enough for a screen and not for CUDA.", owner)
		f.Evidence = append(f.Evidence, m.From)
	}
	if b, ok := remedy.Branch(in, 0, 0); ok {
		r := remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{})
		// The packages blacklist nouveau themselves.
		r.Changes = append(unblock(in), r.Changes...)
		f.Remedies = append(f.Remedies, r)
	}
	return f
}
