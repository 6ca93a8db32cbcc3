package nccl

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var ncc002 = &rule.Rule{
	ID:       "NCC002",
	Slug:     "older-nccl-wins",
	Layer:    rule.NCCL,
	Severity: rule.Broken,
	Title:    "An older NCCL is loaded than the framework was built with",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"PKG003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch issue 119932: undefined symbol ncclCommRegister", URL: "https://github.com/pytorch/pytorch/issues/119932", Date: "2026-11-30"},
		{Title: "NCCL issue 1180: undefined symbol after a system NCCL is found first", URL: "https://github.com/NVIDIA/nccl/issues/1180", Date: "2026-11-30"},
		{Title: "NCCL: src/nccl.h.in, functions by release", URL: "https://github.com/NVIDIA/nccl/blob/master/src/nccl.h.in", Date: "2026-11-30"},
	},
	Doc: `Every NCCL since 2.0 has the soname libnccl.so.2, so the dynamic linker takes the first one it meets. A framework
built with a newer release calls functions that an older one does not have, and importing it fails with "undefined symbol:
ncclCommRegister" (since NCCL 2.19), ncclCommSplit (2.18), ncclCommWindowRegister (2.27) and so on.

The older copy is usually a system package or a directory on LD_LIBRARY_PATH. Take it off the path, or remove it; the
wheel brings its own. A newer NCCL is fine.`,
	Check: func(in *rule.Input) rule.Verdict {
		w, ok := want(in)
		if !ok {
			return rule.NA()
		}
		asked, from := builtWith(in, w)
		if asked.IsZero() {
			return rule.NA() // nothing to compare with
		}
		have, err := version.ParseLib(w.Winner.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("neither the name nor the package of %s tells its release", w.Winner.Path), "")
		}
		if !have.Less(asked) {
			return rule.Clean()
		}
		symbol, refs := newer(in, have, asked)
		if symbol == "" {
			return rule.Clean() // no function came between the two
		}
		f := in.Framework()
		finding := rule.Finding{
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("%s %s is built with NCCL %s, and loads %s of %s", f.Package, f.Version, asked, have, path.Dir(w.Winner.Path)),
			Cause: fmt.Sprintf("The directory is searched (%s) before the framework's own. NCCL %s does not have %s, among others; "+
				`importing the framework fails with "undefined symbol: %s" where it calls it.`, w.Why, have, symbol, symbol),
			Evidence: append([]stack.Source{stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version)}, from...),
			Refs:     refs,
		}
		if r, ok := remedy.Unshadow(in, rule.NCCL, w.Winner, w.Why); ok {
			finding.Remedies = append(finding.Remedies, r)
		}
		if env := in.Workload.Env; env != nil {
			owner, _, _ := strings.Cut(w.Winner.Owner, " ")
			if _, ok := env.Find(owner); ok {
				finding.Remedies = append(finding.Remedies, remedy.Install(env, rule.NCCL, owner+"=="+asked.String(), ""))
			} else if row := in.KB.Soname(w.Soname, in.CUDAMajor(in.Workload)); row.Known && row.Value.Pip != "" && len(finding.Remedies) == 0 {
				finding.Remedies = append(finding.Remedies, remedy.Install(env, rule.NCCL, row.Value.Pip+"=="+asked.String(), ""))
			} else if owner != "" && w.Winner.Place == "system" {
				finding.Remedies = append(finding.Remedies, rule.Remedy{
					Summary:  fmt.Sprintf("remove the system's %s", owner),
					Layer:    rule.NCCL,
					Changes:  []stack.Change{stack.RemoveOSPackage{Names: []string{owner}}},
					Commands: remedy.ForDistribution(in, "sudo apt remove "+owner, "sudo dnf remove "+owner),
				})
			}
		}
		return rule.Found(finding)
	},
}

// want is the NCCL that a workload loads.
func want(in *rule.Input) (derive.Want, bool) {
	wants, _ := in.Wants(in.Workload)
	for _, w := range wants {
		if w.Component == "nccl" && w.Winner != nil && w.Winner.Fault == "" && !derive.Optional(in.Workload, w) {
			return w, true
		}
	}
	return derive.Want{}, false
}

// builtWith is the NCCL that the framework's metadata pins, else the release
// that the environment brings for it.
func builtWith(in *rule.Input, w derive.Want) (version.Lib, []stack.Source) {
	env := in.Workload.Env
	for _, name := range []string{"nvidia-nccl-cu12", "nvidia-nccl-cu13", "nvidia-nccl-cu11"} {
		if exact, ok := strings.CutPrefix(remedy.Pinned(in, name), "=="); ok {
			if v, err := version.ParseLib(exact); err == nil {
				return v, []stack.Source{stack.From("derived", in.Framework().Package+" "+in.Framework().Version, 0, name+"=="+exact)}
			}
		}
	}
	if env == nil {
		return version.Lib{}, nil
	}
	for _, l := range env.Libraries.Value {
		if l.Soname == w.Soname && l.Place == "wheel" && l.Real != w.Winner.Real {
			if v, err := version.ParseLib(l.Version); err == nil && l.Version != "" {
				return v, []stack.Source{l.From}
			}
		}
	}
	return version.Lib{}, nil
}

// named are functions whose absence people report, oldest first.
var named = []string{"ncclCommSplit", "ncclCommRegister", "ncclMemFree", "ncclGroupSimulateEnd", "ncclCommInitRankScalable", "ncclCommWindowRegister", "ncclCommShrink", "ncclAlltoAll", "ncclCommResume"}

// newer is a function that came after one release and not after the other.
func newer(in *rule.Input, have, asked version.Lib) (string, []kb.Ref) {
	for _, s := range named {
		row := in.KB.NCCLSymbol(s)
		if row.Known && have.Less(row.Value.Since) && !asked.Less(row.Value.Since) {
			return s, []kb.Ref{row.Ref}
		}
	}
	return "", nil
}
