package corpus

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

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

func torchSays(in *installation) (string, string) {
	a := in.wheels[0]
	return "torch/version.py", fmt.Sprintf("__version__ = '%s+cu%s'\ncuda = '%s'\nhip = None\n", a.Version, cudaDigits(a.CUDA), a.CUDA)
}

func onnxruntimeSays(in *installation) (string, string) {
	a := in.wheels[0]
	text := fmt.Sprintf("package_name = '%s'\n__version__ = '%s'\n", a.Package, a.Version)
	if !a.CUDA.IsZero() {
		text += fmt.Sprintf("cuda_version = '%s'\n", a.CUDA)
	}
	return "onnxruntime/capi/build_and_package_info.py", text
}

func tensorflowSays(in *installation) (string, string) {
	a := in.wheels[0]
	return "tensorflow/python/platform/build_info.py", fmt.Sprintf("build_info = collections.OrderedDict([('cuda_version', '%s'), ('cudnn_version', '%s'), ('is_cuda_build', True)])\n", a.CUDA, a.CUDNN)
}

func cupySays(in *installation) (string, string) {
	a := in.wheels[0]
	return "cupy/.data/_wheel.json", fmt.Sprintf(`{"cuda": "%sx", "packaging": "pip"}`+"\n", a.Package[len("cupy-cuda"):len(a.Package)-1]+".")
}

func xformersSays(in *installation) (string, string) {
	torch := in.on.wheels[0]
	return "xformers/cpp_lib.json", fmt.Sprintf(`{"version": {"cuda": %d%02d, "torch": "%s+cu%s", "python": "3.12.0"}}`+"\n", torch.CUDA.Major(), torch.CUDA.Minor(), torch.Version, cudaDigits(torch.CUDA))
}

func paddleSays(in *installation) (string, string) {
	a := in.wheels[0]
	return "paddle/version/__init__.py", fmt.Sprintf("full_version = '%s'\ncuda_version = '%s'\n", a.Version, a.CUDA)
}

// cudaDigits is 126 of CUDA 12.6, as it stands in names of files and labels.
func cudaDigits(c version.CUDA) string {
	major, minor, _ := strings.Cut(c.String(), ".")
	minor, _, _ = strings.Cut(minor, ".")
	return major + minor
}

func parse(text string) version.PEP440 {
	v, err := version.ParsePEP440(text)
	if err != nil {
		panic(err) // a mistake in this file
	}
	return v
}
