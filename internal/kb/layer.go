package kb

// Layer is a layer of the stack by its identifier in the output contract.
type Layer string

// layers are the identifiers that tables may use.
var layers = []Layer{
	"hardware", "kernel_module", "driver", "device_exposure", "container_runtime", "cuda_runtime", "cuda_libraries", "toolkit",
	"cudnn", "nccl", "tensorrt", "framework_build", "gpu_arch", "package_conflict", "python_env", "application",
}

// UnmarshalText accepts the layers and nothing else.
func (l *Layer) UnmarshalText(text []byte) error { return unmarshalWord(l, text, layers...) }
