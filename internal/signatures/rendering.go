package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// rendering is what Cycles, Meshroom, COLMAP and tiny-cuda-nn say of GPUs and of builds that do not fit them.
func rendering() []*Signature {
	return []*Signature{
		{
			ID: "cycles-kernel-missing", Product: "blender",
			Literals: []string{"CUDA binary kernel for this graphics card", "CUDA backend requires compute capability", "CUDA device requires compute capability", "No compatible GPUs found for Cycles", "Requires NVIDIA GPU with compute capability"},
			Pattern:  `CUDA binary kernel for this graphics card compute capability \((?P<arch>\d+\.\d+)\) not found|CUDA (?:backend|device) requires compute capability (?P<need>\d\.\d) or up, (?:but )?found (?P<arch>\d+\.\d+)|Requires NVIDIA GPU with compute capability (?P<need>\d\.\d)(?: and NVIDIA driver version (?P<mindrv>\d{3}))?`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "This Blender has no CUDA kernel for the GPU.",
			Causes: causes(
				Cause{
					When:  on(Has("need"), Has("arch")),
					Title: "The GPU[ {gpu}] is too old for this Blender: it has compute capability {arch}, and Cycles needs {need} or newer",
					Text:  "Each release of Blender drops GPUs with the CUDA release that it is built with. A driver update or a toolkit does not change that.",
					Remedies: []Remedy{
						fix("use an older Blender (2.93 is the last for compute capability 3.0, 3.6 the last for 3.5), or render on the CPU"),
					},
				},
				Cause{
					When: on(Not(Has("arch"))), Layer: rule.Driver,
					Title: "Cycles finds no GPU that it can use[ ({gpu})][: it needs driver {mindrv} or newer and compute capability {need}]",
					Text:  "Either the driver[ {driver}] is too old for this Blender or not installed, or the GPU has a lower compute capability.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver[ to {mindrv} or newer]", "check", "nvidia-smi"),
						fix("for an older GPU use an older Blender, or the CPU"),
					},
				},
				Cause{
					Title: "This Blender has no CUDA kernel for the GPU[ {gpu}] (compute capability {arch})",
					Text:  "The GPU is newer than the build, or older than its list of architectures. A driver update does not add kernels.",
					Remedies: []Remedy{
						fix("use a Blender release that knows the GPU (the newest for a new GPU, an older one for an old GPU)"),
						fix("or choose OptiX in place of CUDA for RTX GPUs in Preferences, System"),
					},
				},
			),
			Samples: []string{
				"CUDA binary kernel for this graphics card compute capability (12.0) not found.",
				"CUDA backend requires compute capability 5.0 or up, but found 3.5. Your GPU is not supported.",
				"Requires NVIDIA GPU with compute capability 3.0 and NVIDIA driver version 470 or newer",
			},
			Misses: []string{"Compiled CUDA kernel in 12.3s"},
			Source: "https://github.com/blender/blender/blob/main/intern/cycles/device/cuda/device_impl.cpp",
		},
		{
			ID: "cycles-kernel-load", Product: "blender",
			Literals: []string{"Failed to load CUDA kernel from", "Failed loading CUDA kernel"},
			Pattern:  `Failed (?:to load|loading) CUDA kernel (?:from )?'?(?P<file>[^\n']{0,200}?(?:compute_(?P<arch>\d+)\.(?:ptx|fatbin)[^\n']{0,8}|sm_(?P<arch>\d+)\.cubin[^\n']{0,8}))'? ?(?:\((?P<text>[^)\n]{3,60})\))?`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The driver did not load a kernel of Cycles.",
			Causes: causes(
				Cause{
					When: on(Is("text", `(?i)no binary|no kernel|invalid`)), Layer: rule.GPUArch,
					Title:    "The kernel of Cycles for {arch|sm} does not fit the GPU[ {gpu}]: {text}",
					Text:     "This build of Blender has no kernel for the GPU's architecture, or the file is damaged.",
					Remedies: []Remedy{fix("use a Blender release that knows the GPU, and remove its kernel cache (~/.cache/cycles)")},
				},
				Cause{
					Title: "The driver[ {driver}] is too old for the PTX of this Blender's CUDA kernel[ ({text})]",
					Text:  "Cycles has machine code for some GPUs, and PTX (kernel_compute_{arch}.ptx) that the driver compiles for the others[, here the {gpu}]. The driver compiles PTX of its own CUDA[ ({driver|cuda}) || , here {cuda}] and of older ones; this one was made by a newer CUDA (11.4 and newer for Blender 3, 12 for Blender 4).",
					Remedies: []Remedy{
						fix("update the NVIDIA driver to 470 or newer for Blender 3, 525 or newer for Blender 4", "check", "nvidia-smi"),
						fix("or use a Blender release of the driver's time, or OptiX where the GPU is an RTX"),
					},
				},
			),
			Samples: []string{"Failed to load CUDA kernel from '/opt/blender-3.6/3.6/scripts/addons/cycles/lib/kernel_compute_75.ptx' (Unsupported PTX version)"},
			Misses:  []string{"Loaded CUDA kernel from cache"},
			Source:  "https://github.com/allenai/objaverse-rendering/issues/5",
		},
		{
			ID: "meshroom-no-gpu", Product: "meshroom",
			Literals: []string{"program needs a CUDA-Enabled GPU", "Can't find CUDA-Enabled GPU"},
			Pattern:  `(?i)needs a CUDA-Enabled GPU(?: \(with at least compute capab?li?bility (?P<need>\d\.\d)\))?|Can't find CUDA-Enabled GPU`,
			Layer:    rule.Driver,
			Meaning:  "AliceVision finds no GPU with CUDA for depth maps.",
			Causes: causes(
				Cause{
					When:  on(Any(Has("gpu"), Says("quadro", "geforce", "gtx ", "rtx ", "tesla"))),
					Title: "Meshroom does not find the NVIDIA GPU[ {gpu}]: its driver[ {driver}] is too old or does not answer",
					Text:  "The depth map step asks the CUDA runtime for a GPU[ of compute capability {need} or newer]. With an NVIDIA card in the machine the driver is older than the CUDA of this Meshroom, or not NVIDIA's own; a remote desktop session can hide the card. A CUDA toolkit is not needed.",
					Remedies: []Remedy{
						fix("install the newest NVIDIA driver of the card and restart", "check", "nvidia-smi"),
						fix("where the card is older than this Meshroom supports, use draft meshing, which needs no GPU"),
					},
					Ask: "nvidia-smi",
				},
				Cause{
					Layer:    rule.Hardware,
					Title:    "Meshroom's depth map step needs an NVIDIA GPU, and the program sees none",
					Text:     "AMD and Intel GPUs do not run CUDA. With an NVIDIA card in the machine its driver is missing or too old.",
					Remedies: []Remedy{fix("with an NVIDIA card install its newest driver and restart", "check", "nvidia-smi"), fix("without one use draft meshing, which leaves the depth maps out")},
					Ask:      "which graphics card is in the machine, and nvidia-smi",
				},
			),
			Samples: []string{"[error] This program needs a CUDA-Enabled GPU (with at least compute capablility 2.0).", "[debug] Can't find CUDA-Enabled GPU."},
			Misses:  []string{"Found a CUDA-Enabled GPU"},
			Source:  "https://github.com/alicevision/Meshroom/issues/203",
		},
		{
			ID: "colmap-no-cuda", Product: "colmap",
			Literals: []string{"Dense stereo reconstruction requires CUDA", "SiftGPU not fully supported", "compiled without CUDA. Feature", "Cannot use Sift GPU without CUDA"},
			Pattern:  `Dense stereo reconstruction requires CUDA|Cannot use Sift ?GPU without CUDA(?: or OpenGL)?|(?P<gl>SiftGPU not fully supported)`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "This COLMAP was built without CUDA.",
			Causes: causes(
				Cause{
					When: on(Has("gl")), Layer: rule.DeviceExposure,
					Title:    "COLMAP's SiftGPU gets no OpenGL context: it was built without CUDA, or there is no display",
					Text:     "Built with CUDA, SIFT needs no display; without it, OpenGL and a display do the work.",
					Remedies: []Remedy{fix("use a COLMAP that is built with CUDA, or the CPU for SIFT", "shell", "colmap feature_extractor --SiftExtraction.use_gpu 0 --database_path db.db --image_path images")},
				},
				Cause{
					Title: "This COLMAP is built without CUDA: dense reconstruction cannot run with it",
					Text:  "colmap -h says with or without CUDA in its first line. The packages of distributions, and pycolmap of the package index, are built without it. Driver and GPU are not at fault.",
					Remedies: []Remedy{
						fix("use a build with CUDA: the Windows release named cuda, the image colmap/colmap, or an own one", "cmake", "cmake .. -DCMAKE_CUDA_ARCHITECTURES=native"),
						fix("or make the dense part with another program (OpenMVS), which runs on the CPU"),
					},
				},
			),
			Samples: []string{"ERROR: Dense stereo reconstruction requires CUDA, which is not available on your system.", "ERROR: SiftGPU not fully supported."},
			Misses:  []string{"COLMAP 3.9 (Commit abc with CUDA)"},
			Source:  "https://github.com/colmap/colmap/blob/main/src/colmap/exe/mvs.cc",
		},
		{
			ID: "tcnn-no-extension", Product: "tiny-cuda-nn",
			Literals: []string{"Could not find compatible tinycudann extension"},
			Pattern:  `Could not find compatible tinycudann extension for compute capability (?P<arch>\d{2,3})`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "tiny-cuda-nn was compiled for other GPUs.",
			Causes: causes(Cause{
				Title: "tiny-cuda-nn was compiled for another GPU than this one[ ({gpu})]: it has no code for {arch|sm} (compute capability {arch|cc})",
				Text:  "Its setup takes the architecture of the GPU that it sees while it is built, or TCNN_CUDA_ARCHITECTURES. nvcc has to know {arch|sm}[, which begins with CUDA {arch|firstcuda}]; where the two builds differ, an older one may still be installed.",
				Remedies: []Remedy{
					fix("remove it and build it for this GPU", "shell", "python -m pip uninstall -y tinycudann; TCNN_CUDA_ARCHITECTURES={arch} python -m pip install --no-build-isolation --no-cache-dir git+https://github.com/NVlabs/tiny-cuda-nn/#subdirectory=bindings/torch"),
				},
			}),
			Samples: []string{"OSError: Could not find compatible tinycudann extension for compute capability 75."},
			Misses:  []string{"Building PyTorch extension for tiny-cuda-nn version 1.7"},
			Source:  "https://github.com/NVlabs/tiny-cuda-nn/issues/330",
		},
	}
}
