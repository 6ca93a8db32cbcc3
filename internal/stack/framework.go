package stack

import "strata/internal/version"

// Framework is one GPU framework or extension as installed.
type Framework struct {
	// Name is Strata's name: pytorch, torchvision, torchaudio, triton, xformers,
	// flash-attn, bitsandbytes, tensorflow, jax, onnxruntime, cupy, numba-cuda,
	// vllm, ctranslate2, paddle, tensorrt, deepspeed, rapids, transformer-engine,
	// llama-cpp, ollama, onnxruntime-genai.
	Name    string `json:"name"`
	Package string `json:"package"` // the distribution: torch, onnxruntime-gpu, cupy-cuda12x
	Version string `json:"version"` // with local label: 2.7.1+cu126
	// Variant is cuda, cpu, rocm, xpu or metal.
	Variant Fact[string] `json:"variant"`
	// CUDA is the toolkit it was built with, where its own files say so.
	CUDA Fact[version.CUDA] `json:"cuda"`
	// CUDNN is the cuDNN it was built with.
	CUDNN Fact[version.Lib] `json:"cudnn"`
	// Libraries are its own native libraries that pull in CUDA, with their
	// needs; the first is the one whose failure means no GPU.
	Libraries []Library `json:"libraries,omitempty"`
	// Code is the GPU code over all its libraries.
	Code Fact[[]DeviceCode] `json:"code"`
	// ABI is what an extension was built for, or torch's own C++ ABI.
	ABI Fact[ABI] `json:"abi"`
	// Unresolved are functions of PyTorch that an extension's libraries ask for and
	// none of PyTorch's libraries has; empty where all are found.
	Unresolved Fact[[]string] `json:"unresolved"`
	// Plugin names a companion that carries the GPU part (jax-cuda12-plugin), with its version.
	Plugin Fact[Package] `json:"plugin"`
	// Loads is what the dynamic linker loads for it, of the machine as it was read.
	Loads Fact[Loads] `json:"loads"`
	From  Source      `json:"from"`
}

// ABI is the build tag of an extension: what it was compiled against.
type ABI struct {
	Torch string `json:"torch,omitempty"` // 2.6
	CUDA  string `json:"cuda,omitempty"`  // 12 or 12.4
	// CXX11 is TRUE or FALSE as flash-attn's wheels and torch say it.
	CXX11  string `json:"cxx11,omitempty"`
	Python string `json:"python,omitempty"` // cp311
}

// Program is a native program or server that uses the GPU outside Python.
type Program struct {
	Name      string    `json:"name"` // ollama, llama.cpp, onnxruntime, bareun
	Path      string    `json:"path"`
	Version   string    `json:"version,omitempty"`
	Framework Framework `json:"framework"`
	// Wants is what its configuration asks for: gpu, cpu, auto.
	Wants Fact[string] `json:"wants"`
	// Directories are searched for its own libraries (beside the executable, lib/).
	Directories []string `json:"directories,omitempty"`
	From        Source   `json:"from"`
}
