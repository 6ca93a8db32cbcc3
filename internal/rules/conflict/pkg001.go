package conflict

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pkg001 = &rule.Rule{
	ID:       "PKG001",
	Slug:     "two-onnxruntimes",
	Layer:    rule.PackageConflict,
	Severity: rule.Broken,
	Title:    "Several distributions of ONNX Runtime overwrite each other",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needONNXRuntime, rule.NeedPackages},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ONNX Runtime: install, one package per environment", URL: "https://onnxruntime.ai/docs/install/", Date: "2026-11-30"},
		{Title: "ONNX Runtime issue 26996: onnxruntime and onnxruntime-gpu in one environment", URL: "https://github.com/microsoft/onnxruntime/issues/26996", Date: "2026-11-30"},
	},
	Doc: `onnxruntime, onnxruntime-gpu, onnxruntime-directml, onnxruntime-openvino and their like all unpack into
the same directory, onnxruntime/. pip lists them side by side, and on disk the files of the one installed last have
replaced those of the other. If that was the build for the CPU, CUDAExecutionProvider is gone from
get_available_providers() and sessions run on the CPU without an error, although "pip show onnxruntime-gpu" shows
everything as it should be.

It comes from a library that requires plain onnxruntime. Uninstalling only one of them does not help: it takes the
shared files along. Uninstall all, then install the one that is wanted; a library that requires the other brings it
back with its next update, unless it is installed with --no-deps.`,
	Check: func(in *rule.Input) rule.Verdict {
		env, f := in.Workload.Env, in.Framework()
		names := remedy.ONNXRuntimes(env)
		if len(names) < 2 {
			return unlessPartial(env)
		}
		won := winners(env, "/onnxruntime/")
		finding := rule.Finding{
			Summary:  fmt.Sprintf("%s are %s installed in %s; %s", strings.Join(withVersions(env, names), " and "), allOf(names), env.Prefix, outcome(f, won)),
			Evidence: append(packageSources(env, names), f.Variant.Sources...),
			Remedies: keepONNXRuntime(in, names),
		}
		for _, a := range in.KB.Advisories("onnxruntime-gpu") {
			if a.ID == "onnxruntime-two-distributions" {
				finding.Refs = append(finding.Refs, in.KB.Cite(a))
			}
		}
		switch variant := f.Variant.Or(""); {
		case variant == "cuda" && len(won) < 2:
			finding.Severity = rule.AtRisk
			finding.Cause = "The build with the GPU part was installed last, so it works now. The next update of another one replaces its files, and uninstalling one removes files of both."
		case variant == "cpu" && !slices.ContainsFunc(names, forCUDA):
			finding.Severity = rule.AtRisk
			finding.Cause = "None of them is a build for CUDA, so that the GPU is not used anyway; still the files of one replace those of another."
		case variant == "":
			finding.Confidence = rule.Likely
			finding.Cause = "Whose files are on disk could not be read. They share the directory onnxruntime, so at most one of them is whole."
		default:
			finding.Cause = "They share the directory onnxruntime. get_available_providers() lists no CUDAExecutionProvider, and sessions run on the CPU without an error."
			if len(won) > 1 {
				finding.Cause = "They share the directory onnxruntime, and files of both are left in it. The CUDA provider and the core library are then of different builds, which fails when a session is created."
			}
		}
		return rule.Found(finding)
	},
}

var needONNXRuntime = rule.Need{Name: "ONNX Runtime", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Name != "onnxruntime" || in.Workload.Env == nil {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}

func forCUDA(name string) bool { return strings.HasSuffix(name, "-gpu") }

// outcome says which files are on disk.
func outcome(f *stack.Framework, won map[string][]string) string {
	var parts []string
	for _, name := range sorted(won) {
		parts = append(parts, fmt.Sprintf("%s of %s", strings.Join(won[name], ", "), name))
	}
	switch {
	case len(parts) > 1:
		return "on disk are " + strings.Join(parts, " and ")
	case len(parts) == 1:
		return "the files on disk are those of " + sorted(won)[0]
	case f.Package != "" && f.Variant.Known():
		return "the files on disk are those of " + f.Package
	}
	return "whose files are on disk is not known"
}

// keepONNXRuntime leaves the GPU build that is installed, alone, where it runs
// here; else another one, or the only one there is.
func keepONNXRuntime(in *rule.Input, names []string) []rule.Remedy {
	env := in.Workload.Env
	for _, name := range []string{"onnxruntime-gpu", "onnxruntime-training", "onnxruntime-rocm", "onnxruntime-openvino", "onnxruntime-directml"} {
		p, ok := env.Find(name)
		if !ok {
			continue
		}
		r := rule.Remedy{
			Summary:  fmt.Sprintf("uninstall %s, then install %s %s alone in %s", strings.Join(names, " and "), name, p.Version, env.Prefix),
			Layer:    rule.PackageConflict,
			Commands: remedy.Then(remedy.Pip(env, "uninstall -y "+strings.Join(names, " ")), remedy.Pip(env, "install "+name+"=="+p.Version)),
		}
		for _, n := range names {
			r.Changes = append(r.Changes, stack.Uninstall{Prefix: env.Prefix, Package: n})
		}
		r.Changes = append(r.Changes, stack.Install{Prefix: env.Prefix, Package: name, Version: p.Version})
		if name == "onnxruntime-gpu" && !remedy.ONNXRuntimeFits(in, p.Version) {
			break // it would only break elsewhere
		}
		return []rule.Remedy{r}
	}
	return remedy.GPUBuild(in, rule.PackageConflict)
}
