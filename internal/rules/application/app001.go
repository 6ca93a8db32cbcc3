package application

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
)

var app001 = &rule.Rule{
	ID:       "APP001",
	Slug:     "configured-for-cpu",
	Layer:    rule.Application,
	Severity: rule.Broken,
	Title:    "The program's configuration asks for the CPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedGPUs, needWants},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "Bareun on a GPU in Docker: example configurations", URL: "https://github.com/rubatoyd/bareun-pipeline/tree/main/examples/docker_gpu", Date: "2026-11-30"},
		{Title: "ONNX Runtime: execution providers", URL: "https://onnxruntime.ai/docs/execution-providers/", Date: "2026-11-30"},
	},
	Doc: `Some servers choose between CPU and GPU by their configuration, whatever the machine has. Bareun's server
takes executionProvider.provider of bareun.json: "cpu", "cuda" or "tensorrt". With "cpu" it never asks for the GPU, and
there is no message, because nothing failed.

This is no fault of the stack. Change the setting and restart the program; after that Strata judges whether the
provider that it then asks for finds what it needs.`,
	Check: func(in *rule.Input) rule.Verdict {
		p := in.Workload.Program
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		if p.Wants.Value != "cpu" {
			return rule.Clean()
		}
		where := "its configuration"
		if len(p.Wants.Sources) > 0 {
			where = p.Wants.Sources[0].String()
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("%s is configured for the CPU, although the machine has %s", p.Name, in.GPUs[0].Name),
			Cause:    fmt.Sprintf("It does what its configuration says (%s) and does not ask for the GPU. The stack is not at fault.", where),
			Evidence: append(append([]stack.Source{}, p.Wants.Sources...), in.GPUs[0].From),
			Remedies: []rule.Remedy{{
				Summary: fmt.Sprintf("set the provider to cuda or tensorrt in %s, and restart the program", where),
				Layer:   rule.Application,
				Changes: []stack.Change{stack.SetWants{Program: p.Path, Wants: "gpu"}},
			}},
		})
	},
}

// needWants is what a native program's configuration asks for.
var needWants = rule.Need{Name: "what the program's configuration asks for", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Program == nil {
		return stack.Seen{State: stack.Absent}
	}
	seen := in.Workload.Program.Wants.Seen()
	if seen.State == stack.NotCollected {
		seen.State = stack.Absent // a program without such a configuration
	}
	return seen
}}
