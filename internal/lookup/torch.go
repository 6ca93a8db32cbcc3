package lookup

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var torchSubject = Subject{
	Name: "torch", About: "PyTorch releases and builds", Examples: []string{"2.7", "2.7.1+cu126"},
	aliases: []string{"pytorch"}, find: findTorch, names: torchNames,
}

func torchNames(base *kb.Base) (names []string) {
	for _, v := range base.TorchReleases() {
		names = append(names, v.String())
	}
	return names
}

// findTorch takes a minor release for all its patches, and one build where its variant is given.
func findTorch(b *builder, name string) error {
	v, err := version.ParsePEP440(name)
	if err != nil {
		return b.missing(torchNames)
	}
	var list []version.PEP440
	for _, r := range b.TorchReleases() {
		if slices.Equal(r.Release(), v.Release()) || len(v.Release()) == 2 && slices.Equal(r.Release()[:2], v.Release()) {
			list = append(list, r)
		}
	}
	if len(list) == 0 || v.IsPre() {
		a := b.TorchBuilds(v)
		if a.Beyond {
			return b.beyond("PyTorch "+v.String(), a.Why, a.Ref, torchNames)
		}
		if v.IsPre() {
			return &NotFoundError{b.Subject, b.Name, a.Why, nearest(v.Public(), torchNames(b.Base), 3)}
		}
		return b.missing(torchNames)
	}
	if v.Local() != "" {
		return b.torchBuild(list[len(list)-1], v.Local())
	}
	b.Title = "PyTorch " + v.String()
	var builds []kb.TorchBuild
	for _, release := range list {
		a := b.TorchBuilds(release)
		builds = append(builds, a.Value...)
	}
	b.torchBuilds(list, builds)
	if len(list) > 1 {
		b.note("A patch release in full, such as torch %s, shows what its metadata asks for, and how it is installed", list[len(list)-1])
	} else {
		b.release("torch", list[0])
		b.measured(list[0], "torch")
		if a := b.Torch(list[0], ""); a.Known {
			b.commands("torch", list[0], a.Value.Variant)
			b.note("For another build: strata kb show torch %s+%s", list[0], builds[len(builds)-1].Variant)
		} else {
			b.commands("torch", list[0], "")
		}
	}
	b.companions(list)
	b.advisoriesOf(list[len(list)-1], "torch")
	return nil
}

// torchBuilds adds the builds of releases in tables that fit a terminal: what each is made of, and what code it has.
func (b *builder) torchBuilds(releases []version.PEP440, builds []kb.TorchBuild) {
	var names, pypi []string
	for _, v := range releases {
		names = append(names, v.String())
	}
	if len(names) > 1 {
		b.field("releases", "Releases", names)
	}
	t := b.table("builds", "Official builds for Linux x86_64", "torch", "Release", "variant", "Build", "pypi", "PyPI", "channel", "Channel", "cuda", "CUDA", "min_driver", "Driver from",
		"cudnn", "cuDNN", "nccl", "NCCL")
	pythons := map[string]bool{}
	for _, r := range builds {
		pypi = appendIf(r.OnPyPI, pypi, r.Version.String()+"+"+r.Variant)
		t.row(r.Version, r.Variant, r.OnPyPI, r.Channel, r.CUDA, b.floor(r.CUDA), r.CUDNN, r.NCCL)
		b.cite(kb.RefTo(b.Base, r))
		if !r.PythonMin.IsZero() {
			pythons[span(r.PythonMin.String(), r.PythonMax.String())] = true
		}
	}
	b.field("default", "From PyPI", pypi)
	if len(pythons) == 1 {
		for p := range pythons {
			b.field("python", "Python", p)
		}
	}
	code := b.table("gpu_code", "GPU code", "torch", "Release", "variant", "Build", "architectures", "Code for", "ptx", "PTX")
	for _, r := range builds {
		if r.Archs.Known {
			code.row(r.Version, r.Variant, r.Archs, ptx(r.PTX))
		}
	}
}

// floor is the oldest Linux driver for a build with CUDA v.
func (b *builder) floor(v version.CUDA) any {
	if v.IsZero() {
		return nil
	}
	a := b.MinDriverFor(v)
	if !a.Known {
		return nil
	}
	b.cite(a.Ref)
	return a.Value.Linux
}

func (b *builder) torchBuild(v version.PEP440, variant string) error {
	a := b.Torch(v, variant)
	if !a.Known {
		var known []string
		for _, r := range b.TorchBuilds(v).Value {
			known = append(known, r.Version.String()+"+"+r.Variant)
		}
		return &NotFoundError{b.Subject, b.Name, a.Why, known}
	}
	b.cite(a.Ref)
	r := a.Value
	b.Title = "PyTorch " + r.Version.String() + "+" + r.Variant
	b.field("channel", "Channel", r.Channel)
	b.field("pypi", "On PyPI", r.OnPyPI)
	b.field("cuda", "CUDA", r.CUDA)
	b.field("min_driver", "Starts from driver", b.floor(r.CUDA))
	b.field("cudnn", "cuDNN", r.CUDNN)
	b.field("nccl", "NCCL", r.NCCL)
	b.field("cublas", "cuBLAS", r.CUBLAS)
	b.field("cusparselt", "cuSPARSELt", r.CUSparseLt)
	b.field("nvshmem", "NVSHMEM", r.NVSHMEM)
	b.field("triton", "Triton", r.Triton)
	b.field("python", "Python", span(r.PythonMin.String(), r.PythonMax.String()))
	b.field("architectures", "Code for", r.Archs)
	b.field("ptx", "PTX", ptx(r.PTX))
	b.field("architectures_windows", "Code for, Windows", r.ArchsWindows)
	b.field("ptx_windows", "PTX, Windows", ptx(r.PTXWindows))
	b.say("libraries", "CUDA libraries", r.Libraries, map[kb.TorchLibraries]string{kb.TorchBundled: "inside the wheel", kb.TorchPip: "from nvidia-* packages that it requires"}[r.Libraries])
	local, err := version.ParsePEP440(r.Version.String() + "+" + r.Variant)
	if err != nil {
		return fmt.Errorf("naming the build: %w", err)
	}
	if abi := b.TorchABI(local); abi.Known && !r.CUDA.IsZero() {
		b.cite(abi.Ref)
		b.field("cxx11_abi", "C++11 ABI", string(abi.Value.CXX11))
	}
	b.commands("torch", r.Version, r.Variant)
	if r.OnPyPI {
		b.release("torch", r.Version)
		b.measured(r.Version, "torch")
	}
	b.companions([]version.PEP440{r.Version})
	b.advisoriesOf(local, "torch")
	return nil
}

// companions adds the releases of other packages that were made for each of releases.
func (b *builder) companions(releases []version.PEP440) {
	t := b.table("companions", "Made for it", "torch", "Release", "package", "Package", "versions", "Versions")
	for _, v := range releases {
		list, ok := take(b, "Companions", b.TorchCompanions(v))
		if !ok {
			continue
		}
		for _, r := range list {
			t.row(v, r.Package, r.Versions)
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	if len(releases) == 1 {
		for i := range t.Rows {
			t.Rows[i][0] = nil // the title says it
		}
	}
}

// span is a range of versions for people: "3.9 to 3.13", "3.9 and newer".
func span(from, to string) string {
	switch {
	case from == "" && to == "":
		return ""
	case to == "":
		return from + " and newer"
	case from == "":
		return "up to " + to
	case from == to:
		return from
	}
	return strings.Join([]string{from, "to", to}, " ")
}

func appendIf(ok bool, list []string, s string) []string {
	if ok {
		return append(list, s)
	}
	return list
}
