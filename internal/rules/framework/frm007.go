package framework

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var frm007 = &rule.Rule{
	ID:       "FRM007",
	Slug:     "bitsandbytes-without-this-cuda",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "bitsandbytes has no library for PyTorch's CUDA",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needBitsAndBytes, rule.NeedTorch, needTorchVariant},
	After:    []string{"FRM001", "FRM005", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "bitsandbytes: cextension.py, choice of the library", URL: "https://github.com/bitsandbytes-foundation/bitsandbytes/blob/main/bitsandbytes/cextension.py", Date: "2026-11-30"},
		{Title: "bitsandbytes: build matrix of the release workflow", URL: "https://github.com/bitsandbytes-foundation/bitsandbytes/blob/main/.github/scripts/build-cuda.sh", Date: "2026-11-30"},
	},
	Doc: `The wheel of bitsandbytes holds a library for each of some CUDA releases, libbitsandbytes_cuda126.so for
12.6, and loads the one that matches torch.version.cuda; BNB_CUDA_VERSION overrides the choice. Where there is
none, quantised layers fail with "CUDA Setup failed despite GPU being available", or with a message that the
configured CUDA binary was not found. Recent releases take another library of the same major in that case, but
never one of another major.

The installed CUDA toolkit does not matter. Take a release of bitsandbytes that knows torch's CUDA: it must be
newer than that torch.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, w := in.Framework(), in.Workload
		torch := w.On.Framework
		if torch.Variant.Value != "cuda" {
			return rule.NA()
		}
		want, evidence := in.BuildCUDA(w.On), torch.CUDA.Sources
		if want.IsZero() || !isMinor(want) {
			return rule.Cannot("the CUDA that torch was built with is not known", "")
		}
		tag := strings.TrimPrefix(derive.CUDATag(want), "cu")
		if v, ok := in.Stack.Getenv("BNB_CUDA_VERSION"); ok && v.Value != "" {
			tag, evidence = strings.ReplaceAll(v.Value, ".", ""), []stack.Source{v.From}
		}
		var have []string
		for _, l := range f.Libraries {
			if g := bitsAndBytesLibrary.FindStringSubmatch(path.Base(l.Path)); g != nil {
				have = append(have, g[1])
				evidence = append(evidence[:len(evidence):len(evidence)], l.From)
			}
		}
		if slices.Contains(have, tag) {
			return rule.Clean()
		}
		found := rule.Finding{Evidence: append([]stack.Source{f.From}, evidence...), Remedies: remedy.GPUBuild(in, rule.FrameworkBuild)}
		if row := in.KB.Consumer("bitsandbytes", parsed(f.Version), version.CUDA{}); row.Known {
			found.Refs = []kb.Ref{row.Ref}
		}
		if slices.ContainsFunc(have, func(t string) bool { return len(t) > 2 && len(tag) > 2 && t[:2] == tag[:2] }) && fallsBack(f.Version) {
			return rule.Clean()
		}
		found.Summary = fmt.Sprintf("bitsandbytes %s has no libbitsandbytes_cuda%s.so for torch %s", f.Version, tag, torch.Version)
		found.Cause = "Its wheel holds libraries for CUDA " + strings.Join(have, ", ") + `. It loads with an error in place of the library: "CUDA Setup failed despite GPU being available", or that the configured CUDA binary was not found.`
		if len(have) == 0 {
			found.Cause = "Its wheel holds no library for CUDA at all. Quantised layers fail when they are first used."
		}
		return rule.Found(found)
	},
}

var bitsAndBytesLibrary = regexp.MustCompile(`^libbitsandbytes_cuda(\d{3})(?:_nocublaslt)?\.so$`)

// fallsBack tells whether a release takes the library of another minor. Which
// release began that is not in a published change log; 0.50 is the first one
// whose wheel leaves out minors that its torch versions use, so that it must.
func fallsBack(v string) bool {
	have, err := version.ParsePEP440(v)
	first, _ := version.ParsePEP440("0.50")
	return err == nil && !have.Less(first)
}

// parsed is the zero version for what does not parse: no row has it.
func parsed(v string) version.PEP440 { p, _ := version.ParsePEP440(v); return p }

var needBitsAndBytes = rule.Need{Name: "bitsandbytes' libraries", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Name != "bitsandbytes" {
		return stack.Seen{State: stack.Absent}
	}
	if len(in.Framework().Libraries) == 0 && !in.Framework().Variant.Known() {
		return stack.Seen{State: stack.NotCollected, Why: "none of its libraries could be read"}
	}
	return stack.Seen{State: stack.Known}
}}
