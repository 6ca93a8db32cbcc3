package recipe

import (
	"path"
	"slices"
	"strings"
)

// extensionModules are the compiled modules of what extends PyTorch, below its place of packages; the first is the one it lives by.
var extensionModules = map[string][]string{
	"vllm":        {"vllm/_C", "vllm/_C_stable_libtorch", "vllm/_moe_C", "vllm/_moe_C_stable_libtorch", "vllm/cumem_allocator"},
	"flash-attn":  {"flash_attn_2_cuda", "flash_attn_3/_C"},
	"xformers":    {"xformers/_C"},
	"torchvision": {"torchvision/_C"},
	"torchaudio":  {"torchaudio/lib/_torchaudio", "torchaudio/lib/libtorchaudio"},
}

// torchExtension imports torch and then the extension, which finds PyTorch's libraries among those that are loaded: its own RUNPATH
// leads nowhere near them.
func torchExtension(r *run) {
	if r.importTorch() != nil || r.out.Stopped != "" {
		return
	}
	need := Must
	for _, name := range extensionModules[r.w.Framework] {
		for _, site := range r.w.Site {
			file := r.extension(path.Join(site, path.Dir(name)), path.Base(name))
			if file == "" {
				continue
			}
			if r.imports(need, file, r.w.Framework+" imports its extension after torch") != nil && need == Must {
				return
			}
			need = Part
			break
		}
	}
	r.driver(r.named("libcudart.so."), "libcudart opens the driver at its first call")
}

// bitsandbytes opens its library for the CUDA release of torch, through ctypes.
func bitsandbytes(r *run) {
	if r.importTorch() != nil || r.out.Stopped != "" {
		return
	}
	dir := r.module("bitsandbytes")
	cuda := torchCUDA(r.source(path.Join(r.module("torch"), "version.py")))
	if dir == "" || cuda == "" {
		r.stop("bitsandbytes or a torch with CUDA is not installed")
		return
	}
	const why = "bitsandbytes/cextension.py: get_cuda_bnb_library_path, by torch.version.cuda"
	name := bitsandbytesLibrary(r, dir, cuda)
	if r.driver(r.named("libcudart.so."), "torch.cuda.is_available decides whether the CUDA library is opened") != nil {
		r.cdll(Optional, path.Join(dir, "libbitsandbytes_cpu.so"), "without a GPU")
		return
	}
	r.later = true
	r.cdll(GPU, path.Join(dir, name), why)
}

// bitsandbytesLibrary is the library for a CUDA release: its own, or in releases that choose (0.50 and later, whose source has
// "Highest packaged version"), the best of the same major.
func bitsandbytesLibrary(r *run, dir, cuda string) string {
	numbers := strings.Split(cuda, ".")
	exact := "libbitsandbytes_cuda" + strings.Join(numbers[:min(2, len(numbers))], "") + ".so"
	if r.m.Exists(path.Join(dir, exact)) || !strings.Contains(r.source(path.Join(dir, "cextension.py")), "Highest packaged version") {
		return exact
	}
	found, _ := r.m.Glob(path.Join(dir, "libbitsandbytes_cuda"+numbers[0]+"[0-9].so"))
	below, above := "", ""
	slices.Sort(found)
	for _, f := range found {
		switch base := path.Base(f); {
		case base < exact:
			below = base
		case above == "":
			above = base
		}
	}
	if below != "" {
		return below
	}
	if above != "" {
		return above
	}
	return exact
}
