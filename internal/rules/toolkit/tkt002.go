package toolkit

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

var tkt002 = &rule.Rule{
	ID:       "TKT002",
	Slug:     "host-compiler-too-new",
	Layer:    rule.Toolkit,
	Severity: rule.Note,
	Title:    "The host compiler is newer than nvcc accepts",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{needChosen, {Name: "the host compiler", Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.CUDA.HostCompiler.Seen()
	}}},
	Since: "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA installation guide for Linux: host compiler support", URL: "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/index.html", Date: "2026-11-30"},
		{Title: "instant-ngp issue 1562: unsupported GNU version", URL: "https://github.com/NVlabs/instant-ngp/issues/1562", Date: "2026-11-30"},
	},
	Doc: `nvcc hands the host part of the code to g++ or clang and checks that compiler's major version: CUDA 12.0 to 12.3
take GCC up to 12, 12.4 up to 13, 12.8 up to 14, 13.0 up to 15. A newer one ends every build in "#error -- unsupported GNU
version!". Programs that are already built are not affected.

Give nvcc an older compiler (NVCC_CCBIN, or -ccbin), or take a newer toolkit. -allow-unsupported-compiler only silences the
check.`,
	Check: func(in *rule.Input) rule.Verdict {
		kit, _ := chosen(in)
		host := in.Stack.CUDA.HostCompiler
		row := in.KB.HostCompiler(kit.Version)
		if !row.Known {
			return rule.FromAnswer(row)
		}
		max := row.Value.GCCMax
		if host.Value.Name == "clang" {
			max = row.Value.ClangMax
		}
		switch {
		case max == 0 || host.Value.Major == 0:
			return rule.Cannot(fmt.Sprintf("whether nvcc %s accepts %s %d", kit.Version, host.Value.Name, host.Value.Major), "")
		case kit.Root == debianRoot || host.Value.Major <= max:
			return rule.Clean() // Debian's nvcc brings the compiler it takes
		}
		ccbin := fmt.Sprintf("/usr/bin/g++-%d", max)
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("nvcc %s accepts %s up to %d, and %s is %d", kit.Version, host.Value.Name, max, host.Value.Path, host.Value.Major),
			Cause:    fmt.Sprintf(`Every build with nvcc ends in "#error -- unsupported GNU version! gcc versions later than %d are not supported!". What is already built runs.`, max),
			Evidence: append([]stack.Source{kit.From}, host.Sources...),
			Refs:     []kb.Ref{row.Ref},
			Remedies: []rule.Remedy{{
				Summary: fmt.Sprintf("install g++ %d beside the newer one and let nvcc take it", max),
				Layer:   rule.Toolkit,
				Changes: []stack.Change{stack.SetHostCompiler{Compiler: stack.Compiler{Name: "gcc", Path: ccbin, Major: max}}},
				Commands: []rule.Command{
					{For: "apt", Run: fmt.Sprintf("sudo apt install g++-%d", max)},
					{For: "shell", Run: "export NVCC_CCBIN=" + ccbin},
				},
			}},
		})
	},
}

// debianRoot is the toolkit of Debian's and Ubuntu's own packages, whose nvcc
// is set up to take a compiler that fits.
const debianRoot = "/usr/lib/nvidia-cuda-toolkit"
