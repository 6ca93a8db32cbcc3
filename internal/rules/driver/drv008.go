package driver

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
)

var drv008 = &rule.Rule{
	ID:       "DRV008",
	Slug:     "libcuda-damaged",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The libcuda that programs find cannot be loaded",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib},
	After:    []string{"CTR001"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeLoader, {Title: "NVIDIA Container Toolkit: troubleshooting", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html", Date: "2026-11-30"}},
	Doc: `The file that the dynamic linker finds as libcuda.so.1 is empty, cut off, no library at all, or a link that leads
nowhere. Programs say "file too short", "invalid ELF header" or that no driver was found.

Empty files of this name are typical of images that were made from a running GPU container (docker commit): the
toolkit mounts the driver's libraries over empty files, and the files stay. On a host it is a damaged or interrupted
installation. Remove the file, and install the driver's libraries again where none remains.`,
	Check: func(in *rule.Input) rule.Verdict {
		r := in.FindSystem("libcuda.so.1")
		lib := r.Winner
		if lib == nil {
			return rule.NA()
		}
		if lib.Fault == "" {
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("libcuda.so.1 is unusable: %s (%s)", lib.Fault, lib.Path),
			Cause:    fmt.Sprintf("It is found first (%s). Loading it fails, so CUDA reports that there is no driver (error 35) or the linker stops with \"file too short\" or \"invalid ELF header\".", r.Why),
			Evidence: []stack.Source{stack.From("file", lib.Path, 0, lib.Fault)},
		}
		gone := stack.RemoveLibrary{Path: lib.Path}
		module := in.Stack.Kernel.Version
		switch {
		case in.Stack.Container.Inside.Known():
			r := anew()
			r.Summary = "build the image without this file, and start the container with GPU access"
			r.Changes = append([]stack.Change{gone}, r.Changes...)
			f.Remedies = append(f.Remedies, r)
		case len(elsewhere(in)) > 0:
			f.Remedies = append(f.Remedies, aside(in, lib, r.Why))
		}
		if module.Known() && !in.Stack.Container.Inside.Known() {
			f.Remedies = append(f.Remedies, reinstall(in, module.Value, " again"))
		} else if in.Driver.Known() && !in.Stack.Container.Inside.Known() {
			f.Remedies = append(f.Remedies, reinstall(in, in.Driver.Value, " again"))
		}
		return rule.Found(f)
	},
}
