package kernelmodule

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/stack"
)

var krn011 = &rule.Rule{
	ID:       "KRN011",
	Slug:     "gsp-firmware-missing",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The GSP firmware of the loaded kernel module is not installed",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needOwnModule, rule.NeedModule, rule.NeedFlavor, needFirmware},
	After:    []string{"KRN004", "KRN010"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "NVIDIA driver README: GSP firmware", URL: "https://download.nvidia.com/XFree86/Linux-x86_64/565.57.01/README/gsp.html", Date: "2026-11-30"},
		citeOpen,
	},
	Doc: `From Turing on a GPU has a processor of its own, the GSP, that runs part of the driver. The open
kernel module works with nothing else, and loads its firmware from /lib/firmware/nvidia/VERSION, where VERSION is
exactly its own. Where that folder is missing the module loads, and every GPU fails to start: nvidia-smi says
"No devices were found", and the kernel log "Direct firmware load for nvidia/VERSION/gsp_ga10x.bin failed with
error -2" and "RmInitAdapter failed".

The distribution has the firmware in a package of its own; it must be of the driver's version. Proprietary
modules can do without the GSP on most GPUs, so this rule looks at the open flavour only.`,
	Check: func(in *rule.Input) rule.Verdict {
		k := in.Stack.Kernel
		if k.Flavor.Value != "open" {
			return rule.NA()
		}
		var others []string
		var evidence []stack.Source
		for _, f := range k.Firmware.Value {
			if f.Version.Compare(k.Version.Value) == 0 {
				return rule.Clean()
			}
			others = append(others, f.Version.String())
			evidence = append(evidence, f.From)
		}
		there := "no driver's firmware is there"
		if len(others) > 0 {
			there = "there is that of " + strings.Join(others, ", ")
		}
		v := k.Version.Value
		confidence := rule.Likely // firmware_class.path can name another folder, and an initramfs carry it
		said := kernellog.Find(in, "gsp_", "GSP firmware", "RmInitAdapter failed")
		if len(said) > 0 {
			confidence = rule.Certain
		}
		return rule.Found(rule.Finding{
			Confidence: confidence,
			Summary:    fmt.Sprintf("no GSP firmware in /lib/firmware/nvidia/%s for the open kernel module of that version; %s", v, there),
			Cause:      fmt.Sprintf("The module asks for the firmware of exactly its version, %s, when it starts a GPU, and gives up without it. nvidia-smi says \"No devices were found\".", v),
			Evidence:   slices.Concat(k.Version.Sources, evidence, k.Firmware.Sources, said),
			Remedies: []rule.Remedy{{
				Summary: fmt.Sprintf("install the firmware package of driver %s and restart", v),
				Layer:   rule.KernelModule,
				Changes: []stack.Change{stack.InstallFirmware{Version: v}, stack.Reboot{}},
				Commands: []rule.Command{
					{For: "apt", Run: firmwarePackage(in, v.Branch(), v.String()) + " && sudo reboot"},
					{For: "dnf", Run: "sudo dnf reinstall 'nvidia-kmod-common*' 'nvidia-driver-*' && sudo reboot"},
				},
			}},
		})
	},
}

// firmwarePackage names the package that carries the firmware: Ubuntu has one
// per version, Debian one that follows the driver.
func firmwarePackage(in *rule.Input, branch int, full string) string {
	if in.Stack.OS.ID.Or("") == "debian" {
		return "sudo apt install firmware-nvidia-gsp"
	}
	return fmt.Sprintf("sudo apt install nvidia-firmware-%d-%s", branch, full)
}

// needFirmware is what is installed below /lib/firmware/nvidia. The other
// flavour does not ask for it.
var needFirmware = rule.Need{Name: "the GSP firmware on disk", Seen: func(in *rule.Input) stack.Seen {
	if in.Stack.Kernel.Flavor.Value != "open" {
		return stack.Seen{State: stack.Absent}
	}
	return in.Stack.Kernel.Firmware.Seen()
}}
