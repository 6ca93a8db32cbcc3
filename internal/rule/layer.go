package rule

// Layer identifies one layer of the stack. The identifiers and their order,
// bottom to top, are part of the output contract.
type Layer string

const (
	Hardware         Layer = "hardware"
	KernelModule     Layer = "kernel_module"
	Driver           Layer = "driver"
	DeviceExposure   Layer = "device_exposure"
	ContainerRuntime Layer = "container_runtime"
	CUDARuntime      Layer = "cuda_runtime"
	CUDALibraries    Layer = "cuda_libraries"
	Toolkit          Layer = "toolkit"
	CUDNN            Layer = "cudnn"
	NCCL             Layer = "nccl"
	TensorRT         Layer = "tensorrt"
	FrameworkBuild   Layer = "framework_build"
	GPUArch          Layer = "gpu_arch"
	PackageConflict  Layer = "package_conflict"
	PythonEnv        Layer = "python_env"
	Application      Layer = "application"
)

type layerInfo struct {
	id     Layer
	prefix string // of the rule IDs
	name   string // as a person says it
	shared bool   // the same for every workload of a machine
}

// layers from the ground up.
var layers = []layerInfo{
	{Hardware, "HWR", "GPU", true},
	{KernelModule, "KRN", "kernel module", true},
	{Driver, "DRV", "driver", true},
	{DeviceExposure, "DEV", "device access", true},
	{ContainerRuntime, "CTR", "container", true},
	{CUDARuntime, "CUD", "CUDA runtime", false},
	{CUDALibraries, "CUL", "CUDA libraries", false},
	{Toolkit, "TKT", "toolkit", true},
	{CUDNN, "DNN", "cuDNN", false},
	{NCCL, "NCC", "NCCL", false},
	{TensorRT, "TRT", "TensorRT", false},
	{FrameworkBuild, "FRM", "framework build", false},
	{GPUArch, "ARC", "GPU code", false},
	{PackageConflict, "PKG", "packages", false},
	{PythonEnv, "PYE", "Python", false},
	{Application, "APP", "application", false},
}

// Layers lists all layers, bottom to top.
func Layers() []Layer {
	out := make([]Layer, len(layers))
	for i, l := range layers {
		out[i] = l.id
	}
	return out
}

func (l Layer) info() layerInfo {
	for _, i := range layers {
		if i.id == l {
			return i
		}
	}
	return layerInfo{}
}

// Prefix is the three letters that rule IDs of the layer start with.
func (l Layer) Prefix() string { return l.info().prefix }

// Name is the layer in words.
func (l Layer) Name() string { return l.info().name }

// Shared tells whether all workloads of a machine stand on the same layer.
func (l Layer) Shared() bool { return l.info().shared }

// Height is the layer's place, 0 at the bottom; -1 for no layer.
func (l Layer) Height() int {
	for i, x := range layers {
		if x.id == l {
			return i
		}
	}
	return -1
}
