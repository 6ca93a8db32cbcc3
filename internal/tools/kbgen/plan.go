package main

// This file is the plan: what is read and measured. The sources are rows of the knowledge base's sources.csv.

const (
	indexSource   = "package-index"
	toolkitSource = "cuda-toolkit-wheels"
	// pinsSince is the oldest day of a release whose requirements are read. Older ones ask for Python 3.7 and CUDA 11.6 or less.
	pinsSince = "2023-01-01"
)

// pinned are the packages whose requirements are read for every final release.
var pinned = []string{
	"torch", "torchvision", "torchaudio", "triton", "xformers", "flash-attn", "bitsandbytes", "deepspeed", "torchao",
	"tensorflow", "tensorflow-cpu", "jax", "jaxlib", "jax-cuda12-plugin", "jax-cuda12-pjrt", "jax-cuda13-plugin", "jax-cuda13-pjrt",
	"onnxruntime", "onnxruntime-gpu", "ctranslate2", "faster-whisper", "paddlepaddle-gpu",
	"cupy-cuda11x", "cupy-cuda12x", "cupy-cuda13x", "numba-cuda", "cuda-python", "cuda-bindings",
	"vllm", "sglang", "sgl-kernel", "flashinfer-python", "tensorrt", "tensorrt-llm",
	"transformer-engine", "transformer-engine-cu12", "transformer-engine-cu13", "transformer-engine-torch",
	"cudf-cu12", "cudf-cu13", "rmm-cu12", "rmm-cu13", "cuml-cu12", "cuml-cu13", "nvidia-dali-cuda120", "nvidia-dali-cuda130", "warp-lang", "spacy", "thinc",
	"nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13", "nvidia-nccl-cu11", "nvidia-nccl-cu12", "nvidia-nccl-cu13",
	"nvidia-cusparselt-cu12", "nvidia-cusparselt-cu13", "nvidia-nvshmem-cu12", "nvidia-nvshmem-cu13",
}

// stackPackages are how the names of requirements begin that the pins keep.
var stackPackages = []string{
	"nvidia-", "cuda-", "torch", "triton", "pytorch-triton", "tensorrt", "jax", "xformers", "flash", "vllm", "sgl", "cupy", "numba", "onnxruntime",
	"tensorflow", "ctranslate2", "bitsandbytes", "transformer-engine", "libcu", "librmm", "rmm", "pylibcudf", "cudf", "cuml", "pylibraft", "nvtx", "nvmath", "ptxcompiler",
	"cubinlinker", "pynvjitlink", "pynvml", "llguidance", "xgrammar", "thinc", "spacy",
}

// target is what to measure of a package: its newest releases, the newest patch of each minor release, and versions by name.
type target struct {
	name      string
	newest    int
	minors    bool // the newest patch of each minor release since the given one
	since     string
	versions  []string
	processor string // x86_64 if empty
}

var targets = []target{
	{name: "torch", newest: 6, minors: true, since: "2.0"},
	{name: "torch", newest: 1, processor: "aarch64"},
	{name: "onnxruntime-gpu", newest: 8, minors: true, since: "1.15"},
	{name: "tensorflow", newest: 3, minors: true, since: "2.12"},
	{name: "jax-cuda12-plugin", newest: 4},
	{name: "jax-cuda12-pjrt", newest: 4},
	{name: "jax-cuda13-plugin", newest: 4},
	{name: "jax-cuda13-pjrt", newest: 4},
	{name: "cupy-cuda11x", newest: 1},
	{name: "cupy-cuda12x", newest: 3},
	{name: "cupy-cuda13x", newest: 3},
	{name: "vllm", newest: 3},
	{name: "bitsandbytes", newest: 3, minors: true, since: "0.44"},
	{name: "xformers", newest: 4},
	{name: "torchvision", newest: 2},
	{name: "torchaudio", newest: 2},
	{name: "ctranslate2", newest: 3, minors: true, since: "4.0"},
	{name: "sgl-kernel", newest: 2},
	{name: "paddlepaddle-gpu", newest: 1},
	{name: "transformer-engine-cu12", newest: 2},
	{name: "transformer-engine-cu13", newest: 2},
	{name: "nvidia-dali-cuda120", newest: 1},
	{name: "nvidia-dali-cuda130", newest: 1},
	{name: "warp-lang", newest: 2},
	{name: "faiss-gpu-cu12", newest: 1},
	{name: "flash-attn-3", newest: 1},
	{name: "libcudf-cu12", newest: 1},
	{name: "libcudf-cu13", newest: 1},
	{name: "librmm-cu12", newest: 1},
	{name: "tensorrt-cu12-libs", newest: 1},
	{name: "tensorrt-cu13-libs", newest: 1},
	{name: "nvidia-cudnn-cu11", newest: 2},
	{name: "nvidia-cudnn-cu12", newest: 2},
	{name: "nvidia-cudnn-cu13", newest: 2},
	{name: "nvidia-nccl-cu11", newest: 1},
	{name: "nvidia-nccl-cu12", newest: 2},
	{name: "nvidia-nccl-cu13", newest: 2},
	{name: "nvidia-cusparselt-cu12", newest: 2},
	{name: "nvidia-cusparselt-cu13", newest: 2},
	{name: "nvidia-nvshmem-cu12", newest: 1},
	{name: "nvidia-nvshmem-cu13", newest: 1},
	// CUDA 11.7 as torch 1.13 and 2.0 pin it: there is no cuda-toolkit package of that release.
	{name: "nvidia-cublas-cu11", versions: []string{"11.10.3.66"}},
	{name: "nvidia-cuda-runtime-cu11", versions: []string{"11.7.99"}},
	{name: "nvidia-cuda-nvrtc-cu11", versions: []string{"11.7.99"}},
	{name: "nvidia-cufft-cu11", versions: []string{"10.9.0.58"}},
	{name: "nvidia-curand-cu11", versions: []string{"10.2.10.91"}},
	{name: "nvidia-cusolver-cu11", versions: []string{"11.4.0.1"}},
	{name: "nvidia-cusparse-cu11", versions: []string{"11.7.4.91"}},
}

// libraries are the components of a CUDA release that programs load, as opposed to compilers and tools.
var libraries = []string{
	"cublas", "cuda-runtime", "cuda-nvrtc", "cuda-cupti", "cufft", "curand", "cusolver", "cusparse", "nvjitlink", "nvjpeg", "npp", "nvtx", "cufile", "nvfatbin", "cuda-nvrtc",
}
