package kernelmodule

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var krn007 = &rule.Rule{
	ID:       "KRN007",
	Slug:     "fabric-manager",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "NVSwitch system without a running Fabric Manager of the driver's version",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needNative, needPCI, rule.NeedModule},
	After:    []string{"KRN004"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeFabric},
	Doc: `On HGX and DGX systems NVSwitches connect the GPUs, and the Fabric Manager service has to set them up before any
CUDA program starts, even one that uses a single GPU. Without it every cuInit fails with error 802, "system not yet
initialized", while nvidia-smi works and shows all GPUs. The service must have exactly the driver's version: after
an upgrade of the driver alone it exits, and 802 stays.

Install the Fabric Manager of the driver's version, enable and start it. It runs on the host, or in the driver
container of the GPU operator, and not inside the containers that use the GPUs.`,
	Check: func(in *rule.Input) rule.Verdict {
		var switches []stack.Source
		for _, d := range in.Stack.Hardware.PCI.Value {
			if derive.IsNVSwitch(d) {
				switches = append(switches, d.From)
			}
		}
		if len(switches) == 0 {
			return rule.NA()
		}
		if in.Stack.Container.Inside.Known() {
			return rule.Cannot("Fabric Manager runs on the host and is not visible in a container", "run strata check on the host")
		}
		driver := in.Stack.Kernel.Version
		fm := in.Stack.Kernel.FabricManager
		f := rule.Finding{
			Evidence: append(append(switches[:1:1], driver.Sources...), fm.Sources...),
			Cause:    fmt.Sprintf("Number of NVSwitches here: %d. Until Fabric Manager %s has set them up, every CUDA program fails with error 802, \"system not yet initialized\", although nvidia-smi lists the GPUs.", len(switches), driver.Value),
		}
		apt := fmt.Sprintf("sudo apt install nvidia-fabricmanager-%d && sudo systemctl enable --now nvidia-fabricmanager", driver.Value.Branch())
		dnf := fmt.Sprintf("sudo dnf install 'nvidia-fabric*manager-%s*' && sudo systemctl enable --now nvidia-fabricmanager", driver.Value)
		install := rule.Remedy{
			Summary: fmt.Sprintf("install Fabric Manager %s and start it", driver.Value), Layer: rule.KernelModule,
			Changes: []stack.Change{stack.SetFabricManager{Version: driver.Value}}, Commands: remedy.ForDistribution(in, apt, dnf),
		}
		if fm.State == stack.Absent && in.ContainerDriver() != nil {
			return rule.Cannot("the driver is one for containers, and Fabric Manager runs in the driver's container", "run strata check in that container")
		}
		if fm.State == stack.Absent {
			f.Summary = "Fabric Manager is not installed, and NVSwitch connects the GPUs"
			f.Remedies = []rule.Remedy{install}
			return rule.Found(f)
		}
		if !fm.Known() {
			return rule.Cannot("not known: Fabric Manager ("+fm.Why+")", fm.Allow)
		}
		have, source := fabricVersion(in, fm.Value)
		if !have.IsZero() && have.Compare(driver.Value) != 0 {
			f.Summary = fmt.Sprintf("Fabric Manager is %s, but the driver is %s", have, driver.Value)
			f.Evidence = append(f.Evidence, source)
			f.Remedies = []rule.Remedy{install}
			return rule.Found(f)
		}
		switch running := fm.Value.Running; {
		case !running.Known():
			return rule.Cannot("whether Fabric Manager runs is not known ("+running.Why+")", running.Allow)
		case !running.Value:
			f.Summary = "Fabric Manager does not run, and NVSwitch connects the GPUs"
			f.Evidence = append(f.Evidence, running.Sources...)
			start := install
			start.Summary = "start Fabric Manager, now and at every boot"
			start.Commands = remedy.Shell("sudo systemctl enable --now nvidia-fabricmanager; systemctl status nvidia-fabricmanager")
			f.Remedies = []rule.Remedy{start}
			return rule.Found(f)
		}
		return rule.Clean()
	},
}

var needPCI = rule.Need{Name: "the PCI bus", Seen: func(in *rule.Input) stack.Seen { return in.Stack.Hardware.PCI.Seen() }}

// fabricVersion is the service's version by its package, since the program
// itself does not carry it where it can be read.
func fabricVersion(in *rule.Input, fm stack.FabricManager) (version.Driver, stack.Source) {
	if !fm.Version.IsZero() {
		return fm.Version, stack.File(fm.Path)
	}
	for _, p := range in.Stack.Packages.Value {
		if !strings.HasPrefix(p.Name, "nvidia-fabricmanager") && !strings.HasPrefix(p.Name, "nvidia-fabric-manager") || strings.Contains(p.Name, "dev") {
			continue
		}
		text := p.Version
		if _, rest, ok := strings.Cut(text, ":"); ok { // the epoch
			text = rest
		}
		text, _, _ = strings.Cut(text, "-")
		if v, err := version.ParseDriver(text); err == nil {
			return v, p.From
		}
	}
	return version.Driver{}, stack.Source{}
}
