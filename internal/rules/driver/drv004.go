package driver

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var drv004 = &rule.Rule{
	ID:       "DRV004",
	Slug:     "linux-driver-inside-wsl",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "A Linux driver inside WSL is loaded in place of the one from Windows",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needWSL, rule.NeedDriverLib},
	Since:    "0.1",
	Cites:    []rule.Cite{citeWSL},
	Doc: `In WSL the driver is the one of Windows. Its libcuda is mounted at /usr/lib/wsl/lib and talks to /dev/dxg. A Linux
driver installed inside WSL, by apt install nvidia-driver-NNN, by the "cuda" or "cuda-drivers" package or by a
container image, brings a second libcuda that looks for a kernel module which does not exist there. Where that one is
found first, CUDA fails with error 100, "no CUDA-capable device is detected", or 35.

Remove the Linux driver's packages. Toolkits are welcome inside WSL, as cuda-toolkit-12-8 and the like, which bring no
driver. A driver update happens in Windows.`,
	Check: func(in *rule.Input) rule.Verdict {
		if !in.Stack.OS.WSL.Value {
			return rule.NA()
		}
		r := in.FindSystem("libcuda.so.1")
		lib := r.Winner
		if lib == nil {
			return rule.NA() // DRV001
		}
		if lib.Place == "wsl" || strings.HasPrefix(lib.Real, "/usr/lib/wsl/") || !isDriver(lib) {
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("a Linux driver hides the one of Windows: programs in WSL load %s and not what Windows mounts at /usr/lib/wsl/lib", lib.Real),
			Cause:    fmt.Sprintf("It is found first (%s). It needs a Linux kernel module, which WSL does not have; CUDA fails with error 100, \"no CUDA-capable device is detected\".", r.Why),
			Evidence: append([]stack.Source{lib.From}, in.Stack.OS.WSL.Sources...),
		}
		var packages []string
		var changes []stack.Change
		for _, l := range in.Stack.Driver.Libraries.Value {
			if l.Place == "wsl" || !isDriver(&l) {
				continue
			}
			changes = append(changes, stack.RemoveLibrary{Path: l.Path})
			if name, _, _ := strings.Cut(l.Owner, " "); name != "" && !slices.Contains(packages, name) {
				packages = append(packages, name)
			}
		}
		if len(packages) > 0 {
			changes = append(changes, stack.RemoveOSPackage{Names: packages})
		}
		f.Remedies = []rule.Remedy{{
			Summary: "remove the Linux driver from WSL", Layer: rule.Driver, Changes: changes,
			Commands: append(remedy.ForDistribution(in, "sudo apt purge 'nvidia-driver-*' 'libnvidia-*' 'nvidia-dkms-*' cuda-drivers && sudo apt autoremove", "sudo dnf remove 'nvidia-driver*' cuda-drivers"),
				remedy.Shell("sudo ldconfig")...),
		}}
		return rule.Found(f)
	},
}

var needWSL = rule.Need{Name: "whether this is WSL", Seen: func(in *rule.Input) stack.Seen { return in.Stack.OS.WSL.Seen() }}
