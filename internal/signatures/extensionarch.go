package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// extensionArch is what packages say whose compiled part is for other GPUs, or was left out.
func extensionArch() []*Signature {
	return []*Signature{
		{
			ID: "extension-no-cuda-runtime", Product: "pytorch",
			Literals: []string{"No CUDA runtime is found"},
			Pattern:  `No CUDA runtime is found(?:, using CUDA_HOME=['"](?P<home>[^'"]*)['"])?`,
			Role:     Consequence, Layer: rule.FrameworkBuild,
			Meaning: "PyTorch's builder of extensions finds a CUDA toolkit, and torch.cuda.is_available() is False.",
			Causes: causes(
				Cause{
					When: on(Any(whileBuilding, Says("docker build"))), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
					Title:    "PyTorch sees no GPU while the image is built, which is usual: an extension is then compiled for the architectures that a variable names, or without CUDA",
					Text:     "docker build gives no GPU and no driver. The toolkit[ ({home})] is enough to compile, if the architectures are given.",
					Remedies: []Remedy{fix("name them in the Dockerfile, before the extension is built", "dockerfile", "ENV TORCH_CUDA_ARCH_LIST=\"8.0;8.6;8.9;9.0+PTX\" FORCE_CUDA=1")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "PyTorch[ {torch}] sees no GPU (torch.cuda.is_available() is False), though a toolkit is there[ (CUDA_HOME={home})]: most likely this torch is the build for the CPU, or the driver[ {driver}] is missing or too old for its CUDA",
					Text:       "The toolkit is not what PyTorch runs with: it brings its own CUDA runtime, and setting CUDA_HOME or PATH does not change the answer.[ The GPU is {gpu}.] In a container the GPU must be passed in, and CUDA_VISIBLE_DEVICES must not hide it.",
					Remedies: []Remedy{
						fix("ask PyTorch; where torch.version.cuda is None, install its CUDA build (cu118, cu126 or cu128, as driver and GPU allow)", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'; nvidia-smi"),
					},
					Ask: "the output of these commands",
				},
			),
			Samples: []string{"No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'", "No CUDA runtime is found, using CUDA_HOME='C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.8'"},
			Misses:  []string{"CUDA runtime is found"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/utils/cpp_extension.py",
		},
		{
			ID: "extension-lower-capability", Product: "tiny-cuda-nn",
			Literals: []string{"was built for lower compute capability", "is not supported for the selected architecture", "compiled for a lower compute capability"},
			Pattern:  `(?:(?P<package>\w+) was built for lower compute capability \((?P<have>\d{2,3})\) than the system's \((?P<arch>\d{2,3})\)|(?P<what>\w+) is not supported for the selected architecture (?P<have>\d{2,3}))`,
			Layer:    rule.GPUArch,
			Meaning:  "A package was compiled for an older GPU than the one that it runs on.",
			Causes: causes(
				Cause{
					When:  on(Has("arch")),
					Title: "{package} was compiled for {have|sm} (compute capability {have|cc}), and this GPU[ ({gpu})] is {arch|sm} ({arch|cc}): it works, but slowly and without its fast kernels",
					Text:  "Its setup takes the architecture of the GPU that it sees while it is built, another card of the machine for example, or the one that a variable names (TCNN_CUDA_ARCHITECTURES). The driver is not the reason.",
					Remedies: []Remedy{
						fix("build it anew for this GPU, with an nvcc that knows {arch|sm} (CUDA {arch|firstcuda} or newer)", "shell", "python -m pip uninstall -y {package}; TCNN_CUDA_ARCHITECTURES={arch} python -m pip install --no-build-isolation --no-cache-dir git+https://github.com/NVlabs/tiny-cuda-nn/#subdirectory=bindings/torch"),
					},
				},
				Cause{
					Title: "A package was compiled for {have|sm} (compute capability {have|cc}), for which it has no fast kernels ({what})[; the GPU is {gpu}, {sm}]",
					Text:  "Where the GPU is newer, it was built for another card, or with an architecture list that names an older one. The driver is not the reason.",
					Remedies: []Remedy{
						fix("build it anew for this GPU[: {sm}, compute capability {cc}], with TCNN_CUDA_ARCHITECTURES or CMAKE_CUDA_ARCHITECTURES set"),
					},
				},
			),
			Samples: []string{
				"UserWarning: tinycudann was built for lower compute capability (61) than the system's (89). Performance may be suboptimal.",
				"tiny-cuda-nn warning: FullyFusedMLP is not supported for the selected architecture 61. Falling back to CutlassMLP.",
			},
			Misses: []string{"tinycudann was built for compute capability 86"},
			Source: "https://github.com/ayaanzhaque/instruct-nerf2nerf/issues/73",
		},
		{
			ID: "tcnn-unknown-capability", Product: "tiny-cuda-nn",
			Literals: []string{"Unknown compute capability. Specify", "Specify the target compute capabilities in the"},
			Pattern:  `Unknown compute capability\. (?:Ensure|Specify)[^\n]{0,80}?(?P<variable>[A-Z][A-Z_]+ARCH\w*)`,
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM001"},
			Meaning: "A package's setup asks PyTorch for the GPU and gets none.",
			Causes: causes(Cause{
				Title: "The build does not know the GPU's architecture: PyTorch[ {torch}] sees no GPU there (a build for the CPU, or none visible), and {variable} is not set",
				Text:  "The setup takes the compute capability from torch.cuda or from {variable}. In an image build, on a login node and with a PyTorch for the CPU, which is pip's default on Windows, there is none to ask.",
				Remedies: []Remedy{
					fix("install PyTorch's CUDA build first where torch.version.cuda is None, then build without isolation", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'"),
					fix("or name the architecture: {variable}=[{arch} || 86] (compute capability without the point)"),
				},
				Ask: "the output of that command, and the GPU's name",
			}),
			Samples: []string{"OSError: Unknown compute capability. Specify the target compute capabilities in the TCNN_CUDA_ARCHITECTURES environment variable or install PyTorch with the CUDA backend to detect it automatically."},
			Misses:  []string{"Unknown compute capability 15.0"},
			Source:  "https://github.com/nerfstudio-project/nerfstudio/issues/980",
		},
		{
			ID: "apex-without-cuda-ext", Product: "apex",
			Literals: []string{"apex was installed without", "installed without --cuda_ext", "Using Python fallback.  Original ImportError"},
			Pattern:  `apex was installed without\s+--(?:cuda|cpp)_ext|multi_tensor_applier fused unscale kernel is unavailable`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "apex runs without its compiled part.",
			Causes: causes(Cause{
				Title: "apex was installed without its CUDA extensions (--cuda_ext --cpp_ext): amp_C, fused_layer_norm_cuda and the fused optimizers are missing",
				Text:  "pip install . alone gives the Python part. The compiled one needs nvcc of the CUDA that PyTorch[ {torch}] is built with[ ({torch_cuda})]; where it was built, an import that fails, of libcudart for example, gives the same warning.",
				Remedies: []Remedy{
					fix("build it again with its extensions, from a clean checkout", "shell", "python -m pip uninstall -y apex; python -m pip install -v --no-build-isolation --no-cache-dir --config-settings \"--build-option=--cpp_ext\" --config-settings \"--build-option=--cuda_ext\" ./"),
					fix("or do without apex: torch.amp and PyTorch's own LayerNorm and fused optimizers do the same"),
				},
				Ask: "python -c 'import torch, amp_C', and nvcc --version",
			}),
			Samples: []string{"Warning: apex was installed without --cuda_ext. Fused syncbn kernels will be unavailable.", "Warning:  multi_tensor_applier fused unscale kernel is unavailable, possibly because apex was installed without --cuda_ext --cpp_ext."},
			Misses:  []string{"apex was installed"},
			Source:  "https://github.com/NVIDIA/apex/issues/86",
		},
		{
			ID: "xla-error-before-cudnn", Product: "xla",
			Literals: []string{"There was an error before creating cudnn handle"},
			Pattern:  `There was an error before creating cudnn handle \((?P<code>\d+)\): (?P<error>cuda\w+)`,
			Layer:    rule.Driver,
			Meaning:  "CUDA was in an error before cuDNN was asked; cuDNN is not at fault.",
			Where:    on(Not(Says("cudaErrorMemoryAllocation"))),
			Causes: causes(
				Cause{
					When: on(Is("error", "SymbolNotFound"), Any(OnWSL, Says("docker desktop"))), Layer: rule.DeviceExposure,
					Title:    "CUDA cannot start: the driver of Windows and what WSL or Docker passes in do not fit together ({error}, {code})",
					Text:     "It comes before cuDNN, which is not at fault.",
					Remedies: []Remedy{fix("update WSL, Docker Desktop and the driver of Windows", "powershell", "wsl --update; wsl --shutdown")},
				},
				Cause{
					When:  on(Is("error", "SymbolNotFound")),
					Title: "CUDA fails before cuDNN is asked ({error}, {code}): most likely the driver[ {driver}][, which runs CUDA {driver|cuda},] is too old for this build's CUDA",
					Text:  "The program asks the driver's libcuda for a function that it does not have. A container brings CUDA and cuDNN, the driver is the host's. cuDNN itself is not at fault.[ The image is {image}.]",
					Remedies: []Remedy{
						fix("compare the host's driver with the CUDA of the image or wheel, and update the driver: 525.60.13 or newer for CUDA 12, 580 for CUDA 13, better the one of that very release", "host", "nvidia-smi"),
						fix("in Singularity or Apptainer start with --nv, and without another libcuda (cuda-compat) on LD_LIBRARY_PATH", "check", "apptainer exec --nv image.sif nvidia-smi"),
					},
					Ask: "nvidia-smi on the host and in the container",
				},
				Cause{
					When: on(Is("error|errlayer", "^(gpu_arch)$")), Layer: rule.GPUArch,
					Title:    "CUDA fails before cuDNN is asked: {error} ({code}), the build has no code for the GPU[ {gpu}][ ({sm})]",
					Text:     "cuDNN itself is not at fault.",
					Remedies: []Remedy{fix("use a build that has the GPU's architecture")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "CUDA fails before cuDNN is asked: {error} ({code})[, {error|errmessage}]",
					Text:       "[It comes from {error|errcauses}. ]cuDNN itself is not at fault.",
					Remedies:   []Remedy{fix("see that the driver works where the program runs", "check", "nvidia-smi")},
					Ask:        "nvidia-smi, and the lines before this one",
				},
			),
			Samples: []string{"E1119 10:00:00.248565  283298 cuda_dnn.cc:502] There was an error before creating cudnn handle (500): cudaErrorSymbolNotFound : named symbol not found"},
			Misses:  []string{"creating cudnn handle"},
			Source:  "https://github.com/google-deepmind/alphafold3/issues/79",
		},
	}
}
