package nccl

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var ncc001 = &rule.Rule{
	ID:       "NCC001",
	Slug:     "nccl-missing",
	Layer:    rule.NCCL,
	Severity: rule.Broken,
	Title:    "NCCL is needed and not found",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004", "CUD005", "CUL002", "CUL003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ld.so(8): how shared libraries are found", URL: "https://man7.org/linux/man-pages/man8/ld.so.8.html", Date: "2026-11-30"},
		{Title: "PyTorch: libraries that torch/__init__.py loads", URL: "https://github.com/pytorch/pytorch/blob/main/torch/__init__.py", Date: "2026-11-30"},
	},
	Doc: `NCCL moves data between GPUs. PyTorch's wheels link it, so that torch cannot be imported without it even where
there is one GPU only; TensorFlow opens it with the other libraries and skips all GPUs where it is not there.

Install the wheel that the framework's metadata names. nvidia-nccl-cu12 and nvidia-nccl-cu13 write the same file, so only
one of them can be in an environment.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.NCCL, missing.Either, missing.Effect)
	},
}
