package conflict

import (
	"slices"

	"strata/internal/rule"
)

var pkg003 = &rule.Rule{
	ID:       "PKG003",
	Slug:     "two-nccls",
	Layer:    rule.PackageConflict,
	Severity: rule.Broken,
	Title:    "NCCL wheels for two CUDA majors overwrite each other",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needEnvironment},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch issue 186591: NCCL wheels of two CUDA majors overwrite each other", URL: "https://github.com/pytorch/pytorch/issues/186591", Date: "2026-11-30"},
	},
	Doc: `nvidia-nccl-cu12 and nvidia-nccl-cu13 both install nvidia/nccl/lib/libnccl.so.2. The file's name does not
tell the CUDA, so the one installed last is used by everything. PyTorch then fails at import with "undefined symbol:
ncclCommResume" or another function that the older NCCL lacks, or it starts and communicates through a NCCL of the
other CUDA major.

Two packages of one environment that are built for different CUDA bring it about, such as a torch for CUDA 12 and a
vLLM for CUDA 13. Uninstall both wheels, then install the one that the framework pins; if the other package really
needs the other major, the two belong into environments of their own.`,
	Check: func(in *rule.Input) rule.Verdict {
		for _, c := range clashes(in.Workload.Env) {
			if !isNCCL(c.stem) {
				continue
			}
			f := judge(in, c)
			for _, a := range in.KB.Advisories("nvidia-nccl-cu13") {
				if slices.ContainsFunc(c.packages, func(p string) bool { return p == a.Package }) {
					f.Refs = append(f.Refs, in.KB.Cite(a))
				}
			}
			f.Cause += ` With another NCCL the import fails with "undefined symbol: ncclComm…", or collectives run through a library of the other CUDA major.`
			return rule.Found(f)
		}
		if v, ok := unread(in.Workload.Env, rivals(in.Workload.Env, isNCCL)); ok {
			return v
		}
		return rule.Clean()
	},
}

func isNCCL(stem string) bool { return stem == "nvidia-nccl" }
