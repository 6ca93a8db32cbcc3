package device

import (
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev004 = &rule.Rule{
	ID:       "DEV004",
	Slug:     "uvm-node-missing",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "/dev/nvidia-uvm is missing",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedNodes},
	After:    []string{"KRN008", "DEV001", "CTR001", "CTR006"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeModprobe, citeToolkit},
	Doc: `CUDA allocates memory through /dev/nvidia-uvm. nvidia-smi does not need it, so it shows healthy GPUs while every CUDA
program ends with error 999, "unknown error", or 100. PyTorch says "CUDA unknown error - this may be due to an
incorrectly set up environment".

In a container the node is missing where devices were passed one by one (--device /dev/nvidia0 --device
/dev/nvidiactl): pass /dev/nvidia-uvm and /dev/nvidia-uvm-tools too, or use --gpus all, which knows them. On a host
the first CUDA program makes it, through nvidia-modprobe or as root; where neither is possible, run sudo
nvidia-modprobe -c 0 -u at boot.`,
	Check: func(in *rule.Input) rule.Verdict {
		ctl, ok := node(in, control)
		if !ok || len(gpuNodes(in)) == 0 || !native(in) {
			return rule.NA() // DEV001
		}
		if _, ok := node(in, uvm); ok {
			return rule.Clean()
		}
		if yes, known := onDemand(in); yes {
			return rule.Clean()
		} else if !known {
			return whoMakes(in, "there is no "+uvm)
		}
		f := rule.Finding{
			Summary:  "/dev/nvidiactl and /dev/nvidia0 are there, but /dev/nvidia-uvm is not",
			Cause:    "CUDA needs it for memory. nvidia-smi works; cuInit fails with error 999, \"unknown error\", or 100, \"no CUDA-capable device is detected\".",
			Evidence: append([]stack.Source{ctl.From}, in.Stack.Devices.Nodes.Sources...),
		}
		if in.Stack.Container.Inside.Known() {
			f.Remedies = []rule.Remedy{{
				Summary: "pass the node to the container too, or start it with --gpus", Layer: rule.ContainerRuntime,
				Changes:  []stack.Change{stack.MakeNodes{}},
				Commands: remedy.Shell("docker run --device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm --device /dev/nvidia-uvm-tools IMAGE"),
			}, give("start the container with GPU access by the toolkit")}
		} else {
			f.Evidence = append(f.Evidence, in.Stack.Devices.Modprobe.Sources...)
			f.Remedies = []rule.Remedy{{
				Summary: "make the node", Layer: rule.DeviceExposure,
				Changes: []stack.Change{stack.MakeNodes{}}, Commands: remedy.Shell("sudo nvidia-modprobe -c 0 -u"),
			}}
		}
		return rule.Found(f)
	},
}
