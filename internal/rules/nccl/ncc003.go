package nccl

import (
	"strata/internal/rule"
	"strata/internal/rules/remedy"
)

var ncc003 = &rule.Rule{
	ID:       "NCC003",
	Slug:     "nccl-known-bad",
	Layer:    rule.NCCL,
	Severity: rule.AtRisk,
	Title:    "This release of NCCL is known to fail here",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"NCC001", "NCC002", "PKG003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch pull request 174338: NCCL 2.29.3", URL: "https://github.com/pytorch/pytorch/pull/174338", Date: "2026-11-30"},
	},
	Doc: `Programs on several GPUs spend their time in NCCL's collectives, and a defect there shows as a job that never ends. NCCL
2.29.2 has such a hang, and 2.29.3 mends it; PyTorch went from an older release to 2.29.3 for that reason. It gets into an environment
where somebody installs a newer nvidia-nccl wheel than the framework requires, or by a package of the system that is found first.

Strata reports a release only where the workload loads it and sees two GPUs or more. Install the release that mends it, or the
one that the framework requires.`,
	Check: func(in *rule.Input) rule.Verdict { return remedy.KnownBad(in, rule.NCCL) },
}
