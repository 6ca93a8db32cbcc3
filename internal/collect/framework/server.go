package framework

import (
	"strings"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

var vllm = reader{"vllm", []string{"vllm"}, func(in *install) {
	for _, file := range []string{"vllm/_version.py", "vllm/version.py"} {
		if a, ok := in.python(file); ok {
			if v, ok := a.set("__version__"); ok {
				in.fw.Version = v.value
				_, local, _ := strings.Cut(v.value, "+")
				in.use(parseLabel(local), in.source(file, v))
				break
			}
		}
	}
	found := in.match("vllm", "_C*.so")
	found = append(found, in.match("vllm", "_moe_C*.so")...)
	in.code(found...)
	// Attention kernels and the memory pool have modules of their own, some for
	// Hopper alone: what they link counts, what they hold code for does not.
	in.match("vllm", "_flashmla*_C*.so")
	in.match("vllm", "cumem_allocator*.so")
	in.match("vllm/vllm_flash_attn", "*_[cC].*so")
	in.builtForTorch()
	in.cxx11(found...)
	in.unresolved(found...)
}}

var sglang = reader{"sglang", []string{"sglang", "sgl-kernel"}, func(in *install) {
	found := in.match("sgl_kernel", "*.so")
	found = append(found, in.match("sgl_kernel/sm100", "*.so")...)
	found = append(found, in.match("sgl_kernel/sm90", "*.so")...)
	in.code(found...)
	in.builtForTorch()
}}

var ctranslate2 = reader{"ctranslate2", []string{"ctranslate2"}, func(in *install) {
	found := in.match("ctranslate2.libs", "libctranslate2*.so*")
	in.match("ctranslate2", "_ext*.so")
	in.code(found...)
	// cuBLAS and cuDNN are loaded by dlopen, so GPU code is what tells the builds apart.
	if in.fw.Code.Known() && len(in.fw.Libraries) > 0 {
		in.isVariant("cuda", in.fw.Libraries[0].From)
	}
}}

var fasterWhisper = reader{"faster-whisper", []string{"faster-whisper"}, func(in *install) {
	// Pure Python over CTranslate2, whose build is its own.
	for _, fw := range in.env.Frameworks {
		if fw.Name == "ctranslate2" {
			in.fw.Variant, in.fw.CUDA, in.fw.CUDNN, in.fw.Code = fw.Variant, fw.CUDA, fw.CUDNN, fw.Code
			if fw.Package != "" {
				at := in.byName[fw.Package]
				if len(at) > 0 {
					p := in.env.Packages.Value[at[0]]
					in.fw.Plugin = stack.Know(p, p.From)
				}
			}
		}
	}
}}

var llamaCpp = reader{"llama-cpp", []string{"llama-cpp-python"}, func(in *install) {
	in.library("llama_cpp/lib/libggml-cuda.so")
	in.library("llama_cpp/lib/libllama.so")
	in.library("llama_cpp/libllama.so") // up to 0.2.x
	in.code("llama_cpp/lib/libggml-cuda.so", "llama_cpp/libllama.so")
	for _, l := range in.fw.Libraries {
		if library.NeedsCUDA(l) {
			in.isVariant("cuda", l.From)
		}
	}
	if len(in.fw.Libraries) > 0 {
		in.isVariant("cpu", in.fw.Libraries[0].From)
	}
}}
