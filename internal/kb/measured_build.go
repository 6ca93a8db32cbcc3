package kb

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"strata/internal/version"
)

// kernels are the libraries that hold the kernels of a package, by the beginning of their file names, where it has others with code
// that few programs reach. A package that is not here is judged by its library with the most fat binaries.
var kernels = map[string]string{
	"torch":             "libtorch_cuda.so",
	"onnxruntime-gpu":   "libonnxruntime_providers_cuda.so",
	"tensorflow":        "libtensorflow_cc.so",
	"jax-cuda12-pjrt":   "xla_cuda_plugin.so",
	"jax-cuda13-pjrt":   "xla_cuda_plugin.so",
	"jax-cuda12-plugin": "_solver.so",
	"jax-cuda13-plugin": "_solver.so",
}

// MeasuredCode returns the targets that the kernels of an artefact were compiled for: those that at least a third of the
// fat binaries have code for, the share from which on Strata takes a build for one that serves a GPU. A build adds targets to single
// files, and has others for one generation of GPUs alone. ok is false where the artefact has no GPU code.
func (b *Base) MeasuredCode(a Artefact) (code Code, ok bool) {
	var main MeasuredLibrary
	for _, l := range b.MeasuredLibraries(a.File) {
		if name := kernels[a.Package]; name != "" && !strings.HasPrefix(path.Base(l.Path), name) {
			continue
		}
		if l.Containers > main.Containers {
			main = l
		}
	}
	if main.Containers == 0 {
		return Code{}, false
	}
	return main.mostly(), true
}

func (l MeasuredLibrary) mostly() Code {
	code := Code{Archs: Targets{Known: true}, PTX: Targets{Known: true}}
	for _, c := range l.Codes.List() {
		list := &code.Archs.List
		if c.PTX {
			list = &code.PTX.List
		}
		if l.holders(c)*3 >= l.Containers && !slices.Contains(*list, c.Target) {
			*list = append(*list, c.Target)
		}
	}
	slices.SortFunc(code.Archs.List, version.ComputeCapability.Compare)
	slices.SortFunc(code.PTX.List, version.ComputeCapability.Compare)
	return code
}

// measured fills code that a table does not know with what was measured of exactly that release.
func (b *Base) measured(code *Code, pkg string, v version.PEP440) {
	if code.Archs.Known {
		return
	}
	for _, a := range b.Artefacts(pkg, v) {
		if a.Platform != "linux-x86_64" {
			continue
		}
		if got, ok := b.MeasuredCode(a); ok {
			*code = got
		}
	}
}

// String writes the targets as the tables have them, "sm_80;sm_90a"; "none" for an empty list and "" for one that is not known.
func (t Targets) String() string {
	if t.Known && len(t.List) == 0 {
		return "none"
	}
	var parts []string
	for _, cc := range t.List {
		parts = append(parts, cc.SM())
	}
	return strings.Join(parts, ";")
}

// CUDAMajorOf returns the CUDA major release that an artefact is built for: by its own word, by its name (nvidia-nccl-cu12,
// jax-cuda13-pjrt), as a component of a toolkit, by the libraries that it links, or by the newest PTX in it; 0 where none of these tells.
func (b *Base) CUDAMajorOf(a Artefact) int {
	if a.CUDA.Major() > 0 {
		return a.CUDA.Major()
	}
	if m := cudaInName.FindStringSubmatch(a.Package); m != nil {
		major, _ := strconv.Atoi(m[1])
		return major
	}
	if v, err := version.ParseLib(a.Version.String()); err == nil {
		if list := b.CUDAOfComponent(a.Package, v); list.Known {
			return list.Value[0].Major()
		}
	}
	for _, l := range b.MeasuredLibraries(a.File) {
		if major := b.cudaMajorOf(l); major > 0 {
			return major
		}
	}
	return 0
}

var cudaInName = regexp.MustCompile(`cu(?:da)?(1[0-9])`)

// cudaMajorOf is the CUDA major release that a library is built for by what it links, else by its newest PTX; 0 where neither tells.
func (b *Base) cudaMajorOf(l MeasuredLibrary) int {
	for _, n := range l.Needed {
		if rows := b.Sonames(n).Value; len(rows) == 1 && rows[0].CUDA > 0 {
			return rows[0].CUDA
		}
	}
	var newest version.PTX
	for _, c := range l.Codes.List() {
		if newest.Less(c.ISA) {
			newest = c.ISA
		}
	}
	for _, r := range Rows[PTXISA](b) {
		if !newest.IsZero() && r.PTX.Compare(newest) == 0 && !r.CUDA.IsZero() {
			return r.CUDA.Major()
		}
	}
	return 0
}

// CUDAMajorOfLibrary is CUDAMajorOf for one library of an artefact, since bitsandbytes and others have one for each CUDA.
func (b *Base) CUDAMajorOfLibrary(a Artefact, l MeasuredLibrary) int {
	if major := b.cudaMajorOf(l); major > 0 {
		return major
	}
	return b.CUDAMajorOf(a)
}
