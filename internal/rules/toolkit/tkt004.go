package toolkit

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

var tkt004 = &rule.Rule{
	ID:       "TKT004",
	Slug:     "jit-package-without-nvcc",
	Layer:    rule.Toolkit,
	Severity: rule.AtRisk,
	Title:    "A package compiles CUDA code at run time, and there is no nvcc",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedToolkits.OrAbsent(), rule.NeedPackages},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "FlashInfer issue 1919: could not find nvcc", URL: "https://github.com/flashinfer-ai/flashinfer/issues/1919", Date: "2026-11-30"},
		{Title: "vLLM issue 21960: DeepGEMM and nvcc", URL: "https://github.com/vllm-project/vllm/issues/21960", Date: "2026-11-30"},
	},
	Doc: `Frameworks need no toolkit to run, with one exception: packages that compile kernels when they are first used.
FlashInfer and DeepGEMM call nvcc for that, and in an image based on a "runtime" flavour there is none: "Could not find nvcc and
default cuda_home='/usr/local/cuda' doesn't exist". Triton is not among them: it brings its own ptxas.

Use a "devel" image, install the compiler of the framework's CUDA release, or install the package's prebuilt kernels
(flashinfer-jit-cache), which are used without compiling.`,
	Check: func(in *rule.Input) rule.Verdict {
		env := in.Workload.Env
		if env == nil || in.Workload.Name != "pytorch" || in.Framework().Variant.Or("") != "cuda" {
			return rule.NA()
		}
		var pkg stack.Package
		for _, p := range []struct{ name, prebuilt string }{{"flashinfer-python", "flashinfer-jit-cache"}, {"deep-gemm", ""}} {
			found, ok := env.Find(p.name)
			if _, has := env.Find(p.prebuilt); ok && !has {
				pkg = found
				break
			}
		}
		if pkg.Name == "" {
			return rule.NA()
		}
		for _, t := range in.Stack.CUDA.Toolkits.Value {
			if t.NVCC != "" {
				return rule.Clean()
			}
		}
		home, _ := in.Stack.Getenv("CUDA_HOME")
		for _, p := range env.Packages.Value {
			// The compiler as a wheel or a conda package; a wheel's is found through CUDA_HOME only.
			if p.Name == "cuda-nvcc" || strings.HasPrefix(p.Name, "nvidia-cuda-nvcc") && strings.Contains(home.Value, "nvidia") {
				return rule.Clean()
			}
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary: fmt.Sprintf("no nvcc is installed, and %s %s in %s compiles kernels when they are first used", pkg.Name, pkg.Version, env.Prefix),
			Cause: `It looks for nvcc on PATH, in CUDA_HOME and in /usr/local/cuda. The first call that needs a kernel fails with ` +
				`"Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist". Everything else runs.`,
			Evidence: append([]stack.Source{pkg.From}, in.Stack.CUDA.Toolkits.Sources...),
		}
		if f.CUDA.Known() && strings.Contains(f.CUDA.Value.String(), ".") {
			finding.Remedies = append(finding.Remedies, install(in, f.CUDA.Value))
		}
		return rule.Found(finding)
	},
}
