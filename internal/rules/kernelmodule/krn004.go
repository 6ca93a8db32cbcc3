package kernelmodule

import (
	"fmt"

	"strata/internal/rule"
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
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Compatibility: forward compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html", Date: "2026-11-30"},
	},
	Doc: `libcuda and NVML talk only to a kernel module of exactly their own version. A package
upgrade, often an unattended one, replaces the libraries at once; the module stays loaded until the machine
restarts. From then on new programs fail with "Driver/library version mismatch" (NVML) or
CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803), while programs that were already running go on.

Restarting loads the module that matches. Holding the driver packages keeps it from coming back.`,
	Check: func(in *rule.Input) rule.Verdict {
		lib := in.Libcuda
		if lib == nil || lib.Fault != "" || lib.Version == "" || lib.Place == "stubs" || lib.Compat != nil || in.Stack.OS.WSL.Or(false) {
			return rule.NA()
		}
		user, err := version.ParseDriver(lib.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of %s could not be read: %v", lib.Real, err), "")
		}
		module := in.Stack.Kernel.Version
		if user.Compare(module.Value) == 0 {
			return rule.Clean()
		}
		evidence := append([]stack.Source{}, module.Sources...)
		evidence = append(evidence, stack.From("file", lib.Real, 0, lib.Soname))
		for _, h := range in.Stack.Driver.History.Value {
			if h.New != "" {
				evidence = append(evidence, h.From)
			}
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("kernel module %s is loaded, but libcuda on disk is %s: the driver was replaced and the machine not restarted", module.Value, user),
			Cause:    fmt.Sprintf("Module %s and user-space driver %s must be equal. Every new CUDA program and nvidia-smi fail until the matching module is loaded.", module.Value, user),
			Evidence: evidence,
			Remedies: []rule.Remedy{{
				Summary:  fmt.Sprintf("reboot, so that the module of %s is loaded", user),
				Layer:    rule.KernelModule,
				Changes:  []stack.Change{stack.Reboot{}},
				Commands: []rule.Command{{For: "shell", Run: "sudo reboot"}},
			}},
		})
	},
}
