package kernelmodule

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

// ownModule tells whether this machine loads NVIDIA's module itself. The module
// of a container is its host's, WSL uses the one of Windows, and a Jetson's
// comes with its kernel.
func ownModule(in *rule.Input) bool {
	return !in.Stack.Container.Inside.Known() && !in.Stack.OS.WSL.Or(false) && !in.Stack.OS.Jetson.Known()
}

// needOwnModule and needNative leave a rule unasked where NVIDIA's module is
// somebody else's business: in WSL and on a Jetson, and the first in a
// container too.
var (
	needOwnModule = rule.Need{Name: "a kernel of its own", Seen: func(in *rule.Input) stack.Seen { return applies(ownModule(in)) }}
	needNative    = rule.Need{Name: "a Linux driver", Seen: func(in *rule.Input) stack.Seen {
		return applies(!in.Stack.OS.WSL.Or(false) && !in.Stack.OS.Jetson.Known())
	}}
)

func applies(yes bool) stack.Seen {
	if yes {
		return stack.Seen{State: stack.Known}
	}
	return stack.Seen{State: stack.Absent}
}

// loaded finds a module among those that are loaded.
func loaded(in *rule.Input, name string) (stack.LoadedModule, bool) {
	for _, m := range in.Stack.Kernel.Loaded.Value {
		if m.Name == name {
			return m, true
		}
	}
	return stack.LoadedModule{}, false
}

// running tells whether the nvidia module is at work, by either of the places that show it.
func running(in *rule.Input) bool {
	_, ok := loaded(in, "nvidia")
	return ok || in.Stack.Kernel.Version.Known()
}

// moduleFiles are the files of nvidia.ko itself for a kernel ("" for any),
// without those that could not be loaded.
func moduleFiles(in *rule.Input, release string) []stack.ModuleFile {
	var out []stack.ModuleFile
	for _, f := range in.Stack.Kernel.Files.Value {
		name, _, _ := strings.Cut(path.Base(f.Path), ".")
		if name == "nvidia" && f.Fault == "" && (release == "" || f.Release == release) {
			out = append(out, f)
		}
	}
	return out
}

// busGPUs are the GPUs that were seen on the bus, without those that a user vouches for.
func busGPUs(in *rule.Input) []derive.GPU {
	var out []derive.GPU
	for _, g := range in.GPUs {
		if g.Address != "" {
			out = append(out, g)
		}
	}
	return out
}

// installedDriver is the version of a driver that is on disk: its libraries,
// else DKMS's sources, else a module for another kernel.
func installedDriver(in *rule.Input) (version.Driver, []stack.Source, bool) {
	for _, l := range in.Stack.Driver.Libraries.Value {
		if l.Place != "system" {
			continue
		}
		if v, err := version.ParseDriver(l.Version); err == nil && l.Version != "" {
			return v, []stack.Source{l.From}, true
		}
	}
	for _, b := range in.Stack.Kernel.DKMS.Value {
		if !b.Version.IsZero() {
			return b.Version, []stack.Source{b.From}, true
		}
	}
	for _, f := range moduleFiles(in, "") {
		if !f.Version.IsZero() {
			return f.Version, []stack.Source{f.From}, true
		}
	}
	return version.Driver{}, nil, false
}

func names(gpus []derive.GPU) string {
	var out []string
	for _, g := range gpus {
		name := g.Name
		if g.Address != "" {
			name += " at " + g.Address
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// reload are the changes that follow once the module may load.
func reload() []stack.Change {
	return []stack.Change{stack.LoadModule{Name: "nvidia"}, stack.LoadModule{Name: "nvidia_uvm"}, stack.MakeNodes{}}
}

// headers is the command that installs what DKMS needs to build for a kernel.
func headers(release string) (apt, dnf string) {
	release = remedy.Quote(release)
	return fmt.Sprintf("sudo apt install linux-headers-%s && sudo dkms autoinstall -k %s", release, release),
		fmt.Sprintf("sudo dnf install kernel-devel-%s && sudo dkms autoinstall -k %s", release, release)
}

// The sources that most rules of this layer rest on.
var (
	citeInstall = rule.Cite{Title: "NVIDIA Driver Installation Guide", URL: "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/", Date: "2026-11-30"}
	citeOpen    = rule.Cite{Title: "NVIDIA Linux open GPU kernel modules: README", URL: "https://github.com/NVIDIA/open-gpu-kernel-modules", Date: "2026-11-30"}
	citeFabric  = rule.Cite{Title: "Fabric Manager for NVIDIA NVSwitch Systems User Guide", URL: "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/index.html", Date: "2026-11-30"}
)
