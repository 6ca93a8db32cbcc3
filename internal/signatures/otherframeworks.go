package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// otherFrameworks are PaddlePaddle, MXNet, Caffe, Julia and DGL.
func otherFrameworks() []*Signature {
	return []*Signature{
		{
			ID: "mxnet-cpu-build", Product: "mxnet",
			Literals: []string{"Compile with USE_CUDA=1 to enable GPU usage", "USE_CUDA=1", "USE_CUDNN=1"},
			Pattern:  `GPU is not enabled|Compile with USE_CU(?:DA|DNN)=1`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "MXNet was built for the CPU.",
			Causes: causes(Cause{
				Title:    "the installed MXNet is built for the CPU",
				Text:     "The GPU packages have the CUDA in their names: mxnet-cu112, mxnet-cu117.",
				Remedies: []Remedy{fix("install the package for the CUDA in use", "pip", "python -m pip install mxnet-cu112")},
			}),
			Samples: []string{"mxnet.base.MXNetError: [10:00:00] src/storage/storage.cc:119: Compile with USE_CUDA=1 to enable GPU usage"},
			Misses:  []string{"cmake -DUSE_CUDA=1"},
			Source:  "https://github.com/apache/mxnet/blob/master/src/storage/storage.cc",
		},
		{
			ID: "julia-cuda-driver", Product: "CUDA.jl",
			Literals: []string{"CUDA driver not found", "No CUDA driver found", "No system CUDA driver found", "CUDA driver not functional", "CUDA.jl did not find", "CUDA.jl could not find an appropriate CUDA runtime", "CUDA runtime not found", "could not load library \"libcuda"},
			Pattern:  `CUDA driver not found|No (?:system )?CUDA driver found|CUDA driver not functional|CUDA\.jl (?:could|did) not find (?:an )?appropriate CUDA (?P<what>runtime)|CUDA (?P<what>runtime) not found|could not load library "libcuda"`,
			Layer:    rule.Driver,
			Meaning:  "CUDA.jl does not find the driver, or no runtime for it.",
			Causes: causes(
				Cause{
					When:     on(Has("what")),
					Layer:    rule.CUDARuntime,
					Title:    "CUDA.jl found no CUDA runtime for this machine",
					Text:     "The runtime is an artefact of CUDA_Runtime_jll, chosen for the driver when the package is precompiled: on a node without a GPU (a login node, an image build) none is chosen.",
					Remedies: []Remedy{fix("choose it by hand where no GPU is visible at precompilation", "julia", `CUDA.set_runtime_version!(v"12.6")`), fix("or precompile on a node with a GPU; check CUDA.versioninfo()")},
				},
				Cause{
					When:     on(Says("nixos", "/nix/store")),
					Title:    "CUDA.jl does not find libcuda on NixOS",
					Text:     "It lies in /run/opengl-driver/lib.",
					Remedies: []Remedy{fix("put it on the loader's path", "bash", "export LD_LIBRARY_PATH=/run/opengl-driver/lib")},
				},
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "CUDA.jl finds no driver in the container",
					Text:     "The container was started without the GPU.",
					Remedies: []Remedy{fix("start it with --gpus all", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					Title:    "CUDA.jl finds no NVIDIA driver",
					Text:     "libcuda is not on the loader's path. CUDA.jl brings the runtime, not the driver.",
					Remedies: []Remedy{fix("install the driver until nvidia-smi works")},
					Ask:      "nvidia-smi; ldconfig -p | grep libcuda",
				},
			),
			Samples: []string{"ERROR: CUDA driver not found", "ERROR: CUDA runtime not found", "┌ Warning: CUDA.jl could not find an appropriate CUDA runtime to use."},
			Misses:  []string{"CUDA driver 12.4"},
			Source:  "https://github.com/JuliaGPU/CUDA.jl/issues/2089",
		},
		{
			ID: "julia-driver-too-old", Product: "CUDA.jl",
			Literals: []string{"only supports up to CUDA", "CUDA.jl only supports", "This version of CUDA.jl only", "CUDA.jl requires"},
			Pattern:  `driver only supports up to CUDA (?P<drivercuda>\d+\.\d+)|(?:CUDA\.jl|This version of CUDA\.jl) (?:only supports|requires) (?:NVIDIA )?(?:CUDA )?(?:driver[^0-9]{0,20})?(?P<need>\d+(?:\.\d+)?)`,
			Layer:    rule.Driver,
			Strength: Strong,
			Meaning:  "The driver is too old for this CUDA.jl.",
			Causes: causes(Cause{
				Title:    "the driver[ {driver}] is too old for this CUDA.jl[: it supports CUDA {drivercuda}][: {need} is needed]",
				Text:     "CUDA.jl drops drivers with its major releases; the forward-compatible driver that it brings works on data centre GPUs alone.",
				Remedies: []Remedy{fix("update the driver, or pin an older CUDA.jl and runtime", "julia", `using Pkg; Pkg.add(name="CUDA", version="5.4")`)},
			}),
			Samples: []string{"┌ Warning: This version of CUDA.jl only supports NVIDIA drivers for CUDA 11.x or higher (yours is for CUDA 10.2.0)"},
			Misses:  []string{"CUDA.jl 5.5"},
			Source:  "https://github.com/JuliaGPU/CUDA.jl/pull/1854",
		},
	}
}
