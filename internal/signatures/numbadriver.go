package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// numbaDriver is what Numba and RAPIDS say about the driver and the GPU.
func numbaDriver() []*Signature {
	return []*Signature{
		{
			ID: "numba-driver-missing", Product: "numba",
			Literals: []string{"CUDA driver library cannot be found", "Possible CUDA driver libraries are found but error occurred"},
			Pattern:  `CUDA driver library cannot be found|Possible CUDA driver libraries are found but error occurred`,
			Layer:    rule.Driver,
			Strength: Strong,
			Meaning:  "Numba does not find libcuda, or cannot load the one it finds.",
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Layer:    rule.DeviceExposure,
					Title:    "Numba does not find libcuda in WSL: it is in /usr/lib/wsl/lib",
					Text:     "The Windows driver's libcuda is there; the loader does not look there, or the linker's cache lacks it.",
					Remedies: []Remedy{fix("put it on the path, or name the file", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH", "bash", "export NUMBA_CUDA_DRIVER=/usr/lib/wsl/lib/libcuda.so.1")},
				},
				Cause{
					When: on(hostedNotebook), Layer: rule.DeviceExposure,
					Title:    "Numba does not find the driver's libcuda: this notebook runs on a machine without a GPU",
					Text:     "Colab and Kaggle give a GPU, with its driver, only where the runtime type (accelerator) is set to one; a runtime for the CPU has no libcuda. Packages do not bring it.",
					Remedies: []Remedy{fix("choose a GPU runtime (Colab: Runtime, Change runtime type; Kaggle: Accelerator), then run the cells again", "check", "!nvidia-smi")},
					Ask:      "!nvidia-smi",
				},
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "Numba does not find libcuda in the container: it was started without the GPU",
					Text:     "The NVIDIA container toolkit mounts the driver's libraries where a container asks for GPUs.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					Title:    "Numba does not find the driver's libcuda",
					Text:     "No NVIDIA driver is installed where the program runs, or its library is not on the loader's path. The CUDA toolkit and Conda packages do not bring it.[ nvidia-smi tells of driver {driver}.]",
					Remedies: []Remedy{fix("install the driver until nvidia-smi works", "bash", "nvidia-smi"), fix("where it is installed, name the file", "bash", "export NUMBA_CUDA_DRIVER=/usr/lib/x86_64-linux-gnu/libcuda.so.1")},
					Ask:      "ldconfig -p | grep libcuda.so",
				},
			),
			Samples: []string{"numba.cuda.cudadrv.error.CudaSupportError: Error at driver init: CUDA driver library cannot be found."},
			Misses:  []string{"CUDA driver library found"},
			Source:  "https://github.com/rapidsai/cuml/issues/6218",
		},
		{
			ID: "numba-cuinit", Product: "numba",
			Literals:    []string{"Error at driver init", "Call to cuInit results in"},
			Pattern:     `Call to cuInit results in (?P<error>CUDA_ERROR_\w+|UNKNOWN_CUDA_ERROR)(?: \((?P<code>\d+)\))?`,
			Layer:       rule.DeviceExposure,
			Strength:    Usual,
			ExplainedBy: []string{"DEV003", "CUD001", "CUD002", "KRN004"},
			Meaning:     "The driver did not start for Numba.",
			Causes: causes(
				Cause{
					When:     on(Is("error", `NO_DEVICE`)),
					Title:    "Numba sees no GPU: {error}",
					Text:     "CUDA_VISIBLE_DEVICES hides it[ (here {visible})], or the container or job has none.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("error", `DRIVER_MISMATCH|COMPAT`)),
					Layer:    rule.KernelModule,
					Title:    "libcuda does not fit the loaded kernel module: {error}",
					Text:     "The driver was updated without a restart, or a cuda-compat libcuda is in use.",
					Remedies: []Remedy{fix("restart the machine; take cuda-compat off LD_LIBRARY_PATH")},
				},
				Cause{
					Title:    "the driver does not start CUDA for Numba: {error}",
					Text:     "CUDA_ERROR_UNKNOWN often follows sleep of the machine (nvidia_uvm) or a fork after CUDA was used.",
					Remedies: []Remedy{fix("load nvidia_uvm anew or restart", "bash", "sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm")},
					Ask:      "nvidia-smi; ls -l /dev/nvidia*",
				},
			),
			Samples: []string{"numba.cuda.cudadrv.error.CudaSupportError: Error at driver init: Call to cuInit results in CUDA_ERROR_NO_DEVICE (100)"},
			Misses:  []string{"Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"},
			Source:  "https://github.com/numba/numba/blob/main/numba/cuda/cudadrv/driver.py",
		},
		{
			ID: "rapids-requirements", Product: "rapids",
			Literals: []string{"newer architecture is required", "cudf.errors.UnsupportedCUDAError", "Please update your NVIDIA GPU driver or CUDA Toolkit"},
			Pattern:  `UnsupportedCUDAError: (?P<text>.{5,160})|A GPU with NVIDIA (?P<arch>Volta|Pascal)\S* \(Compute Capability (?P<need>\d\.\d)\) or newer architecture is required|Please update your NVIDIA GPU driver to .{0,40}(?P<mincuda>\d+\.\d+)`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "RAPIDS checks the GPU and the driver when it is imported.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("text", `(?i)driver|CUDA`), Has("mincuda"))),
					Layer:    rule.Driver,
					Title:    "the driver[ {driver}] is too old for this RAPIDS[: it must support CUDA {mincuda}]",
					Text:     "RAPIDS needs a driver of its CUDA release[; {driver} supports {driver|cuda}].",
					Remedies: []Remedy{fix("update the driver, or install the RAPIDS for an older CUDA (-cu12 instead of -cu13)")},
				},
				Cause{
					Title:    "the GPU[ {gpu}] is too old for this RAPIDS[: it needs compute capability {need}]",
					Text:     "RAPIDS 24.02 and newer need Volta (7.0); older releases Pascal (6.0).",
					Remedies: []Remedy{fix("use RAPIDS 23.12 for Pascal GPUs, or a newer GPU")},
				},
			),
			Samples: []string{"cudf.errors.UnsupportedCUDAError: Detected CUDA Runtime version is 11.0. Please update your CUDA Runtime to 11.2 or above.", "UserWarning: A GPU with NVIDIA Volta™ (Compute Capability 7.0) or newer architecture is required."},
			Misses:  []string{"RAPIDS 24.10 started"},
			Source:  "https://docs.rapids.ai/install/",
		},
	}
}
