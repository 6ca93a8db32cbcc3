package framework

import (
	"fmt"
	"regexp"
	"strconv"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var frm002 = &rule.Rule{
	ID:       "FRM002",
	Slug:     "extension-of-another-cuda",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "An extension of PyTorch is built for another CUDA than PyTorch itself",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedTorch, needTorchVariant, needOwnVariant},
	After:    []string{"FRM001", "FRM005", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "torchvision: extension.py, the check of CUDA versions at import", URL: "https://github.com/pytorch/vision/blob/main/torchvision/extension.py", Date: "2026-11-30"},
		{Title: "PyTorch: previous versions, with matching torchvision and torchaudio", URL: "https://pytorch.org/get-started/previous-versions/", Date: "2026-11-30"},
	},
	Doc: `torchvision, torchaudio and other extensions have CUDA code of their own and are linked against the
libraries of one CUDA major release. Where it is another one than PyTorch's, they cannot be loaded into one
process: torchvision stops the import with "PyTorch and torchvision were compiled with different CUDA major
versions", torchaudio already when the minor differs, others with "libcudart.so.13: cannot open shared object
file". A torchvision for the CPU beside a PyTorch for CUDA imports, and fails at the first operator of its own on
a GPU tensor.

It comes from installing the two in separate steps or from separate indexes: torch from an index for cu128 and
torchvision, as a dependency of something else, from PyPI.

Install the extension from the index that torch came from. Name its label (torchvision==0.22.1+cu128): pip and
uv take the installed one for good otherwise.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, torch := in.Framework(), in.Workload.On.Framework
		found := rule.Finding{
			Evidence: append(append([]stack.Source{}, f.Variant.Sources...), torch.Variant.Sources...),
			Remedies: remedy.Companion(in, rule.FrameworkBuild),
		}
		if torch.Variant.Value != f.Variant.Value {
			switch {
			case f.Variant.Value == "cpu" && f.Name == "torchvision":
				found.Cause = `Its operators are missing on the GPU: "Could not run 'torchvision::nms' with arguments from the 'CUDA' backend".`
			case f.Variant.Value == "cpu":
				return rule.Clean() // works on the CPU and takes nothing along
			default:
				found.Cause = "Its library asks for CUDA libraries and symbols that this build of PyTorch does not have, so that the import fails."
			}
			found.Summary = fmt.Sprintf("%s %s is built for %s, torch %s for %s", f.Package, f.Version, target(f), torch.Version, target(torch))
			return rule.Found(found)
		}
		if f.Variant.Value != "cuda" {
			return rule.Clean()
		}
		mine, from, ok := builtFor(f)
		if !ok || !torch.CUDA.Known() {
			return rule.NA() // bitsandbytes has a library for each CUDA; others do not say
		}
		theirs := torch.CUDA.Value
		minor := f.Name == "torchaudio" && isMinor(mine) && isMinor(theirs) && mine.Minor() != theirs.Minor()
		if mine.Major() == theirs.Major() && !minor {
			return rule.Clean()
		}
		found.Summary = fmt.Sprintf("%s %s is built with CUDA %s, torch %s with CUDA %s", f.Package, f.Version, mine, torch.Version, theirs)
		found.Evidence = append([]stack.Source{from}, torch.CUDA.Sources...)
		switch {
		case f.Name == "torchvision":
			found.Cause = fmt.Sprintf(`import torchvision fails: "Detected that PyTorch and torchvision were compiled with different CUDA major versions. PyTorch has CUDA Version=%s and torchvision has CUDA Version=%s."`, theirs, mine)
		case f.Name == "torchaudio":
			found.Cause = fmt.Sprintf(`import torchaudio fails: "Detected that PyTorch and TorchAudio were compiled with different CUDA versions. PyTorch has CUDA version %s whereas TorchAudio has CUDA version %s."`, theirs, mine)
		default:
			found.Cause = fmt.Sprintf("Its library needs the libraries of CUDA %d, and PyTorch brings those of CUDA %d. The import fails for the missing ones, or two CUDA runtimes are mixed in one process.", mine.Major(), theirs.Major())
		}
		return rule.Found(found)
	},
}

var cudart = regexp.MustCompile(`^libcudart\.so\.(\d{2})(?:\.0)?$`)

// builtFor is the CUDA of an extension: what it says, else the major of the
// CUDA runtime that one of its libraries links.
func builtFor(f *stack.Framework) (version.CUDA, stack.Source, bool) {
	if f.CUDA.Known() {
		var from stack.Source
		if len(f.CUDA.Sources) > 0 {
			from = f.CUDA.Sources[0]
		}
		return f.CUDA.Value, from, true
	}
	if f.Name == "bitsandbytes" {
		return version.CUDA{}, stack.Source{}, false
	}
	for _, l := range f.Libraries {
		for _, n := range l.Needed {
			g := cudart.FindStringSubmatch(n)
			if g == nil {
				continue
			}
			if c, err := version.ParseCUDA(g[1]); err == nil {
				return c, stack.From("elf", l.Path, 0, "NEEDED "+n), true
			}
		}
	}
	return version.CUDA{}, stack.Source{}, false
}

// isMinor tells whether a version says more than its major.
func isMinor(c version.CUDA) bool { return c.String() != strconv.Itoa(c.Major()) }

// target is what a build is for, as a person says it.
func target(f *stack.Framework) string {
	switch f.Variant.Value {
	case "cpu":
		return "the CPU"
	case "cuda":
		return "CUDA"
	case "rocm":
		return "ROCm"
	}
	return f.Variant.Value
}
