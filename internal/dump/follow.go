package dump

import (
	"maps"
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/version"
)

var (
	buildCUDA  = lazyregexp.New(`cuda_?(\d{1,2}\.\d|\d{2,3})`)
	buildCUDNN = lazyregexp.New(`cudnn(\d+\.\d+(?:\.\d+)?)`)
)

// follow fills in what other facts say in their own spelling: the label of a
// wheel and the build string of Conda name the CUDA that a package was built
// for, and the runtime of a stack is the one that its framework brings.
func (f *Facts) follow() {
	r := &f.rec
	for pkg, v := range r.Frameworks {
		_, label, _ := strings.Cut(v.Text, "+")
		tag, _, _ := strings.Cut(label, ".")
		if cuda, ok := version.ParseCUDATag(tag); ok {
			f.FrameworkCUDA(pkg, cuda.String(), Prose, v.From)
		}
	}
	if v := r.Frameworks["paddlepaddle-gpu"]; v.Known() { // 2.6.1.post120
		if _, post, ok := strings.Cut(v.Text, ".post"); ok {
			if cuda, ok := version.ParseCUDATag("cu" + post); ok {
				f.FrameworkCUDA("paddlepaddle-gpu", cuda.String(), Prose, v.From)
			}
		}
	}
	for _, p := range r.Packages {
		if p.Build != "" && (p.Name == "pytorch" || frameworks[p.Name]) {
			if m := buildCUDA.FindStringSubmatch(p.Build); m != nil {
				release, _ := cudaOf(m[1])
				f.FrameworkCUDA(frameworkName(p.Name), release, Stated, p.From)
			}
			if m := buildCUDNN.FindStringSubmatch(p.Build); m != nil {
				f.Set(&r.CUDNN, cudnnOf(m[1]), Prose, p.From)
			}
		}
		name := strings.TrimRight(p.Name, "0123456789")
		switch strings.TrimSuffix(name, "-cu") {
		case "nvidia-cudnn":
			f.Set(&r.CUDNN, cudnnOf(p.Version), Prose, p.From)
		case "nvidia-nccl":
			f.Set(&r.NCCL, ncclOf(p.Version), Prose, p.From)
		case "tensorrt":
			f.Set(&r.TensorRT, tensorrtOf(p.Version), Prose, p.From)
		}
	}
	for _, pkg := range slices.Compact(append([]string{"torch", "tensorflow", "jaxlib", "jax", "cupy"}, slices.Sorted(maps.Keys(r.FrameworkCUDA))...)) {
		if v := r.FrameworkCUDA[pkg]; v.Known() && pkg != "xformers" {
			f.Set(&r.CUDARuntime, v.Text, Keyed, v.From) // before what anybody says
		}
	}
	for _, p := range r.Packages {
		if strings.HasPrefix(p.Name, "nvidia-cuda-runtime") {
			release, _ := cudaOf(p.Version)
			f.Set(&r.CUDARuntime, release, Prose, p.From)
		}
	}
}

// frameworkName is a package's name as a framework: Conda calls torch pytorch.
func frameworkName(pkg string) string {
	if pkg == "pytorch" || pkg == "pytorch-gpu" || pkg == "pytorch-cpu" {
		return "torch"
	}
	return pkg
}
