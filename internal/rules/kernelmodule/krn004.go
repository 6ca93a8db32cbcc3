package kernelmodule

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/kernellog"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var krn004 = &rule.Rule{
	ID:       "KRN004",
	Slug:     "driver-half-upgraded",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The loaded kernel module and the driver's libraries are of different versions",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedModule, rule.NeedDriverLib},
	// Where the copy that fits is there and another one is loaded first, the
	// driver is whole and the search path is not.
	After: []string{"DRV007"},
	Since: "0.1",
	Cites: []rule.Cite{
		citeOpen,
		{Title: "CUDA Compatibility: forward compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html", Date: "2026-11-30"},
	},
	Doc: `libcuda and NVML talk only to a kernel module of exactly their own version. A package upgrade, often an unattended
one, replaces the libraries at once; the module stays loaded until the machine restarts. From then on new programs
fail with "Failed to initialize NVML: Driver/library version mismatch" or with error 803, "system has unsupported
display driver / cuda driver combination", and the kernel log says "NVRM: API mismatch", while programs that were
already running go on.

Restarting loads the module that matches, provided that it was built for the kernel that starts. Where a restart has
to wait, stop what uses the GPU and reload the modules. Holding the driver's packages keeps it from coming back
(sudo apt-mark hold 'nvidia-*' 'libnvidia-*').

Inside a container the module is the host's. There the libraries are those that were mounted when the container
started, or a copy that the image brought along: create the container anew after an upgrade of the host.`,
	Check: func(in *rule.Input) rule.Verdict {
		lib := in.Libcuda
		// A Jetson's libcuda is numbered by itself (libcuda.so.1.1).
		if in.Stack.OS.WSL.Or(false) || in.Stack.OS.Jetson.Known() || in.Stack.Driver.Assumed.Known() {
			return rule.NA()
		}
		if lib == nil || lib.Fault != "" || lib.Place == "stubs" || lib.Compat != nil {
			return rule.NA()
		}
		if lib.Version == "" {
			return rule.Cannot("neither the name nor the contents of "+lib.Path+" tell its version", "")
		}
		module := in.Stack.Kernel.Version
		user, err := version.ParseDriver(lib.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of %s could not be read: %v", lib.Real, err), "")
		}
		if user.Compare(module.Value) == 0 {
			return nvmlFits(in)
		}
		evidence := append([]stack.Source{}, module.Sources...)
		evidence = append(evidence, stack.From("file", lib.Real, 0, lib.Soname))
		// The newest events that brought this version: a log holds older changes too.
		for _, h := range slices.Backward(in.Stack.Driver.History.Value) {
			if strings.Contains(h.New, user.String()) && len(evidence) < maxEvidence {
				evidence = append(evidence, h.From)
			}
		}
		evidence = append(evidence, kernellog.Find(in, "API mismatch")...)
		if in.Stack.Container.Inside.Known() {
			return rule.Found(staleInContainer(module.Value, user, lib, evidence))
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("kernel module %s is loaded, but libcuda is %s: the driver was replaced and the machine not restarted", module.Value, user),
			Cause:    fmt.Sprintf("Module %s and user-space driver %s must be equal. nvidia-smi says \"Driver/library version mismatch\", and every new CUDA program fails with error 803 until the matching module is loaded.", module.Value, user),
			Evidence: evidence,
			Remedies: finishUpgrade(in, user),
		})
	},
}

// maxEvidence keeps a long history of upgrades out of one finding.
const maxEvidence = 6

// nvmlFits looks at the other library of the pair: where only NVML was
// replaced, CUDA works and nvidia-smi and what asks NVML do not.
func nvmlFits(in *rule.Input) rule.Verdict {
	module := in.Stack.Kernel.Version
	nvml := in.FindSystem("libnvidia-ml.so.1").Winner
	if nvml == nil || nvml.Fault != "" || nvml.Version == "" || nvml.Place == "stubs" {
		return rule.Clean()
	}
	v, err := version.ParseDriver(nvml.Version)
	if err != nil || v.Compare(module.Value) == 0 {
		return rule.Clean()
	}
	f := rule.Finding{
		Severity: rule.AtRisk,
		Summary:  fmt.Sprintf("kernel module and libcuda are %s, but NVML is %s", module.Value, v),
		Cause:    fmt.Sprintf("%s must have the module's version. CUDA works; nvidia-smi and everything that asks NVML (NCCL, monitoring, PyTorch's expandable segments) fails with \"Driver/library version mismatch\".", nvml.Real),
		Evidence: append(append([]stack.Source{}, module.Sources...), nvml.From),
	}
	if !in.Stack.Container.Inside.Known() {
		f.Remedies = finishUpgrade(in, v)
	}
	return rule.Found(f)
}

// finishUpgrade is a restart where the module that it would load fits, else
// building that module first.
func finishUpgrade(in *rule.Input, user version.Driver) []rule.Remedy {
	newest := in.Stack.Kernel.Release.Or("$(uname -r)")
	if list := in.Stack.Kernel.Installed.Value; len(list) > 0 {
		newest = list[len(list)-1]
	}
	apt, dnf := headers(newest)
	return []rule.Remedy{{
		Summary: fmt.Sprintf("restart, so that the module of %s is loaded", user), Layer: rule.KernelModule,
		Changes: []stack.Change{stack.Reboot{}}, Commands: remedy.Shell("sudo reboot"),
	}, {
		Summary: fmt.Sprintf("build the module of %s for kernel %s, which starts next, then restart", user, newest), Layer: rule.KernelModule,
		Changes:  []stack.Change{stack.BuildModule{Release: newest, Version: user}, stack.SetDriver{Version: user}, stack.Reboot{}},
		Commands: append(remedy.ForDistribution(in, apt, dnf), remedy.Shell("sudo reboot")...),
	}, {
		Summary: "without a restart: stop every program that uses the GPU, then unload the modules and load the new ones", Layer: rule.KernelModule,
		Changes:  []stack.Change{stack.SetDriver{Version: user}},
		Commands: remedy.Shell("sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia && sudo modprobe nvidia && sudo modprobe nvidia_uvm"),
	}}
}

func staleInContainer(module, user version.Driver, lib *stack.Library, evidence []stack.Source) rule.Finding {
	f := rule.Finding{
		Summary:  fmt.Sprintf("kernel module %s of the host is loaded, but this container has libcuda %s in %s", module, user, lib.Real),
		Cause:    "Inside a container the module is the host's, and the libraries must be the host's too. Either the host was upgraded after this container was created, or the image brings a driver of its own. CUDA fails with error 803, nvidia-smi with \"Driver/library version mismatch\".",
		Evidence: evidence,
		Remedies: []rule.Remedy{{
			Summary: "create the container anew, so that the host's libraries are mounted", Layer: rule.ContainerRuntime,
			Changes: []stack.Change{stack.SetDriver{Version: module}}, Commands: remedy.Shell("docker rm -f CONTAINER && docker run --gpus all IMAGE"),
		}},
	}
	if lib.Owner != "" {
		f.Summary += ", which the image's package " + lib.Owner + " brought"
	}
	return f
}
