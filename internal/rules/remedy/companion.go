package remedy

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// Companion offers the release of torchvision, torchaudio or xformers that was
// made for the installed torch, in torch's own variant.
func Companion(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.On == nil || w.On.Name != "pytorch" || w.Env == nil {
		return nil
	}
	torch, err := version.ParsePEP440(w.On.Framework.Version)
	if err != nil {
		return nil
	}
	pair := in.KB.TorchCompanion(torch, w.Framework.Package)
	if !pair.Known || len(pair.Value.Versions) == 0 {
		return nil
	}
	ver := pair.Value.Versions[len(pair.Value.Versions)-1].String()
	tag := torch.Local()
	if tag == "" && w.On.Framework.CUDA.Known() {
		tag = derive.CUDATag(w.On.Framework.CUDA.Value)
	}
	build := in.KB.Torch(torch, tag)
	if !build.Known || !wheelsKnown(in) {
		return []rule.Remedy{Install(w.Env, layer, w.Framework.Package+"=="+ver, ", which is made for torch "+torch.Public())}
	}
	spec := ver + "+" + build.Value.Variant
	if w.Framework.Package == "xformers" {
		spec = ver // its wheels have no label; the index tells their CUDA
	}
	// no-deps: pip would else take torch along when the index has a newer one.
	return []rule.Remedy{{
		Summary:  fmt.Sprintf("install %s %s, which is made for torch %s, in %s", w.Framework.Package, spec, torch, w.Env.Prefix),
		Layer:    layer,
		Changes:  []stack.Change{stack.Install{Prefix: w.Env.Prefix, Package: w.Framework.Package, Version: ver + "+" + build.Value.Variant}},
		Commands: Pip(w.Env, fmt.Sprintf("install --no-deps %s==%s --index-url %s", w.Framework.Package, spec, build.Value.IndexURL())),
	}}
}

// TorchFor offers the torch that an extension was built for, in a variant of
// the same CUDA major that runs here, with torchvision and torchaudio to match.
func TorchFor(in *rule.Input, layer rule.Layer, release string) []rule.Remedy {
	w := in.Workload
	if w == nil || w.On == nil || w.Env == nil || !wheelsKnown(in) {
		return nil
	}
	want, err := version.ParsePEP440(release)
	if err != nil {
		return nil
	}
	want = stripLocal(want)
	major := in.BuildCUDA(w).Major()
	var pick *kb.TorchBuild
	for _, rel := range in.KB.TorchReleases() {
		if !startsWith(rel, want) {
			continue
		}
		for _, b := range in.KB.TorchBuilds(rel).Value {
			if runs(in, b) && (major == 0 || b.CUDA.Major() == major) && (pick == nil || !b.Version.Less(pick.Version) && b.Channel == kb.TorchStable) {
				pick = &b
			}
		}
	}
	if pick == nil {
		return nil
	}
	return []rule.Remedy{installTorch(in, layer, *pick)}
}

// startsWith tells whether a release is the wanted one, or of the wanted minor
// where only that much was said: 2.6.0 and 2.6.
func startsWith(rel, want version.PEP440) bool {
	a, b := rel.Release(), want.Release()
	if len(b) > len(a) {
		return false
	}
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Rebuild compiles an extension again against the torch that is installed. abi
// is the label that such a build has: cu12torch2.7cxx11abiTRUE.
func Rebuild(in *rule.Input, layer rule.Layer, abi string) rule.Remedy {
	w := in.Workload
	public := w.Framework.Version
	if v, err := version.ParsePEP440(public); err == nil {
		public = v.Public()
	}
	pkg := w.Framework.Package
	return rule.Remedy{
		Summary:  fmt.Sprintf("build %s %s against the installed torch, or take its wheel named +%s", pkg, public, abi),
		Layer:    layer,
		Changes:  []stack.Change{stack.Install{Prefix: w.Env.Prefix, Package: pkg, Version: public + "+" + abi}},
		Commands: Pip(w.Env, fmt.Sprintf("install --force-reinstall --no-deps --no-cache-dir --no-build-isolation %s==%s", pkg, public)),
	}
}
