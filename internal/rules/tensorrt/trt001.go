package tensorrt

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var trt001 = &rule.Rule{
	ID:       "TRT001",
	Slug:     "tensorrt-not-found",
	Layer:    rule.TensorRT,
	Severity: rule.AtRisk,
	Title:    "TensorRT is meant to be used, and the release that the framework needs is not found",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "CUL002", "CUL003", "DNN001", "DNN002"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ONNX Runtime: TensorRT execution provider, requirements", URL: "https://onnxruntime.ai/docs/execution-providers/TensorRT-ExecutionProvider.html", Date: "2026-11-30"},
	},
	Doc: `onnxruntime-gpu ships a TensorRT provider in every wheel, and TensorRT itself in none. The provider needs
libnvinfer of one major release (libnvinfer.so.10 since ONNX Runtime 1.18). Without it ONNX Runtime warns and uses the CUDA
provider, which is slower but correct.

Most installations never ask for TensorRT, so its absence alone is no finding. It becomes one where a sign says that
TensorRT is wanted: a tensorrt package in the environment, a libnvinfer of another major release on the machine, or
ORT_TENSORRT_… variables. Install the TensorRT of the major release that the provider was built with.`,
	Check: func(in *rule.Input) rule.Verdict {
		wants, _ := in.Wants(in.Workload)
		var gaps []derive.Gap
		asked := false
		for _, w := range wants {
			if w.Layer != string(rule.TensorRT) {
				continue
			}
			asked = true
			if w.Winner == nil {
				gaps = append(gaps, derive.Gap{Want: w, Other: in.OtherMajors(in.Workload, w.Soname)})
			}
		}
		sign := wanted(in, gaps)
		switch {
		case !asked || len(gaps) > 0 && sign.Locator == "":
			return rule.NA()
		case len(gaps) == 0:
			return rule.Clean()
		}
		g := gaps[0]
		f := in.Framework()
		finding := rule.Finding{
			Summary:  fmt.Sprintf("%s %s needs %s for TensorRT, and it is not found, although TensorRT is meant to be used (%s)", f.Package, f.Version, g.Soname, sign.Text),
			Cause:    "The provider cannot be loaded. A session that asks for TensorRT warns and falls back to the CUDA provider.",
			Evidence: []stack.Source{sign},
			Remedies: remedies(in, g),
		}
		if in.Workload.Name == "tensorrt" {
			finding.Severity = rule.Broken
			finding.Cause = fmt.Sprintf("Importing it fails with %q.", g.Soname+": cannot open shared object file")
		}
		if g.By != nil {
			finding.Evidence = append(finding.Evidence, stack.From("elf", g.By.Path, 0, "NEEDED "+g.Soname))
		}
		if lib := inWheel(in, g.Soname); lib != nil {
			finding.Summary = fmt.Sprintf("%s %s needs %s for TensorRT; it is in %s, where the dynamic linker does not look", f.Package, f.Version, g.Soname, path.Dir(lib.Path))
			finding.Remedies = []rule.Remedy{remedy.OnSearchPath(in, rule.TensorRT, []string{path.Dir(lib.Path)})}
		} else if len(g.Other) > 0 {
			finding.Summary = fmt.Sprintf("%s %s needs %s for TensorRT, and only %s is there", f.Package, f.Version, g.Soname, g.Other[0].Path)
			finding.Evidence = append(finding.Evidence, stack.From("elf", g.Other[0].Path, 0, g.Other[0].Soname))
		}
		return rule.Found(finding)
	},
}

// wanted is the sign that somebody means to use TensorRT; zero where there is none.
func wanted(in *rule.Input, gaps []derive.Gap) stack.Source {
	if in.Workload.Name == "tensorrt" {
		return stack.From("file", in.Framework().From.Locator, 0, in.Framework().Package)
	}
	if env := in.Workload.Env; env != nil {
		for _, p := range env.Packages.Value {
			if strings.HasPrefix(p.Name, "tensorrt") || p.Name == "nvidia-tensorrt" {
				return stack.From("file", p.From.Locator, 0, p.Name+" "+p.Version+" is installed")
			}
		}
	}
	for _, v := range in.Stack.Environment.Value {
		if strings.HasPrefix(v.Name, "ORT_TENSORRT_") {
			return stack.From("env", v.Name, 0, v.Name+"="+v.Value)
		}
	}
	for _, g := range gaps {
		if len(g.Other) > 0 {
			return stack.From("file", g.Other[0].Path, 0, g.Other[0].Soname+" is installed")
		}
	}
	return stack.Source{}
}

func inWheel(in *rule.Input, soname string) *stack.Library {
	return derive.InWheel(in.Workload, soname)
}

// remedies bring the TensorRT that the soname stands for.
func remedies(in *rule.Input, g derive.Gap) []rule.Remedy {
	env := in.Workload.Env
	_, major, ok := strings.Cut(g.Soname, ".so.")
	cuda := in.CUDAMajor(in.Workload)
	if env == nil || !ok || cuda < 12 {
		return []rule.Remedy{{Summary: "install the TensorRT release that has " + g.Soname, Layer: rule.TensorRT}}
	}
	pkg := fmt.Sprintf("tensorrt-cu%d", cuda)
	dir := derive.WheelDir(first(env.Site), pkg, cuda)
	on := remedy.OnSearchPath(in, rule.TensorRT, []string{dir})
	return []rule.Remedy{{
		Summary:  fmt.Sprintf("install tensorrt-cu%d %s in %s, and put it on the search path", cuda, major, env.Prefix),
		Layer:    rule.TensorRT,
		Changes:  append([]stack.Change{stack.Install{Prefix: env.Prefix, Package: pkg, Version: major + ".0"}}, on.Changes...),
		Commands: append(remedy.Pip(env, fmt.Sprintf("install 'tensorrt-cu%d==%s.*'", cuda, major)), on.Commands...),
	}}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
