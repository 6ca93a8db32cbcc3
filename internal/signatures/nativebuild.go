package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nativeBuild is what CMake, MSBuild, FFmpeg's configure and MATLAB say where a toolkit is not found or does not fit.
func nativeBuild() []*Signature {
	return []*Signature{
		{
			ID: "toolkit-tool-missing", Product: "cuda toolkit",
			Literals: []string{"nvdisasm", "cuobjdump", "fatbinary: ", "libdevice.compute_", "libdevice.10.bc"},
			Pattern:  `(?i)(?:find|locate|execute|exec|run|spawn|open:?)\b[^\n]{0,70}?['"\x60/ ](?P<tool>nvdisasm|cuobjdump|libdevice(?:\.compute_\d+)?\.10\.bc)\b|\b(?P<tool>nvdisasm|cuobjdump|fatbinary): (?:command )?not found`,
			Where:    on(Not(Seen("xla-libdevice-missing", "numba-nvvm-missing", "clang-cuda-installation"))),
			Layer:    rule.Toolkit,
			Meaning:  "A part of the CUDA toolkit that the build or the program uses is not there.",
			Causes: causes(
				Cause{
					When:  on(Is("tool", "libdevice")),
					Title: "{tool} is not in the CUDA toolkit[ {toolkit}]: it is not complete, or another release than the build expects",
					Text:  "Up to CUDA 8 there was a libdevice file for each of a few architectures (libdevice.compute_50.10.bc), from CUDA 9 on one for all (libdevice.10.bc in nvvm/libdevice). Build files that name the old ones work with CUDA 8 alone.",
					Remedies: []Remedy{
						fix("see which there is, and build with the toolkit of that time or a newer release of the project", "check", "ls /usr/local/cuda/nvvm/libdevice; nvcc --version"),
						fix("where the directory is empty, install the toolkit anew and complete (cuda-nvvm, cuda-nvcc)"),
					},
				},
				Cause{
					Title: "{tool} of the CUDA toolkit[ {toolkit}] is not found: the package that has it is not installed, or it is not on PATH",
					Text:  "Distributions and other repositories pack the toolkit in parts: {tool} is among the binary utilities (cuda-nvdisasm, cuda-cuobjdump, cuda-command-line-tools, in negativo17's repository cuda-cli-tools) or comes with nvcc.",
					Remedies: []Remedy{
						fix("install the rest of the toolkit, and put its bin directory on PATH", "shell", "export PATH=/usr/local/cuda/bin:$PATH", "check", "which -a nvcc {tool}"),
					},
				},
			),
			Samples: []string{"The verbose error said it was a failure to find `nvdisasm`.", "error in open: /usr/local/cuda/bin/../nvvm/libdevice/libdevice.compute_50.10.bc\nNo such file or directory", "sh: 1: cuobjdump: not found"},
			Misses:  []string{"nvlink error : Undefined reference to 'foo'", "cuobjdump -all app lists it"},
			Source:  "https://github.com/JuliaGPU/CUDAnative.jl/issues/503",
		},
		{
			ID: "wants-other-cuda", Product: "CUDA programs",
			Literals: []string{"found CUDA ", "Found CUDA ", "requires CUDA ", "Requires CUDA ", "needs CUDA ", "built for CUDA "},
			Pattern: `(?i)found CUDA (?P<have>\d+\.\d+)\b[^\n]{0,12}\bbut\b[^\n]{0,40}?\b(?:requires?|needs?|expects?|wants?|built (?:for|with))\b (?:CUDA )?(?:version )?(?P<need>\d+(?:\.\d+)?)|` +
				`(?:requires|needs|built for) CUDA (?:version )?(?P<need>\d+\.\d+)[^\n]{0,12}\bbut\b[^\n]{0,30}?\b(?:found|has|have|installed|is)\b (?:CUDA )?(?:version )?(?P<have>\d+\.\d+)`,
			Layer:   rule.Toolkit,
			Where:   on(Differ("need", "have")),
			Meaning: "A program, an SDK or its installer wants another CUDA than the one that it finds.",
			Causes: causes(
				Cause{
					When:  on(OnJetson),
					Title: "It wants CUDA {need}, and this Jetson has CUDA {have}: the package is for another JetPack",
					Text:  "On a Jetson CUDA belongs to the JetPack release and is not exchanged alone. SDKs have one package for each JetPack[ (here JetPack {l4t|jetpack})].",
					Remedies: []Remedy{
						fix("take the package that is made for this JetPack and its CUDA {have}, or a newer release of the SDK", "check", "cat /etc/nv_tegra_release; nvcc --version"),
						fix("or install the JetPack that has CUDA {need}"),
					},
				},
				Cause{
					Title: "It wants CUDA {need}, and finds CUDA {have}",
					Text:  "Its libraries have the release of CUDA in their names; another one does not serve, an older one as little as a newer one. CUDA toolkits can be installed beside each other.",
					Remedies: []Remedy{
						fix("take the build for CUDA {have}, where there is one"),
						fix("or install CUDA {need} beside it and put it first", "shell", "export PATH=/usr/local/cuda-{need}/bin:$PATH LD_LIBRARY_PATH=/usr/local/cuda-{need}/lib64:$LD_LIBRARY_PATH"),
					},
				},
			),
			Samples: []string{"ERROR : Found CUDA 8.0 but the ZED SDK requires 9.0", "this build requires CUDA 11.8 but the machine has CUDA 12.4"},
			Misses:  []string{"-- Found CUDA 11.8 and cuDNN 8.9", "it needs CUDA 11.8 or newer"},
			Source:  "https://github.com/stereolabs/zed-python-api/issues/26",
		},
		{
			ID: "cmake-cuda-library-notfound", Product: "cmake",
			Literals: []string{"CUDA_cublas_device_LIBRARY", "CUDA_nppi_LIBRARY", "CUDA_cublas_LIBRARY", "CUDA_nppicom_LIBRARY", "CUDA_cufft_LIBRARY", "CUDA_CUDA_LIBRARY", "CUDA_CUDART_LIBRARY", "CUDA_npp_LIBRARY", "CUDA_nvcuvid_LIBRARY", "CUDA_curand_LIBRARY", "CUDA_cusparse_LIBRARY", "CUDA_cusolver_LIBRARY"},
			Beside:   []string{"notfound", "advanced", "not found"},
			Pattern:  `(?P<var>CUDA_(?P<name>cublas_device|nppicom|nppi|npp|cublas|cufft|CUDA|CUDART|nvcuvid|curand|cusparse|cusolver)_LIBRARY)(?: \(ADVANCED\)|[ -]?NOTFOUND|[^\n]{0,40}not ?found)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "CMake's FindCUDA did not find a library of the toolkit.",
			Causes: causes(
				Cause{
					When:  on(Is("name", "cublas_device")),
					Title: "CMake is too old for this CUDA[ ({toolkit}) ||  ({runtime})]: it looks for cublas_device, which CUDA 10 no longer has",
					Text:  "CMake before 3.12.2 asks for the library cublas_device of every CUDA; it went with CUDA 10.0. The toolkit is in order.",
					Remedies: []Remedy{
						fix("install a newer CMake (3.12.2 or newer) and configure into an empty build directory", "pip", "python -m pip install -U cmake"),
					},
				},
				Cause{
					When:  on(Is("name", "npp")),
					Title: "The CMake files are too old for this CUDA[ ({toolkit}) ||  ({runtime})]: they look for {var}, a library that CUDA 9 and newer have split up",
					Text:  "libnppi went with CUDA 9.0, libnppicom with CUDA 11.0; what came in their place (nppial, nppicc, nppif …) is known to newer CMake and newer OpenCV alone. The toolkit is in order.",
					Remedies: []Remedy{
						fix("use a newer release of the project (OpenCV 3.4 or 4) and a CMake of at least 3.12, in an empty build directory", "pip", "python -m pip install -U cmake"),
						fix("or build with a CUDA of the project's time (8.0 for OpenCV 2.4)"),
					},
				},
				Cause{
					When:  on(Is("name", "^CUDA$")),
					Title: "CMake does not find libcuda ({var}): there is no driver on the machine that builds, or its library is not on CMake's path",
					Text:  "libcuda.so comes with the driver; in an image build or on a machine without a GPU the toolkit's stub in lib64/stubs serves for linking.",
					Remedies: []Remedy{
						fix("name the stub for the build", "cmake", "cmake -DCUDA_CUDA_LIBRARY=/usr/local/cuda/lib64/stubs/libcuda.so -B build"),
					},
				},
				Cause{
					Title: "CMake does not find lib{name} of the toolkit ({var})[: CUDA {toolkit} || : CUDA {runtime}]",
					Text:  "The toolkit is not complete, its libraries are in another directory than CMake expects (cuBLAS of CUDA 10.1 and 10.2 is in /usr/lib/x86_64-linux-gnu), or CUDA_TOOLKIT_ROOT_DIR names another toolkit.",
					Remedies: []Remedy{
						fix("name the toolkit, in an empty build directory with a CMake of at least 3.17", "cmake", "cmake -DCUDA_TOOLKIT_ROOT_DIR=/usr/local/cuda -B build", "check", "find / -name 'lib{name}*.so*' 2>/dev/null"),
						fix("or install the library's development package (libcublas-dev)"),
					},
				},
			),
			Samples: []string{"CUDA_cublas_device_LIBRARY (ADVANCED)", "CUDA_nppi_LIBRARY (ADVANCED)", "CUDA_cublas_LIBRARY (ADVANCED)"},
			Misses:  []string{"-- CUDA_CUDART_LIBRARY: /usr/local/cuda/lib64/libcudart.so"},
			Source:  "https://github.com/weigao95/surfelwarp/issues/22",
		},
		{
			ID: "msbuild-cuda-props", Product: "msbuild",
			Literals: []string{`BuildCustomizations\CUDA`, `BuildCustomizations\\CUDA`},
			Beside:   []string{".props", ".targets"},
			Pattern:  `(?i)(?:imported project|未找到导入的项目)[^\n]{0,160}?BuildCustomizations\\{1,2}CUDA (?P<need>\d+\.\d+)\.(?:props|targets)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "Visual Studio does not find the build files of the CUDA release that a project names.",
			Causes: causes(Cause{
				Title: "The project wants CUDA {need}, and this Visual Studio has no build files of it[ (here is CUDA {toolkit})]",
				Text:  "CUDA's installer puts CUDA {need}.props and .targets into the Visual Studio that is there at that time. They are missing where CUDA {need} is not installed, where Visual Studio came later, or where the part Visual Studio Integration was left out.",
				Remedies: []Remedy{
					fix("install CUDA {need} with its Visual Studio integration, after Visual Studio; or copy the files from its extras\\visual_studio_integration\\MSBuildExtensions into BuildCustomizations"),
					fix("or change the number in the .vcxproj to the CUDA that is installed"),
				},
			}),
			Samples: []string{`error MSB4019: The imported project "C:\Program Files\Microsoft Visual Studio\2022\Community\MSBuild\Microsoft\VC\v170\BuildCustomizations\CUDA 12.4.props" was not found.`},
			Misses:  []string{`copy "CUDA 12.4.props" to BuildCustomizations\CUDA`},
			Source:  "https://github.com/NVIDIA/cuda-samples/issues/281",
		},
		{
			ID: "ffmpeg-configure-ffnvcodec", Product: "ffmpeg",
			Literals: []string{"not all dependencies are satisfied: ffnvcodec", "dependencies are satisfied: cuda", "ffnvcodec requested, but not found"},
			Pattern:  `(?P<what>cuda|cuvid|nvenc|nvdec|cuda_llvm|cuda_nvcc|libnpp|scale_npp) requested, but not all dependencies are satisfied: (?P<dep>[\w/ ]+)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "FFmpeg's configure does not find NVIDIA's codec headers.",
			Causes: causes(Cause{
				Title: "FFmpeg's configure does not find {dep} for --enable-{what}: the nv-codec-headers are not installed, or too old or too new for this FFmpeg",
				Text:  "NVENC, NVDEC and CUDA in FFmpeg need the headers nv-codec-headers (ffnvcodec.pc on PKG_CONFIG_PATH), which no CUDA toolkit brings. Driver and GPU do not matter for building.",
				Remedies: []Remedy{
					fix("install the headers and let pkg-config find them", "shell", "git clone https://git.videolan.org/git/ffmpeg/nv-codec-headers.git && sudo make -C nv-codec-headers install; export PKG_CONFIG_PATH=/usr/local/lib/pkgconfig; pkg-config --modversion ffnvcodec"),
					fix("take the branch of the headers that fits an older FFmpeg or driver (sdk/12.0 and so on)"),
				},
			}),
			Samples: []string{"ERROR: cuda requested, but not all dependencies are satisfied: ffnvcodec"},
			Misses:  []string{"ERROR: libx264 not found"},
			Source:  "https://github.com/jrottenberg/ffmpeg/issues/372",
		},
		{
			ID: "ffmpeg-configure-nvcc", Product: "ffmpeg",
			Literals: []string{"failed checking for nvcc"},
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "FFmpeg's configure could not compile a test with nvcc.",
			Causes: causes(Cause{
				Title: "FFmpeg's configure cannot compile its test with nvcc: nvcc[ (CUDA {toolkit})] no longer knows the architecture that FFmpeg asks for, or does not run",
				Text:  "Old FFmpeg compiles for compute_30, which CUDA 11 dropped (compute_60 of newer ones went with CUDA 13); the end of ffbuild/config.log shows nvcc's own words. A gcc that is too new for nvcc, or no nvcc on PATH, gives the same.",
				Remedies: []Remedy{
					fix("name an architecture that this nvcc knows", "configure", "./configure --enable-cuda-nvcc --nvccflags='-gencode arch=compute_75,code=sm_75 -O2'"),
					fix("or leave nvcc out: --disable-cuda-nvcc --enable-cuda-llvm; NVENC and NVDEC do not need it", "check", "tail -30 ffbuild/config.log; nvcc --version"),
				},
				Ask: "the last lines of ffbuild/config.log",
			}),
			Samples: []string{"ERROR: failed checking for nvcc."},
			Misses:  []string{"checking for nvcc... /usr/local/cuda/bin/nvcc"},
			Source:  "https://github.com/fastvideo/gpu-camera-sample/issues/5",
		},
		{
			ID: "matlab-mexcuda-compiler", Product: "matlab",
			Literals: []string{"selected C++ compiler is not supported for CUDA compilation", "Selected compiler 'NVIDIA CUDA Compiler' is not supported", "No supported compiler was found. For options", "no supported compiler or SDK was found"},
			Pattern:  `(?i)(?:selected (?:C\+\+ )?compiler (?:'NVIDIA CUDA Compiler' )?is not supported for CUDA compilation|Selected compiler 'NVIDIA CUDA Compiler' is not supported|No supported compiler (?:or SDK )?was found)`,
			Layer:    rule.Toolkit, Where: on(Says("mexcuda", "CUDA compilation", "NVIDIA CUDA Compiler", "nvmex", "mexGPU", ".cu", "nvcc")),
			Meaning: "MATLAB's mexcuda finds no host compiler, or no nvcc, that it supports.",
			Causes: causes(Cause{
				Title: "mexcuda finds no C++ compiler that this MATLAB and its CUDA[ ({toolkit}) ||  ({runtime})] support: Visual Studio of a supported release is needed (MinGW does not compile CUDA)",
				Text:  "mexcuda calls nvcc, and nvcc on Windows works with Microsoft's compiler (MSVC) alone, of the releases that this CUDA knows; MATLAB has a list of its own for each release (R2019b: Visual Studio 2015 to 2019, CUDA 10.1). The driver and the GPU[ {gpu}] are not at fault.",
				Remedies: []Remedy{
					fix("install a Visual Studio release of MATLAB's list with its C++ tools, and choose it", "matlab", "mex -setup C++; mex -setup -v"),
					fix("install the CUDA toolkit that this MATLAB names, where its own is not used", "matlab", "gpuDevice; setenv('MW_NVCC_PATH','C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v10.1\\bin')"),
				},
				Ask: "the output of mex -setup -v, and nvcc --version",
			}),
			Samples: []string{"Warning: The selected C++ compiler is not supported for CUDA compilation. Searching for a supported compiler. In mexcuda (line 94)", "Warning: Selected compiler 'NVIDIA CUDA Compiler' is not supported and no other supported compiler was found."},
			Misses:  []string{"MEX configured to use 'MinGW64 Compiler (C++)' for C++ language compilation."},
			Source:  "https://github.com/MouseLand/Kilosort/issues/173",
		},
		{
			ID: "matlab-gpu-driver", Product: "matlab",
			Literals: []string{"Graphics driver is out of date", "problem with the CUDA driver associated with this GPU", "Unable to find a supported GPU device", "There is a problem with the CUDA driver", "CUDA driver was found, but it is too old", "No supported GPU device was found", "Parallel:gpu:device", "parallel:gpu:device"},
			Pattern:  `(?i)Graphics driver is out of date|problem with the (?:graphics|CUDA) driver(?: associated| for)|Unable to find a supported GPU device|CUDA driver was found, but it is too old(?:[^\n]{0,80}?version is (?P<have>[\d.]+)[^\n]{0,80}?requires? (?P<need>[\d.]+))?|No supported GPU device was found`,
			Layer:    rule.Driver,
			Meaning:  "MATLAB cannot use the GPU's driver.",
			Causes: causes(Cause{
				Title: "MATLAB cannot use the GPU[ {gpu}]: its driver[ {driver}] is too old for this MATLAB's CUDA[ (it has CUDA {have}, {need} is needed)], or the GPU is not one that this release supports",
				Text:  "Every MATLAB release brings one CUDA (R2021a 11.0, R2023a 11.8, R2024a 12.2) and needs a driver for it, and supports GPUs from a least compute capability on. A CUDA toolkit beside it does not change that.",
				Remedies: []Remedy{
					fix("update the NVIDIA driver and restart", "check", "nvidia-smi", "matlab", "gpuDeviceTable; validateGPU"),
					fix("for an older GPU use a MATLAB release that still supports it"),
				},
				Ask: "the output of gpuDevice and nvidia-smi, and the MATLAB release",
			}),
			Samples: []string{"Graphics driver is out of date. Download and install the latest graphics driver for your GPU from NVIDIA.", "Error using gpuArray. Unable to find a supported GPU device."},
			Misses:  []string{"gpuDevice(1)"},
			Source:  "https://www.mathworks.com/help/parallel-computing/gpu-computing-requirements.html",
		},
	}
}
