package gpuarch

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/version"
)

var arc002 = &rule.Rule{
	ID:       "ARC002",
	Slug:     "only-architecture-specific-code",
	Layer:    rule.GPUArch,
	Severity: rule.Broken,
	Title:    "The only code that could fit is specific to another GPU architecture",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedGPUs, needCode},
	After:    []string{"FRM001", "FRM005", "PKG001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA C++ Programming Guide: architecture- and family-specific features", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#feature-availability", Date: "2026-11-30"},
		{Title: "ONNX Runtime issue 26181: no kernel image on Blackwell with 1.23.0", URL: "https://github.com/microsoft/onnxruntime/issues/26181", Date: "2026-11-30"},
	},
	Doc: `A target that ends in "a", such as sm_90a or compute_90a, uses features of exactly one architecture. Its
code runs there and nowhere else: not on a later minor, and its PTX is not compiled for a later GPU, as the PTX of
compute_90 is. A target that ends in "f" is good for its family, the same major from its minor on. A list such as
"8.0 8.6 9.0a+PTX" therefore looks as if it reached every later GPU, and reaches none.

onnxruntime-gpu 1.23.0 was built so, and TensorFlow 2.16 to 2.20 for most kernels: on Blackwell GPUs sessions are
created, and the first kernel fails with "no kernel image is available for execution on the device" (209) or
CUDA_ERROR_INVALID_PTX (218).

Take a release with a cubin for the GPU, or with PTX of a plain target.`,
	Check: func(in *rule.Input) rule.Verdict {
		c := cover(in)
		switch {
		case len(c.code) == 0 || len(in.GPUs) == 0:
			return rule.NA()
		case c.unknown != "" && len(c.with) == 0:
			return rule.Cannot(c.unknown, "say --assume gpu=sm_NN")
		case !c.specific || len(c.with) > 0:
			return unlessKnown(in, c)
		}
		f := in.Framework()
		only := specificOnly(c)
		finding := rule.Finding{
			Summary: fmt.Sprintf("%s %s reaches %s only by %s, which runs on no other architecture", f.Package, f.Version, names(c.without), strings.Join(only, ", ")),
			Cause: fmt.Sprintf("The build holds %s. Code for a target that ends in \"a\" runs on exactly that one, and its PTX is compiled for no later GPU. The first kernel fails with error 209, \"no kernel image is available for execution on the device\", or 218, \"device kernel image is invalid\".",
				targets(c.code)),
			Evidence: c.evidence,
			Refs:     refs(in, c.without),
			Remedies: remedy.GPUBuild(in, rule.GPUArch),
		}
		if c.sparse {
			finding.Confidence = rule.Likely
			finding.Cause += " Less than a third of its fat binaries hold code that fits."
		}
		return rule.Found(finding)
	},
}

// specificOnly names the specific targets that would have fitted without their suffix.
func specificOnly(c coverage) []string {
	var list []string
	for _, code := range c.code {
		if !strings.HasSuffix(code.Arch, "a") && !strings.HasSuffix(code.Arch, "f") || slices.Contains(list, code.Arch) {
			continue
		}
		for _, g := range c.without {
			if fitsPlain(code, g.Capability) && !slices.Contains(list, code.Arch) {
				list = append(list, code.Arch)
			}
		}
	}
	return list
}

// unlessKnown is "fine" where no advisory speaks against it. TensorFlow keeps
// most kernels as data that a look at its fat binaries does not find, and those
// of some releases are the ones that do not fit.
func unlessKnown(in *rule.Input, c coverage) rule.Verdict {
	ver, err := version.ParsePEP440(in.Framework().Version)
	if err != nil || len(c.without) > 0 {
		return rule.Clean()
	}
	for _, m := range in.KB.AdvisoriesFor(in.Framework().Package, ver, in.Circumstances(in.Workload)) {
		if m.Applies == kb.Applies && m.Layer == "gpu_arch" && m.Severity == kb.AdvisoryBroken {
			return rule.Found(remedy.Known(in, m.Advisory, rule.GPUArch))
		}
	}
	return rule.Clean()
}
