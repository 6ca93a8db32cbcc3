package toolkit

import (
	"fmt"
	"slices"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var tkt003 = &rule.Rule{
	ID:       "TKT003",
	Slug:     "nvcc-does-not-know-gpu",
	Layer:    rule.Toolkit,
	Severity: rule.Note,
	Title:    "nvcc cannot compile for this GPU",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needChosen, rule.NeedGPUs},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Toolkit, driver and architecture matrix", URL: "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html", Date: "2026-11-30"},
		{Title: "tiny-cuda-nn issue 239: unsupported gpu architecture", URL: "https://github.com/NVlabs/tiny-cuda-nn/issues/239", Date: "2026-11-30"},
	},
	Doc: `A toolkit compiles for the architectures it knows: compute capability 8.9 from CUDA 11.8 on, 12.0 from 12.8 on, and
nothing before 7.5 from CUDA 13 on. Asked for another one nvcc stops with "nvcc fatal : Unsupported gpu architecture
'compute_89'". Often the reason is a distribution's old nvcc that comes first on PATH.

This concerns building only: no framework needs nvcc to run. Put a toolkit that knows the GPU first on PATH, or point CUDA_HOME
to it.`,
	Check: func(in *rule.Input) rule.Verdict {
		kit, _ := chosen(in)
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		targets := in.KB.NVCCTargets(kit.Version)
		if !targets.Known {
			return rule.FromAnswer(targets)
		}
		for _, g := range in.GPUs {
			if g.Capability.IsZero() {
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			}
			if slices.ContainsFunc(targets.Value, func(t version.ComputeCapability) bool { return t.Compare(g.Capability) == 0 }) {
				continue
			}
			arch := in.KB.Arch(g.Capability)
			if !arch.Known {
				return rule.FromAnswer(arch)
			}
			span := fmt.Sprintf("from CUDA %s on", arch.Value.FirstCUDA)
			want := arch.Value.FirstCUDA
			if last := arch.Value.LastCUDA; !last.IsZero() && last.Less(kit.Version) {
				span, want = fmt.Sprintf("up to CUDA %s", last), last
			}
			return rule.Found(rule.Finding{
				Summary: fmt.Sprintf("nvcc in %s is of CUDA %s, and %s is compiled for %s", kit.Root, kit.Version, g, span),
				Cause: fmt.Sprintf("A build for this GPU ends in \"nvcc fatal : Unsupported gpu architecture 'compute_%d%d'\". Running frameworks is not affected.",
					g.Capability.Major, g.Capability.Minor),
				Evidence: []stack.Source{kit.From, g.From},
				Refs:     []kb.Ref{targets.Ref, arch.Ref},
				Remedies: []rule.Remedy{install(in, want)},
			})
		}
		return rule.Clean()
	},
}
