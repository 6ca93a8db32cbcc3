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
			return second(in)
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("a Linux driver hides the one of Windows: programs in WSL load %s and not what Windows mounts at /usr/lib/wsl/lib", lib.Real),
			Cause:    fmt.Sprintf("It is found first (%s). It needs a Linux kernel module, which WSL does not have; CUDA fails with error 100, \"no CUDA-capable device is detected\".", r.Why),
			Evidence: append([]stack.Source{lib.From}, in.Stack.OS.WSL.Sources...),
		}
		f.Remedies = []rule.Remedy{removeLinuxDriver(in)}
		return rule.Found(f)
	},
}

// second judges a Linux driver that libcuda.so.1 does not lead to: programs
// that open libcuda.so, as Numba does, find it all the same.
func second(in *rule.Input) rule.Verdict {
	for i := range in.Stack.Driver.Libraries.Value {
		l := &in.Stack.Driver.Libraries.Value[i]
		if l.Soname != "libcuda.so.1" || l.Place != "system" || strings.HasPrefix(l.Real, "/usr/lib/wsl/") || l.Fault != "" || !isDriver(l) {
			continue
		}
		return rule.Found(rule.Finding{
			Severity:   rule.AtRisk,
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("a Linux driver is installed inside WSL beside the one of Windows: %s", l.Real),
			Cause:      "libcuda.so.1 still leads to the driver of Windows. A program that opens libcuda.so, as Numba does, gets the Linux one and fails with error 100, \"no CUDA-capable device is detected\"; the next ldconfig or package update can make it the first for all.",
			Evidence:   append([]stack.Source{l.From}, in.Stack.OS.WSL.Sources...),
			Remedies:   []rule.Remedy{removeLinuxDriver(in)},
		})
	}
	return rule.Clean()
}

// removeLinuxDriver takes out what is there by name: a pattern such as
// 'libnvidia-*' would take the container toolkit along.
func removeLinuxDriver(in *rule.Input) rule.Remedy {
	r := rule.Remedy{Summary: "remove the Linux driver from WSL", Layer: rule.Driver}
	var packages, files []string
	for _, l := range in.Stack.Driver.Libraries.Value {
		if l.Place == "wsl" || !isDriver(&l) {
			continue
		}
		r.Changes = append(r.Changes, stack.RemoveLibrary{Path: l.Path})
		switch name, _, _ := strings.Cut(l.Owner, " "); {
		case name == "":
			for _, file := range []string{l.Path, l.Real} {
				if file != "" && !slices.Contains(files, file) {
					files = append(files, file)
				}
			}
		case !slices.Contains(packages, name):
			packages = append(packages, name)
		}
	}
	if len(packages) > 0 {
		r.Changes = append(r.Changes, stack.RemoveOSPackage{Names: packages})
		list := strings.Join(packages, " ")
		r.Commands = remedy.ForDistribution(in, "sudo apt purge "+list+" && sudo apt autoremove --purge", "sudo dnf remove "+list)
	}
	if len(files) > 0 {
		r.Commands = append(r.Commands, remedy.Shell("sudo rm "+remedy.Quote(files...))...)
	}
	r.Commands = append(r.Commands, remedy.Shell("sudo ldconfig")...)
	return r
}

var needWSL = rule.Need{Name: "whether this is WSL", Seen: func(in *rule.Input) stack.Seen { return in.Stack.OS.WSL.Seen() }}
