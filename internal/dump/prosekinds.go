package dump

import (
	"strata/internal/lazyregexp"
	"strata/internal/stack"
)

// said is one kind of fact in a sentence.
type said struct {
	hint string // a word that the line must have, in lower case
	form *lazyregexp.Regexp
	take func(f *Facts, v string, from stack.Source)
}

// numberAfter is what may stand between a name and its number in a sentence. More room is a table's.
const numberAfter = `(?: package| library| module)?(?: ?[:(] ?| )?(?:versions?(?: is| of)?[ :]{1,2}|v|ver\.? )?`

var kinds = []said{
	{"cuda", lazyregexp.New(`(?i)\bCUDA[ -]?(?:toolkit|SDK)` + numberAfter + `(\d{1,2}\.\d(?:\.\d{1,3})?)`), sayField(func(r *Record) *Value { return &r.Toolkit }, verbatim)},
	{"nvcc", lazyregexp.New(`(?i)(?:^|[\s(])(?:/\S*/)?nvcc\b[^.\n]{0,40}? (?:is |release |V|version )(\d{1,2}\.\d)`), sayField(func(r *Record) *Value { return &r.Toolkit }, verbatim)},
	{"cudatoolkit", lazyregexp.New(`\bcudatoolkit[ =]{1,2}(\d{1,2}\.\d)`), sayField(func(r *Record) *Value { return &r.CUDARuntime }, plausibleCUDA)},
	{"torch", lazyregexp.New(`(?i)\b(?:torch|pytorch)(?: (?:is|in|the|a|build|wheel|of|has|as)){1,4} (cu1\d\d)\b(?: (?:build|wheel|variant))?`), func(f *Facts, v string, from stack.Source) {
		f.FrameworkCUDA("torch", v[2:4]+"."+v[4:], Prose, from)
	}},
	{"_cuda", lazyregexp.New(`\bpy[23]\.\d+_cuda(\d{1,2}\.\d)(?:\.\d+)?_cudnn[\d._]*`), func(f *Facts, v string, from stack.Source) { // Conda's name of a build
		f.FrameworkCUDA("torch", v, Prose, from)
	}},
	{"cuda", lazyregexp.New(`\b[Cc]uda(\d{1,2}\.\d)(?:\.\d)?-cudnn[\w.-]*`), sayField(func(r *Record) *Value { return &r.CUDARuntime }, plausibleCUDA)}, // an image's tag
	{"toolkit", lazyregexp.New(`(?i)\bCUDA (\d{1,2}\.\d) (?:toolkit|SDK)`), sayField(func(r *Record) *Value { return &r.Toolkit }, verbatim)},
	{"cuda", lazyregexp.New(`(?i)\bCUDA[ -]?(?:runtime )?` + numberAfter + `(\d{1,2}\.\d)(?:\.\d{1,3})?`), sayField(func(r *Record) *Value { return &r.CUDARuntime }, plausibleCUDA)},
	{"cuda/", lazyregexp.New(`(?i)\bcuda/(\d{1,2}\.\d)`), sayField(func(r *Record) *Value { return &r.CUDARuntime }, plausibleCUDA)}, // an environment module
	{"driver", lazyregexp.New(`(?i)\bdrivers? [^()]{0,30}\((?:max\.? |supports |runs |up to )?CUDA (\d{1,2}\.\d)`), sayField(func(r *Record) *Value { return &r.DriverCUDA }, plausibleCUDA)},
	{"driver", lazyregexp.New(`(?i)\bdrivers?` + numberAfter + `\(?(\d{3}\.\d{2,3}(?:\.\d{2})?)`), sayField(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"driver", lazyregexp.New(`(?i)\b(\d{3}\.\d{2,3}(?:\.\d{2})?) (?:official |proprietary |open |linux )?(?:nvidia )?driver`), sayField(func(r *Record) *Value { return &r.Driver }, driverOf)},
	{"cudnn", lazyregexp.New(`(?i)\bcuDNN` + numberAfter + `(\d{1,2}\.\d(?:\.\d{1,2})?)`), sayField(func(r *Record) *Value { return &r.CUDNN }, cudnnOf)},
	{"nccl", lazyregexp.New(`(?i)\bNCCL` + numberAfter + `(2\.\d{1,2}(?:\.\d{1,2})?)`), sayField(func(r *Record) *Value { return &r.NCCL }, ncclOf)},
	{"tensorrt", lazyregexp.New(`(?i)\bTensorRT` + numberAfter + `(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)`), sayField(func(r *Record) *Value { return &r.TensorRT }, tensorrtOf)},
	{"python", lazyregexp.New(`(?i)\bPython` + numberAfter + `(3\.\d{1,2}(?:\.\d{1,2})?)`), sayField(func(r *Record) *Value { return &r.Python }, pythonOf)},
	{"kernel", lazyregexp.New(`(?i)\bkernel (?:was \w+ |is now |went |moved )?(?:from \d[\w.+-]* )?to (\d\.\d{1,2}\.\d{1,3}[0-9a-z.+_-]*)`), sayField(func(r *Record) *Value { return &r.Kernel }, kernelOf)},
	{"kernel", lazyregexp.New(`(?i)\bkernel` + numberAfter + `(\d\.\d{1,2}\.\d{1,3}[0-9a-z.+_-]*)`), sayField(func(r *Record) *Value { return &r.Kernel }, kernelOf)},
	{"ubuntu", inSystem("[Uu]buntu(?: [Ss]erver)?"), ofSystemName}, {"debian", inSystem("[Dd]ebian"), ofSystemName}, {"centos", inSystem("[Cc]ent[Oo][Ss]"), ofSystemName}, {"fedora", inSystem("Fedora"), ofSystemName},
	{"windows", inSystem("[Ww]indows(?: Server)?"), ofSystemName}, {"rhel", inSystem("RHEL"), ofSystemName}, {"linux ", inSystem("Rocky Linux|Linux Mint|Amazon Linux|Oracle Linux"), ofSystemName},
	{"almalinux", inSystem("AlmaLinux"), ofSystemName}, {"pop!_os", inSystem("Pop!_OS"), ofSystemName},
	{"linux", lazyregexp.New(`\b(?:[Rr]unning(?: on)?|[Uu]sing|[Ii]nstalled|I use|I'm on) (Arch Linux|Manjaro Linux|Kali Linux|Gentoo Linux|Void Linux)\b`), ofSystemName},
	{"wsl", lazyregexp.New(`\b(WSL ?2?)\b`), sayField(func(r *Record) *Value { return &r.WSL }, func(string) string { return "yes" })},
	{"orch", inSentence("PyTorch|torch", "[0-2]"), ofFramework("torch")},
	{"orch", broughtTo("PyTorch|torch", "[0-2]"), ofFramework("torch")},
	{"torchvision", inSentence("torchvision", "0"), ofFramework("torchvision")},
	{"torchvision", broughtTo("torchvision", "0"), ofFramework("torchvision")},
	{"torchaudio", inSentence("torchaudio", "[02]"), ofFramework("torchaudio")},
	{"tensorflow", inSentence("TensorFlow", "[0-2]"), ofFramework("tensorflow")},
	{"onnx", inSentence("onnxruntime-gpu", "[01]"), ofFramework("onnxruntime-gpu")},
	{"onnx", inSentence("ONNX ?Runtime", "[01]"), ofFramework("onnxruntime")},
	{"vllm", inSentence("vLLM", "[01]"), ofFramework("vllm")},
	{"ollama", inSentence("Ollama", "[01]"), ofFramework("ollama")},
	{"jax", inSentence("JAX", "[01]"), ofFramework("jax")},
	{"cupy", inSentence("CuPy", "1?[0-9]"), ofFramework("cupy")},
	{"paddle", inSentence("paddlepaddle", "[0-3]"), ofFramework("paddlepaddle")},
	{"sglang", inSentence("SGLang", "[01]"), ofFramework("sglang")},
	{"bitsandbytes", inSentence("bitsandbytes", "[01]"), ofFramework("bitsandbytes")},
	{"xformers", inSentence("xFormers", "[01]"), ofFramework("xformers")},
	{"flash", inSentence("flash[-_ ]attn|flash[- ]attention", "[0-4]"), ofFramework("flash-attn")},
	{"whisper", inSentence("faster-whisper", "[0-2]"), ofFramework("faster-whisper")},
	{"ctranslate2", inSentence("ctranslate2", "[0-5]"), ofFramework("ctranslate2")},
}

// systemHints are the hints of the kinds that name a system.
var systemHints = map[string]bool{"ubuntu": true, "debian": true, "centos": true, "fedora": true, "windows": true, "rhel": true, "linux ": true, "almalinux": true, "pop!_os": true}

// inSentence is a framework's name with its version, whose first number
// matches majors: behind "PyTorch" and a bracket CUDA's release may stand, too.
func inSentence(names, majors string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)\b(?:` + names + `)` + numberAfter + `(` + majors + `\.\d{1,3}(?:\.\d{1,3})?(?:\.?(?:post|rc|dev)\d+)?(?:\+(?:cu\d+|cpu))?)`)
}

// changed are words by which somebody tells what he did, so that the version behind is the one that is there.
const changed = `(?:up|down)grad(?:ed|ing)|updat(?:ed|ing)|changed|moved|pinned|pins|bumped|set|left|kept|keeps`

var changedFirst = lazyregexp.New(`(?i)^(?:` + changed + `) `)

// broughtTo is a framework's name with the version that somebody changed it to, or left it at.
func broughtTo(names, majors string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)\b(?:` + changed + `) (?:` + names + `) (?:to|at|on) (` + majors + `\.\d{1,3}(?:\.\d{1,3})?(?:\+(?:cu\d+|cpu))?)`)
}

func inSystem(names string) *lazyregexp.Regexp {
	return lazyregexp.New(`\b((?:` + names + `) ?\d{1,4}(?:\.\d{1,2})?(?:\.\d)?(?: LTS| Pro| Home| Enterprise)?)\b`)
}

func verbatim(v string) string { return v }

func sayField(of func(*Record) *Value, read func(string) string) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.Set(of(&f.rec), read(v), Prose, from) }
}

func ofSystemName(f *Facts, v string, from stack.Source) { f.Set(&f.rec.OS, v, Prose, from) }

func ofFramework(pkg string) func(*Facts, string, stack.Source) {
	return func(f *Facts, v string, from stack.Source) { f.Framework(pkg, v, Prose, from) }
}
