package dump

import (
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/transcript"
)

// variables reads environment variables that the GPU stack heeds, as shells,
// Dockerfiles, command lines, compose and Kubernetes files write them.
var variables = reader{name: "environment variables", read: readVariables, messages: true, around: 1, words: []string{
	"CUDA_", "NVIDIA_", "CUDNN_VERSION", "NCCL_", "TORCH_", "TF_", "XLA_", "JAX_", "CONDA_", "OLLAMA_", "LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH", "PYTHONNOUSERSITE", "PYTHON_VERSION",
	"ORT_", "VLLM_", "TRT_VERSION", "NV_LIBNCCL_PACKAGE_VERSION", "WSL_", "HSA_", "ROCR_", "HIP_", "UCX_", "GGML_", "KUBERNETES_", "SINGULARITY_", "APPTAINER_", "TENSORRT_VERSION",
}}

var (
	// A name that the stack heeds, then its value: NAME=value, NAME: value, set NAME=…, -e NAME=…, ENV NAME value.
	assignment = lazyregexp.New(`(?:^|[\s"'\-,;&])(?:\$env:)?((?:CUDA|NVIDIA|NV|CUDNN|NCCL|TORCH|PYTORCH|TF|XLA|JAX|CONDA|OLLAMA|BNB|LD|PYTHON|ORT|VLLM|TRT|TENSORRT|WSL|HSA|ROCR|HIP|UCX|GGML|KUBERNETES|SINGULARITY|APPTAINER|VIRTUAL)_?[A-Z0-9_]*)["']?(\s*=\s*|:\s+)("[^"]*"|'[^']*'|[^\s"']*)`)
	envWords   = lazyregexp.New(`^\s*ENV\s+((?:CUDA|NVIDIA|LD|NCCL|PYTHON|TORCH|TF|XLA)_[A-Z0-9_]+|PYTHONPATH)\s+([^=].*)$`)
	nameKey    = lazyregexp.New(`^\s*-?\s*"?name"?:\s*"?((?:CUDA|NVIDIA|LD|NCCL|TORCH|TF|XLA|OLLAMA|VLLM|PYTORCH)_[A-Z0-9_]+)"?,?\s*$`)
	valueKey   = lazyregexp.New(`^\s*"?value"?:\s*"?([^"]*)"?\s*$`)
	unexpanded = lazyregexp.New(`\$\{?([A-Za-z_]\w*)(?::[-+][^}]*)?\}?:?`)
)

// heeded are the variables that are kept. Others are read for what they say only.
var heeded = lazyregexp.New(`^(?:CUDA_(?:VISIBLE_DEVICES|HOME|PATH|ROOT|DEVICE_ORDER|LAUNCH_BLOCKING|MODULE_LOADING|CACHE_\w+|FORCE_\w+|DISABLE_\w+|MPS_\w+)|NVIDIA_(?:VISIBLE_DEVICES|DRIVER_CAPABILITIES|REQUIRE_\w+|DISABLE_REQUIRE|MIG_\w+|IMEX_\w+)|` +
	`LD_(?:LIBRARY_PATH|PRELOAD)|NCCL_\w+|TORCH_\w+|PYTORCH_\w+|TF_\w+|XLA_\w+|JAX_\w+|OLLAMA_\w+|BNB_CUDA_VERSION|PYTHONPATH|PYTHONNOUSERSITE|ORT_\w+|VLLM_\w+|HSA_\w+|ROCR_\w+|HIP_\w+|UCX_\w+|GGML_\w+)$`)

// maxVariables bounds what is kept of one text.
const maxVariables = 200

func readVariables(t *transcript.Text, f *Facts) {
	pendingName, pendingLine := "", 0
	for _, l := range t.Lines {
		line := l.Text
		if len(line) > 8000 || len(line) < 5 {
			continue
		}
		if pendingName != "" && l.N-pendingLine == 1 {
			if m := valueKey.FindStringSubmatch(line); m != nil {
				f.variable(pendingName, m[1], l)
			}
		}
		pendingName = ""
		if !strings.Contains(line, "_") && !strings.Contains(line, "PYTHON") {
			continue
		}
		if m := nameKey.FindStringSubmatch(line); m != nil {
			pendingName, pendingLine = m[1], l.N
			continue
		}
		if !strings.ContainsAny(line, "=:") {
			if m := envWords.FindStringSubmatch(line); m != nil {
				f.variable(m[1], m[2], l)
			}
			continue
		}
		if !hasUpperUnderscore(line) || strings.Contains(line, "unset ") {
			continue
		}
		if m := envWords.FindStringSubmatch(line); m != nil {
			f.variable(m[1], m[2], l)
			continue
		}
		for _, m := range assignment.FindAllStringSubmatch(line, 12) {
			if strings.HasPrefix(strings.TrimSpace(m[2]), ":") && !strings.HasPrefix(strings.TrimLeft(line, " \t-\"'"), m[1]) {
				continue // in prose a colon ends a phrase
			}
			f.variable(m[1], strings.Trim(m[3], `"',;`+"`"), l)
		}
	}
}

// hasUpperUnderscore tells whether two capitals stand before an underscore, or PYTHON: cheap to ask of a long line.
func hasUpperUnderscore(s string) bool {
	for i := 2; i < len(s); i++ {
		if s[i] == '_' && 'A' <= s[i-1] && s[i-1] <= 'Z' && 'A' <= s[i-2] && s[i-2] <= 'Z' {
			return true
		}
	}
	return strings.Contains(s, "PYTHON")
}

// variable notes a variable of a text, and the facts that its value is.
func (f *Facts) variable(name, value string, l transcript.Line) {
	if strings.Contains(value, "$") { // what a shell adds to is not known
		value = strings.TrimRight(unexpanded.ReplaceAllString(value, ""), ":")
		if value == "" {
			return
		}
	}
	switch name {
	case "CUDA_VERSION", "NV_CUDA_CUDART_VERSION":
		release, _ := cudaOf(upstream(value))
		f.note(&f.rec.CUDARuntime, release, Keyed, l)
	case "NV_CUDNN_VERSION", "CUDNN_VERSION":
		f.note(&f.rec.CUDNN, cudnnOf(upstream(value)), Keyed, l)
	case "NV_LIBNCCL_PACKAGE_VERSION", "NCCL_VERSION":
		f.note(&f.rec.NCCL, ncclOf(upstream(value)), Keyed, l)
	case "TENSORRT_VERSION", "TRT_VERSION":
		f.note(&f.rec.TensorRT, tensorrtOf(upstream(value)), Keyed, l)
	case "PYTORCH_VERSION", "TORCH_VERSION":
		if IsVersion(value) {
			f.Framework("torch", value, Prose, f.At(l.N, l.Text))
		}
	case "PYTHON_VERSION":
		f.note(&f.rec.Python, pythonOf(value), Prose, l)
	case "CUDA_DRIVER_VERSION": // of the NGC containers: the driver that they bring for compatibility
		if driverOf(value) != "" {
			f.Package(Package{Name: "cuda-compat", Version: value, From: f.At(l.N, l.Text)}, Prose)
		}
	case "NVIDIA_PYTORCH_VERSION", "NVIDIA_TENSORFLOW_VERSION", "NVIDIA_TRITON_SERVER_VERSION":
		if IsVersion(value) {
			f.Package(Package{Name: "ngc-release", Version: value, Manager: "ngc", From: f.At(l.N, l.Text)}, Keyed)
		}
	case "CONDA_PREFIX", "CONDA_DEFAULT_ENV":
		f.note(&f.rec.Conda, value, Keyed, l)
	case "WSL_DISTRO_NAME", "WSL_INTEROP":
		f.note(&f.rec.WSL, "yes", Keyed, l)
	case "KUBERNETES_SERVICE_HOST", "KUBERNETES_PORT":
		f.note(&f.rec.Kubernetes, "yes", Keyed, l)
		f.note(&f.rec.Container, "kubernetes", Keyed, l)
	case "SINGULARITY_CONTAINER", "APPTAINER_CONTAINER":
		f.note(&f.rec.Container, "apptainer", Keyed, l)
	}
	if strings.HasPrefix(name, "NV_CUDA_") {
		f.note(&f.rec.Container, "docker", Keyed, l)
	}
	if !heeded.MatchString(name) || len(f.rec.Variables) >= maxVariables || Nothing(value) && name != "CUDA_VISIBLE_DEVICES" && name != "NVIDIA_VISIBLE_DEVICES" {
		return
	}
	if !slices.ContainsFunc(f.rec.Variables, func(v stack.Variable) bool { return v.Name == name }) {
		f.rec.Variables = append(f.rec.Variables, stack.Variable{Name: name, Value: value, From: f.At(l.N, l.Text)})
	}
}
