package conflict

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var pkg007 = &rule.Rule{
	ID:       "PKG007",
	Slug:     "companion-does-not-pair",
	Layer:    rule.PackageConflict,
	Severity: rule.Broken,
	Title:    "torchvision or torchaudio belongs to another release of PyTorch",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedTorch},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch: previous versions, with matching torchvision and torchaudio", URL: "https://pytorch.org/get-started/previous-versions/", Date: "2026-11-30"},
		{Title: "torchvision: README, torch pairs", URL: "https://github.com/pytorch/vision/blob/main/README.md", Date: "2026-11-30"},
	},
	Doc: `Each release of torchvision and torchaudio is compiled against one release of PyTorch, and pins it in
its metadata: torchvision 0.22.1 and torchaudio 2.7.1 go with torch 2.7.1. With another torch the compiled part
is not loaded or not found by it, and the import ends with "operator torchvision::nms does not exist", or with an
undefined symbol.

It comes from upgrading torch alone, or with --no-deps. Install the companion of the torch in use, from the
same index; strata plan changes both together when torch itself must change.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, torch := in.Framework(), in.Workload.On.Framework
		if f.Name != "torchvision" && f.Name != "torchaudio" {
			return rule.NA()
		}
		have, err := version.ParsePEP440(torch.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of torch, %q, could not be read: %v", torch.Version, err), "")
		}
		mine, err := version.ParsePEP440(f.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of %s, %q, could not be read: %v", f.Package, f.Version, err), "")
		}
		pair := in.KB.TorchCompanion(have, f.Package)
		found := rule.Finding{
			Evidence: []stack.Source{f.From, torch.From},
			Refs:     []kb.Ref{pair.Ref},
			Remedies: remedy.Companion(in, rule.PackageConflict),
			Cause:    `Its compiled operators are not registered with this torch: "RuntimeError: operator torchvision::nms does not exist", or an undefined symbol at import.`,
		}
		if f.Name == "torchaudio" {
			found.Cause = "Its compiled library does not load into this torch: an undefined symbol at import, or operators that are missing when they are called."
		}
		open := f.Unresolved
		if open.Known() && len(open.Value) > 0 {
			found.Summary = fmt.Sprintf("%s %s asks for functions that torch %s does not have, such as %s", f.Package, f.Version, torch.Version, open.Value[0])
			found.Evidence = append(found.Evidence, open.Sources...)
			return rule.Found(found)
		}
		if open.Known() { // it loads, and what the versions say is only a warning
			found.Severity, found.Confidence = rule.AtRisk, rule.Likely
			found.Cause = "All functions of torch that it asks for are there, so that it loads. Whether they still mean the same nobody has tested."
		}
		// What the installed package itself asks for wins over the table.
		if asks := f.ABI.Value.Torch; asks != "" {
			built, err := version.ParsePEP440(asks)
			if err == nil && sameRelease(built, have) {
				return rule.Clean()
			}
			if err == nil {
				found.Summary = fmt.Sprintf("%s %s is made for torch %s, and torch %s is installed", f.Package, f.Version, asks, torch.Version)
				found.Evidence = append(found.Evidence, f.ABI.Sources...)
				return rule.Found(found)
			}
		}
		if anyTorch(in.KB.Release(f.Package, mine), have) {
			return rule.Clean()
		}
		if !pair.Known && open.Known() {
			return rule.Clean() // NVIDIA's and nightly builds are in no table
		}
		if !pair.Known {
			return rule.FromAnswer(pair)
		}
		if slices.ContainsFunc(pair.Value.Versions, func(v version.PEP440) bool { return sameRelease(v, mine) }) {
			return rule.Clean()
		}
		var names []string
		for _, v := range pair.Value.Versions {
			names = append(names, v.String())
		}
		found.Summary = fmt.Sprintf("%s %s does not go with torch %s: that is %s", f.Package, f.Version, torch.Version, strings.Join(names, " or "))
		return rule.Found(found)
	},
}

// sameRelease compares without labels and post releases.
func sameRelease(a, b version.PEP440) bool {
	x, y := a.Release(), b.Release()
	for len(x) < len(y) {
		x = append(x, 0)
	}
	for len(y) < len(x) {
		y = append(y, 0)
	}
	return slices.Equal(x, y)
}

// anyTorch tells whether a release is published as one that goes with more than one release of torch, the installed one among them: since
// torchaudio 2.11 and torchvision 0.29.1, which use torch's stable ABI, the metadata asks for a minimum or for nothing.
func anyTorch(release kb.Answer[kb.Release], have version.PEP440) bool {
	if !release.Known {
		return false
	}
	for _, pin := range release.Value.Requires.List() {
		if pin.Package == "torch" && pin.Extra == "" {
			return !strings.Contains(pin.Clauses, "==") && pin.Specifier().Contains(have)
		}
	}
	return release.Value.Package == "torchaudio" && !release.Value.Version.Less(stableTorchaudio)
}

// stableTorchaudio is the first release of torchaudio whose published metadata asks for no torch at all.
var stableTorchaudio, _ = version.ParsePEP440("2.11.0")
