package driver

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var drv007 = &rule.Rule{
	ID:       "DRV007",
	Slug:     "wrong-libcuda-wins",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "Another libcuda is found before the one that fits the kernel module",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib, rule.NeedModule},
	After:    []string{"DRV003", "DRV004", "DRV008"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeCompat, citeLoader},
	Doc: `libcuda must have exactly the version of the loaded kernel module. Here a libcuda of that version is on the disk, but
the dynamic linker finds another one first: a copy that an image brought along, one left behind by NVIDIA's .run
installer beside a distribution's packages, or a directory on LD_LIBRARY_PATH. CUDA then fails with error 803, "system
has unsupported display driver / cuda driver combination", and nvidia-smi, if its NVML is of the same wrong version,
with "Driver/library version mismatch".

Take the wrong copy out of the way. A restart does not help, since the driver itself is whole.`,
	Check: func(in *rule.Input) rule.Verdict {
		r := in.FindSystem("libcuda.so.1")
		lib, module := r.Winner, in.Stack.Kernel.Version
		if lib == nil || lib.Fault != "" || !isDriver(lib) || in.Stack.OS.WSL.Or(false) || in.Stack.OS.Jetson.Known() {
			return rule.NA()
		}
		if lib.Version == "" {
			return rule.Cannot("neither the name nor the contents of "+lib.Path+" tell its version", "")
		}
		have, err := version.ParseDriver(lib.Version)
		if err != nil || have.Compare(module.Value) == 0 {
			return rule.Clean()
		}
		for _, other := range elsewhere(in) {
			v, err := version.ParseDriver(other.Version)
			if err != nil || v.Compare(module.Value) != 0 {
				continue
			}
			inside := ""
			if in.Stack.Container.Inside.Known() {
				inside = " In a container the driver's libraries must be the host's; this image brings others of its own."
			}
			return rule.Found(rule.Finding{
				Summary:  fmt.Sprintf("libcuda %s does not fit module %s: programs find %s before %s", have, module.Value, lib.Path, other.Path),
				Cause:    fmt.Sprintf("The first one is found through %s; the second one has the version of the loaded module. CUDA fails with error 803, \"system has unsupported display driver / cuda driver combination\".", r.Why) + inside,
				Evidence: append([]stack.Source{lib.From, other.From}, module.Sources...),
				Remedies: []rule.Remedy{aside(in, lib, r.Why)},
			})
		}
		return rule.Clean() // KRN004: none of the copies fits
	},
}
