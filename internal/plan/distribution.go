package plan

import "strings"

// distributions are what installs a framework, by the distribution's name.
// Those of one framework share its directory: the one installed last is what runs.
var distributions = map[string]string{
	"torch": "pytorch", "torchvision": "torchvision", "torchaudio": "torchaudio", "triton": "triton",
	"xformers": "xformers", "flash-attn": "flash-attn", "bitsandbytes": "bitsandbytes", "vllm": "vllm", "deepspeed": "deepspeed",
	"onnxruntime": "onnxruntime", "onnxruntime-gpu": "onnxruntime",
	"tensorflow": "tensorflow", "tensorflow-cpu": "tensorflow", "jax": "jax",
	"ctranslate2": "ctranslate2", "paddlepaddle": "paddle", "paddlepaddle-gpu": "paddle", "llama-cpp-python": "llama-cpp",
}

// gpuOnly are distributions of which every release is built for CUDA.
var gpuOnly = map[string]bool{"onnxruntime-gpu": true, "paddlepaddle-gpu": true, "xformers": true, "flash-attn": true, "vllm": true}

// frameworkOf names the framework that a distribution installs; plugin is true
// where it only carries the GPU part of one. The name is empty for a library.
func frameworkOf(distribution string) (framework string, plugin bool) {
	switch {
	case strings.HasPrefix(distribution, "cupy-cuda"):
		return "cupy", false
	case strings.HasPrefix(distribution, "jax-cuda") && strings.HasSuffix(distribution, "-plugin"):
		return "jax", true
	}
	return distributions[distribution], false
}
