package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nativeTools is what profilers, Triton Inference Server, NVDEC, DaVinci Resolve and others say in their own words.
func nativeTools() []*Signature {
	return []*Signature{
		{
			ID: "wgpu-no-adapter", Product: "wgpu",
			Literals: []string{"No adapter found for graphics API", "No suitable graphics adapter", "NoSuitableAdapter", "no suitable adapter", "No suitable adapter", "Failed to find an appropriate adapter", "RequestAdapterError"},
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "A program on wgpu (WebGPU) found no graphics adapter.",
			Causes: causes(
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title:    "wgpu finds no adapter in the container: Vulkan's part of the driver is not in it",
					Text:     "wgpu speaks Vulkan (or OpenGL), not CUDA. The container toolkit brings it in with the capability graphics, and the image needs the Vulkan loader (libvulkan1).",
					Remedies: []Remedy{fix("start it with all capabilities", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all {image}")},
				},
				Cause{
					Title: "wgpu finds no adapter: there is no Vulkan here that shows the GPU[ {gpu}][; the driver is {driver}]",
					Text:  "wgpu speaks Vulkan (or OpenGL), not CUDA, so nvidia-smi and CUDA may work all the same. On Linux it needs the loader libvulkan.so.1 and the driver's nvidia_icd.json with libGLX_nvidia, which headless installations leave out.",
					Remedies: []Remedy{
						fix("install the loader and the driver's graphics libraries, and see what Vulkan lists", "Debian and Ubuntu", "sudo apt-get install libvulkan1 vulkan-tools libnvidia-gl-{driver|branch}", "check", "vulkaninfo --summary"),
						fix("or build the program with its backend for CUDA where it has one (burn: feature cuda)"),
					},
					Ask: "vulkaninfo --summary",
				},
			),
			Samples: []string{"No adapter found for graphics API AutoGraphicsApi", "thread 'main' panicked: Failed to find an appropriate adapter"},
			Misses:  []string{"adapter NVIDIA GeForce RTX 3060 found"},
			Source:  "https://github.com/tracel-ai/burn/issues/1691",
		},
		{
			ID: "cuda-dll-name", Product: "cudarc",
			Literals: []string{"cuda.dll", "cuda64.dll"},
			Pattern:  `(?i)\b(?:find|load|locate|missing|LoadLibrary)\b[^\n]{0,24}?['"\x60 ](?P<file>cuda(?:64)?\.dll)\b|\b(?P<file>cuda(?:64)?\.dll)['"\x60]?[^\n]{0,20}not (?:be )?(?:found|available)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "A program asks Windows for cuda.dll, which does not exist.",
			Causes: causes(Cause{
				Title:    "The program looks for {file}: the driver's library on Windows is called nvcuda.dll, and this release of its CUDA bindings does not know that",
				Text:     "cudarc and other bindings had the names of Linux alone in some releases, also for the toolkit's DLLs (cublas64_12.dll, nvrtc64_120_0.dll). The driver is not at fault.",
				Remedies: []Remedy{fix("update the crate and the program (cargo update -p cudarc)", "check", "where nvcuda.dll cublas64_12.dll"), fix("until then a copy of nvcuda.dll under the wanted name beside the program does")},
			}),
			Samples: []string{"The system is unable to find cuda.dll, which is not available on my machine."},
			Misses:  []string{"nvcuda.dll not found", "loaded cuda.dll.a"},
			Source:  "https://github.com/huggingface/candle/issues/2175",
		},
		{
			ID: "opencl-call-failed", Product: "opencl",
			Literals: []string{"clCreateContext", "clGetDeviceIDs", "clBuildProgram", "clCreateCommandQueue", "clEnqueue", "clGetPlatformInfo", "CL_DEVICE_NOT", "CL_OUT_OF", "CL_BUILD_PROGRAM", "CL_INVALID_", "OpenCL error"},
			Pattern:  `\bcl(?:Create\w+|GetDeviceIDs|BuildProgram|Enqueue\w+|GetPlatformInfo)(?:\([^)\n]{0,30}\))?[^\n]{0,20}?(?:failed|returned|error|->)[: ]*(?:with )?(?:error )?(?:code )?(?P<text>-?\d{1,4}\b|[A-Za-z][^\n]{3,50})|\b(?P<text>CL_(?:DEVICE_NOT_(?:FOUND|AVAILABLE)|OUT_OF_(?:RESOURCES|HOST_MEMORY)|BUILD_PROGRAM_FAILURE|INVALID_(?:PLATFORM|DEVICE|CONTEXT|WORK_GROUP_SIZE|BINARY)))\b|OpenCL error:? \(?(?P<text>-\d{1,4})\b`,
			Layer:    rule.Driver, Strength: Weak,
			Where:   on(Not(Seen("opencl-or-cuda-none"))),
			Meaning: "A call of OpenCL failed.",
			Causes: causes(
				Cause{
					When: on(Is("text", `^-[456]$|OUT_OF|out of`)), Layer: rule.Application,
					Title:    "OpenCL failed ({text}): the GPU's memory[ of the {gpu}] is full, or a kernel broke off",
					Text:     "-4 and -6 are want of memory, on the GPU or on the host; -5 (CL_OUT_OF_RESOURCES) is also how NVIDIA's OpenCL reports a kernel that crashed or ran into the display driver's time limit.",
					Remedies: []Remedy{fix("use smaller data, and end other processes on the GPU", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("text", `^-11$|BUILD_PROGRAM|^-5[0-9]$|WORK_GROUP|^-42$|INVALID_BINARY`)), Layer: rule.Application,
					Title:    "OpenCL refused the program's kernel or its sizes ({text})",
					Text:     "The kernel does not compile with this driver's OpenCL[ ({driver})], a cached binary is of another driver, or the sizes do not fit the GPU.",
					Remedies: []Remedy{fix("delete the program's cache of kernels, and update the driver or the program", "shell", "rm -rf ~/.nv/ComputeCache"), fix("read the build log that the program prints")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "OpenCL of the NVIDIA driver does not start on the GPU[ {gpu}] ({text}): the driver's OpenCL part is missing or damaged, the GPU is asleep or taken, or the program speaks to another platform",
					Text:       "On laptops with two GPUs the NVIDIA one may be switched off (-2, device not available); an OpenCL SDK of another vendor brings a loader of its own. libnvidia-opencl.so.1 and nvidia.icd (nvopencl64.dll on Windows) come with the driver, not with the CUDA toolkit.",
					Remedies: []Remedy{
						fix("see which platforms and devices there are, and install the newest NVIDIA driver", "check", "clinfo -l; nvidia-smi"),
						fix("on a laptop run the program on the NVIDIA GPU", "shell", "__NV_PRIME_RENDER_OFFLOAD=1 PROGRAM"),
					},
					Ask: "the output of clinfo, and nvidia-smi",
				},
			),
			Samples: []string{"!!!!!!! clCreateContextFromType() failed device not available", "clGetDeviceIDs failed: CL_DEVICE_NOT_FOUND", "OpenCL error -5 in kernel"},
			Misses:  []string{"clCreateContext is called first", "OpenCL platform 0: NVIDIA CUDA"},
			Source:  "https://github.com/Syncleus/aparapi/issues/16",
		},
		{
			ID: "vulkan-out-of-memory", Product: "vulkan",
			Literals: []string{"ErrorOutOfDeviceMemory", "VK_ERROR_OUT_OF_DEVICE_MEMORY", "allocating vulkan memory"},
			Layer:    rule.Application, Strength: Strong,
			Meaning: "Vulkan has no memory on the device that the program chose.",
			Causes: causes(Cause{
				Title:    "Not the stack: Vulkan could not allocate memory on the device that the program chose[ ({gpu})] (ErrorOutOfDeviceMemory)",
				Text:     "The data is larger than what is free there, or the program took another device than the large GPU: a small display GPU or the integrated one comes first in some machines. CUDA is not concerned.",
				Remedies: []Remedy{fix("choose the GPU in the program's settings, and see which devices Vulkan lists", "check", "vulkaninfo --summary; nvidia-smi"), fix("or use a smaller model or fewer layers on the GPU")},
			}),
			Samples: []string{"Error allocating memory ErrorOutOfDeviceMemory", "vk_error: VK_ERROR_OUT_OF_DEVICE_MEMORY"},
			Misses:  []string{"Vulkan memory allocated"},
			Source:  "https://github.com/nomic-ai/gpt4all/issues/1690",
		},
		{
			ID: "arrayfire-backend", Product: "arrayfire",
			Literals: []string{"ArrayFire Error", "ArrayFire Exception"},
			Pattern:  `ArrayFire (?:Error|Exception) ?\((?P<code>501)\)|ArrayFire Exception \(Failed to load dynamic library(?P<code>:501)?`,
			Layer:    rule.CUDALibraries, Strength: Strong,
			Meaning: "ArrayFire's unified library could not load a backend.",
			Causes: causes(Cause{
				Title: "ArrayFire cannot load its CUDA backend (afcuda, error 501): libraries of the CUDA release that it is built with are not found[; the GPU is a {gpu} ({cc})]",
				Text:  "afcuda is linked to cuFFT, cuBLAS, cuSOLVER, NVRTC and NVVM of one CUDA release, which have to be on the library path (on Linux also nvvm/lib64) or beside it. A GPU that is older than that CUDA supports is not used either, and OpenCL takes its place.",
				Remedies: []Remedy{
					fix("see what afcuda does not find", "Linux", "ldd $(find / -name 'libafcuda.so*' 2>/dev/null | head -1) | grep 'not found'; AF_TRACE=all ./program"),
					fix("install the CUDA release that this ArrayFire is built with, or ArrayFire's installer that brings it", "shell", "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:/usr/local/cuda/nvvm/lib64:$LD_LIBRARY_PATH"),
				},
				Ask: "ArrayFire's release and the GPU",
			}),
			Samples: []string{"ERROR: ArrayFire Error (501) : Failed to load dynamic library."},
			Misses:  []string{"ArrayFire Exception (Internal error:998)"},
			Source:  "https://github.com/JuliaGPU/ArrayFire.jl/issues/214",
		},
		{
			ID: "gputil-no-gpu", Product: "gputil",
			Literals: []string{"GPUtil.getGPUs()[0]", "getGPUs()[0]"},
			Beside:   []string{"indexerror"},
			Layer:    rule.DeviceExposure,
			Meaning:  "A program asks nvidia-smi for GPUs through GPUtil and gets none.",
			Causes: causes(
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title:    "nvidia-smi lists no GPU in the container, or is not there (GPUtil.getGPUs() is empty)",
					Text:     "The container was started without the GPU or without the capability utility, or the host's driver is one without the parts that the image wants (headless packages leave out OpenGL and NVENC).",
					Remedies: []Remedy{fix("start it with the GPU and all capabilities", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all {image}", "check", "nvidia-smi")},
				},
				Cause{
					Title:    "nvidia-smi lists no GPU, or is not there (GPUtil.getGPUs() is empty)",
					Text:     "GPUtil reads what nvidia-smi prints. The driver is missing or does not answer.",
					Remedies: []Remedy{fix("see what it says", "check", "nvidia-smi")},
				},
			),
			Samples: []string{"gpu = GPUtil.getGPUs()[0]\nIndexError: list index out of range"},
			Misses:  []string{"gpus = GPUtil.getGPUs()"},
			Source:  "https://github.com/selkies-project/docker-selkies-egl-desktop/issues/27",
		},
		{
			ID: "profiler-permission", Product: "nsight",
			Literals: []string{"ERR_NVGPUCTRPERM", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "permission to access NVIDIA GPU Performance Counters", "permission to profile on the target device"},
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The driver gives the GPU's performance counters to administrators alone.",
			Causes: causes(
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title: "The profiler may not read the GPU's counters in this container: it needs the capability SYS_ADMIN, or the host's driver has to let all users (ERR_NVGPUCTRPERM, error 35 of CUPTI)",
					Text:  "Since driver 418 the counters are for administrators. Rented containers mostly do not allow it. Everything else of CUDA is in order.",
					Remedies: []Remedy{
						fix("start the container with it", "docker", "docker run --gpus all --cap-add=SYS_ADMIN {image}"),
						fix("or let all users on the host, and restart it", "host", "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf"),
					},
				},
				Cause{
					Title: "The profiler may not read the GPU's counters: the driver keeps them for administrators (ERR_NVGPUCTRPERM, error 35 of CUPTI)",
					Text:  "Since driver 418 that is the default. Nothing else of CUDA is concerned.",
					Remedies: []Remedy{
						fix("profile as root (sudo, with the full path of ncu), or let all users and restart", "host", "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf && sudo update-initramfs -u", "check", "grep RmProfilingAdminOnly /proc/driver/nvidia/params"),
						fix("on Windows and WSL switch it on for all users in the NVIDIA Control Panel (Developer, Manage GPU Performance Counters)"),
					},
				},
			),
			Samples: []string{"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.", "failed with error CUPTI_ERROR_INSUFFICIENT_PRIVILEGES."},
			Misses:  []string{"RmProfilingAdminOnly: 1"},
			Source:  "https://github.com/HazyResearch/ThunderKittens/issues/73",
		},
		{
			ID: "triton-gpu-id", Product: "triton inference server",
			Literals: []string{"specifies invalid or unsupported gpu id", "has kind KIND_GPU but no GPUs are available", "supports only GPU device", "has kind KIND_GPU but specifies no GPUs"},
			Pattern:  `specifies invalid or unsupported gpu id (?P<id>\d+)(?:[\s\S]{0,120}?compatibility of [\d.]+ are:? ?(?P<list>\d[\d, ]*))?|has kind KIND_GPU but (?P<none>no GPUs are available|specifies no GPUs)|backend (?P<none>supports only GPU device)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "Triton Inference Server does not see the GPU that a model's instance group asks for.",
			Causes: causes(
				Cause{
					When: on(Has("list")), Layer: rule.Application,
					Title:    "The model asks for GPU {id}, and Triton sees only GPU {list}",
					Text:     "The numbers in instance_group are those that CUDA shows to the server: the container's --gpus, CUDA_VISIBLE_DEVICES and MIG leave GPUs out and count anew from 0.",
					Remedies: []Remedy{fix("name GPUs that are there in config.pbtxt, or none of them, for all", "check", "docker exec CONTAINER nvidia-smi -L"), fix("or start the server with all of them", "docker", "docker run --gpus all {image}")},
				},
				Cause{
					Title: "Triton sees no GPU[ {id}]: the server was started without it, or the driver[ {driver}] of the host does not serve this image's CUDA or this GPU[ {gpu}]",
					Text:  "The list of GPUs in the message is empty when CUDA does not start in the container. Its first lines tell: whether the driver was detected, whether its release is too old for the image, and whether cuda-compat is in use.",
					Remedies: []Remedy{
						fix("start it with the GPU, and see that nvidia-smi works in it", "docker", "docker run --rm --gpus all {image} nvidia-smi"),
						fix("update the driver of the host, or take an image of its time; GPUs of RTX 50 need driver 570 and an image of 25.01 or newer"),
					},
					Ask: "nvidia-smi in the container, and the server's first lines",
				},
			),
			Samples: []string{
				"instance group m_1 of model m specifies invalid or unsupported gpu id 1. GPUs with at least  the minimum required CUDA compute compatibility of 6.000000 are: 0",
				"instance group m_0 of model m has kind KIND_GPU but no GPUs are available",
			},
			Misses: []string{"instance_group [ { kind: KIND_GPU } ]"},
			Source: "https://github.com/triton-inference-server/server/issues/2584",
		},
		{
			ID: "cuda-samples-header", Product: "cuda samples",
			Literals: []string{"helper_cuda.h", "helper_math.h", "fatal error: cutil", "cutil_inline.h", "helper_functions.h"},
			Pattern:  `(?P<file>(?:helper_(?:cuda|math|functions|string|timer|gl)|cutil(?:_\w+)?)\.h)'?: No such file or directory|[Cc]annot open (?:include|source) file:? ["']?(?P<file>(?:helper_(?:cuda|math|functions|string|timer|gl)|cutil(?:_\w+)?)\.h)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "A header of the CUDA samples is not found in a build.",
			Causes: causes(Cause{
				Title:    "{file} is not found: it belongs to the CUDA samples, which the toolkit no longer brings",
				Text:     "Since CUDA 11.6 the samples are a repository of their own, with these headers in Common; before, they were in samples/common/inc. cutil is of CUDA 4 and older.",
				Remedies: []Remedy{fix("get the samples of the toolkit's release and give the compiler their Common", "shell", "git clone https://github.com/NVIDIA/cuda-samples; export CPATH=$PWD/cuda-samples/Common:$CPATH")},
			}),
			Samples: []string{"main.cu:3:10: fatal error: helper_cuda.h: No such file or directory"},
			Misses:  []string{"CUDA error at ../../common/inc/helper_cuda.h:791 code=100"},
			Source:  "https://github.com/NVIDIA/cuda-samples",
		},
		{
			ID: "flux-cuda-not-functional", Product: "cuda.jl",
			Literals: []string{"CUDA.jl is not functional", "GPU function is being called despite the GPU not being accessible", "CUDA functionality is being called but", "CUDA.functional() = false", "CUDA.functional() == false"},
			Pattern:  `CUDA\.jl is not functional|(?P<warn>GPU function is being called despite)|CUDA functionality is being called but(?:[^\n]*\n?[^\n]*?(?P<load>must be loaded))?|CUDA\.functional\(\)\s*(?:==?|returns)?\s*false`,
			Layer:    rule.Driver,
			Meaning:  "Flux works on the CPU, for CUDA.jl is not loaded or found no usable GPU.",
			Causes: causes(
				Cause{
					When: on(Has("load")), Layer: rule.Application,
					Title:    "CUDA.jl is not loaded: since Flux 0.14 a program says using CUDA (and using cuDNN) itself",
					Text:     "It is an extension of Flux now. Driver and GPU are not at fault.",
					Remedies: []Remedy{fix("load them before gpu is called", "julia", "import Pkg; Pkg.add([\"CUDA\", \"cuDNN\"]); using CUDA, cuDNN, Flux")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "CUDA.jl finds no GPU that it can use, and Flux stays on the CPU: the driver[ {driver}] is missing or too old for it, or no runtime is available for this machine",
					Text:       "CUDA.functional(true) throws the reason. CUDA.jl needs only the driver; it downloads the toolkit (CUDA_Runtime_jll), which fails without a network, and chooses none when the package was precompiled on a machine without a GPU.",
					Remedies:   []Remedy{fix("see the reason", "julia", "using CUDA; CUDA.functional(true); CUDA.versioninfo()", "check", "nvidia-smi"), fix("where it was precompiled without a GPU, name the runtime and restart Julia", "julia", "CUDA.set_runtime_version!(v\"12.6\")")},
					Ask:        "CUDA.versioninfo(); nvidia-smi",
				},
			),
			Samples: []string{"┌ Info: The CUDA functionality is being called but\n│ `CUDA.jl` must be loaded to access it.", "│ The CUDA function is being called but CUDA.jl is not functional."},
			Misses:  []string{"CUDA.functional() = true"},
			Source:  "https://github.com/FluxML/Flux.jl/issues/2294",
		},
	}
}
