package cudalib

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var cul006 = &rule.Rule{
	ID:       "CUL006",
	Slug:     "nvidia-wheels-do-not-match",
	Layer:    rule.CUDALibraries,
	Severity: rule.AtRisk,
	Title:    "An NVIDIA wheel is older than the framework asks for",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedPackages},
	After:    []string{"PKG003", "PKG006", "DNN004", "NCC002"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "Core metadata: Requires-Dist", URL: "https://packaging.python.org/en/latest/specifications/core-metadata/#requires-dist-multiple-use", Date: "2026-11-30"},
		{Title: "PyTorch issue 131312: undefined symbol __nvJitLinkComplete_12_4", URL: "https://github.com/pytorch/pytorch/issues/131312", Date: "2026-11-30"},
	},
	Doc: `PyTorch's wheels name the exact releases of NVIDIA's wheels that they were built with. pip keeps to that when it
installs torch, and lets a later command change one of them. A wheel that is older than asked for lacks functions that the
framework, or another of NVIDIA's libraries, may call: an old nvidia-nvjitlink-cu12 beside a newer nvidia-cusparse-cu12
makes import torch fail with "undefined symbol: __nvJitLinkComplete_12_4".

Where nothing pins the wheels to each other, as with CuPy and RAPIDS, the libraries themselves tell: the functions that
cuSPARSE and cuSOLVER call carry nvJitLink's release in their names.

A newer wheel of the same major release is compatible and not reported.`,
	Check: func(in *rule.Input) rule.Verdict {
		if in.Workload.Env == nil {
			return rule.NA()
		}
		pinned := pins(in)
		linked, ok := jitLinked(in)
		switch {
		case !ok:
			return pinned
		case pinned.Outcome == rule.Fail && pinned.Finding.Severity == rule.Broken:
			return pinned // names exact releases
		case linked.Outcome == rule.Fail || pinned.Outcome == rule.NotApplicable:
			return linked
		}
		return pinned
	},
}

// pins compares what the framework's metadata pins with what is installed.
func pins(in *rule.Input) rule.Verdict {
	env, f := in.Workload.Env, in.Framework()
	pkg, ok := env.Find(f.Package)
	if !ok || len(pkg.Requires) == 0 {
		return rule.NA()
	}
	var specs, texts []string
	var changes []stack.Change
	evidence := []stack.Source{pkg.From}
	severity, pins := rule.AtRisk, 0
	for _, r := range pkg.Requires {
		name, spec := derive.Requirement(r)
		exact, isPin := strings.CutPrefix(spec, "==")
		if !isPin || !strings.HasPrefix(name, "nvidia-") || strings.ContainsAny(exact, ",*") || strings.Contains(r, "extra ==") {
			continue
		}
		have, ok := env.Find(name)
		if !ok {
			continue // whether something else brings the library is CUL002's question
		}
		pins++
		asked, err := version.ParsePEP440(exact)
		if err != nil {
			continue
		}
		got, err := version.ParsePEP440(have.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version %q of %s cannot be read: %v", have.Version, name, err), "")
		}
		if !got.Less(asked) {
			continue
		}
		if strings.HasPrefix(name, "nvidia-nvjitlink") && minorOf(got) != minorOf(asked) {
			severity = rule.Broken
		}
		specs = append(specs, name+"=="+exact)
		texts = append(texts, fmt.Sprintf("%s is %s instead of %s", name, have.Version, exact))
		changes = append(changes, stack.Install{Prefix: env.Prefix, Package: name, Version: exact})
		evidence = append(evidence, stack.From("file", have.From.Locator, 0, name+" "+have.Version), stack.From("file", pkg.From.Locator, 0, "Requires-Dist: "+r))
	}
	if pins == 0 {
		return rule.NA()
	}
	if len(specs) == 0 {
		return rule.Clean()
	}
	cause := fmt.Sprintf("The metadata of %s %s names the releases it was built with. What a newer one brought is missing in the older one.", f.Package, f.Version)
	if severity == rule.Broken {
		cause += ` nvJitLink exports one set of functions per minor release: cuSPARSE fails with "undefined symbol: __nvJitLink…, version libnvJitLink.so".`
	}
	return rule.Found(rule.Finding{
		Severity:   severity,
		Confidence: rule.Likely,
		Summary:    fmt.Sprintf("%s %s asks for newer NVIDIA wheels than are in %s: %s", f.Package, f.Version, env.Prefix, strings.Join(texts, ", ")),
		Cause:      cause,
		Evidence:   evidence,
		Remedies: []rule.Remedy{{
			Summary:  "install " + strings.Join(specs, " ") + " in " + env.Prefix,
			Layer:    rule.CUDALibraries,
			Changes:  changes,
			Commands: remedy.Pip(env, "install "+strings.Join(specs, " ")),
		}},
	})
}

// minorOf is the CUDA minor release in the version of a toolkit's wheel: 12.4 of 12.4.127.
func minorOf(v version.PEP440) [2]int {
	r := v.Release()
	if len(r) < 2 {
		return [2]int{}
	}
	return [2]int{r[0], r[1]}
}
