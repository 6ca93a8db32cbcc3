package framework

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var frm003 = &rule.Rule{
	ID:       "FRM003",
	Slug:     "extension-for-another-torch",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "An extension is compiled for another release or C++ ABI of PyTorch",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedTorch, needABI},
	After:    []string{"FRM002", "PYE001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "flash-attention: publish workflow, names of the wheels", URL: "https://github.com/Dao-AILab/flash-attention/blob/main/.github/workflows/publish.yml", Date: "2026-11-30"},
		{Title: "xformers: releases", URL: "https://github.com/facebookresearch/xformers/releases", Date: "2026-11-30"},
	},
	Doc: `PyTorch promises no stable C++ interface between minor releases. flash-attn, xformers, vLLM and other
extensions with compiled code are made for one of them, and within one for one of two C++ ABIs of libstdc++
(cxx11abiTRUE or FALSE in the names of flash-attn's wheels). Against another one the dynamic linker does not find
what the extension calls: "flash_attn_2_cuda….so: undefined symbol: _ZN3c105Error…". xFormers only warns "xFormers
can't load C++/CUDA extensions" and then does without its kernels.

Strata looks for what the extension leaves open in torch's own libraries, and where it cannot, goes by the labels and
pins of the two packages.

It comes from upgrading torch alone, or from a wheel cached for the previous torch. Install the extension that
is made for the torch in use, or build it again; or go back to the torch it was made for.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, torch := in.Framework(), in.Workload.On.Framework
		have, err := version.ParsePEP440(torch.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of torch, %q, could not be read: %v", torch.Version, err), "")
		}
		if open := f.Unresolved; open.Known() {
			if len(open.Value) == 0 {
				return rule.Clean() // measured, whatever the labels say
			}
			return rule.Found(rule.Finding{
				Summary:  fmt.Sprintf("%s %s asks for functions that torch %s does not have: %s", f.Package, f.Version, torch.Version, open.Value[0]),
				Cause:    fmt.Sprintf("It was compiled for another torch or for the other C++ ABI. The import fails: \"undefined symbol: %s\".", open.Value[0]),
				Evidence: append(append(append([]stack.Source{}, open.Sources...), f.ABI.Sources...), torch.From),
				Remedies: abiRemedies(in, have, torchABI(in, torch, have), f.ABI.Value.Torch != ""),
			})
		}
		abi := f.ABI.Value
		if row := in.KB.ConsumerReleases(f.Package); abi.Torch != "" && len(row) > 0 {
			v, err := version.ParsePEP440(f.Version)
			// From some release on an extension keeps to the stable part of the
			// interface and says so by asking for a minimum only.
			if a := in.KB.Consumer(f.Package, v, version.CUDA{}); err == nil && a.Known && strings.HasPrefix(a.Value.Torch.String(), ">=") && a.Value.Torch.Contains(have) {
				return rule.Clean()
			}
		}
		built, err := version.ParsePEP440(abi.Torch)
		torchOther := err == nil && !sameMinor(built, have)
		theirs := torchABI(in, torch, have)
		abiOther := abi.CXX11 != "" && theirs != "" && abi.CXX11 != theirs
		switch {
		case !torchOther && !abiOther && err != nil && abi.CXX11 == "":
			return rule.Cannot("what "+f.Package+" was built for could not be read: "+err.Error(), "")
		case !torchOther && !abiOther:
			return rule.Clean()
		}
		found := rule.Finding{Evidence: append(append([]stack.Source{}, f.ABI.Sources...), torch.From)}
		if torchOther {
			found.Summary = fmt.Sprintf("%s %s is compiled for torch %s, and torch %s is installed", f.Package, f.Version, abi.Torch, torch.Version)
		} else {
			found.Summary = fmt.Sprintf("%s %s is compiled with cxx11abi%s, and torch %s with cxx11abi%s", f.Package, f.Version, abi.CXX11, torch.Version, theirs)
		}
		found.Cause = "The dynamic linker does not find the functions of that other torch: \"undefined symbol: _ZN3c10…\", at import or when the extension is first used."
		if f.Name == "xformers" {
			found.Cause = fmt.Sprintf("It warns \"xFormers can't load C++/CUDA extensions. xFormers was built for: PyTorch %s\" and runs without its kernels.", abi.Torch)
		}
		found.Remedies = abiRemedies(in, have, theirs, torchOther)
		return rule.Found(found)
	},
}

// compiled are extensions whose compiled code decides whether they load.
// torchvision and torchaudio are PKG007; pure Python needs no ABI.
var compiled = []string{"flash-attn", "xformers", "vllm", "deepspeed", "transformer-engine"}

var needABI = rule.Need{Name: "what the extension was compiled for", Seen: func(in *rule.Input) stack.Seen {
	f := in.Framework()
	if !slices.Contains(compiled, f.Name) {
		return stack.Seen{State: stack.Absent}
	}
	if f.Unresolved.Known() {
		return f.Unresolved.Seen()
	}
	seen := f.ABI.Seen()
	if f.Name == "deepspeed" && seen.State == stack.NotCollected && len(f.Libraries) == 0 {
		return stack.Seen{State: stack.Absent} // it compiles its operators when they are used, for the torch that is there
	}
	if seen.State == stack.NotCollected && seen.Why == "" {
		seen.Why = "neither a wheel's label nor its metadata says it, as for one that was built on this machine"
	}
	return seen
}}

func sameMinor(a, b version.PEP440) bool {
	x, y := a.Release(), b.Release()
	return len(x) >= 2 && len(y) >= 2 && x[0] == y[0] && x[1] == y[1]
}

// torchABI is torch's own C++ ABI: what its CMake file says, else what the
// official wheel of the release has; "" where neither tells.
func torchABI(in *rule.Input, torch *stack.Framework, v version.PEP440) string {
	switch {
	case torch.ABI.Value.CXX11 != "":
		return torch.ABI.Value.CXX11
	case torch.Variant.Or("") != "cuda":
		return ""
	}
	return string(in.KB.TorchABI(v).Value.CXX11)
}

// abiRemedies: the extension anew, then, where that is another one, the torch
// it was made for.
func abiRemedies(in *rule.Input, have version.PEP440, abi string, otherTorch bool) []rule.Remedy {
	f := in.Framework()
	var out []rule.Remedy
	switch f.Name {
	case "xformers":
		out = remedy.Companion(in, rule.FrameworkBuild)
	case "flash-attn", "deepspeed", "transformer-engine":
		cuda := in.BuildCUDA(in.Workload.On).Major()
		if r := have.Release(); abi != "" && cuda > 0 && len(r) >= 2 {
			out = append(out, remedy.Rebuild(in, rule.FrameworkBuild, fmt.Sprintf("cu%dtorch%d.%dcxx11abi%s", cuda, r[0], r[1], abi)))
		}
	}
	if otherTorch && f.ABI.Value.Torch != "" {
		out = append(out, remedy.TorchFor(in, rule.FrameworkBuild, f.ABI.Value.Torch)...)
	}
	return out
}
