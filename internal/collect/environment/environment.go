// Package environment reads the environment variables that decide what the
// GPU stack does, and no others: an environment is full of secrets.
package environment

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/redact"
	"strata/internal/stack"
)

// Collector reads the variables of the process that asks, or, of a root
// directory, what its files tell about the environment.
var Collector = collect.Collector{Name: "environment", Read: read}

// names are taken as they are, prefixes with anything behind them.
var (
	names = []string{
		"CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONNOUSERSITE",
		"VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_OVERRIDE_CUDA", "UV_PROJECT_ENVIRONMENT", "XLA_FLAGS",
		"XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_ALLOCATOR",
		"HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "KUBERNETES_SERVICE_HOST", "WSL_DISTRO_NAME", "container",
		"EBROOTCUDA", "NVCC_CCBIN", "LOADEDMODULES", "SLURM_JOB_GPUS", "BITSANDBYTES_NOWELCOME", "BNB_CUDA_VERSION",
	}
	prefixes = []string{
		"CUDA_", "NVIDIA_", "NCCL_", "TF_", "JAX_", "ORT_", "OLLAMA_", "ROCR_", "PYTORCH_", "TORCH_", "VLLM_", "CUDNN_", "CUBLAS_",
	}
)

const (
	environmentPath = "/etc/environment"
	initPath        = "/proc/1/environ"

	// maxFile bounds both files; the kernel allows an environment of a few
	// megabytes, people have a few kilobytes.
	maxFile = 1 << 20
	// maxValue is MAX_ARG_STRLEN of Linux: no process can have a longer one.
	maxValue = 128 << 10
	// maxVariables is far above what the names above can come to by accident.
	maxVariables = 1000
)

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	f := Variables(m)
	return func(s *stack.Stack) { s.Environment = f }, ctx.Err()
}

// Variables returns the variables of the list that are set. Where the
// environment of the machine is not known (a root directory), they are those
// of its first process, if the root captured /proc, and else those that
// /etc/environment gives to every login. It is NotCollected when there is
// none of these.
func Variables(m *machine.Machine) stack.Fact[[]stack.Variable] {
	if m.EnvKnown() {
		var vars []stack.Variable
		for _, name := range m.EnvNames() {
			if Wanted(name) && len(vars) < maxVariables {
				value, _ := m.Getenv(name)
				vars = append(vars, variable(name, value, "env", name, 0))
			}
		}
		return stack.Know(vars, stack.From("env", "environment", 0, ""))
	}
	data, err := m.ReadFile(initPath, maxFile)
	if err == nil {
		return stack.Know(ParseEnviron(data), stack.File(initPath))
	}
	denied := err
	data, err = m.ReadFile(environmentPath, maxFile)
	switch {
	case err == nil:
		if vars := ParseEnvironment(data); len(vars) > 0 {
			return stack.Know(vars, stack.File(environmentPath))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return stack.Miss[[]stack.Variable](err, environmentPath)
	}
	if errors.Is(denied, fs.ErrNotExist) {
		return stack.Fact[[]stack.Variable]{}
	}
	return stack.Miss[[]stack.Variable](denied, initPath)
}

// Wanted tells whether a variable is one of those that are read.
func Wanted(name string) bool {
	for _, n := range names {
		if name == n {
			return true
		}
	}
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return !secret(name)
		}
	}
	return false
}

// secret keeps out what would otherwise come in by its prefix:
// VLLM_API_KEY, TORCH_HUB_TOKEN, and what TF_ means to Terraform.
func secret(name string) bool {
	name = strings.ToUpper(name)
	if strings.HasSuffix(name, "_KEY") {
		return true
	}
	for _, word := range []string{"TOKEN", "SECRET", "PASSW", "API_KEY", "APIKEY", "CREDENTIAL", "TF_VAR_", "TF_CLI_"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// ParseEnviron reads the NUL-separated form of /proc/PID/environ.
func ParseEnviron(data []byte) []stack.Variable {
	var vars []stack.Variable
	for kv := range strings.SplitSeq(string(data), "\x00") {
		if name, value, ok := strings.Cut(kv, "="); ok && Wanted(name) && len(vars) < maxVariables {
			vars = append(vars, variable(name, value, "file", initPath, 0))
		}
	}
	return vars
}

// ParseEnvironment reads /etc/environment as pam_env does: one NAME=VALUE a
// line, an optional "export", optional quotes, no expansion.
func ParseEnvironment(data []byte) []stack.Variable {
	var vars []stack.Variable
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "export ")), "=")
		if !ok || !Wanted(name) || len(vars) == maxVariables {
			continue
		}
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		vars = append(vars, variable(name, value, "file", environmentPath, number))
	}
	return vars
}

func variable(name, value, kind, locator string, line int) stack.Variable {
	if len(value) > maxValue {
		value = value[:maxValue]
	}
	value = redact.Line(value)
	return stack.Variable{Name: name, Value: value, From: stack.From(kind, locator, line, name+"="+value)}
}
