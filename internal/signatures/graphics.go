package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// graphics are OpenCV, dlib, and renderers with OptiX.
func graphics() []*Signature {
	return []*Signature{
		{
			ID: "opencv-no-cuda", Product: "opencv",
			Literals: []string{"The library is compiled without CUDA support", "OpenCV was not built to work with", "DNN module was not built with CUDA backend", "compiled without CUDA support"},
			Pattern:  `library is compiled without CUDA support|DNN module was not built with CUDA backend|OpenCV was not built (?:to work )?with CUDA`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "This OpenCV has no CUDA code.",
			Causes: causes(Cause{
				Title:    "this OpenCV is built without CUDA: the packages opencv-python are for the CPU",
				Text:     "All wheels of opencv-python are built without CUDA. The DNN module then takes the CPU, also where DNN_BACKEND_CUDA is asked for. Drivers and toolkits do not change this.",
				Remedies: []Remedy{fix("build OpenCV from source with -D WITH_CUDA=ON -D WITH_CUDNN=ON -D OPENCV_DNN_CUDA=ON -D CUDA_ARCH_BIN of the GPU[ ({cc})], and remove the opencv-python wheels", "pip", "python -m pip uninstall -y opencv-python opencv-contrib-python opencv-python-headless"), fix("or run the model with ONNX Runtime or PyTorch")},
				Ask:      "python -c 'import cv2; print(cv2.getBuildInformation())' | grep -iA4 cuda",
			}),
			Samples: []string{"cv2.error: OpenCV(4.9.0) core/include/opencv2/core/private.cuda.hpp:106: error: (-216:No CUDA support) The library is compiled without CUDA support in function 'throw_no_cuda'", "[ WARN:0] global dnn.cpp (1482) setUpNet DNN module was not built with CUDA backend; switching to CPU"},
			Misses:  []string{"NVIDIA CUDA: YES (ver 12.1)"},
			Source:  "https://github.com/feichtenhofer/gpu_flow/issues/11",
		},
		{
			ID: "opencv-cuda-error", Product: "opencv",
			Literals:    []string{"Gpu API call", "(-217:Gpu API call)", "cuda4dnn", "CUDA_ARCH_BIN"},
			Pattern:     `OpenCV was not (?P<text>built to work with the selected device)|-217:Gpu API call\) (?P<text>[a-zA-Z][^\n]{3,80}?) in function|cuda4dnn.{0,200}?\) (?P<text>no kernel image[a-z ]+|CUDNN_STATUS_\w+|CUBLAS_STATUS_\w+)`,
			Layer:       rule.GPUArch,
			ExplainedBy: []string{"DRV002", "ARC001"},
			Meaning:     "A CUDA call failed in OpenCV.",
			Causes: causes(
				Cause{
					When:     on(Is("text", `selected device|no kernel image|invalid device function|invalid resource handle`)),
					Title:    "this OpenCV has no code for the GPU[ {gpu}][ (compute capability {cc})]",
					Text:     "CUDA_ARCH_BIN did not name the GPU's architecture when OpenCV was built.",
					Remedies: []Remedy{fix("build it anew with the GPU's architecture", "cmake", "cmake -D WITH_CUDA=ON -D CUDA_ARCH_BIN={cc} ..")},
				},
				Cause{
					When:     on(Is("text", `driver version is insufficient`)),
					Layer:    rule.Driver,
					Title:    "the driver[ {driver}] is too old for the CUDA that OpenCV was built with",
					Text:     "The driver supports an older CUDA major release, or the process has no access to it.",
					Remedies: []Remedy{fix("update the driver, or build OpenCV with the driver's CUDA")},
				},
				Cause{
					When:     on(Is("text", `out of memory`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "OpenCV got no more memory.",
					Remedies: []Remedy{fix("use smaller images or batches", "bash", "nvidia-smi")},
				},
				Cause{
					When:  on(Is("text", `^unknown error|no CUDA-capable device|initialization error`)),
					Layer: rule.Driver, Confidence: rule.Possible,
					Title:    "OpenCV's first CUDA call fails ({text}): the driver[ {driver}] is most likely too old for the CUDA that OpenCV was built with, or not working",
					Text:     "getCudaEnabledDeviceCount only asks the driver for its GPUs. It fails where the driver is older than OpenCV's CUDA, was updated without a restart, or is not reached.",
					Remedies: []Remedy{fix("update the driver, restart, and see that nvidia-smi works", "shell", "nvidia-smi"), fix("or build OpenCV with a CUDA that the driver supports")},
					Ask:      "nvidia-smi, and the lines of CUDA in cv2.getBuildInformation()",
				},
				Cause{
					Layer:      rule.CUDARuntime,
					Confidence: rule.Possible,
					Title:      "a CUDA call failed in OpenCV: {text}",
					Text:       "See what the text says; cuDNN errors mean another cuDNN than OpenCV was built with, or full memory.",
					Remedies:   []Remedy{fix("check driver and memory", "bash", "nvidia-smi")},
					Ask:        "cv2.getBuildInformation(), the lines of CUDA and cuDNN",
				},
			),
			Samples: []string{"error: (-216:No CUDA support) OpenCV was not built to work with the selected device. Please check CUDA_ARCH_PTX or CUDA_ARCH_BIN in your build configuration. in function 'initCUDABackend'", "error: (-217:Gpu API call) no kernel image is available for execution on the device in function 'copy'", "error: (-217:Gpu API call) CUDA driver version is insufficient for CUDA runtime version in function 'getDevice'"},
			Misses:  []string{"cmake -D CUDA_ARCH_BIN=8.6"},
			Source:  "https://github.com/opencv/opencv/issues/20706",
		},
		{
			ID: "dlib-cuda", Product: "dlib",
			Literals: []string{"Error while calling cuda", "DLIB WILL NOT USE CUDA", "dlib will not use CUDA", "in file dlib/cuda"},
			Pattern:  `Error while calling cuda\w+\([^)]*\)(?: in file \S+)?.{0,80}?code: (?P<code>\d+), reason: (?P<text>[^\n]{3,80})|(?i:dlib will not use CUDA)`,
			Layer:    rule.Driver,
			Meaning:  "dlib could not use CUDA.",
			Causes: causes(
				Cause{
					When:     on(Not(Has("code"))),
					Layer:    rule.Toolkit,
					Title:    "dlib was built without CUDA: its build found no usable CUDA toolkit or cuDNN",
					Text:     "pip builds dlib from source; the lines before say what was missing: nvcc, a host compiler that it accepts, or cuDNN's headers.",
					Remedies: []Remedy{fix("install the CUDA toolkit with nvcc and cuDNN's development package, and build anew", "pip", "python -m pip install --no-cache-dir --force-reinstall dlib")},
				},
				Cause{
					When:     on(Is("text", `insufficient`)),
					Title:    "the driver[ {driver}] is too old for the CUDA that dlib was built with",
					Text:     "The driver supports an older CUDA major release, or the process has no access to it.",
					Remedies: []Remedy{fix("update the driver, or build dlib with an older toolkit")},
				},
				Cause{
					When:     on(Is("text", `no CUDA-capable`)),
					Layer:    rule.DeviceExposure,
					Title:    "dlib sees no GPU",
					Text:     "A dlib with CUDA needs one even for work on the CPU.",
					Remedies: []Remedy{fix("make the GPU visible, or build dlib without CUDA (DLIB_USE_CUDA=0)", "bash", "nvidia-smi -L")},
				},
				Cause{
					When:     on(Is("text", `out of memory`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "The image or batch is too large for the network.",
					Remedies: []Remedy{fix("use smaller images, or end other processes on the GPU", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("text", `selected device|no kernel image|invalid device function`)),
					Layer:    rule.GPUArch,
					Title:    "dlib was built for another GPU architecture than this one's[ ({sm})]",
					Text:     "Its build names one compute capability.",
					Remedies: []Remedy{fix("build it anew for this GPU", "pip", "python -m pip install --no-cache-dir --force-reinstall dlib")},
				},
				Cause{
					Title:    "CUDA failed in dlib: {text}",
					Text:     "Error {code} of the CUDA runtime.",
					Remedies: []Remedy{fix("check the driver", "bash", "nvidia-smi")},
				},
			),
			Samples: []string{"RuntimeError: Error while calling cudaGetDevice(&the_device_id) in file /opt/dlib/cuda/gpu_data.cpp:204. code: 35, reason: CUDA driver version is insufficient for CUDA runtime version", "-- DLIB WILL NOT USE CUDA"},
			Misses:  []string{"DLIB WILL USE CUDA"},
			Source:  "https://github.com/ageitgey/face_recognition/issues/31",
		},
		{
			ID: "optix-not-supported", Product: "optix",
			Literals: []string{"OPTIX_ERROR_UNSUPPORTED_ABI_VERSION", "OPTIX_ERROR_LIBRARY_NOT_FOUND", "OptiX initialization failed", "(optixInit()) failed with code", "Failed to load OptiX kernel"},
			Pattern:  `OPTIX_ERROR_(?P<error>UNSUPPORTED_ABI_VERSION|LIBRARY_NOT_FOUND)|OptiX initialization failed(?: with error code (?P<error>\w+))?|Failed to load OptiX kernel|optixInit\(\)\) failed with code (?P<error>\d+)`,
			Layer:    rule.Driver,
			Strength: Strong,
			Meaning:  "OptiX, which is part of the driver, cannot be used.",
			Causes: causes(
				Cause{
					When:     on(Is("error", `LIBRARY_NOT_FOUND`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "libnvoptix.so.1 is not in the container: the capability graphics is missing",
					Text:     "The container toolkit mounts it with NVIDIA_DRIVER_CAPABILITIES graphics or all.",
					Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=all", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all {image}")},
				},
				Cause{
					Title:    "the driver[ {driver}] is too old for the OptiX release of the program, or lacks libnvoptix[ ({error})]",
					Text:     "The program asks for a newer OptiX than the driver has (7871 is UNSUPPORTED_ABI_VERSION). A CUDA toolkit does not bring OptiX.",
					Remedies: []Remedy{fix("update the driver (OptiX 7.4 needs 495, 8.0 needs 535, 9.0 needs 570), or choose CUDA instead of OptiX in the program")},
				},
			),
			Samples: []string{"OptiX initialization failed with error code 7871", "OPTIX_ERROR_UNSUPPORTED_ABI_VERSION"},
			Misses:  []string{"OptiX initialised"},
			Source:  "https://github.com/owl-project/NVISII/issues/40",
		},
	}
}
