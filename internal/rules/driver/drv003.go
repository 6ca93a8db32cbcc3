package driver

import (
	"fmt"
	"path"

	"strata/internal/rule"
	"strata/internal/stack"
)

var drv003 = &rule.Rule{
	ID:       "DRV003",
	Slug:     "stub-libcuda-wins",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The toolkit's stub of libcuda is loaded in place of the driver's",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib},
	Since:    "0.1",
	Cites:    []rule.Cite{citeErrors, citeLoader},
	Doc: `A CUDA toolkit has a directory lib64/stubs with a libcuda that holds names and no code, so that programs can be
linked on machines without a driver. Where the dynamic linker finds that one as libcuda.so.1 before the driver's,
every CUDA call fails with error 34, "CUDA driver is a stub library".

It happens where an image or a build script puts the stubs directory on LD_LIBRARY_PATH or into /etc/ld.so.conf.d,
usually with a link libcuda.so.1 to make a test pass during docker build. Linking needs it only at build time: name
the directory with -L or LIBRARY_PATH, and keep it off the run-time search.`,
	Check: func(in *rule.Input) rule.Verdict {
		r := in.FindSystem("libcuda.so.1")
		lib := r.Winner
		if lib == nil {
			return rule.NA()
		}
		// The linker opens the name libcuda.so.1; a stub that is only called
		// libcuda.so is found through the cache, or by nobody.
		if lib.Place != "stubs" || path.Base(lib.Path) != "libcuda.so.1" && r.Why != "ld.so.cache" {
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("programs load a stub as libcuda.so.1: %s", lib.Path),
			Cause:    fmt.Sprintf("Its directory is searched first, through %s. The stub has no code: every CUDA call fails with error 34, \"CUDA driver is a stub library\".", r.Why),
			Evidence: []stack.Source{lib.From},
			Remedies: []rule.Remedy{aside(in, lib, r.Why)},
		}
		if v, ok := in.Stack.Getenv("LD_LIBRARY_PATH"); ok && r.Why == "LD_LIBRARY_PATH" {
			f.Evidence = append(f.Evidence, v.From)
		}
		if module := in.Stack.Kernel.Version; module.Known() && len(elsewhere(in)) == 0 {
			// Without the stub there would be none at all.
			both := reinstall(in, module.Value, ", and take the stub off the search path")
			if in.Stack.Container.Inside.Known() {
				both = anew()
			}
			both.Changes = append(append([]stack.Change{}, f.Remedies[0].Changes...), both.Changes...)
			both.Commands = append(both.Commands, f.Remedies[0].Commands...)
			f.Remedies = append(f.Remedies, both)
		}
		return rule.Found(f)
	},
}
