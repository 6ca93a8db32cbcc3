package remedy

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// OtherCuPy offers the one CuPy wheel that fits here and takes all others out.
// They share the directory cupy, so the one that stays is installed anew.
func OtherCuPy(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Name != "cupy" || w.Env == nil {
		return nil
	}
	installed := CuPys(w.Env)
	for _, major := range preferredMajors(in) {
		name := fmt.Sprintf("cupy-cuda%dx", major)
		cuda, _ := version.ParseCUDA(fmt.Sprint(major)) // a number always parses
		ver := w.Framework.Version
		if p, has := w.Env.Find(name); has {
			ver = p.Version
		}
		v, err := version.ParsePEP440(ver)
		if err != nil || !driverStarts(in, cuda) {
			continue
		}
		row := in.KB.Consumer(name, v, cuda)
		if !row.Known || tooOld(in, row.Value.CCMin) {
			continue
		}
		return []rule.Remedy{replaceCuPy(in, layer, installed, name, ver)}
	}
	return nil
}

// CuPyFor offers the CuPy wheel for a CUDA major whose libraries are here, in
// the release that is installed.
func CuPyFor(in *rule.Input, layer rule.Layer, major int) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Name != "cupy" || w.Env == nil || in.Trial {
		return nil
	}
	name := fmt.Sprintf("cupy-cuda%dx", major)
	cuda, err := version.ParseCUDA(fmt.Sprint(major))
	v, errVersion := version.ParsePEP440(w.Framework.Version)
	if err != nil || errVersion != nil || name == w.Framework.Package || !driverStarts(in, cuda) {
		return nil
	}
	if row := in.KB.Consumer(name, v, cuda); !row.Known || tooOld(in, row.Value.CCMin) {
		return nil
	}
	return []rule.Remedy{replaceCuPy(in, layer, CuPys(w.Env), name, w.Framework.Version)}
}

func tooOld(in *rule.Input, least version.ComputeCapability) bool {
	for _, g := range in.GPUs {
		if !g.Capability.IsZero() && g.Capability.Less(least) {
			return true
		}
	}
	return false
}

// preferredMajors: what the environment's other frameworks use, so that its
// libraries serve both; then 12, which most drivers in use start; then the rest.
func preferredMajors(in *rule.Input) []int {
	var list []int
	for i := range in.Workload.Env.Frameworks {
		f := &in.Workload.Env.Frameworks[i]
		if m := f.CUDA.Value.Major(); f.CUDA.Known() && f.Name != "cupy" {
			list = append(list, m)
		}
	}
	return append(list, 12, 13, 11)
}

func replaceCuPy(in *rule.Input, layer rule.Layer, installed []string, name, ver string) rule.Remedy {
	env := in.Workload.Env
	r := rule.Remedy{
		Summary:  fmt.Sprintf("replace %s by %s %s alone in %s", strings.Join(installed, " and "), name, ver, env.Prefix),
		Layer:    layer,
		Commands: Then(Pip(env, "uninstall -y "+strings.Join(installed, " ")), Pip(env, "install "+name+"=="+ver)),
	}
	for _, other := range installed {
		r.Changes = append(r.Changes, stack.Uninstall{Prefix: env.Prefix, Package: other})
	}
	r.Changes = append(r.Changes, stack.Install{Prefix: env.Prefix, Package: name, Version: ver})
	return r
}

// CuPys are the installed distributions that share the directory cupy.
func CuPys(env *stack.Environment) []string {
	var names []string
	for _, p := range env.Packages.Value {
		if p.Name == "cupy" || strings.HasPrefix(p.Name, "cupy-cuda") || strings.HasPrefix(p.Name, "cupy-rocm") {
			names = append(names, p.Name)
		}
	}
	return names
}
