package container

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr009 = &rule.Rule{
	ID:       "CTR009",
	Slug:     "image-promises-too-little",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "The image's NVIDIA_REQUIRE_CUDA lets in drivers that are too old for what is inside",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedEnv, rule.NeedBuildCUDA},
	Since:    "0.1",
	Cites: []rule.Cite{
		docsEnv,
		{Title: "CUDA Compatibility: minor version compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
	},
	Doc: `NVIDIA_REQUIRE_CUDA comes from the base image and speaks of the base image's CUDA. A framework installed on top can
be of a newer CUDA major release: an image from nvidia/cuda:12.8 with a torch built for CUDA 13 still says cuda>=12.8. The
container toolkit then starts it on a host whose driver cannot run it, and a scheduler that trusts the label sends it there.

Take a base image of the framework's CUDA, or set the variable in the image to what the framework needs.`,
	Check: func(in *rule.Input) rule.Verdict {
		v, ok := in.Stack.Getenv("NVIDIA_REQUIRE_CUDA")
		if !ok || v.Value == "" {
			return rule.NA()
		}
		r, err := parseRequirement(v.Value)
		if err != nil {
			return rule.Cannot(err.Error(), "")
		}
		low, ok := r.lowest()
		if !ok {
			return rule.NA()
		}
		built := in.BuiltWith()
		if built.Value.Major() <= low.Major() {
			return rule.Clean()
		}
		floor := in.KB.MinDriverFor(built.Value)
		if !floor.Known {
			return rule.FromAnswer(floor)
		}
		if in.Driver.Known() && !in.Driver.Value.Less(floor.Value.Linux) {
			return rule.Clean() // this host runs it; the label is wrong elsewhere only
		}
		f := in.Framework()
		need := fmt.Sprintf("cuda>=%d.0", built.Value.Major())
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("NVIDIA_REQUIRE_CUDA promises to run from CUDA %s on, and %s %s inside is built with CUDA %s", low, f.Package, f.Version, built.Value),
			Cause:    fmt.Sprintf("CUDA %d.x needs driver %s or newer. A host with an older one passes the check of the container toolkit, and the first CUDA call fails with error 35.", built.Value.Major(), floor.Value.Linux),
			Evidence: append([]stack.Source{v.From}, built.Sources...),
			Refs:     []kb.Ref{floor.Ref},
			Remedies: []rule.Remedy{{
				Summary:  "say in the image what the framework needs",
				Layer:    rule.ContainerRuntime,
				Changes:  []stack.Change{stack.SetEnv{Name: "NVIDIA_REQUIRE_CUDA", Value: need}},
				Commands: []rule.Command{{For: "dockerfile", Run: fmt.Sprintf("ENV NVIDIA_REQUIRE_CUDA=%q", need)}},
			}},
		})
	},
}
