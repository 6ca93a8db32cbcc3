package kernelmodule

import (
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var krn008 = &rule.Rule{
	ID:       "KRN008",
	Slug:     "uvm-not-loaded",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The nvidia_uvm kernel module is not loaded",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needNative, rule.NeedLoaded, rule.NeedGPUs},
	Since:    "0.1",
	Cites:    []rule.Cite{citeOpen, {Title: "nvidia-modprobe", URL: "https://github.com/NVIDIA/nvidia-modprobe", Date: "2026-11-30"}},
	Doc: `CUDA needs two kernel modules: nvidia, which nvidia-smi is content with, and nvidia_uvm, which manages memory. The
second is loaded by the first CUDA program, through the set-uid helper nvidia-modprobe or by root itself, so a host
where it is missing right after boot is healthy. Where nobody may load it, as for an ordinary user without that
helper, cuInit fails with error 999, "unknown error", or 100, although nvidia-smi lists the GPUs.

Load it with sudo modprobe nvidia_uvm, and at every boot through /etc/modules-load.d. After suspend and resume the
module can be loaded and still have lost its state: then CUDA fails with 999 until it is reloaded (sudo rmmod
nvidia_uvm && sudo modprobe nvidia_uvm, with no program using the GPU).`,
	Check: func(in *rule.Input) rule.Verdict {
		nvidia, ok := loaded(in, "nvidia")
		if !ok || len(in.GPUs) == 0 || in.Unasked() {
			return rule.NA()
		}
		if _, ok := loaded(in, "nvidia_uvm"); ok {
			return rule.Clean()
		}
		inside := in.Stack.Container.Inside
		user, helper := in.Stack.Devices.User, in.Stack.Devices.Modprobe
		if inside.State == stack.NotCollected {
			return rule.Cannot("whether this is a container is not known, and so who could load nvidia_uvm", "")
		}
		if !inside.Known() {
			switch {
			case helper.Or(false), user.Known() && user.Value.UID == 0:
				return rule.Clean() // the first CUDA program loads it
			case !user.Known() || !helper.Known():
				return rule.Cannot("nvidia_uvm is not loaded, and whether a program could load it is not known", helper.Allow)
			}
		}
		f := rule.Finding{
			Summary:  "nvidia_uvm is not loaded, and this user cannot load it",
			Cause:    "CUDA needs nvidia_uvm. Without the set-uid helper nvidia-modprobe only root can load it. nvidia-smi works; cuInit fails with error 999, \"unknown error\", or 100, \"no CUDA-capable device is detected\".",
			Evidence: append(append([]stack.Source{nvidia.From}, in.Stack.Kernel.Loaded.Sources...), helper.Sources...),
			Remedies: []rule.Remedy{{
				Summary: "load nvidia_uvm, now and at every boot", Layer: rule.KernelModule,
				Changes:  []stack.Change{stack.LoadModule{Name: "nvidia_uvm"}, stack.MakeNodes{}},
				Commands: remedy.Shell("sudo modprobe nvidia_uvm && sudo nvidia-modprobe -c 0 -u; echo nvidia_uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf"),
			}},
		}
		if inside.Known() {
			f.Summary = "nvidia_uvm is not loaded on the host, only nvidia is"
			f.Cause = "CUDA needs nvidia_uvm, and a container cannot load the host's modules. nvidia-smi works; cuInit fails with error 999, \"unknown error\"."
			f.Confidence = rule.Likely
			f.Remedies[0].Summary += ", on the host; then create the container anew"
		}
		return rule.Found(f)
	},
}
