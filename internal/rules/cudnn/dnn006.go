package cudnn

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var dnn006 = &rule.Rule{
	ID:       "DNN006",
	Slug:     "cudnn-dropped-gpu",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "This release of cuDNN has no code for the GPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLoaded, rule.NeedGPUs},
	After:    []string{"ARC001", "ARC003", "DNN003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "cuDNN: support matrix", URL: "https://docs.nvidia.com/deeplearning/cudnn/backend/latest/reference/support-matrix.html", Date: "2026-11-30"},
		{Title: "conda-forge/cudnn-feedstock issue 124: architectures dropped in 9.11", URL: "https://github.com/conda-forge/cudnn-feedstock/issues/124", Date: "2026-11-30"},
	},
	Doc: `cuDNN has code of its own for GPU architectures, apart from the framework's. Releases from 9.11 on hold code for
Turing (compute capability 7.5) and newer only; 9.10.2 is the last one for Maxwell, Pascal and Volta. A framework that has
code for such a GPU and asks for "any cuDNN 9" gets a release that has none, and every convolution fails.

Install nvidia-cudnn-cu12 9.10.2.21 beside the framework. Nothing newer helps, whatever the driver.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		w, _ := loaded(in)
		have, _ := releaseOf(w.Winner)
		major := in.CUDAMajor(in.Workload)
		row := in.KB.CUDNN(have, major)
		if !row.Known {
			return rule.FromAnswer(row)
		}
		var without []string
		evidence := []stack.Source{stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version)}
		for _, g := range in.GPUs {
			if g.Capability.IsZero() {
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			}
			ok, known := row.Value.Supports(g.Capability)
			if !known {
				return rule.Cannot(fmt.Sprintf("whether cuDNN %s has code for %s", release(have), g), "use a newer Strata or a newer knowledge base")
			}
			if !ok {
				without = append(without, g.String())
				evidence = append(evidence, g.From)
			}
		}
		if len(without) == 0 {
			return rule.Clean()
		}
		f := in.Framework()
		severity := rule.Broken
		if len(without) < len(in.GPUs) {
			severity = rule.AtRisk // the other GPUs work
		}
		return rule.Found(rule.Finding{
			Severity: severity,
			Summary:  fmt.Sprintf("cuDNN %s has no code for %s, and %s %s loads it", release(have), strings.Join(without, ", "), f.Package, f.Version),
			Cause:    fmt.Sprintf("This release holds code for compute capability %s and newer. Every cuDNN call fails on %s although the framework has code for it.", row.Value.CCMin, strings.Join(without, ", ")),
			Evidence: evidence,
			Refs:     []kb.Ref{row.Ref},
			Remedies: lastFor(in, have, major),
		})
	},
}

// lastFor installs the newest older releases that have code for every GPU here.
func lastFor(in *rule.Input, have version.Lib, major int) []rule.Remedy {
	env := in.Workload.Env
	row, _, ok := remedy.NewestCUDNN(in, have.Major(), major)
	if !ok || env == nil || have.Less(row.Below) {
		return nil
	}
	spec, newest := remedy.ReleasesOf(row.From, row.Below, row.Last)
	return []rule.Remedy{{
		Summary:  fmt.Sprintf("install %s%s in %s, the last with code for this GPU", row.Pip, spec, env.Prefix),
		Layer:    rule.CUDNN,
		Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: row.Pip, Version: newest}},
		Commands: remedy.Pip(env, fmt.Sprintf("install '%s%s'", row.Pip, spec)),
	}}
}
