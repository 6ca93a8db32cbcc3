package device

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev001 = &rule.Rule{
	ID:       "DEV001",
	Slug:     "device-nodes-missing",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "The driver is loaded, but its device nodes are missing",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedModule, rule.NeedNodes.OrAbsent(), rule.NeedGPUs},
	After:    []string{"CTR001", "CTR006", "CTR007", "CTR010", "HWR003", "KRN001", "KRN005", "KRN006", "DRV005", "DRV006"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeModprobe},
	Doc: `A program reaches the driver through /dev/nvidiactl and the GPU through /dev/nvidia0 and so on. udev does not make
these files: nvidia-modprobe, a set-uid helper of the driver, does when the first program asks for the GPU, or root's
own programs do, or nvidia-persistenced at boot. A host without them is therefore healthy as long as one of these
works. Where none does, nvidia-smi and CUDA find no device.

Run sudo nvidia-modprobe once, and enable nvidia-persistenced to have the files after every boot. A container gets
its own /dev: there the files are missing because it was started without GPU access.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 || !native(in) || in.Unasked() {
			return rule.NA()
		}
		_, ctl := node(in, control)
		gpus := gpuNodes(in)
		if ctl && len(gpus) > 0 {
			return rule.Clean()
		}
		what := "there is no " + control
		if ctl {
			what = "there is no /dev/nvidia0"
		} else if len(gpus) == 0 {
			what = fmt.Sprintf("there is neither %s nor /dev/nvidia0", control)
		}
		if yes, known := onDemand(in); yes {
			return rule.Clean()
		} else if !known {
			return whoMakes(in, what)
		}
		module := in.Stack.Kernel.Version
		f := rule.Finding{
			Summary:  fmt.Sprintf("%[2]s, although kernel module %[1]s is loaded", module.Value, what),
			Cause:    "Without these device files no program can open the driver. nvidia-smi fails, and CUDA reports error 100, \"no CUDA-capable device is detected\".",
			Evidence: append(append([]stack.Source{}, module.Sources...), in.Stack.Devices.Nodes.Sources...),
		}
		if in.Stack.Container.Inside.Known() {
			f.Remedies = []rule.Remedy{give("start the container with GPU access")}
		} else {
			f.Cause += " nvidia-modprobe, which makes them on demand, is not installed set-uid root, and this user is not root."
			f.Evidence = append(f.Evidence, in.Stack.Devices.Modprobe.Sources...)
			f.Remedies = []rule.Remedy{{
				Summary: "make the device files, and let nvidia-persistenced do it at boot", Layer: rule.DeviceExposure,
				Changes:  []stack.Change{stack.MakeNodes{}},
				Commands: remedy.Shell("sudo nvidia-modprobe -c 0 -u && sudo systemctl enable --now nvidia-persistenced"),
			}}
		}
		return rule.Found(f)
	},
}
