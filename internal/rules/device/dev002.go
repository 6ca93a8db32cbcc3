package device

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev002 = &rule.Rule{
	ID:       "DEV002",
	Slug:     "no-permission-for-device",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "This user may not open the GPU's device nodes",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedNodes, rule.NeedUser},
	Since:    "0.1",
	Cites:    []rule.Cite{citeModprobe},
	Doc: `A CUDA program opens /dev/nvidiactl, /dev/nvidia-uvm and the node of a GPU for reading and writing. NVIDIA's driver
makes them open to everyone; a site may restrict them to a group, often video or render, by the module's options
NVreg_DeviceFileGID and NVreg_DeviceFileMode or by a udev rule. A user outside that group sees error 100, "no
CUDA-capable device is detected", or nvidia-smi's "Insufficient Permissions", while root sees the GPU.

Add the user to the group and log in again; a session that is open keeps its old groups. A container's user needs the
group inside the container: --group-add with the number of the group that owns the node.`,
	Check: func(in *rule.Input) rule.Verdict {
		gpus, user := gpuNodes(in), in.Stack.Devices.User.Value
		ctl, ok := node(in, control)
		if dxg, wsl := node(in, "/dev/dxg"); wsl && !ok {
			ctl, ok, gpus = dxg, true, []stack.DeviceNode{dxg}
		}
		if !ok || len(gpus) == 0 {
			return rule.NA() // DEV001
		}
		var closed []stack.DeviceNode
		if !opens(user, ctl) {
			closed = append(closed, ctl)
		}
		if n, ok := node(in, uvm); ok && !opens(user, n) {
			closed = append(closed, n)
		}
		// One GPU that may be opened is enough: others can be reserved for others.
		if !slices.ContainsFunc(gpus, func(n stack.DeviceNode) bool { return opens(user, n) }) {
			closed = append(closed, gpus...)
		}
		if len(closed) == 0 {
			return rule.Clean()
		}
		var paths []string
		var evidence []stack.Source
		for _, n := range closed {
			if slices.Contains(paths, n.Path) {
				continue
			}
			paths = append(paths, n.Path)
			evidence = append(evidence, stack.From("file", n.Path, 0, fmt.Sprintf("mode %04o, owner %d:%d", n.Mode, n.UID, n.GID)))
		}
		first := closed[0]
		f := rule.Finding{
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("user %d may not open %s (mode %04o, group %s)", user.UID, strings.Join(paths, ", "), first.Mode, groupName(user, first.GID)),
			Cause:      "CUDA opens these for reading and writing. It fails with error 100, \"no CUDA-capable device is detected\", or 304, nvidia-smi with \"Insufficient Permissions\". An access list on the file, which is not read here, could still allow it.",
			Evidence:   append(evidence, in.Stack.Devices.User.Sources...),
		}
		f.Remedies = grant(in, user, first)
		return rule.Found(f)
	},
}

// opens tells whether the permission bits let a user read and write a node, in
// the kernel's order: the owner's bits, else the group's, else everyone's.
func opens(user stack.User, n stack.DeviceNode) bool {
	const readWrite = 0o6
	switch {
	case user.UID == 0:
		return true
	case user.UID == n.UID:
		return n.Mode>>6&readWrite == readWrite
	case slices.Contains(user.GIDs, n.GID):
		return n.Mode>>3&readWrite == readWrite
	}
	return n.Mode&readWrite == readWrite
}

func groupName(user stack.User, gid int) string {
	if name := user.Groups[gid]; name != "" {
		return name
	}
	return fmt.Sprint(gid)
}

func grant(in *rule.Input, user stack.User, n stack.DeviceNode) []rule.Remedy {
	byGroup := n.Mode>>3&0o6 == 0o6 && n.GID != 0
	r := rule.Remedy{Layer: rule.DeviceExposure, Changes: []stack.Change{stack.Grant{}}}
	switch {
	case byGroup && in.Stack.Container.Inside.Known():
		r.Summary = fmt.Sprintf("start the container with the group %d", n.GID)
		r.Commands = remedy.Shell(fmt.Sprintf("docker run --gpus all --group-add %d IMAGE", n.GID))
	case byGroup:
		r.Summary = fmt.Sprintf("add the user to group %s, and log in again", groupName(user, n.GID))
		r.Commands = remedy.Shell(fmt.Sprintf("sudo usermod -aG %s \"$USER\"", groupName(user, n.GID)))
	default:
		r.Summary = "let everyone open the nodes, as NVIDIA's default is, now and after every boot"
		r.Commands = remedy.Shell("sudo chmod 0666 /dev/nvidiactl /dev/nvidia-uvm /dev/nvidia[0-9]*; echo 'options nvidia NVreg_DeviceFileMode=0666' | sudo tee /etc/modprobe.d/nvidia-device-files.conf")
	}
	return []rule.Remedy{r}
}
