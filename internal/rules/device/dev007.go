package device

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev007 = &rule.Rule{
	ID:       "DEV007",
	Slug:     "cgroup-denies-devices",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "The container's cgroup does not allow the GPU's device nodes",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedNodes, rule.NeedInside.OrAbsent()},
	Since:    "0.1",
	Cites: []rule.Cite{citeCgroup,
		{Title: "NVIDIA Container Toolkit, issue 48", URL: "https://github.com/NVIDIA/nvidia-container-toolkit/issues/48", Date: "2026-11-30"}},
	Doc: `A container may open only the devices that its cgroup allows, whatever the permissions of the files say. Where the
rules lack NVIDIA's devices, opening /dev/nvidiactl ends with "Operation not permitted", nvidia-smi says "Failed to
initialize NVML: Unknown Error", and CUDA error 100 or 999.

A container that worked and lost its GPU met a reload of systemd (systemctl daemon-reload, or a package upgrade that
does one): systemd writes the rules anew and does not know devices that a hook added, unless they have links under
/dev/char. Create the container anew; to keep it from coming back, make those links, use CDI, or pass the devices with
--device. In LXC the rules are in the container's configuration (lxc.cgroup.devices.allow, lxc.cgroup2.devices.allow).

With cgroup v2 the rules are a BPF program that no file shows; then this cannot be told from inside.`,
	Check: func(in *rule.Input) rule.Verdict {
		nodes := append(gpuNodes(in), controls(in)...)
		if in.Stack.Container.Inside.State == stack.Absent || len(nodes) == 0 {
			return rule.NA() // outside containers nobody restricts devices this way
		}
		rules := in.Stack.Devices.CgroupRules
		if !rules.Known() {
			return rule.Cannot("which devices the cgroup allows is not known ("+rules.Why+")", rules.Allow)
		}
		var denied []string
		var evidence []stack.Source
		gpus, open := 0, 0
		for i, n := range nodes {
			isGPU := i < len(gpuNodes(in))
			if isGPU {
				gpus++
			}
			if allowed(rules.Value, n) {
				if isGPU {
					open++
				}
				continue
			}
			denied = append(denied, fmt.Sprintf("%s (%d:%d)", n.Path, n.Major, n.Minor))
			evidence = append(evidence, n.From)
		}
		if len(denied) == 0 || open > 0 && len(denied) == gpus-open {
			return rule.Clean() // at least one GPU with all that it needs
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("the cgroup's device rules do not allow %s", strings.Join(denied, ", ")),
			Cause:    "The device files are there, but opening them ends with \"Operation not permitted\". nvidia-smi says \"Failed to initialize NVML: Unknown Error\"; CUDA fails with error 100 or 999.",
			Evidence: append(append([]stack.Source{}, rules.Sources...), evidence...),
			Remedies: []rule.Remedy{give("create the container anew, with GPU access")},
		}
		if in.Stack.Container.Inside.Value == "lxc" {
			f.Remedies[0].Summary = "allow the devices in the container's configuration, and restart it"
			f.Remedies[0].Commands = remedy.Shell(fmt.Sprintf("echo 'lxc.cgroup.devices.allow: c %d:* rwm' | sudo tee -a /etc/pve/lxc/ID.conf", nodes[0].Major))
		}
		return rule.Found(f)
	},
}

// controls are the nodes that every CUDA program opens besides a GPU's.
func controls(in *rule.Input) []stack.DeviceNode {
	var out []stack.DeviceNode
	for _, name := range []string{control, uvm} {
		if n, ok := node(in, name); ok {
			out = append(out, n)
		}
	}
	return out
}

// allowed reads rules of devices.list: "c 195:* rwm", "a *:* rwm". Reading and
// writing must both be among the last letters.
func allowed(rules []string, n stack.DeviceNode) bool {
	for _, r := range rules {
		f := strings.Fields(r)
		if len(f) != 3 || f[0] != "c" && f[0] != "a" || !strings.Contains(f[2], "r") || !strings.Contains(f[2], "w") {
			continue
		}
		major, minor, _ := strings.Cut(f[1], ":")
		if (major == "*" || major == strconv.Itoa(n.Major)) && (minor == "*" || minor == strconv.Itoa(n.Minor)) {
			return true
		}
	}
	return false
}
