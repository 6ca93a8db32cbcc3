package remedy

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// OtherTorchBuild offers builds of PyTorch that run here: with code for every
// GPU and, where the driver is known, of a CUDA that it starts. The same
// release in another variant comes first, then the nearest newer release, then
// the nearest older one.
func OtherTorchBuild(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if in.Trial || w == nil || w.Name != "pytorch" || w.Env == nil || !wheelsKnown(in) {
		return nil
	}
	have, err := version.ParsePEP440(w.Framework.Version)
	if err != nil {
		return nil
	}
	var newer, older []kb.TorchBuild
	for _, rel := range in.KB.TorchReleases() {
		for _, b := range in.KB.TorchBuilds(rel).Value {
			if b.Variant == have.Local() && rel.Compare(stripLocal(have)) == 0 || !runs(in, b) {
				continue
			}
			if rel.Compare(stripLocal(have)) >= 0 {
				newer = append(newer, b)
			} else {
				older = append([]kb.TorchBuild{b}, older...)
			}
		}
	}
	var out []rule.Remedy
	for _, list := range [][]kb.TorchBuild{newer, older} {
		if len(list) == 0 {
			continue
		}
		b := best(list, have)
		out = append(out, installTorch(in, layer, b))
		if b.Version.Compare(stripLocal(have)) == 0 {
			break // no reason to change the release, too
		}
	}
	return out
}

// best is the nearest release of the list in its newest suitable CUDA: the
// installed release itself where it has such a build, else the last patch of
// the nearest minor, since a first patch is what the later ones mend.
func best(list []kb.TorchBuild, have version.PEP440) kb.TorchBuild {
	b := list[0]
	same := b.Version.Compare(stripLocal(have)) == 0
	for _, x := range list {
		switch {
		case x.Channel != kb.TorchStable && x.Channel != b.Channel || minor(x.Version).Compare(minor(b.Version)) != 0:
		case x.Version.Compare(b.Version) == 0 && b.CUDA.Less(x.CUDA):
			b = x
		case !same && b.Version.Less(x.Version):
			b = x
		}
	}
	return b
}

func runs(in *rule.Input, b kb.TorchBuild) bool {
	return !b.CUDA.IsZero() && b.Archs.Known && fits(in, b.CUDA, b.Code) && pythonFits(in.Workload.Env, b.PythonMin, b.PythonMax)
}

// minor keeps major and minor: wheels are per minor release of Python.
func minor(py version.PEP440) version.PEP440 {
	rel := py.Release()
	if len(rel) < 2 {
		return py
	}
	v, err := version.ParsePEP440(fmt.Sprintf("%d.%d", rel[0], rel[1]))
	if err != nil {
		return py
	}
	return v
}

// stripLocal is the version without its label.
func stripLocal(v version.PEP440) version.PEP440 {
	public, err := version.ParsePEP440(v.Public())
	if err != nil {
		return v
	}
	return public
}

// installTorch replaces torch with its companions of the same release, so that
// torchvision and torchaudio keep fitting.
func installTorch(in *rule.Input, layer rule.Layer, b kb.TorchBuild) rule.Remedy {
	env := in.Workload.Env
	// With its label: pip takes 2.7.1+cu126 for 2.7.1 and would change nothing.
	specs := []string{"torch==" + b.Version.String() + "+" + b.Variant}
	changes := []stack.Change{stack.Install{Prefix: env.Prefix, Package: "torch", Version: b.Version.String() + "+" + b.Variant}}
	for _, name := range []string{"torchvision", "torchaudio"} {
		if _, has := env.Find(name); !has {
			continue
		}
		c := in.KB.TorchCompanion(b.Version, name)
		if !c.Known || len(c.Value.Versions) == 0 {
			continue
		}
		v := c.Value.Versions[len(c.Value.Versions)-1].String()
		specs = append(specs, name+"=="+v+"+"+b.Variant)
		changes = append(changes, stack.Install{Prefix: env.Prefix, Package: name, Version: v + "+" + b.Variant})
	}
	return rule.Remedy{
		Summary:  fmt.Sprintf("install torch %s built with CUDA %s (%s) in %s", b.Version, b.CUDA, b.Variant, env.Prefix),
		Layer:    layer,
		Changes:  changes,
		Commands: Pip(env, "install "+strings.Join(specs, " ")+" --index-url "+b.IndexURL()),
	}
}
