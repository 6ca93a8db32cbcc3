package kb

import (
	"fmt"
	"slices"

	"strata/internal/version"
)

// Companion is a package made for one release of torch: torchvision, torchaudio, triton or xformers.
type Companion struct {
	Row
	Torch    version.PEP440   `kb:"torch,key"`
	Package  string           `kb:"package,key"`
	Versions []version.PEP440 `kb:"versions,required"` // any of them
}

var companions = csvFile("frameworks/torch_companions.csv", reaches[Companion]("pep440"), checkCompanions)

// TorchCompanions returns what goes with torch release v. Installed metadata wins over it: torchvision 0.29.2 asks for a
// minimum of torch and no longer for one release, like xformers from 0.0.34 on.
func (b *Base) TorchCompanions(v version.PEP440) Answer[[]Companion] {
	release := released(v)
	t := companions.beginning(b, release.Public())
	if len(t.Rows) == 0 { // the table may write the release otherwise
		t = companions.in(b)
	}
	var list []Companion
	for _, r := range t.Rows {
		if r.Torch.Compare(release) == 0 {
			list = append(list, r)
		}
	}
	switch {
	case v.IsZero():
		return notFound[[]Companion](t, "no torch version given")
	case releasedAfter(t, v):
		return beyond[[]Companion](t, "torch "+v.Public())
	case list == nil || v.IsPre():
		return notFound[[]Companion](t, "what goes with torch %s is not known", v.Public())
	}
	return found(b, t, list[0].Row, list)
}

// TorchCompanion returns the versions of pkg that go with torch release v.
func (b *Base) TorchCompanion(v version.PEP440, pkg string) Answer[Companion] {
	all := b.TorchCompanions(v)
	if !all.Known {
		return Answer[Companion]{Beyond: all.Beyond, Why: all.Why, Ref: all.Ref}
	}
	t := companions.beginning(b, released(v).Public())
	for _, r := range all.Value {
		if r.Package == pkg {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[Companion](t, "which %s goes with torch %s is not known", pkg, v.Public())
}

// checkCompanions finds a torch release that pytorch.csv does not have, which would send people to a build that nobody published, and
// a triton other than the one there.
func checkCompanions(b *Base, t *Table[Companion]) (problems []Problem) {
	for _, r := range t.Rows {
		builds := b.TorchBuilds(r.Torch)
		if !builds.Known {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("torch %s is not in pytorch.csv", r.Torch)})
		}
		for _, build := range builds.Value {
			same := func(v version.PEP440) bool { return v.Compare(build.Triton) == 0 }
			if r.Package == "triton" && !build.Triton.IsZero() && !slices.ContainsFunc(r.Versions, same) {
				problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("pytorch.csv has triton %s for torch %s in %s", build.Triton, r.Torch, build.Variant)})
			}
		}
	}
	return problems
}
