package remedy

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// JAXPlugin offers the CUDA plugin of exactly the installed jaxlib, in the
// newest CUDA major that this driver starts and that has code for the GPUs.
func JAXPlugin(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Name != "jax" || w.Env == nil {
		return nil
	}
	lib, ok := w.Env.Find("jaxlib")
	have, err := version.ParsePEP440(lib.Version)
	if !ok || err != nil {
		return nil
	}
	var best *kb.JAX
	for _, row := range in.KB.JAXVariants(have).Value {
		cuda, _ := version.ParseCUDA(fmt.Sprint(row.CUDAMajor)) // a number always parses
		if row.Package == "jaxlib" || !fits(in, cuda, row.Code) || !pythonFits(w.Env, row.PythonMin, version.PEP440{}) {
			continue
		}
		if best == nil || best.CUDAMajor < row.CUDAMajor {
			best = &row
		}
	}
	if best == nil {
		return nil
	}
	env, ver := w.Env, have.Public()
	r := rule.Remedy{
		Summary:  fmt.Sprintf("install %s %s, of jaxlib's own version, with its libraries in %s", best.Package, ver, env.Prefix),
		Layer:    layer,
		Commands: Pip(env, fmt.Sprintf("install 'jax[cuda%d]==%s'", best.CUDAMajor, ver)),
	}
	for _, p := range env.Packages.Value {
		// Of two plugins both would be loaded.
		if other := best.Package; isJAXPlugin(p.Name) && p.Name != other && p.Name != pjrtOf(other) {
			r.Changes = append(r.Changes, stack.Uninstall{Prefix: env.Prefix, Package: p.Name})
			r.Commands = Then(Pip(env, "uninstall -y "+p.Name), r.Commands)
		}
	}
	for _, name := range []string{best.Package, pjrtOf(best.Package)} {
		r.Changes = append(r.Changes, stack.Install{Prefix: env.Prefix, Package: name, Version: ver})
	}
	// What extra cudaNN requires and the plugin opens.
	var sonames []string
	for _, component := range []string{"cudart", "cublas", "cudnn", "cufft", "cusolver", "cusparse", "nvjitlink", "nccl", "cupti", "nvrtc"} {
		for _, s := range in.KB.SonamesOf(component, best.CUDAMajor).Value {
			if component == "cudnn" && !strings.HasSuffix(s.Soname, fmt.Sprintf(".so.%d", best.CUDNNMin.Major())) {
				continue // cuDNN 8 and 9 come in one wheel's releases, and the plugin takes one of them
			}
			sonames = append(sonames, s.Soname)
		}
	}
	_, more := missingWheels(in, sonames, best.CUDAMajor)
	r.Changes = append(r.Changes, more...)
	return []rule.Remedy{r}
}

// isJAXPlugin knows jax-cuda12-plugin and jax-cuda12-pjrt.
func isJAXPlugin(name string) bool {
	var major int
	var kind string
	n, _ := fmt.Sscanf(name, "jax-cuda%d-%s", &major, &kind)
	return n == 2 && (kind == "plugin" || kind == "pjrt")
}

// pjrtOf is the companion of jax-cuda12-plugin that has XLA's library.
func pjrtOf(plugin string) string { return plugin[:len(plugin)-len("plugin")] + "pjrt" }
