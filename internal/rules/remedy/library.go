package remedy

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// bringer is one package and the libraries that it brings.
type bringer struct {
	pip, spec string // nvidia-cublas-cu12, ==12.6.4.1
	apt, rpm  string // in NVIDIA's repositories
	conda     string
	cuda      int
	sonames   []string
	// plan is the release that pip would take for spec, where it is no exact one.
	plan string
}

// Libraries offers the packages that bring libraries which a workload does not
// find: into its own environment first, for the whole machine second. Releases
// are those that the framework's metadata asks for.
func Libraries(in *rule.Input, layer rule.Layer, sonames []string) []rule.Remedy {
	list := bringers(in, sonames)
	if len(list) == 0 {
		return nil
	}
	var out []rule.Remedy
	if env := in.Workload.Env; env != nil && env.Prefix != "" {
		if r, ok := intoEnvironment(in, layer, list); ok {
			out = append(out, r)
		}
	}
	if r, ok := intoSystem(in, layer, list); ok {
		out = append(out, r)
	}
	return out
}

// isExact tells whether a specifier names one release.
func isExact(spec string) bool {
	return strings.HasPrefix(spec, "==") && !strings.ContainsAny(spec, ",*")
}

func bringers(in *rule.Input, sonames []string) []bringer {
	major := in.CUDAMajor(in.Workload)
	var list []bringer
	for _, name := range sonames {
		row := in.KB.Soname(name, major)
		if !row.Known {
			if all := in.KB.Sonames(name).Value; len(all) == 1 {
				row.Value, row.Known = all[0], true
			}
		}
		if !row.Known {
			continue
		}
		b := bringer{pip: row.Value.Pip, spec: row.Value.PipSpec, conda: row.Value.Conda, cuda: row.Value.CUDA, sonames: []string{name}}
		b.apt, b.rpm = packaged(in, row.Value, name, kb.NVIDIADebPackages), packaged(in, row.Value, name, kb.NVIDIARPMPackages)
		i := slices.IndexFunc(list, func(x bringer) bool { return x.pip == b.pip && x.apt == b.apt })
		if i >= 0 {
			list[i].sonames = append(list[i].sonames, name)
			continue
		}
		if spec := Pinned(in, b.pip); spec != "" {
			b.spec = spec
		}
		if row.Value.Component == "cudnn" && !isExact(b.spec) {
			b.spec, b.plan = anyCUDNN(in, name, b.spec, major)
		}
		list = append(list, b)
	}
	return list
}

// packaged is the package of an ecosystem that brings soname: of the minor
// release that the workload is built with, where it has the same library.
func packaged(in *rule.Input, row kb.Soname, soname string, where kb.Ecosystem) string {
	built := in.BuildCUDA(in.Workload)
	if row.CUDA != 0 && built.Major() != row.CUDA {
		built = version.CUDA{}
	}
	for _, p := range in.KB.PackagesOf(soname, built, where).Value {
		if p.CUDA == row.CUDA {
			return p.Name
		}
	}
	return ""
}

// Pinned is what the workload's framework asks of a package: "==9.1.0.70",
// ">=12.5.3.2,<13.0"; "" where it does not name it.
func Pinned(in *rule.Input, name string) string {
	w := in.Workload
	if w == nil || w.Env == nil || name == "" {
		return ""
	}
	for _, pkg := range []string{w.Framework.Package, w.Framework.Plugin.Value.Name} {
		p, ok := w.Env.Find(pkg)
		if !ok {
			continue
		}
		for _, r := range p.Requires {
			if n, spec := derive.Requirement(r); n == name && spec != "" {
				return spec
			}
		}
	}
	if w.Name == "pytorch" {
		return pinnedByTable(in, name)
	}
	return ""
}

// pinnedByTable is what the build of torch was published with, for an
// environment whose metadata is gone.
func pinnedByTable(in *rule.Input, name string) string {
	v, err := version.ParsePEP440(in.Workload.Framework.Version)
	if err != nil {
		return ""
	}
	b := in.KB.Torch(v, "").Value
	for prefix, pin := range map[string]version.Lib{"nvidia-cudnn-cu": b.CUDNN, "nvidia-nccl-cu": b.NCCL, "nvidia-cublas": b.CUBLAS, "nvidia-nvshmem-cu": b.NVSHMEM} {
		if strings.HasPrefix(name, prefix) && strings.Count(pin.String(), ".") >= 2 {
			return "==" + pin.String()
		}
	}
	return ""
}

func intoEnvironment(in *rule.Input, layer rule.Layer, list []bringer) (rule.Remedy, bool) {
	w := in.Workload
	env := w.Env
	var specs, conda, dirs []string
	var changes []stack.Change
	for _, b := range list {
		if b.pip == "" {
			return rule.Remedy{}, false
		}
		specs = append(specs, b.pip+b.spec)
		exact := b.plan
		if isExact(b.spec) {
			exact = strings.TrimPrefix(b.spec, "==")
		}
		changes = append(changes, stack.Install{Prefix: env.Prefix, Package: b.pip, Version: exact})
		if b.conda != "" && !slices.Contains(conda, b.conda) {
			conda = append(conda, b.conda)
		}
		if len(env.Site) > 0 {
			dirs = append(dirs, derive.WheelDir(env.Site[0], b.pip, b.cuda))
		}
	}
	r := rule.Remedy{
		Summary:  fmt.Sprintf("install %s in %s", enumerate(specs), env.Prefix),
		Layer:    layer,
		Changes:  changes,
		Commands: Pip(env, "install "+strings.Join(quoteAll(specs), " ")),
	}
	if extra := extra(in); extra != "" && len(specs) > 2 {
		r.Summary = fmt.Sprintf("install %s, which brings %d CUDA packages, in %s", extra, len(specs), env.Prefix)
		r.Commands = Pip(env, "install '"+extra+"'")
	} else if len(specs) > 3 {
		r.Summary = fmt.Sprintf("install %s and %d more of NVIDIA's packages in %s", strings.Join(specs[:2], ", "), len(specs)-2, env.Prefix)
	}
	if env.Kind == "conda" && len(conda) > 0 && list[0].cuda > 11 {
		cmd := fmt.Sprintf("conda install -p %s -c conda-forge %s 'cuda-version=%d'", Quote(env.Prefix), strings.Join(conda, " "), list[0].cuda)
		r.Commands = append([]rule.Command{{For: "conda", Run: cmd}}, r.Commands...)
	}
	if !derive.FindsWheels(w) && env.Kind != "conda" && len(dirs) > 0 {
		r.Summary += ", and put it on the search path"
		r.Changes = append(r.Changes, searchPath(in, dirs))
		r.Commands = append(r.Commands, rule.Command{For: "shell", Run: Prepend(dirs...)})
		if derive.PreloadsOnlyWhenAsked(w) {
			r.Summary += " (or call onnxruntime.preload_dlls() before the first session)"
		}
	}
	return r, true
}

// extra is the requirement with which pip installs a framework together with
// its CUDA packages; "" where there is none.
func extra(in *rule.Input) string {
	f := in.Framework()
	v, err := version.ParsePEP440(f.Version)
	if err != nil || f.Package != "tensorflow" || !in.KB.TensorFlow(v, kb.TensorFlowLinux).Value.AndCUDA {
		return ""
	}
	return "tensorflow[and-cuda]==" + v.Public()
}

// intoSystem is NVIDIA's package repository, where the machine is one that it serves.
func intoSystem(in *rule.Input, layer rule.Layer, list []bringer) (rule.Remedy, bool) {
	manager := packageManager(in.Stack.OS.ID.Or(""))
	if manager != "apt" && manager != "dnf" {
		return rule.Remedy{}, false
	}
	var names, brings []string
	for _, b := range list {
		name := b.apt
		if manager == "dnf" {
			name = b.rpm
		}
		if name == "" {
			return rule.Remedy{}, false
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		brings = append(brings, b.sonames...)
	}
	return rule.Remedy{
		Summary:  fmt.Sprintf("install %s from NVIDIA's package repository, for the whole machine", strings.Join(names, " ")),
		Layer:    layer,
		Changes:  []stack.Change{stack.InstallOSPackage{Names: names, Brings: brings}},
		Commands: []rule.Command{{For: manager, Run: "sudo " + manager + " install " + strings.Join(names, " ")}},
	}, true
}

// Reinstall puts packages of the environment in again, over what is damaged.
// owners are as in stack.Library: "nvidia-cublas-cu12 12.4.5.8".
func Reinstall(env *stack.Environment, layer rule.Layer, owners ...string) rule.Remedy {
	var specs []string
	r := rule.Remedy{Layer: layer}
	for _, owner := range owners {
		name, ver, _ := strings.Cut(owner, " ")
		spec := name
		if ver != "" {
			spec += "==" + ver
		}
		specs = append(specs, spec)
		r.Changes = append(r.Changes, stack.Install{Prefix: env.Prefix, Package: name, Version: ver})
	}
	r.Summary = fmt.Sprintf("install %s in %s again", enumerate(specs), env.Prefix)
	r.Commands = Pip(env, "install --force-reinstall --no-deps "+strings.Join(quoteAll(specs), " "))
	return r
}

func quoteAll(specs []string) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = quote(s)
	}
	return out
}

func enumerate(items []string) string {
	if len(items) == 1 {
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
