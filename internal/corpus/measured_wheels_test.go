package corpus

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// installation is one environment: a measured wheel of a framework and the measured wheels that it goes with.
type installation struct {
	framework
	wheels []kb.Artefact // the framework's first
	on     *installation // PyTorch under an extension
	// libraries are those of the wheels; codes and containers, how many fat binaries there are, are of the libraries in code.
	libraries  []kb.MeasuredLibrary
	codes      []kb.MeasuredCode
	containers int
	linked     int // CUDA major
	beside     []distribution
	// repacked tells that its code is packed with zstd in place of what was measured: no wheel for CUDA 12 was, and the limit counts.
	repacked bool
}

// distribution is a package of NVIDIA's beside a framework.
type distribution struct{ name, version string }

// framework is what the wheels themselves and the documents of a framework say of its files.
type framework struct {
	distribution, workload string
	// code are the libraries with the kernels that every program needs.
	code []string
	// cuda is the major release of the libraries that it opens by name, where neither what it links nor the build tells.
	cuda func(version.PEP440) int
	// cudnn8 is the first release that no longer opens cuDNN 8 by name.
	cudnn8 string
	// partner is a distribution of the same release that goes with it, and names are further ones without libraries.
	partner string
	names   []string
	extends bool // PyTorch
	// choosesLibrary tells that it has a library for each CUDA and loads the one of PyTorch's.
	choosesLibrary bool
	// says writes the file in which a build records its CUDA.
	says func(*installation) (file, text string)
}

var frameworks = []framework{
	{distribution: "torch", workload: "pytorch", says: torchSays,
		code: []string{"torch/lib/libtorch_cuda.so", "torch/lib/libtorch_cuda_cu.so", "torch/lib/libtorch_cuda_linalg.so"}},
	{distribution: "onnxruntime-gpu", workload: "onnxruntime", says: onnxruntimeSays, cuda: always(11), // up to 1.15 _ld_preload.py loads what it links later
		code: []string{"onnxruntime/capi/libonnxruntime_providers_cuda.so"}},
	{distribution: "tensorflow", workload: "tensorflow", says: tensorflowSays, cudnn8: "2.18", cuda: tensorflowCUDA,
		code: []string{"tensorflow/libtensorflow_cc.so.2", "tensorflow/python/_pywrap_tensorflow_internal.so"}},
	{distribution: "jax-cuda12-plugin", workload: "jax", partner: "jax-cuda12-pjrt", names: []string{"jax", "jaxlib"}, cuda: always(12),
		code: []string{"jax_plugins/xla_cuda12/xla_cuda_plugin.so"}},
	{distribution: "jax-cuda13-plugin", workload: "jax", partner: "jax-cuda13-pjrt", names: []string{"jax", "jaxlib"}, cuda: always(13),
		code: []string{"jax_plugins/xla_cuda13/xla_cuda_plugin.so"}},
	{distribution: "cupy-cuda11x", workload: "cupy", cuda: always(11), says: cupySays, code: []string{"cupy/cuda/cub*.so", "cupy/cuda/thrust*.so"}},
	{distribution: "cupy-cuda12x", workload: "cupy", cuda: always(12), says: cupySays, code: []string{"cupy/cuda/cub*.so", "cupy/cuda/thrust*.so"}},
	{distribution: "cupy-cuda13x", workload: "cupy", cuda: always(13), says: cupySays, code: []string{"cupy/cuda/cub*.so", "cupy/cuda/thrust*.so"}},
	{distribution: "ctranslate2", workload: "ctranslate2", cuda: always(12), cudnn8: "4.5", code: []string{"ctranslate2.libs/libctranslate2*.so*"}},
	{distribution: "paddlepaddle-gpu", workload: "paddle", says: paddleSays, code: []string{"paddle/libs/libphi_gpu.so", "paddle/base/libpaddle.so"}},
	{distribution: "torchvision", workload: "torchvision", extends: true, code: []string{"torchvision/_C*.so"}},
	{distribution: "torchaudio", workload: "torchaudio", extends: true, code: []string{"torchaudio/lib/*.so"}},
	{distribution: "xformers", workload: "xformers", extends: true, says: xformersSays, code: []string{"xformers/_C*.so"}},
	{distribution: "vllm", workload: "vllm", extends: true, code: []string{"vllm/_C*.so", "vllm/_moe_C*.so"}},
	{distribution: "sgl-kernel", workload: "sglang", extends: true, code: []string{"sgl_kernel/*.so", "sgl_kernel/sm90/*.so", "sgl_kernel/sm100/*.so"}},
	{distribution: "bitsandbytes", workload: "bitsandbytes", extends: true, choosesLibrary: true},
}

func always(major int) func(version.PEP440) int { return func(version.PEP440) int { return major } }

// tensorflowCUDA is from TensorFlow's tested build configurations, https://www.tensorflow.org/install/source#gpu.
func tensorflowCUDA(v version.PEP440) int {
	if v.Less(parse("2.15")) {
		return 11
	}
	return 12
}

// installations are all measured wheels of frameworks for x86-64, each with what it goes with; skipped are those of which that was not
// measured.
func installations(base *kb.Base) (list []installation, skipped []string) {
	newest := map[string]installation{}
	for _, f := range frameworks {
		for _, a := range base.Artefacts(f.distribution, version.PEP440{}) {
			if a.Platform != "linux-x86_64" {
				continue
			}
			in := installation{framework: f, wheels: []kb.Artefact{a}}
			if f.partner != "" {
				other := base.Artefacts(f.partner, a.Version)
				if len(other) == 0 {
					skipped = append(skipped, a.File)
					continue
				}
				in.wheels = append(in.wheels, other[0])
			}
			if !f.extends {
				in = in.measured(base)
				list = append(list, in)
				if in.linked < 13 {
					newest[f.distribution] = in
				}
				continue
			}
			all := in.onTorch(base)
			if len(all) == 0 {
				skipped = append(skipped, a.File)
			}
			list = append(list, all...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		list = append(list, newest[name].repack())
	}
	return list, skipped
}

// repack is the installation as if nvcc had packed its code with zstd.
func (in installation) repack() installation {
	in.repacked = true
	packed := func(list []kb.MeasuredCode) []kb.MeasuredCode {
		list = slices.Clone(list)
		for i := range list {
			list[i].Compression = kb.Zstd
		}
		return list
	}
	in.codes, in.libraries = packed(in.codes), slices.Clone(in.libraries)
	for i := range in.libraries {
		in.libraries[i].Codes = packed(in.libraries[i].Codes)
	}
	return in
}

// measured fills in what the libraries hold and what the documents need of it.
func (in installation) measured(base *kb.Base) installation {
	for _, w := range in.wheels {
		in.libraries = append(in.libraries, base.MeasuredLibraries(w.File)...)
	}
	for _, l := range in.libraries {
		for _, pattern := range in.code {
			if ok, _ := path.Match(pattern, l.Path); ok {
				in.containers += l.Containers
				in.codes = append(in.codes, l.Codes...)
			}
		}
	}
	for _, l := range in.libraries {
		in.linked = max(in.linked, majorOf(l.Needed))
	}
	if in.linked == 0 {
		in.linked = in.wheels[0].CUDA.Major()
	}
	if in.linked == 0 && in.cuda != nil {
		in.linked = in.cuda(in.wheels[0].Version)
	}
	if in.linked < 11 || in.linked > 13 {
		panic(fmt.Sprintf("%s is linked to CUDA %d", in.name(), in.linked))
	}
	in.beside = in.besides(base)
	return in
}

// besides are cuDNN and NCCL as the wheel pins them, else releases with code for every GPU of the CUDA major: what they support is
// no matter here.
func (in installation) besides(base *kb.Base) []distribution {
	cudnn := map[int]string{11: "8.7.0.84", 12: "9.10.2.21", 13: "9.20.0.48"}[in.linked]
	links8 := func(l kb.MeasuredLibrary) bool { return slices.Contains(l.Needed, "libcudnn.so.8") }
	if in.linked == 12 && (in.cudnn8 != "" && in.wheels[0].Version.Less(parse(in.cudnn8)) || slices.ContainsFunc(in.libraries, links8)) {
		cudnn = "8.9.7.29"
	}
	list := []distribution{
		{fmt.Sprintf("nvidia-cudnn-cu%d", in.linked), cudnn},
		{fmt.Sprintf("nvidia-nccl-cu%d", in.linked), map[int]string{11: "2.21.5", 12: "2.27.5", 13: "2.28.9"}[in.linked]},
	}
	for _, r := range requires(base, in.distribution, in.wheels[0].Version) {
		for i, d := range list {
			if exact, ok := strings.CutPrefix(r.Clauses, "=="); ok && r.Package == d.name && r.Extra == "" {
				list[i].version = exact
			}
		}
	}
	return list
}

// requires are the requirements of exactly this release, a post-release or not.
func requires(base *kb.Base, name string, v version.PEP440) []kb.Pin {
	for _, r := range base.Releases(name) {
		if r.Version.Compare(v) == 0 {
			return r.Requires
		}
	}
	return nil
}

func parse(text string) version.PEP440 {
	v, err := version.ParsePEP440(text)
	if err != nil {
		panic(err) // a mistake in this file
	}
	return v
}

// onTorch sets an extension on the newest measured PyTorch that its metadata allows; the newest release of one that brings a library
// for each CUDA on the newest PyTorch of each.
func (in installation) onTorch(base *kb.Base) (list []installation) {
	own := in.measured(base)
	asks := version.Specifier{}
	for _, r := range requires(base, in.distribution, in.wheels[0].Version) {
		if r.Package == "torch" && r.Extra == "" {
			asks = r.Specifier()
		}
	}
	seen := map[string]bool{}
	torches := base.Artefacts("torch", version.PEP440{})
	for _, t := range slices.Backward(torches) {
		if t.Platform != "linux-x86_64" || !asks.Contains(t.Version) || !paired(base, in, t) || !in.choosesLibrary && own.linked != t.CUDA.Major() {
			continue
		}
		x := in
		tag := ""
		if in.choosesLibrary {
			tag = cudaDigits(t.CUDA)
			x.code = []string{"bitsandbytes/libbitsandbytes_cuda" + tag + ".so"}
		}
		if seen[tag] {
			continue
		}
		x = x.measured(base)
		if in.choosesLibrary && !slices.ContainsFunc(x.libraries, func(l kb.MeasuredLibrary) bool { return l.Path == x.code[0] }) {
			continue // FRM007 says so
		}
		seen[tag] = true
		on := installation{framework: frameworks[0], wheels: []kb.Artefact{t}}.measured(base)
		x.on, x.linked, x.beside = &on, on.linked, on.beside
		list = append(list, x)
		if all := base.Artefacts(in.distribution, version.PEP440{}); !in.choosesLibrary || all[len(all)-1].File != in.wheels[0].File {
			break
		}
	}
	return list
}

// paired tells whether a companion goes with a release of PyTorch, where that is written.
func paired(base *kb.Base, in installation, torch kb.Artefact) bool {
	pair := base.TorchCompanion(torch.Version, in.distribution)
	return !pair.Known || slices.ContainsFunc(pair.Value.Versions, func(v version.PEP440) bool { return v.Compare(in.wheels[0].Version) == 0 })
}

// cudaDigits is 126 of CUDA 12.6, as it stands in names of files and labels.
func cudaDigits(c version.CUDA) string {
	major, minor, _ := strings.Cut(c.String(), ".")
	minor, _, _ = strings.Cut(minor, ".")
	return major + minor
}
