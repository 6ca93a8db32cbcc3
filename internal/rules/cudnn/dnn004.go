package cudnn

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var dnn004 = &rule.Rule{
	ID:       "DNN004",
	Slug:     "cudnn-older-than-built-with",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "The cuDNN that is loaded is older than the one the framework was built with",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLoaded},
	After:    []string{"DNN002", "DNN003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "JAX issue 15361: Loaded runtime CuDNN library, but source was compiled with", URL: "https://github.com/jax-ml/jax/issues/15361", Date: "2026-11-30"},
		{Title: "TensorFlow issue 39842: DNN library initialization failed", URL: "https://github.com/tensorflow/tensorflow/issues/39842", Date: "2026-11-30"},
		{Title: "PyTorch: torch/backends/cudnn", URL: "https://github.com/pytorch/pytorch/blob/main/torch/backends/cudnn/__init__.py", Date: "2026-11-30"},
	},
	Doc: `A program built with cuDNN 9.3 may call functions that 9.1 does not have. Frameworks therefore compare: the
release that is loaded must have the same major number and the same or a later minor one. Otherwise TensorFlow and XLA
stop with "Loaded runtime CuDNN library: 8.5.0 but source was compiled with: 8.6.0", PyTorch with "cuDNN version
incompatibility". A newer minor release is fine.

An older copy usually is a system's or a toolkit's that comes before the wheel's on the search path. Take it off that
path, or install the release that the framework asks for.

cuDNN writes its version as one number: 91002 is 9.10.2, 8907 is 8.9.7.`,
	Check: func(in *rule.Input) rule.Verdict {
		built, from, ref := builtWith(in)
		if built.IsZero() {
			return rule.NA() // no framework that compares
		}
		w, _ := loaded(in)
		have, _ := releaseOf(w.Winner)
		if have.Major() > built.Major() || have.Major() == built.Major() && have.Minor() >= built.Minor() {
			return rule.Clean()
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary: fmt.Sprintf("%s %s was built with cuDNN %s, and loads %s of %s", f.Package, f.Version, release(built), w.Winner.Version, path.Dir(w.Winner.Path)),
			Cause: fmt.Sprintf("The directory is searched (%s) first. The framework wants the same major and at least the same minor release as at its build and stops with "+
				`"Loaded runtime CuDNN library: %s but source was compiled with: %s" or "cuDNN version incompatibility".`, w.Why, release(have), release(built)),
			Evidence: append([]stack.Source{stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version)}, from...),
			Refs:     ref,
		}
		if r, ok := remedy.Unshadow(in, rule.CUDNN, w.Winner, w.Why); ok {
			finding.Remedies = append(finding.Remedies, r)
		}
		finding.Remedies = append(finding.Remedies, install(in, w, built)...)
		return rule.Found(finding)
	},
}

// builtWith is the cuDNN that a framework compares with at run time: PyTorch
// and TensorFlow the one of their build, JAX the oldest its plugin accepts.
func builtWith(in *rule.Input) (version.Lib, []stack.Source, []kb.Ref) {
	f := in.Framework()
	switch f.Name {
	case "jax":
		if v, err := version.ParsePEP440(f.Plugin.Value.Version); err == nil {
			if row := in.KB.JAX(v, in.CUDAMajor(in.Workload)); row.Known && !row.Value.CUDNNMin.IsZero() {
				return row.Value.CUDNNMin, nil, []kb.Ref{row.Ref}
			}
		}
	case "pytorch", "tensorflow":
		if f.CUDNN.Known() && strings.Contains(f.CUDNN.Value.String(), ".") {
			return f.CUDNN.Value, f.CUDNN.Sources, nil
		}
		if p := in.Published(f); p.Known && !p.CUDNN.IsZero() {
			return p.CUDNN, nil, []kb.Ref{p.Ref}
		}
	}
	return version.Lib{}, nil, nil
}

// install puts the release that the framework asks for into its environment.
func install(in *rule.Input, w derive.Want, built version.Lib) []rule.Remedy {
	env := in.Workload.Env
	row := in.KB.Soname(w.Soname, in.CUDAMajor(in.Workload))
	if env == nil || !row.Known || row.Value.Pip == "" {
		return nil
	}
	spec := remedy.Pinned(in, row.Value.Pip)
	if exact, ok := strings.CutPrefix(spec, "=="); ok && !strings.ContainsAny(exact, "*,") {
		return []rule.Remedy{remedy.Install(env, rule.CUDNN, row.Value.Pip+spec, "")}
	}
	ver := fmt.Sprintf("%d.%d", built.Major(), built.Minor())
	return []rule.Remedy{{
		Summary:  fmt.Sprintf("install %s %s or newer in %s", row.Value.Pip, ver, env.Prefix),
		Layer:    rule.CUDNN,
		Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: row.Value.Pip, Version: ver}},
		Commands: remedy.Pip(env, fmt.Sprintf("install '%s>=%s,<%d'", row.Value.Pip, ver, built.Major()+1)),
	}}
}
