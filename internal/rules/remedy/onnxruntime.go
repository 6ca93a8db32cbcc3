package remedy

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// OtherONNXRuntime offers releases of onnxruntime-gpu that run here: the
// installed release where it only lacks its GPU part, then the nearest newer
// and the nearest older one with code for every GPU and a CUDA that the driver
// starts.
func OtherONNXRuntime(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Name != "onnxruntime" || w.Env == nil {
		return nil
	}
	have, err := version.ParsePEP440(w.Framework.Version)
	if err != nil {
		return nil
	}
	var same, newer, older []kb.ONNXRuntime
	for _, row := range in.KB.ONNXRuntimeReleases() {
		if !fits(in, cudaOf(row), row.Code) || !pythonFits(w.Env, row.PythonMin, version.PEP440{}) {
			continue
		}
		switch {
		case !have.Less(row.From) && have.Less(row.Below):
			same = append(same, row)
		case row.From.Release()[1] == row.Below.Release()[1]:
			// A row for one patch release has it for a defect that the next one mends.
		case have.Less(row.From):
			newer = append(newer, row)
		default:
			older = append([]kb.ONNXRuntime{row}, older...)
		}
	}
	isGPU := w.Framework.Package == "onnxruntime-gpu"
	var out []rule.Remedy
	if len(same) > 0 && !isGPU {
		out = append(out, installONNXRuntime(in, layer, same[0], have.Public(), "=="+have.Public()))
	}
	for _, list := range [][]kb.ONNXRuntime{newer, older} {
		if len(list) > 0 && len(out) < 2 {
			row := list[0]
			// The table has ranges: which releases in one were published, pip knows.
			out = append(out, installONNXRuntime(in, layer, row, row.From.String(), fmt.Sprintf(">=%s,<%s", row.From, row.Below)))
		}
	}
	return out
}

// ONNXRuntimeFits tells whether a release of onnxruntime-gpu runs here; one that
// the knowledge base does not have may.
func ONNXRuntimeFits(in *rule.Input, release string) bool {
	v, err := version.ParsePEP440(release)
	if err != nil {
		return false
	}
	row := in.KB.ONNXRuntime(v)
	return !row.Known || fits(in, cudaOf(row.Value), row.Value.Code)
}

// cudaOf is the CUDA of a row, its major alone where no more is known.
func cudaOf(row kb.ONNXRuntime) version.CUDA {
	if !row.CUDA.IsZero() {
		return row.CUDA
	}
	c, _ := version.ParseCUDA(fmt.Sprint(row.CUDAMajor)) // a number always parses
	return c
}

func installONNXRuntime(in *rule.Input, layer rule.Layer, row kb.ONNXRuntime, ver, spec string) rule.Remedy {
	env := in.Workload.Env
	var changes []stack.Change
	gone := ONNXRuntimes(env)
	for _, name := range gone {
		if name != "onnxruntime-gpu" {
			changes = append(changes, stack.Uninstall{Prefix: env.Prefix, Package: name})
		}
	}
	changes = append(changes, stack.Install{Prefix: env.Prefix, Package: "onnxruntime-gpu", Version: ver})
	specs := []string{quote("onnxruntime-gpu" + spec)}
	wheels, more := missingWheels(in, row.Sonames, row.CUDAMajor)
	changes, specs = append(changes, more...), append(specs, wheels...)
	r := rule.Remedy{
		Summary:  fmt.Sprintf("install onnxruntime-gpu%s, built with CUDA %s, in %s", spec, cudaOf(row), env.Prefix),
		Layer:    layer,
		Changes:  changes,
		Commands: Pip(env, "install "+strings.Join(specs, " ")),
	}
	if slices.ContainsFunc(gone, func(n string) bool { return n != "onnxruntime-gpu" }) {
		// All first: what is left of one would be overwritten, and what is taken
		// out afterwards would take the other's files along.
		r.Summary = fmt.Sprintf("replace %s by onnxruntime-gpu%s, built with CUDA %s, in %s", strings.Join(gone, " and "), spec, cudaOf(row), env.Prefix)
		r.Commands = Then(Pip(env, "uninstall -y "+strings.Join(gone, " ")), r.Commands)
	}
	return r
}

// ONNXRuntimes are the installed distributions that share the directory onnxruntime.
func ONNXRuntimes(env *stack.Environment) []string {
	var names []string
	for _, p := range env.Packages.Value {
		if isONNXRuntime(p.Name) && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

func isONNXRuntime(name string) bool {
	switch name {
	case "onnxruntime", "ort-nightly", "ort-nightly-gpu":
		return true
	}
	suffix, ok := strings.CutPrefix(name, "onnxruntime-")
	return ok && slices.Contains([]string{"gpu", "directml", "openvino", "rocm", "migraphx", "training", "qnn", "vitisai", "cann"}, suffix)
}

// Then joins two steps for each tool that has both.
func Then(first, second []rule.Command) []rule.Command {
	var out []rule.Command
	for _, a := range first {
		for _, b := range second {
			if a.For == b.For {
				out = append(out, rule.Command{For: a.For, Run: a.Run + " && " + b.Run})
			}
		}
	}
	return out
}
