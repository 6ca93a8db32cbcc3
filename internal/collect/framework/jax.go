package framework

import (
	"path"
	"strings"

	"strata/internal/stack"
)

var jax = reader{"jax", []string{"jax", "jaxlib"}, func(in *install) {
	in.jaxPlugin()
	// Before plugins (up to 0.4.25) the GPU part was in jaxlib, with a label
	// such as +cuda12.cudnn89.
	if at := in.byName["jaxlib"]; len(at) > 0 {
		lib := in.env.Packages.Value[at[0]]
		_, local, _ := strings.Cut(lib.Version, "+")
		h := parseLabel(local)
		in.use(h, stack.From("file", lib.From.Locator, 0, "Version: "+lib.Version))
		if core := "jaxlib/xla_extension.so"; h.variant == "cuda" && in.library(core) {
			in.code(core)
		}
		in.isVariant("cpu", lib.From)
	} else {
		in.fw.Variant = stack.Broken[string]("jax is installed without jaxlib", in.pkg.From)
	}
}}

// jaxPlugin reads the companion that carries the GPU part. The pjrt package
// has the library, the plugin package the kernels; their names carry CUDA's major.
func (in *install) jaxPlugin() {
	in.fw.Plugin = stack.None[stack.Package](in.env.Packages.Sources...)
	var plugin string
	for _, p := range in.env.Packages.Value {
		middle, ok := strings.CutPrefix(p.Name, "jax-cuda")
		if !ok {
			continue
		}
		major, kind, _ := strings.Cut(middle, "-")
		switch kind {
		case "plugin":
			in.fw.Plugin = stack.Know(p, p.From)
			plugin = "jax_cuda" + major + "_plugin/_versions.so"
			in.isVariant("cuda", p.From)
			in.builtWith(major, stack.From("file", p.From.Locator, 0, "Name: "+p.Name))
		case "pjrt":
			dir := "jax_plugins/xla_cuda" + major
			if in.library(path.Join(dir, "xla_cuda_plugin.so")) {
				in.code(path.Join(dir, "xla_cuda_plugin.so"))
			}
		}
	}
	if plugin != "" {
		// It needs nothing by DT_NEEDED; where it looks for what it opens later is in its RUNPATH.
		in.library(plugin)
	}
	for _, p := range in.env.Packages.Value {
		if strings.HasPrefix(p.Name, "jax-rocm") && strings.HasSuffix(p.Name, "-plugin") {
			in.isVariant("rocm", p.From)
		}
	}
}
