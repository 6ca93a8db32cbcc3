package remedy

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// Branch picks the driver branch to install here, between two branches (0 for
// no bound): one that supports every GPU, long-term or production, and the
// oldest that NVIDIA still maintains, since that is the smallest step. Where
// none is maintained any more it is the newest. ok is false where there is none.
func Branch(in *rule.Input, from, to int) (best kb.DriverBranch, ok bool) {
	from, to = max(from, firstBranch), min(to, lastBranch)
	if to <= 0 {
		to = lastBranch
	}
	for _, g := range in.GPUs {
		arch := in.KB.Arch(g.Capability)
		if !arch.Known {
			continue
		}
		from = max(from, arch.Value.FirstBranch)
		if arch.Value.LastBranch > 0 {
			to = min(to, arch.Value.LastBranch)
		}
	}
	today := strings.ReplaceAll(in.KB.Version(), ".", "-")
	for n := from; n <= to; n++ {
		b := in.KB.Branch(n)
		if b.Beyond {
			break
		}
		if !b.Known || b.Value.Latest.IsZero() || b.Value.Type == kb.NewFeatureBranch {
			continue
		}
		best, ok = b.Value, true
		if b.Value.EOL == "" || b.Value.EOL >= today[:min(len(today), len(b.Value.EOL))] {
			return best, true
		}
	}
	return best, ok
}

// The numbers of branches that are looked through: 340 is the last one for the
// first GPUs with CUDA, and the knowledge base ends long before the other.
const firstBranch, lastBranch = 340, 1999

// Flavor is the kernel module that the GPUs of this machine need: open where
// one works with nothing else, proprietary where one is too old for it. Where
// both do, it is the one that is loaded, or what NVIDIA installs by default.
func Flavor(in *rule.Input, branch kb.DriverBranch) string {
	for _, g := range in.GPUs {
		switch g.OpenModule {
		case string(kb.OpenRequired):
			return "open"
		case string(kb.OpenUnsupported):
			return "proprietary"
		}
	}
	loaded := in.Stack.Kernel.Flavor.Value
	switch {
	case branch.Modules == kb.OpenModules:
		return "open"
	case branch.Modules == kb.ProprietaryModules:
		return "proprietary"
	case loaded != "":
		return loaded
	case branch.Branch >= openByDefault:
		return "open"
	}
	return "proprietary"
}

// openByDefault is the branch from which NVIDIA's installer takes the open
// modules where the GPU allows it.
const openByDefault = 560

// Driver installs a driver of a branch in one flavour, at least as new as
// atLeast (zero: its newest), and restarts.
func Driver(in *rule.Input, b kb.DriverBranch, flavor string, atLeast version.Driver) rule.Remedy {
	v, text := b.Latest, fmt.Sprintf("a driver of branch %d", b.Branch)
	if !atLeast.IsZero() && v.Less(atLeast) {
		v = atLeast
	}
	if atLeast.Branch() == b.Branch {
		text += fmt.Sprintf(" (%s or newer)", atLeast)
	}
	if flavor != "" {
		text += " with the " + flavor + " kernel modules"
	}
	where := ""
	if in.Stack.Container.Inside.Known() {
		where = " on the host, not in the container,"
	}
	return onWindows(in, rule.Remedy{
		Summary:  "install " + text + where + " and restart",
		Layer:    rule.Driver,
		Changes:  []stack.Change{stack.SetDriver{Version: v, Flavor: flavor}},
		Commands: DriverPackages(in, b.Branch, flavor),
	})
}

// DriverPackages are the commands that install a branch, for the package
// manager of this distribution, or for both where it is not known.
func DriverPackages(in *rule.Input, branch int, flavor string) []rule.Command {
	ubuntu, nvidia, stream := "", "cuda-drivers", "-dkms"
	if flavor == "open" {
		ubuntu, nvidia, stream = "-open", "nvidia-open", "-open"
	}
	apt := fmt.Sprintf("sudo apt install nvidia-driver-%d%s && sudo reboot", branch, ubuntu)
	if in.Stack.OS.ID.Or("") == "debian" {
		// From NVIDIA's repository; Debian's own carries one branch per release.
		apt = fmt.Sprintf("sudo apt install %s-%d && sudo reboot", nvidia, branch)
	}
	// dnf refuses to change from one stream of a module to another before a reset.
	dnf := fmt.Sprintf("sudo dnf module reset -y nvidia-driver && sudo dnf module install nvidia-driver:%d%s && sudo reboot", branch, stream)
	if withoutModules(in) {
		dnf = fmt.Sprintf("sudo dnf versionlock add '*nvidia*%d*' && sudo dnf install %s && sudo reboot", branch, nvidia)
	}
	return ForDistribution(in, apt, dnf)
}

// withoutModules: Fedora and the systems of RHEL 10 have no module streams;
// there NVIDIA's guide holds a branch by locking the version
// (https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/).
func withoutModules(in *rule.Input) bool {
	id := in.Stack.OS.ID.Or("")
	major, _, _ := strings.Cut(in.Stack.OS.Version.Or(""), ".")
	n, err := strconv.Atoi(major)
	return id == "fedora" || err == nil && n >= 10 && id != "amzn" && packageManager(id) == "dnf"
}

// ForDistribution keeps the command of the package manager that this
// distribution has; inside a container, whose host may be another, both.
func ForDistribution(in *rule.Input, apt, dnf string) []rule.Command {
	var out []rule.Command
	kind := ""
	if !in.Stack.Container.Inside.Known() {
		kind = packageManager(in.Stack.OS.ID.Or(""))
	}
	if kind == otherManager {
		return nil
	}
	if apt != "" && kind != "dnf" {
		out = append(out, rule.Command{For: "apt", Run: apt})
	}
	if dnf != "" && kind != "apt" {
		out = append(out, rule.Command{For: "dnf", Run: dnf})
	}
	return out
}

func packageManager(id string) string {
	switch id {
	case "ubuntu", "debian", "linuxmint", "pop":
		return "apt"
	case "rhel", "fedora", "centos", "rocky", "almalinux", "ol", "amzn":
		return "dnf"
	case "arch", "manjaro", "endeavouros", "opensuse-leap", "opensuse-tumbleweed", "sles", "alpine", "nixos", "gentoo", "void", "slackware", "cos", "flatcar", "bottlerocket", "talos":
		return otherManager
	}
	return ""
}

// otherManager stands for systems whose packages neither apt nor dnf installs.
const otherManager = "other"

// onWindows replaces the installation of a driver inside WSL, whose driver is
// the one of Windows.
func onWindows(in *rule.Input, r rule.Remedy) rule.Remedy {
	if in.Stack.OS.WSL.Or(false) {
		r.Summary, r.Commands = "install a newer NVIDIA driver in Windows; WSL uses that one", nil
	}
	return r
}

// Shell is one command for a shell.
func Shell(run string) []rule.Command { return []rule.Command{{For: "shell", Run: run}} }

// ForwardCompat offers the user-mode driver of a newer CUDA over the kernel
// module that is there, where NVIDIA tests that pair and every GPU may use it.
func ForwardCompat(in *rule.Input, cuda version.CUDA, layer rule.Layer) []rule.Remedy {
	module := in.Stack.Kernel.Version
	if !module.Known() {
		module = in.Driver
	}
	if !module.Known() || len(in.GPUs) == 0 || in.Stack.OS.WSL.Or(false) || in.Stack.OS.Jetson.Known() {
		return nil
	}
	for _, g := range in.GPUs {
		if allowed, known := kb.GPUClass(g.Class).ForwardCompatible(); !allowed || !known {
			return nil
		}
	}
	a := in.KB.ForwardCompat(cuda, module.Value)
	if !a.Known || a.Value.Status != kb.Supported || a.Value.DriverInside.IsZero() {
		return nil
	}
	minor := a.Value.CUDA
	dir := "/usr/local/cuda-" + minor.String() + "/compat"
	pkg := "cuda-compat-" + strings.ReplaceAll(minor.String(), ".", "-")
	return []rule.Remedy{{
		Summary: fmt.Sprintf("put the forward-compatibility libraries of CUDA %s before the driver's (data-centre GPUs only)", minor),
		Layer:   layer,
		Changes: []stack.Change{stack.InstallCompat{CUDA: minor, Driver: a.Value.DriverInside, Branches: []int{module.Value.Branch()}}},
		Commands: append(ForDistribution(in, "sudo apt install "+pkg, "sudo dnf install "+pkg),
			rule.Command{For: "shell", Run: Prepend(dir)}),
	}}
}
