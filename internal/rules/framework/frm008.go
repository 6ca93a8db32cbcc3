package framework

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var frm008 = &rule.Rule{
	ID:       "FRM008",
	Slug:     "known-bad-release",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "This release of the framework is known to fail here",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needAdvisory},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ONNX Runtime issue 29500: import of 1.27.0 needs libcudart.so.13", URL: "https://github.com/microsoft/onnxruntime/issues/29500", Date: "2026-11-30"},
	},
	Doc: `Some releases fail under conditions that no requirement of theirs mentions: onnxruntime-gpu 1.27.0 cannot
even be imported without the CUDA 13 runtime, whatever provider a session asks for. Such defects are recorded in the knowledge base with the releases and conditions they hold
for, and with the public issue or release note where each was described.

Strata reports one only where release and conditions are those of this machine. The remedy is the release that
mends it, or the last one before it.`,
	Check: func(in *rule.Input) rule.Verdict {
		f := in.Framework()
		ver, err := version.ParsePEP440(f.Version)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the version of %s, %q, could not be read: %v", f.Package, f.Version, err), "")
		}
		unsure := ""
		for _, m := range in.KB.AdvisoriesFor(f.Package, ver, in.Circumstances(in.Workload)) {
			switch {
			case !framesLayer(m.Advisory):
			case m.Layer == "cuda_runtime" && importWorks(in, ver):
			case m.Applies == kb.MayApply:
				unsure = m.Title
			default:
				finding := remedy.Known(in, m.Advisory, rule.FrameworkBuild)
				if m.Layer == "cuda_runtime" {
					finding.Severity = rule.Broken // the condition that makes it a risk only was looked at
				}
				return rule.Found(finding)
			}
		}
		if unsure != "" {
			return rule.Cannot("whether this holds here could not be decided: "+unsure, "say --assume gpu=NAME")
		}
		return rule.Clean()
	},
}

// framesLayer keeps to what is about the build itself; its GPU code is ARC002,
// and cuDNN, packages and installation have rules of their own.
func framesLayer(a kb.Advisory) bool {
	switch a.Layer {
	case "framework_build", "cuda_runtime":
		return a.Severity != kb.AdvisoryNote
	}
	return false
}

// importWorks tells whether what the Python module itself links is found.
func importWorks(in *rule.Input, v version.PEP440) bool {
	row := in.KB.ONNXRuntime(v)
	if in.Workload.Name != "onnxruntime" || !row.Known {
		return false
	}
	for _, name := range row.Value.ImportSonames {
		if in.Resolve(in.Workload, nil, name).Winner == nil {
			return false
		}
	}
	return true
}

var needAdvisory = rule.Need{Name: "an advisory about the framework", Seen: func(in *rule.Input) stack.Seen {
	for _, a := range in.KB.Advisories(in.Framework().Package) {
		if framesLayer(a) {
			return stack.Seen{State: stack.Known}
		}
	}
	return stack.Seen{State: stack.Absent}
}}
