package derive

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// GPU is one NVIDIA GPU with what the knowledge base knows of it.
type GPU struct {
	Name    string // NVIDIA A100-SXM4-80GB; "NVIDIA device 10de:2bb1" where unknown
	Address string // PCI address, empty for an assumed one
	Chip    string // GA100
	// Capability is zero where the device is not in the knowledge base.
	Capability version.ComputeCapability
	Class      string // datacenter, geforce, workstation, …
	// OpenModule is unsupported, supported or required: what the open kernel modules mean to this chip.
	OpenModule string
	Bound      string // the kernel driver that owns it
	Minor      int    // of /dev/nvidiaN; -1 unknown
	From       stack.Source
	Ref        kb.Ref
	// Unknown says why Capability is zero.
	Unknown string
}

func (g GPU) String() string {
	if g.Capability.IsZero() {
		return g.Name
	}
	return fmt.Sprintf("%s (compute capability %s)", g.Name, g.Capability)
}

// PCI classes of what carries CUDA: VGA, 3D controller and other display.
const (
	classDisplay = 0x03
	classBridge  = 0x0680 // NVSwitch shows as "other bridge"
)

// IsGPU tells whether a PCI function is a GPU.
func IsGPU(d stack.PCIDevice) bool { return d.Vendor == 0x10de && d.Class>>16 == classDisplay }

// IsNVSwitch tells an NVSwitch from the bridges of NVIDIA's nForce chipsets,
// which share class and vendor; those ended before 2010, with device numbers
// below 0x1000.
func IsNVSwitch(d stack.PCIDevice) bool {
	return d.Vendor == 0x10de && d.Class>>8 == classBridge && d.Device >= 0x1000
}

func gpus(s *stack.Stack, base *kb.Base) ([]GPU, stack.Seen) {
	hw := s.Hardware
	if hw.Assumed.Known() {
		var list []GPU
		for _, a := range hw.Assumed.Value {
			list = append(list, assumedGPU(a, base))
		}
		return list, hw.Assumed.Seen()
	}
	var list []GPU
	for _, d := range hw.PCI.Value {
		if IsGPU(d) {
			list = append(list, pciGPU(d, hw, base))
		}
	}
	if len(list) > 0 {
		return list, hw.PCI.Seen()
	}
	// No PCI: a container without /sys, or WSL. The module's own list still counts.
	for _, p := range hw.Proc.Value {
		g := GPU{Address: p.Address, Minor: p.Minor, From: p.From}
		named(&g, p.Model, base)
		list = append(list, g)
	}
	if len(list) > 0 {
		return list, hw.Proc.Seen()
	}
	if s.OS.WSL.Or(false) {
		return nil, stack.Seen{State: stack.NotCollected,
			Why:   "in WSL the GPU is not on the PCI bus; only the Windows driver knows it",
			Allow: "say --assume gpu=NAME"}
	}
	if s.OS.Jetson.Known() {
		return nil, stack.Seen{State: stack.NotCollected, Why: "a Tegra GPU is not on the PCI bus", Allow: "say --assume gpu=NAME"}
	}
	seen := hw.PCI.Seen()
	if seen.State == stack.NotCollected || seen.State == stack.Absent {
		seen.State = stack.NotCollected
		if seen.Why == "" {
			seen.Why = "no PCI bus could be read in /sys"
			if !s.Subject.Live {
				seen.Why = "this root holds no running system"
			}
		}
		seen.Allow = "say --assume gpu='NVIDIA A100-SXM4-80GB' or --assume gpu=sm_80"
	}
	return nil, seen
}

// kept parts the GPUs of the host from those that are held back for virtual
// machines. Where all are, nobody knows that it is meant so, and all are kept.
func kept(all []GPU) (here, away []GPU) {
	for _, g := range all {
		if HoldsBack(g.Bound) {
			away = append(away, g)
		} else {
			here = append(here, g)
		}
	}
	if len(here) == 0 {
		return all, nil
	}
	return here, away
}

// HoldsBack tells whether a kernel driver keeps a device for a virtual machine.
func HoldsBack(driver string) bool {
	return strings.HasPrefix(driver, "vfio") || strings.Contains(driver, "stub") || strings.Contains(driver, "pciback")
}

func pciGPU(d stack.PCIDevice, hw stack.Hardware, base *kb.Base) GPU {
	g := GPU{Address: d.Address, Bound: d.Driver, From: d.From, Minor: -1}
	model := ""
	for _, p := range hw.Proc.Value {
		if p.Address == d.Address {
			g.Minor, model = p.Minor, p.Model
		}
	}
	a := base.GPUByPCI(fmt.Sprintf("%04x", d.Device), fmt.Sprintf("%04x:%04x", d.SubVendor, d.SubDevice))
	if a.Known {
		fill(&g, a.Value, a.Ref)
	} else {
		g.Name = fmt.Sprintf("NVIDIA device 10de:%04x", d.Device)
		g.Unknown = a.Why
	}
	if model != "" && model != "Unknown" {
		// The driver's own name is what the user knows it by.
		if !a.Known {
			named(&g, model, base)
		}
		g.Name = model
	}
	return g
}

func assumedGPU(a stack.AssumedGPU, base *kb.Base) GPU {
	g := GPU{From: a.From, Minor: -1}
	if a.ComputeCapability == "" {
		named(&g, a.Name, base)
		return g
	}
	g.Name = "GPU of compute capability " + a.ComputeCapability
	cc, err := version.ParseComputeCapability(a.ComputeCapability)
	if err != nil {
		g.Unknown = err.Error()
		return g
	}
	g.Capability = cc
	if arch := base.Arch(cc); arch.Known {
		g.OpenModule, g.Ref = string(arch.Value.OpenModule), arch.Ref
	}
	return g
}

// named finds a GPU by the name that nvidia-smi or a user gives it.
func named(g *GPU, name string, base *kb.Base) {
	g.Name = name
	a := base.GPUsByName(name)
	if !a.Known {
		g.Unknown = a.Why
		return
	}
	m := a.Value
	g.Class, g.Ref = string(m.Class), a.Ref
	if len(m.GPUs) == 1 {
		g.Chip = m.GPUs[0].Chip
	}
	g.Capability, g.OpenModule = m.ComputeCapability, string(m.OpenModule)
	if m.Ambiguous {
		g.Unknown = a.Why
	}
}

func fill(g *GPU, row kb.GPU, ref kb.Ref) {
	g.Name, g.Chip, g.Class, g.Ref = row.Name, row.Chip, string(row.Class), ref
	g.Capability, g.OpenModule = row.ComputeCapability, string(row.OpenModule)
	if g.Capability.IsZero() {
		g.Unknown = row.Name + " has no compute capability in the knowledge base"
	}
}
