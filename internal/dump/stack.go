package dump

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"strata/internal/stack"
	"strata/internal/version"
)

// Prefix is the place of the one Python environment that a text is taken to tell of.
const Prefix = "the reported environment"

// unread says why a fact is not known.
const unread = "the text does not say"

// Stack is the record as the model that rules judge. What the text does not say
// is not collected: a text never proves that something is missing.
func (r *Record) Stack(name string) *stack.Stack {
	s := &stack.Stack{Subject: stack.Subject{Kind: "text", Name: name}}
	s.OS.Name = words(r.OS)
	s.Kernel.Release = words(r.Kernel)
	s.Kernel.Flavor = words(r.ModuleFlavor)
	s.Kernel.Version = parsed(r.Module, version.ParseDriver)
	if strings.Contains(r.Driver.Text, ".") { // a branch alone would be older than all its releases
		s.Driver.Assumed = parsed(r.Driver, version.ParseDriver)
	}
	s.OS.Glibc = words(r.Glibc)
	s.OS.L4T = words(r.Jetson)
	if r.Jetson.Known() {
		s.OS.Jetson = words(r.Jetson)
	}
	if r.WSL.Known() {
		s.OS.WSL = stack.Know(true, r.WSL.From)
	}
	if r.Container.Known() {
		s.Container.Inside = words(r.Container)
	}
	if r.Kubernetes.Known() {
		s.Container.Kubernetes = stack.Know(true, r.Kubernetes.From)
	}
	if len(r.Engines) > 0 {
		s.Container.Engines = stack.Know(r.Engines, r.Engines[0].From)
	}
	if r.Provider.Text == "cpu" { // what asks for the GPU is judged by its framework
		fw := stack.Framework{Name: "onnxruntime", Package: "onnxruntime", From: r.Provider.From}
		for _, pkg := range []string{"onnxruntime", "onnxruntime-gpu"} {
			if v := r.Frameworks[pkg]; v.Known() {
				fw.Package, fw.Version = pkg, version.Token(v.Text)
			}
		}
		s.Programs = stack.Know([]stack.Program{{
			Name: "the program of the text", Framework: fw,
			Wants: stack.Know("cpu", r.Provider.From), From: r.Provider.From,
		}}, r.Provider.From)
	}
	if len(r.GPUs) > 0 {
		var list []stack.AssumedGPU
		for _, g := range r.GPUs {
			list = append(list, stack.AssumedGPU{Name: spaced.ReplaceAllString(g.Name, "$1 $2"), ComputeCapability: g.ComputeCapability, From: g.From})
		}
		s.Hardware.Assumed = stack.Know(list, list[0].From)
	}
	if v, err := version.ParseCUDA(r.Toolkit.Text); err == nil && r.Toolkit.Known() {
		s.CUDA.Toolkits = stack.Know([]stack.Toolkit{{Version: v, Default: true, From: r.Toolkit.From}}, r.Toolkit.From)
	}
	if len(r.Variables) > 0 {
		s.Environment = stack.Know(r.Variables, r.Variables[0].From)
	}
	if env := r.environment(); env != nil {
		s.Python = stack.Know([]stack.Environment{*env}, env.From)
	}
	return s
}

func words(v Value) stack.Fact[string] {
	if !v.Known() {
		return stack.Fact[string]{Why: unread}
	}
	return stack.Know(v.Text, v.From)
}

func parsed[T any](v Value, parse func(string) (T, error)) stack.Fact[T] {
	if x, err := parse(v.Text); err == nil && v.Known() {
		return stack.Know(x, v.From)
	}
	return stack.Fact[T]{Why: unread}
}

// environment is the Python environment that the text tells of; nil where it tells of none.
func (r *Record) environment() *stack.Environment {
	env := &stack.Environment{Prefix: Prefix, Kind: "text", Interpreter: "python", Python: words(r.Python)}
	for _, p := range r.Packages {
		if p.Manager == "pip" || p.Manager == "conda" || p.Manager == "" {
			env.Packages.Value = append(env.Packages.Value, stack.Package{
				Name: p.Name, Version: p.Version, Manager: cmp.Or(p.Manager, "pip"), Build: p.Build, From: p.From,
			})
		}
	}
	if len(env.Packages.Value) > 0 {
		env.From = env.Packages.Value[0].From
		env.Packages = stack.Know(env.Packages.Value, env.From)
	}
	seen := map[string]bool{}
	for _, pkg := range slices.Sorted(maps.Keys(r.Frameworks)) {
		v := r.Frameworks[pkg]
		name := frameworkOf(pkg)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		fw := stack.Framework{Name: name, Package: pkg, Version: version.Token(v.Text), From: v.From}
		build := ""
		for _, p := range r.Packages {
			if p.Name == pkg || frameworkName(p.Name) == pkg {
				build = p.Build
			}
		}
		r.settle(&fw, build)
		env.Frameworks = append(env.Frameworks, fw)
		env.From = v.From
	}
	if len(env.Frameworks) == 0 && len(env.Packages.Value) == 0 {
		return nil
	}
	return env
}

// settle says what a framework was built for, as far as its version, its build
// string and the text tell.
func (r *Record) settle(fw *stack.Framework, build string) {
	_, local, _ := strings.Cut(fw.Version, "+")
	switch {
	case strings.HasPrefix(local, "cpu"), strings.HasSuffix(build, "_cpu_0"), strings.Contains(build, "_cpu_"), strings.HasPrefix(build, "cpu_"),
		strings.HasSuffix(fw.Package, "-cpu"):
		fw.Variant = stack.Know("cpu", fw.From)
	case strings.HasPrefix(local, "rocm"):
		fw.Variant = stack.Know("rocm", fw.From)
	case strings.HasPrefix(local, "xpu"):
		fw.Variant = stack.Know("xpu", fw.From)
	}
	if tag, _, _ := strings.Cut(local, "."); strings.HasPrefix(tag, "cu") {
		if v, ok := version.ParseCUDATag(tag); ok {
			fw.CUDA = stack.Know(v, fw.From)
		}
	}
	if v := r.FrameworkCUDA[fw.Package]; v.Known() && !fw.CUDA.Known() {
		fw.CUDA = parsed(v, version.ParseCUDA)
	}
	if fw.Name == "jax" {
		r.jax(fw)
	}
	if v, ok := cudaOfName(fw.Package); ok && !fw.CUDA.Known() {
		fw.CUDA = parsed(Value{Text: v, From: fw.From}, version.ParseCUDA)
	}
	if strings.HasPrefix(build, "gpu_") && !fw.Variant.Known() {
		fw.Variant = stack.Know("cuda", fw.From)
	}
	if fw.CUDA.Known() && !fw.Variant.Known() {
		fw.Variant = stack.Know("cuda", fw.CUDA.Sources...)
	}
}

// jax finds the part of JAX that has the GPU's code: a plugin, or up to 0.4.25
// jaxlib itself with a label such as +cuda12.cudnn89.
func (r *Record) jax(fw *stack.Framework) {
	for _, p := range r.Packages {
		if middle, ok := strings.CutPrefix(p.Name, "jax-cuda"); ok && strings.HasSuffix(middle, "-plugin") {
			fw.Plugin = stack.Know(stack.Package{Name: p.Name, Version: p.Version, Manager: "pip", From: p.From}, p.From)
			major, _, _ := strings.Cut(middle, "-")
			fw.CUDA = parsed(Value{Text: major, From: p.From}, version.ParseCUDA)
		}
	}
	lib := r.Frameworks["jaxlib"]
	if _, label, ok := strings.Cut(lib.Text, "+cuda"); ok && !fw.CUDA.Known() {
		if major, _, _ := strings.Cut(label, "."); len(major) == 2 {
			fw.CUDA = parsed(Value{Text: major, From: lib.From}, version.ParseCUDA)
		}
	}
}

// cudaOfName is the CUDA in a distribution's name: cupy-cuda12x, cupy-cuda102.
func cudaOfName(pkg string) (string, bool) {
	rest, ok := strings.CutPrefix(pkg, "cupy-cuda")
	switch {
	case !ok || rest == "":
		return "", false
	case strings.HasSuffix(rest, "x"):
		return rest[:len(rest)-1], true
	case len(rest) >= 2 && isDigits(rest):
		return rest[:len(rest)-1] + "." + rest[len(rest)-1:], true
	}
	return "", false
}

// frameworkOf is Strata's name of the framework that a package is; "" for other packages.
func frameworkOf(pkg string) string {
	switch pkg {
	case "torch", "pytorch":
		return "pytorch"
	case "tensorflow-gpu", "tensorflow-cpu", "tf-nightly":
		return "tensorflow"
	case "onnxruntime-gpu":
		return "onnxruntime"
	case "onnxruntime-genai-cuda":
		return "onnxruntime-genai"
	case "paddlepaddle", "paddlepaddle-gpu":
		return "paddle"
	case "llama-cpp-python":
		return "llama-cpp"
	case "torchvision", "torchaudio", "tensorflow", "jax", "onnxruntime", "onnxruntime-genai", "ctranslate2", "faster-whisper", "vllm", "sglang", "flash-attn",
		"xformers", "bitsandbytes", "triton", "deepspeed", "transformer-engine", "tensorrt", "numba-cuda":
		return pkg
	}
	if strings.HasPrefix(pkg, "cupy") {
		return "cupy"
	}
	return ""
}
