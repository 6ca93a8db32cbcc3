package kernelmodule

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var krn010 = &rule.Rule{
	ID:       "KRN010",
	Slug:     "module-on-disk-differs",
	Layer:    rule.KernelModule,
	Severity: rule.AtRisk,
	Title:    "The next restart loads a kernel module that the driver's libraries do not fit",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needOwnModule, rule.NeedModule, rule.NeedRelease, rule.NeedFiles},
	After:    []string{"KRN004"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeOpen},
	Doc: `The loaded module and the libraries are of one version, so everything works. On disk, however, the module for this
kernel already has another version: an upgrade was carried out in part, for example with the libraries' packages on
hold or with an installer that stopped half way. After the next restart module and libraries differ, and every CUDA
program fails with "Driver/library version mismatch" or error 803.

Bring the libraries to the version of the module on disk, or the module back to theirs, before restarting.`,
	Check: func(in *rule.Input) rule.Verdict {
		now := in.Stack.Kernel.Version
		var next version.Driver
		var from stack.Source
		for _, f := range moduleFiles(in, in.Stack.Kernel.Release.Value) {
			switch {
			case f.Version.IsZero():
			case f.Version.Compare(now.Value) == 0:
				return rule.Clean() // depmod's order decides between several; one of them fits
			default:
				next, from = f.Version, f.From
			}
		}
		if next.IsZero() {
			return rule.NA()
		}
		lib := in.Libcuda
		if lib == nil || lib.Version == "" {
			return rule.NA()
		}
		user, err := version.ParseDriver(lib.Version)
		if err != nil || user.Compare(now.Value) != 0 {
			return rule.NA() // KRN004: the restart is already due
		}
		b := in.KB.Branch(next.Branch()).Value
		b.Branch = next.Branch()
		finish := remedy.Driver(in, b, in.Stack.Kernel.Flavor.Value, next)
		finish.Summary = fmt.Sprintf("install the libraries of %s too, then restart", next)
		finish.Changes = []stack.Change{stack.SetDriver{Version: next}, stack.Reboot{}}
		apt, dnf := fmt.Sprintf("sudo apt install --reinstall nvidia-dkms-%d", user.Branch()), "sudo dkms autoinstall"
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("after the next restart the driver will not fit: the module on disk is %s, module and libraries in use are %s", next, now.Value),
			Cause:    fmt.Sprintf("The module for the running kernel on disk has another version than the one that is loaded, and libcuda is still %s. A restart loads %s; then nvidia-smi says \"Driver/library version mismatch\" and CUDA fails with error 803.", user, next),
			Evidence: append(append([]stack.Source{from}, now.Sources...), lib.From),
			Remedies: []rule.Remedy{{
				Summary: fmt.Sprintf("put the module of %s back for this kernel", user), Layer: rule.KernelModule,
				Changes:  []stack.Change{stack.BuildModule{Release: in.Stack.Kernel.Release.Value, Version: user}},
				Commands: remedy.ForDistribution(in, apt, dnf),
			}, finish},
		})
	},
}
