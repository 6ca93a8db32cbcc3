package framework

import (
	"fmt"
	"slices"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var frm006 = &rule.Rule{
	ID:       "FRM006",
	Slug:     "jax-cuda-plugin",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "JAX has no CUDA plugin, or one of another version than jaxlib",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needJAX, rule.NeedGPUs, rule.NeedVariant, rule.NeedPackages},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "JAX: installation", URL: "https://docs.jax.dev/en/latest/installation.html", Date: "2026-11-30"},
		{Title: "JAX: jaxlib/plugin_support.py, the check of the plugin's version", URL: "https://github.com/jax-ml/jax/blob/main/jaxlib/plugin_support.py", Date: "2026-11-30"},
	},
	Doc: `Since 0.4.26 JAX's GPU part is not in jaxlib but in packages of its own, jax-cuda12-plugin and
jax-cuda12-pjrt (or cuda13). "pip install jax" brings neither; JAX then says "An NVIDIA GPU may be present on this
machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu" and goes on.

The plugin must be of exactly jaxlib's version. Where it is not, JAX warns that the plugin "is installed, but it is
not compatible with the installed jaxlib version, so it will not be used" and falls back in the same way. That
comes from upgrading jax or jaxlib without the extra.

Install jax[cuda12] or jax[cuda13] with the version of jaxlib spelled out.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, w := in.Framework(), in.Workload
		if len(in.GPUs) == 0 || in.Unasked() {
			return rule.NA()
		}
		lib, ok := w.Env.Find("jaxlib")
		if !ok {
			return rule.Cannot("jaxlib is not among the packages of "+w.Place(), "")
		}
		found := rule.Finding{
			Evidence: []stack.Source{lib.From, in.GPUs[0].From},
			Remedies: remedy.JAXPlugin(in, rule.FrameworkBuild),
		}
		if p := in.Published(f); p.Known {
			found.Refs = []kb.Ref{p.Ref}
		}
		if !f.Plugin.Known() {
			if f.Variant.Value != "cpu" {
				return rule.Clean() // before 0.4.26 the GPU part was in jaxlib
			}
			found.Summary = fmt.Sprintf("jax %s in %s has no CUDA plugin; %s is not used", f.Version, w.Place(), in.GPUs[0].Name)
			found.Cause = `JAX says "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu."`
			if other := otherOnGPU(w); other != "" {
				found.Severity, found.Confidence = rule.Note, rule.Likely
				found.Cause += fmt.Sprintf(" %s in the same environment has its GPU build, so JAX may be there for something small.", other)
			}
			return rule.Found(found)
		}
		plugin := f.Plugin.Value
		mine, err := version.ParsePEP440(plugin.Version)
		theirs, err2 := version.ParsePEP440(lib.Version)
		if err != nil || err2 != nil {
			return rule.Cannot(fmt.Sprintf("the versions of %s (%q) and jaxlib (%q) could not be read", plugin.Name, plugin.Version, lib.Version), "")
		}
		if slices.Equal(mine.Release(), theirs.Release()) {
			return rule.Clean()
		}
		found.Summary = fmt.Sprintf("%s is %s and jaxlib %s: JAX does not use the plugin", plugin.Name, plugin.Version, lib.Version)
		found.Cause = fmt.Sprintf(`JAX compares the two and warns "JAX plugin … version %s is installed, but it is not compatible with the installed jaxlib version %s, so it will not be used." Everything then runs on the CPU.`, plugin.Version, lib.Version)
		found.Evidence = append(found.Evidence, plugin.From)
		if !comparesPlugin(theirs) {
			found.Severity, found.Confidence = rule.AtRisk, rule.Likely
			found.Summary = fmt.Sprintf("%s is %s and jaxlib %s: this jaxlib does not compare them, and nobody tested the pair", plugin.Name, plugin.Version, lib.Version)
			found.Cause = "JAX loads the plugin without a word. The two talk through an interface that changes between releases; the next jaxlib refuses such a plugin."
		}
		return rule.Found(found)
	},
}

// comparesPlugin tells whether a jaxlib looks at the plugin's version. Measured:
// 0.5.0 has no jaxlib/plugin_support.py and loads a plugin of 0.4.38, 0.6.2 has
// it and refuses one of 0.5.0. Releases between them are taken to look.
func comparesPlugin(jaxlib version.PEP440) bool {
	last, err := version.ParsePEP440(lastWithoutCheck)
	return err != nil || last.Less(jaxlib)
}

// lastWithoutCheck is the newest jaxlib that was seen without the check.
const lastWithoutCheck = "0.5.0"

var needJAX = rule.Need{Name: "JAX", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Name != "jax" || in.Workload.Env == nil {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}
