package device

import (
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev006 = &rule.Rule{
	ID:       "DEV006",
	Slug:     "wsl-without-dxg",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "WSL without /dev/dxg: the GPU of Windows is not passed in",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needWSL, rule.NeedNodes.OrAbsent()},
	After:    []string{"CTR001", "CTR007"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeWSL},
	Doc: `In WSL 2 the GPU is reached through /dev/dxg, a device of Microsoft's kernel that hands calls to the driver of Windows.
Where it is missing, nothing inside can use the GPU: the distribution runs as WSL 1, which has no Linux kernel; the WSL
kernel is too old; GPU support is switched off (gpuSupport=false in .wslconfig); or the machine is a virtual one
without a GPU. In a container inside WSL it is missing where the container was started without --gpus.

Update WSL and convert the distribution to version 2. No driver belongs inside WSL.`,
	Check: func(in *rule.Input) rule.Verdict {
		if !in.Stack.OS.WSL.Value || in.Unasked() {
			return rule.NA()
		}
		if _, ok := node(in, "/dev/dxg"); ok {
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  "there is no /dev/dxg, and this is WSL",
			Cause:    "Without it the GPU of Windows cannot be reached. nvidia-smi and CUDA find no device (error 100), whatever is installed inside WSL.",
			Evidence: append(append([]stack.Source{}, in.Stack.OS.WSL.Sources...), in.Stack.Devices.Nodes.Sources...),
		}
		if in.Stack.Container.Inside.Known() {
			f.Remedies = []rule.Remedy{give("start the container with GPU access")}
		} else {
			f.Remedies = []rule.Remedy{{
				Summary: "in Windows, update WSL, make the distribution version 2, and start it again", Layer: rule.DeviceExposure,
				Changes:  []stack.Change{stack.MakeNodes{}},
				Commands: remedy.Shell("wsl.exe --update && wsl.exe --set-version DISTRIBUTION 2 && wsl.exe --shutdown"),
			}}
		}
		return rule.Found(f)
	},
}

var needWSL = rule.Need{Name: "whether this is WSL", Seen: func(in *rule.Input) stack.Seen { return in.Stack.OS.WSL.Seen() }}
