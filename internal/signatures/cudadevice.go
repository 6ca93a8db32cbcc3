package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaDevice are the errors of CUDA about which device and which driver a program gets.
func cudaDevice() []*Signature {
	return []*Signature{
		{
			ID: "cuda-invalid-device", Product: "cuda",
			Literals: []string{"invalid device ordinal", "cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE", "Invalid device id", "Invalid CUDA 'device="},
			Pattern:  `(?:invalid device ordinal|cudaErrorInvalidDevice\b|CUDA_ERROR_INVALID_DEVICE\b|(?:AssertionError|ValueError|RuntimeError): Invalid device id|Invalid CUDA 'device=)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The program asked for a GPU by a number that CUDA does not show (error 101).",
			Causes: causes(
				Cause{
					When:     on(Has("visible")),
					Title:    "The program asks for a GPU number that CUDA_VISIBLE_DEVICES={visible} does not leave",
					Text:     "invalid device ordinal (101): CUDA numbers the GPUs that it shows from 0. With CUDA_VISIBLE_DEVICES={visible} the first one in the list is cuda:0, whatever its number in nvidia-smi.",
					Remedies: []Remedy{fix("count from 0 within CUDA_VISIBLE_DEVICES, or make the list longer", "check", "python -c 'import torch; print(torch.cuda.device_count())'")},
				},
				Cause{
					When:     on(Any(InContainer, InKubernetes)),
					Title:    "The program asks for a GPU number that this container does not have",
					Text:     "invalid device ordinal (101): inside a container the GPUs that were given to it are numbered from 0.",
					Remedies: []Remedy{fix("use device 0 upwards, or give the container more GPUs (--gpus all, or a higher limit of nvidia.com/gpu)", "check", "nvidia-smi -L")},
				},
				Cause{
					Layer: rule.Application,
					Title: "The program asks for a GPU number that is not there (invalid device ordinal, 101)",
					Text:  "Its configuration names more GPUs, or a higher number, than CUDA shows; numbers begin at 0. Not the stack.",
					Remedies: []Remedy{
						fix("set the device in the program's configuration to one that exists, such as cuda:0, and the number of processes to the number of GPUs", "check", "nvidia-smi -L; env | grep VISIBLE"),
					},
					Ask: "how many GPUs nvidia-smi -L lists, and which number the program asks for",
				},
			),
			Samples: []string{
				"RuntimeError: CUDA error: invalid device ordinal",
				"AssertionError: Invalid device id",
			},
			Misses: []string{"cudaErrorInvalidDeviceFunction: invalid device function"},
			Source: "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-unknown-error", Product: "cuda",
			Literals: []string{"CUDA error: unknown error", "cudaErrorUnknown", "CUDA_ERROR_UNKNOWN", "init failure: 999", "cuInit returned 999", "cudaGetDeviceCount returned 999"},
			Layer:    rule.DeviceExposure, Strength: Weak, ExplainedBy: []string{"DEV001", "DEV004", "KRN008", "KRN004", "DEV002", "DEV007"},
			Meaning: "The driver reports a failure that it has no name for (error 999).",
			Causes:  unknownErrorCauses,
			Samples: []string{"RuntimeError: CUDA error: unknown error", "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error"},
			Misses:  []string{"unknown error while reading the configuration"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-stub-library", Product: "cuda",
			Literals: []string{"CUDA driver is a stub library", "cudaErrorStubLibrary", "CUDA_ERROR_STUB_LIBRARY"},
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV003"},
			Meaning: "The process loaded the stub of libcuda, which the toolkit has for linking, in place of the driver's (error 34).",
			Causes: causes(Cause{
				Title: "The toolkit's stub of libcuda is loaded in place of the driver's (error 34)",
				Text:  "lib64/stubs/libcuda.so is for linking only. It is found first because its directory is in LD_LIBRARY_PATH[ ({library_path})], in an rpath, or was given to ldconfig.",
				Remedies: []Remedy{
					fix("take the stubs directory off LD_LIBRARY_PATH and out of /etc/ld.so.conf.d; it belongs on the linker's -L alone", "check", "ldconfig -p | grep libcuda.so; echo $LD_LIBRARY_PATH"),
				},
			}),
			Samples: []string{"CUDA error: CUDA driver is a stub library", "cudaErrorStubLibrary"},
			Misses:  []string{"linking against lib64/stubs/libcuda.so"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-newer-driver-needed", Product: "cuda",
			Literals: []string{"API call is not supported in the installed CUDA driver", "cudaErrorCallRequiresNewerDriver", "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"},
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The program runs by minor-version compatibility and calls what this driver does not have (error 36).",
			Causes: causes(Cause{
				When: on(Says("Warp CUDA error", "warp-lang", "native/warp.cu")), Layer: rule.FrameworkBuild,
				Title:    "This release of Warp (warp-lang) asks the driver for a function in a form that the driver[ {driver}] does not have, and goes on with the CPU",
				Text:     "Warp was made before the driver, or the driver before Warp: releases up to 1.7 fail on drivers of CUDA 13. The GPU and the toolkit are not at fault.",
				Remedies: []Remedy{fix("update Warp to a newer release", "pip", "python -m pip install -U warp-lang"), fix("where Warp is the newer one, update the driver", "check", "nvidia-smi")},
			}, Cause{
				Title:    "This driver[ ({driver})] lacks a function that the program's newer CUDA calls (error 36)",
				Text:     "Within a major release of CUDA an older driver runs most of a newer one, but not what came with it.",
				Remedies: []Remedy{fix("update the driver to the release that came with the program's CUDA[ {cuda}: {cuda|mindriver} or newer]")},
			}),
			Samples: []string{"RuntimeError: CUDA error: API call is not supported in the installed CUDA driver"},
			Misses:  []string{"this API call needs a newer driver"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
