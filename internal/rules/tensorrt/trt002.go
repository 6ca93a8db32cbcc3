package tensorrt

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var trt002 = &rule.Rule{
	ID:       "TRT002",
	Slug:     "tensorrt-dropped-gpu",
	Layer:    rule.TensorRT,
	Severity: rule.Broken,
	Title:    "This release of TensorRT does not support the GPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLoaded, rule.NeedGPUs},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "TensorRT: support matrix", URL: "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/support-matrix.html", Date: "2026-11-30"},
	},
	Doc: `TensorRT supports fewer GPUs than CUDA does: releases 10.0 to 10.4 start at Volta (compute capability 7.0), 10.5 and
newer at Turing (7.5). On an older GPU the builder refuses, whatever the driver and the CUDA are, and engines built
elsewhere do not load.

Take the last release that supports the GPU, or run the model without TensorRT: ONNX Runtime falls back to its CUDA
provider by itself.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		w, _ := loaded(in)
		have, err := version.ParseLib(releaseText(w.Winner))
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the release of %s is not known", w.Winner.Path), "")
		}
		row := in.KB.TensorRT(have, in.CUDAMajor(in.Workload))
		if !row.Known {
			return rule.FromAnswer(row)
		}
		if row.Value.CCMin.IsZero() {
			return rule.Cannot(fmt.Sprintf("the oldest GPU that TensorRT %s supports", have), "")
		}
		var without []string
		evidence := []stack.Source{stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version)}
		for _, g := range in.GPUs {
			switch {
			case g.Capability.IsZero():
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			case g.Capability.Less(row.Value.CCMin):
				without = append(without, g.String())
				evidence = append(evidence, g.From)
			case !row.Value.CCMax.IsZero() && row.Value.CCMax.Major < g.Capability.Major:
				return rule.Cannot(fmt.Sprintf("whether TensorRT %s supports %s, which is newer than the newest GPU named for it", have, g), "use a newer Strata or a newer knowledge base")
			}
		}
		if len(without) == 0 {
			return rule.Clean()
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary:  fmt.Sprintf("TensorRT %s does not support %s, and %s %s loads it", have, strings.Join(without, ", "), f.Package, f.Version),
			Cause:    fmt.Sprintf("It supports compute capability %s and newer. Building an engine fails on %s.", row.Value.CCMin, strings.Join(without, ", ")),
			Evidence: evidence,
			Refs:     []kb.Ref{row.Ref},
			Remedies: older(in, w.Soname),
		}
		if in.Workload.Name != "tensorrt" {
			finding.Severity = rule.AtRisk
			finding.Cause += " The CUDA provider is not affected."
		}
		return rule.Found(finding)
	},
}

// older installs the newest releases with the same soname that support every GPU here.
func older(in *rule.Input, soname string) []rule.Remedy {
	env := in.Workload.Env
	if env == nil {
		return nil
	}
	for _, row := range slices.Backward(in.KB.TensorRTReleases(in.CUDAMajor(in.Workload))) {
		if row.Soname != soname || row.Pip == "" || row.CCMin.IsZero() || slices.ContainsFunc(in.GPUs, func(g derive.GPU) bool { return g.Capability.Less(row.CCMin) }) {
			continue
		}
		spec, newest := remedy.ReleasesOf(row.From, row.Below, version.Lib{})
		return []rule.Remedy{{
			Summary:  fmt.Sprintf("install %s%s in %s, the last for this GPU", row.Pip, spec, env.Prefix),
			Layer:    rule.TensorRT,
			Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: row.Pip, Version: newest}},
			Commands: remedy.Pip(env, fmt.Sprintf("install '%s%s'", row.Pip, spec)),
		}}
	}
	return nil
}

// releaseText is a library's release: from its name, else of the package that owns it.
func releaseText(l *stack.Library) string {
	if l.Version != "" {
		return l.Version
	}
	if owner, ver, ok := strings.Cut(l.Owner, " "); ok && strings.HasPrefix(owner, "tensorrt") {
		return ver
	}
	return ""
}

// loaded is the libnvinfer that a workload loads.
func loaded(in *rule.Input) (derive.Want, bool) {
	wants, _ := in.Wants(in.Workload)
	for _, w := range wants {
		if w.Layer == string(rule.TensorRT) && strings.HasPrefix(w.Soname, "libnvinfer.so") && w.Winner != nil && w.Winner.Fault == "" {
			return w, true
		}
	}
	// The tensorrt package is the library itself.
	if in.Workload.Name == "tensorrt" {
		for i := range in.Framework().Libraries {
			if l := &in.Framework().Libraries[i]; strings.HasPrefix(l.Soname, "libnvinfer.so") && l.Fault == "" {
				return derive.Want{Soname: l.Soname, Layer: string(rule.TensorRT), Resolution: derive.Resolution{Winner: l}}, true
			}
		}
	}
	return derive.Want{}, false
}

// needLoaded is known where TensorRT's release is, absent where none is loaded.
var needLoaded = rule.Need{Name: "the TensorRT that is loaded", Seen: func(in *rule.Input) stack.Seen {
	if seen := rule.NeedWants.Seen(in); seen.State != stack.Known {
		return seen
	}
	if _, ok := loaded(in); !ok {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}
