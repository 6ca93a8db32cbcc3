package remedy

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// TensorFlowWithCUDA offers tensorflow[and-cuda]: of the installed release
// where that runs here, else of the nearest release that does.
func TensorFlowWithCUDA(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Name != "tensorflow" || w.Env == nil {
		return nil
	}
	have, err := version.ParsePEP440(w.Framework.Version)
	if err != nil {
		return nil
	}
	var out []rule.Remedy
	for _, minor := range nearest(have) {
		ver := have
		if minor != "" {
			if ver, err = version.ParsePEP440(minor); err != nil {
				continue
			}
		}
		a := in.KB.TensorFlow(ver, kb.TensorFlowLinux)
		row := a.Value
		if !a.Known || !row.GPU || !row.AndCUDA || !row.Archs.Known || !fits(in, row.CUDA, row.Code) || !pythonFits(w.Env, row.PythonMin, row.PythonMax) {
			continue
		}
		if minor == "" && w.Framework.Package == "tensorflow" && w.Framework.Variant.Or("") == "cuda" {
			continue // that is what is there
		}
		out = append(out, installTensorFlow(in, layer, row, ver, minor != ""))
		break
	}
	return out
}

// nearest are the installed release itself (""), then minor releases above it
// and below it, a few each: TensorFlow 2 has one every few months.
func nearest(have version.PEP440) []string {
	list := []string{""}
	r := have.Release()
	if len(r) < 2 {
		return list
	}
	const reach = 8
	for d := 1; d <= reach; d++ {
		list = append(list, fmt.Sprintf("%d.%d.0", r[0], r[1]+d))
	}
	for d := 1; d <= reach && d <= r[1]; d++ {
		list = append(list, fmt.Sprintf("%d.%d.0", r[0], r[1]-d))
	}
	return list
}

func installTensorFlow(in *rule.Input, layer rule.Layer, row kb.TensorFlow, ver version.PEP440, other bool) rule.Remedy {
	env := in.Workload.Env
	spec := "==" + ver.Public()
	if other {
		spec = fmt.Sprintf("==%d.%d.*", ver.Release()[0], ver.Release()[1])
	}
	_, wheels := missingWheels(in, row.Sonames, row.CUDA.Major())
	r := rule.Remedy{
		Summary:  fmt.Sprintf("install tensorflow[and-cuda]%s, built with CUDA %s, in %s", spec, row.CUDA, env.Prefix),
		Layer:    layer,
		Changes:  append([]stack.Change{stack.Install{Prefix: env.Prefix, Package: "tensorflow", Version: ver.Public()}}, wheels...),
		Commands: Pip(env, "install 'tensorflow[and-cuda]"+spec+"'"),
	}
	if pkg := in.Workload.Framework.Package; pkg != "tensorflow" {
		r.Summary = fmt.Sprintf("replace %s by tensorflow[and-cuda]%s, built with CUDA %s, in %s", pkg, spec, row.CUDA, env.Prefix)
		r.Changes = append([]stack.Change{stack.Uninstall{Prefix: env.Prefix, Package: pkg}}, r.Changes...)
		r.Commands = Then(Pip(env, "uninstall -y "+pkg), r.Commands)
	}
	return r
}
