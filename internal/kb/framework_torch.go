package kb

import (
	"fmt"
	"slices"

	"strata/internal/version"
)

// TorchBuild is one official wheel of PyTorch for Linux x86_64: a release in one variant. What the metadata of an installed wheel says
// wins over it.
type TorchBuild struct {
	Row
	Version    version.PEP440 `kb:"torch,key"`
	Variant    string         `kb:"variant,key"` // cu126, cpu
	OnPyPI     bool           `kb:"pypi"`        // what a plain pip install gives
	Channel    TorchChannel   `kb:"channel,required"`
	CUDA       version.CUDA   `kb:"cuda"` // zero for cpu
	CUDNN      version.Lib    `kb:"cudnn"`
	NCCL       version.Lib    `kb:"nccl"`
	CUBLAS     version.Lib    `kb:"cublas"`
	CUSparseLt version.Lib    `kb:"cusparselt"`
	NVSHMEM    version.Lib    `kb:"nvshmem"`
	Triton     version.PEP440 `kb:"triton"`
	PythonMin  version.PEP440 `kb:"python_min"`
	PythonMax  version.PEP440 `kb:"python_max"` // last minor release with a wheel
	Code
	ArchsWindows Targets        `kb:"archs_windows"`
	PTXWindows   Targets        `kb:"ptx_windows"`
	ArchsARM     Targets        `kb:"archs_aarch64"` // the wheel for Linux on aarch64
	PTXARM       Targets        `kb:"ptx_aarch64"`
	Glibc        version.Glibc  `kb:"glibc"` // floor by the tag of the wheel; zero where that says less than the truth
	Libraries    TorchLibraries `kb:"libraries"`
}

// IndexURL returns the wheel index that holds this build.
func (t TorchBuild) IndexURL() string { return "https://download.pytorch.org/whl/" + t.Variant }

// TorchChannel says how PyTorch stands to a variant of a release.
type TorchChannel string

// Unlisted is a variant that was published without being in the release matrix.
const (
	TorchStable       TorchChannel = "stable"
	TorchExperimental TorchChannel = "experimental"
	TorchUnlisted     TorchChannel = "unlisted"
)

// UnmarshalText accepts the three and nothing else.
func (c *TorchChannel) UnmarshalText(text []byte) error {
	return unmarshalWord(c, text, TorchStable, TorchExperimental, TorchUnlisted)
}

// TorchLibraries says where a build has its CUDA libraries from; "" is not known.
type TorchLibraries string

// Bundled libraries are in torch/lib, the others in the nvidia-* packages that the wheel requires.
const (
	TorchBundled TorchLibraries = "bundled"
	TorchPip     TorchLibraries = "pip"
)

// UnmarshalText accepts the two and nothing else.
func (l *TorchLibraries) UnmarshalText(text []byte) error {
	return unmarshalWord(l, text, TorchBundled, TorchPip)
}

var torchBuilds = csvFile("frameworks/pytorch.csv", reaches[TorchBuild]("pep440"), checkTorch)

// Torch returns the official build of release v in variant. Without a variant it is the local version of v (2.7.1+cu126), and without
// that the build that PyPI has.
func (b *Base) Torch(v version.PEP440, variant string) Answer[TorchBuild] {
	if variant == "" {
		variant = v.Local()
	}
	t := torchBuildsOf(b, v)
	builds := b.TorchBuilds(v)
	if !builds.Known {
		return Answer[TorchBuild]{Beyond: builds.Beyond, Why: builds.Why, Ref: builds.Ref}
	}
	for _, r := range builds.Value {
		if r.Variant == variant || variant == "" && r.OnPyPI {
			return found(b, t, r.Row, r)
		}
	}
	if variant == "" {
		return notFound[TorchBuild](t, "which build of torch %s PyPI has is not known", v.Public())
	}
	return notFound[TorchBuild](t, "torch %s has no official build %q", v.Public(), variant)
}

// TorchBuilds returns all official builds of release v, the CPU one first, then by CUDA version. The local version of v does not matter.
func (b *Base) TorchBuilds(v version.PEP440) Answer[[]TorchBuild] {
	t := torchBuildsOf(b, v)
	var builds []TorchBuild
	release := released(v)
	for _, r := range t.Rows {
		if r.Version.Compare(release) == 0 {
			builds = append(builds, r)
		}
	}
	switch {
	case v.IsZero():
		return notFound[[]TorchBuild](t, "no torch version given")
	case releasedAfter(t, v):
		return beyond[[]TorchBuild](t, "torch "+v.Public())
	case v.IsPre():
		return notFound[[]TorchBuild](t, "torch %s is a pre-release, and the table has releases only", v.Public())
	case builds == nil:
		return notFound[[]TorchBuild](t, "torch %s is not in the table", v.Public())
	}
	return found(b, t, builds[0].Row, builds)
}

// torchBuildsOf returns a part of the table that has all builds of release v, or all of it where the table writes the release otherwise.
func torchBuildsOf(b *Base, v version.PEP440) *Table[TorchBuild] {
	if t := torchBuilds.beginning(b, released(v).Public()); len(t.Rows) > 0 {
		return t
	}
	return torchBuilds.in(b)
}

// TorchReleases returns all releases in the table, oldest first.
func (b *Base) TorchReleases() []version.PEP440 {
	var list []version.PEP440
	for _, r := range torchBuilds.in(b).Rows {
		list = append(list, r.Version)
	}
	slices.SortFunc(list, version.PEP440.Compare)
	return slices.CompactFunc(list, func(a, c version.PEP440) bool { return a.Compare(c) == 0 })
}

// releasedAfter reports whether v belongs to a release newer than t knows. A table without such a horizon knows none.
func releasedAfter[T any](t *Table[T], v version.PEP440) bool {
	limit, err := version.ParsePEP440(t.limit("pep440"))
	return err != nil || limit.Less(released(v))
}

func checkTorch(_ *Base, t *Table[TorchBuild]) (problems []Problem) {
	pypi := map[string]int{}
	for _, r := range t.Rows {
		tag, ok := version.ParseCUDATag(r.Variant)
		switch {
		case r.Variant == "cpu" && r.CUDA.IsZero():
		case !ok || !sameMinor(tag, r.CUDA):
			problems = append(problems, Problem{t.Name, r.Line, "variant and cuda do not fit"})
		}
		if pythonBackwards(r.PythonMin, r.PythonMax) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("python_max %s is below python_min", r.PythonMax)})
		}
		if first := pypi[r.Version.String()]; r.OnPyPI && first != 0 {
			problems = append(problems, Problem{t.Name, r.Line, "PyPI has one build of a release only"})
		}
		if r.OnPyPI {
			pypi[r.Version.String()] = r.Line
		}
	}
	return problems
}
