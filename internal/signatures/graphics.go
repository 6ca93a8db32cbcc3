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
			ID: "opencv-no-cuda-modules", Product: "opencv",
			Literals: []string{"cv::cuda::", "cv::gpu::", "opencv2/cuda", "opencv2/gpu", "opencv2/core/cuda", "libopencv_cuda", "libopencv_gpu", "lopencv_cuda", "lopencv_gpu"},
			Pattern:  "undefined (?:reference to|symbol:?) [`'‘]?(?P<symbol>cv::(?P<space>cuda|gpu)::[\\w:]+)|opencv2/(?P<header>(?:cuda\\w*|gpu/\\w+|core/cuda\\w*)\\.hpp)'?: No such file|(?:cannot find -l(?P<lib>opencv_(?:cuda|gpu)\\w*)|(?P<lib>libopencv_(?:cuda|gpu)\\w*\\.so[.\\d]*): cannot open)",
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "A program needs OpenCV's modules for CUDA, and the OpenCV that is found does not have them.",
			Causes: causes(
				Cause{
					When:  on(Any(Is("space", "gpu"), Is("header", "^gpu"), Is("lib", "opencv_gpu"))),
					Title: "The OpenCV that is found has no module gpu[ ({symbol} || {header} || {lib})]: that is OpenCV 2.4's, built with CUDA; OpenCV 3 and newer call it cuda",
					Text:  "cv::gpu became cv::cuda with OpenCV 3.0, in modules of opencv_contrib since 4. OpenCV 2.4 compiles with CUDA 8 and older. Distributions build their packages without CUDA.",
					Remedies: []Remedy{
						fix("build OpenCV 2.4 with WITH_CUDA for this program, or use a release of the program for OpenCV 3 or 4", "check", "pkg-config --modversion opencv opencv4; ls /usr/local/lib/libopencv_gpu* /usr/local/lib/libopencv_cuda*"),
						fix("or build the program without its GPU option"),
					},
				},
				Cause{
					Title: "The OpenCV that is found has no CUDA modules[: {symbol} || : {header} || : {lib}]",
					Text:  "The modules cudaarithm, cudaimgproc and others come from opencv_contrib and are built with WITH_CUDA alone; packages of distributions and of pip have none. Where two OpenCVs are installed, headers of one and libraries of the other give undefined references.",
					Remedies: []Remedy{
						fix("build OpenCV with CUDA and contrib, and install it", "cmake", "cmake -D WITH_CUDA=ON -D OPENCV_EXTRA_MODULES_PATH=../opencv_contrib/modules -D CUDA_ARCH_BIN=8.6 -B build ."),
						fix("see which OpenCVs there are, and leave one", "check", "pkg-config --modversion opencv4; find / -name 'libopencv_core.so*' 2>/dev/null; opencv_version -v | grep -i -A3 cuda"),
					},
				},
			),
			Samples: []string{
				"libfoo.so.2: undefined reference to `cv::gpu::GpuMat::download(cv::Mat&) const'",
				"arithm.h:9:10: fatal error: opencv2/cudaarithm.hpp: No such file or directory",
			},
			Misses: []string{"undefined reference to `cv::Mat::create(int, int, int)'"},
			Source: "https://github.com/hybridgroup/gocv/issues/875",
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
			Literals: []string{"OPTIX_ERROR_UNSUPPORTED_ABI_VERSION", "OPTIX_ERROR_LIBRARY_NOT_FOUND", "OptiX initialization failed", "(optixInit()) failed with code", "Failed to load OptiX kernel", "Failed to load OptiX library", "Could not initialize OptiX", "DrJit considers the driver", "do not support OptiX with"},
			Pattern:  `OPTIX_ERROR_(?P<error>UNSUPPORTED_ABI_VERSION|LIBRARY_NOT_FOUND)|OptiX initialization failed(?: with error code (?P<error>\w+))?|Failed to load OptiX kernel|(?i:(?:failed to load|could not (?:load|initialize)) OptiX(?: library)?)|DrJit considers the driver|(?P<buggy>do not support OptiX with[^\n]{0,60}driver version (?P<baddrv>\d+))|optixInit\(\)\) failed with code (?P<error>\d+)`,
			Layer:    rule.Driver,
			Strength: Strong,
			Where:    on(Not(Seen("driver-nvvm-library-missing", "cuda-unsupported-ptx"))),
			Meaning:  "OptiX, which is part of the driver, cannot be used.",
			Causes: causes(
				Cause{
					When:     on(Any(Has("buggy"), Says("DrJit considers the driver"))),
					Title:    "Dr.Jit refuses OptiX with this driver[ {driver} || , of branch {baddrv}]: it is on its list of drivers that compile wrongly",
					Text:     "OptiX is part of the driver. Neither a CUDA toolkit nor an OptiX SDK changes it; the check goes by the driver's branch (565 and its neighbours such as 566).",
					Remedies: []Remedy{fix("install an older or a newer NVIDIA driver (550, or 570 and newer), or a newer Dr.Jit and Mitsuba", "check", "nvidia-smi"), fix("or use a variant with LLVM in place of CUDA")},
				},
				Cause{
					When:     on(Says("Failed to load OptiX library", "Could not load OptiX"), Not(InContainer)),
					Title:    "The program finds no OptiX library that fits: the driver[ {driver}] is too old for it or its part of OptiX (libnvoptix) is not installed, or, before OptiX 7, liboptix of the SDK is not on the library path",
					Text:     "From OptiX 7 on all of it comes with the driver (libnvoptix.so.1, nvoptix.dll; on Linux in the packages with OpenGL). OptiX 6.5 and older want their own liboptix.so on LD_LIBRARY_PATH besides. A CUDA toolkit brings neither.",
					Remedies: []Remedy{fix("see whether the driver's part is there, and install libnvidia-gl of the driver where not", "check", "nvidia-smi; ldconfig -p | grep -i optix"), fix("for OptiX 6.5 and older put the SDK's lib64 on LD_LIBRARY_PATH")},
				},
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
