package kernelmodule

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var krn001 = &rule.Rule{
	ID:       "KRN001",
	Slug:     "other-module-owns-gpu",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "Another kernel module owns the GPU",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needNative, rule.NeedGPUs},
	// Where no module of NVIDIA's can be loaded at all, nouveau only fills the gap.
	After: []string{"KRN002"},
	Since: "0.1",
	Cites: []rule.Cite{citeInstall},
	Doc: `One kernel module at a time drives a PCI device. Where nouveau or nova_core, the kernel's own drivers for NVIDIA
GPUs, took the GPU at boot, NVIDIA's module cannot attach: nvidia-smi says that it "couldn't communicate with the
NVIDIA driver". Blacklist nouveau, rebuild the initial RAM disk, which carries its own copy of the list, and restart.

vfio-pci, pci-stub and xen-pciback hold a GPU back for a virtual machine. Then CUDA belongs into that guest; to use
the GPU on the host, remove its id from the list that binds it (vfio-pci.ids, driverctl). Where other GPUs of the
host are bound to nvidia, the split is taken for intended and only noted.`,
	Check: func(in *rule.Input) rule.Verdict {
		gpus := append(busGPUs(in), in.Away...)
		if len(gpus) == 0 || in.Unasked() {
			return rule.NA()
		}
		var taken []derive.GPU
		owners := map[string]bool{}
		free := 0
		for _, g := range gpus {
			owner := g.Bound
			if owner == "" {
				owner = presumed(in, g) // a captured /sys may lack the links of its devices
			}
			switch owner {
			case "nvidia":
				free++
			case "":
			default:
				g.Bound = owner
				taken = append(taken, g)
				owners[owner] = true
			}
		}
		if len(taken) == 0 {
			if free == 0 {
				return rule.NA() // nothing owns it: KRN002 and KRN003 say why
			}
			return rule.Clean()
		}
		var evidence []stack.Source
		for _, g := range taken {
			evidence = append(evidence, stack.From("link", g.Address+"/driver", 0, g.Bound))
			if m, ok := loaded(in, g.Bound); ok {
				evidence = append(evidence, m.From)
			}
		}
		owner := taken[0].Bound
		f := rule.Finding{
			Summary:  fmt.Sprintf("%s drives %s, so the nvidia module cannot", owner, names(taken)),
			Cause:    fmt.Sprintf("A PCI device has one driver, and the link in /sys names %s. CUDA cannot see the GPU; nvidia-smi does not list it, or fails to communicate with the driver.", owner),
			Evidence: evidence,
			Remedies: release(in, owner),
		}
		if free > 0 {
			f.Severity = rule.Note
			f.Cause += fmt.Sprintf(" The other %d GPUs are bound to nvidia.", free)
		}
		return rule.Found(f)
	},
}

// presumed is who drives a GPU where the bus does not say: the nvidia module
// lists those that it took.
func presumed(in *rule.Input, g derive.GPU) string {
	for _, p := range in.Stack.Hardware.Proc.Value {
		if p.Address == g.Address {
			return "nvidia"
		}
	}
	if running(in) {
		return ""
	}
	return rival(in)
}

// rival is the loaded module that competes for GPUs; empty where there is none.
func rival(in *rule.Input) string {
	for _, name := range []string{"nouveau", "nova_core"} {
		if _, ok := loaded(in, name); ok {
			return name
		}
	}
	return ""
}

func release(in *rule.Input, owner string) []rule.Remedy {
	if !ownModule(in) {
		return nil // the host's business
	}
	if derive.HoldsBack(owner) {
		return []rule.Remedy{{
			Summary:  fmt.Sprintf("use the GPU inside the virtual machine, or stop binding it to %s and restart", owner),
			Layer:    rule.KernelModule,
			Changes:  append([]stack.Change{stack.BlockModule{Name: owner}}, reload()...),
			Commands: remedy.Shell("grep -rs -e vfio-pci -e driver_override /etc/modprobe.d /etc/default/grub /etc/driverctl.d; cat /proc/cmdline"),
		}}
	}
	return []rule.Remedy{{
		Summary: fmt.Sprintf("keep %s from loading, rebuild the initial RAM disk and restart", owner),
		Layer:   rule.KernelModule,
		Changes: append([]stack.Change{stack.BlockModule{Name: owner}}, reload()...),
		Commands: append(remedy.Shell(fmt.Sprintf("printf 'blacklist %s\\noptions %s modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-%s.conf", owner, owner, owner)),
			remedy.ForDistribution(in, "sudo update-initramfs -u && sudo reboot", "sudo dracut --force && sudo reboot")...),
	}}
}
