package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortRun is what ONNX Runtime says while it makes a session or runs one.
func ortRun() []*Signature {
	return []*Signature{
		{
			ID: "ort-cuda-failure", Product: "onnxruntime",
			Literals:    []string{"CUDA failure "},
			Pattern:     `CUDA failure (?P<code>\d+): (?P<text>[a-zA-Z][^;]{3,160}?)\s*;\s*GPU=`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"DRV002", "ARC001", "ARC002", "CUD003"},
			Meaning:     "A call of the CUDA runtime failed inside ONNX Runtime, with the number and the text of the error.",
			Causes: causes(
				Cause{
					When:     on(Is("code", `^35$`)),
					Title:    "the driver[ {driver}] is too old for the CUDA that ONNX Runtime is built with[: CUDA {ort_cuda} || ; the text speaks of CUDA {runtime}]",
					Text:     "Error 35: the driver supports an older CUDA major release[ ({driver_cuda})] than the build. onnxruntime-gpu from 1.19 is built for CUDA 12 (driver 525.60.13 or newer), from 1.27 for CUDA 13 (580 or newer). In a container started without --gpus all the same error appears.",
					Remedies: []Remedy{fix("update the driver to 525.60.13 or newer for a CUDA 12 build, 580 or newer for CUDA 13"), fix("or install an onnxruntime-gpu for the CUDA of the driver: 1.18 or older for CUDA 11, below 1.27 for CUDA 12", "pip", "python -m pip install 'onnxruntime-gpu<1.27'")},
				},
				Cause{
					When:     on(Is("code", `^100$`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "ONNX Runtime finds no GPU: the container does not have one",
					Text:     "Error 100: no CUDA-capable device. The container was started without --gpus all, or CUDA_VISIBLE_DEVICES names none[ ({visible})].",
					Remedies: []Remedy{fix("start the container with the GPU, and check nvidia-smi inside", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					When:     on(Is("code", `^(100|101)$`)),
					Layer:    rule.DeviceExposure,
					Title:    "ONNX Runtime finds no GPU, or none of this number: error {code}",
					Text:     "Error 100 says that no GPU is visible, 101 that the device number does not exist. CUDA_VISIBLE_DEVICES hides GPUs[ (here {visible})] and renumbers the others from 0; device_id in the provider's options counts from 0.",
					Remedies: []Remedy{fix("unset CUDA_VISIBLE_DEVICES or let it name an existing GPU, and set device_id to 0", "bash", "unset CUDA_VISIBLE_DEVICES; nvidia-smi -L")},
					Ask:      "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES",
				},
				Cause{
					When:     on(Is("code", `^2$`)),
					Layer:    rule.Application,
					Title:    "the GPU's memory is full: ONNX Runtime got none",
					Text:     "Error 2 is out of memory. Another process holds the memory, or the model with its batch is too large; installing anything anew does not help.",
					Remedies: []Remedy{fix("see which process holds the memory, and use a smaller batch or gpu_mem_limit in the provider's options", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("code", `^(48|209|98|8)$`)),
					Layer:    rule.GPUArch,
					Title:    "this onnxruntime build has no code for the GPU[ {gpu}][ (compute capability {cc}, {sm})]",
					Text:     "Error {code}: no kernel for this GPU is in the build. New GPUs such as those of sm_120 (RTX 50) need onnxruntime-gpu 1.22 or newer with CUDA 12.8 or later; old ones were dropped by newer builds[ (here {onnxruntime})].",
					Remedies: []Remedy{fix("for a new GPU move to the newest onnxruntime-gpu, for an old one to an older release that still has its architecture; a newer driver does not add code to a build", "pip", "python -m pip install -U onnxruntime-gpu")},
				},
				Cause{
					When:     on(Is("code", `^222$`)),
					Title:    "the driver[ {driver}] is too old to compile the PTX in this onnxruntime build",
					Text:     "Error 222: the build has PTX for this GPU that a newer toolkit made than the driver knows. Compatibility within a CUDA major release does not cover PTX.",
					Remedies: []Remedy{fix("update the driver to one of the CUDA release of the build, or use a build that has machine code for the GPU")},
				},
				Cause{
					When:     on(Is("code", `^80[34]$`)),
					Layer:    rule.CUDARuntime,
					Title:    "a libcuda for forward compatibility is in use that does not work here (error {code})",
					Text:     "The cuda-compat libcuda of an image or package is found before the driver's. 804 says that the GPU may not use it (it is for data centre GPUs), 803 that it does not fit the loaded kernel module.",
					Remedies: []Remedy{fix("take the compat directory (/usr/local/cuda/compat) off LD_LIBRARY_PATH and out of the image's ld.so.conf.d; or update the driver")},
				},
				Cause{
					When:     on(Is("code", `^(700|710|719|716)$`)),
					Layer:    rule.Application,
					Title:    "a kernel failed while the model ran (error {code}: {text})",
					Text:     "The stack works: kernels run. The error comes from an operator, from bad indices in the model's inputs, or from a fault in this release of ONNX Runtime.",
					Remedies: []Remedy{fix("run the same input with CPUExecutionProvider; where it fails too, the model or the input is at fault, else try another onnxruntime-gpu release", "bash", "CUDA_LAUNCH_BLOCKING=1 python app.py")},
				},
				Cause{
					Layer:    rule.DeviceExposure,
					Title:    "CUDA cannot be started for ONNX Runtime: error {code}, {text}",
					Text:     "The error comes from the driver or from the access to the device, not from the model. 999 often follows sleep of the machine, when nvidia_uvm has lost its state; 46 says that another process has the GPU exclusively.",
					Remedies: []Remedy{fix("load nvidia_uvm anew, or restart the machine", "bash", "sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm")},
					Ask:      "whether another CUDA program runs: python -c \"import torch; print(torch.cuda.is_available())\", and nvidia-smi",
				},
			),
			Samples: []string{
				"onnxruntime::CudaCall(ERRTYPE, const char*) CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=-1 ; hostname=worker ; file=/onnxruntime_src/onnxruntime/core/providers/cuda/cuda_execution_provider.cc ; line=245 ; expr=cudaSetDevice(info_.device_id);",
				"CUDA failure 100: no CUDA-capable device is detected ; GPU=32767 ; hostname=5ac",
				"CUDA failure 209: no kernel image is available for execution on the device ; GPU=0",
			},
			Misses: []string{"NCCL WARN Cuda failure 'out of memory'"},
			Source: "https://github.com/microsoft/onnxruntime/issues/11561",
		},
	}
}
