package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// simulation is what Kokkos, LAMMPS, GROMACS and OpenMM say of GPUs and of builds that do not fit them.
func simulation() []*Signature {
	return []*Signature{
		{
			ID: "kokkos-architecture", Product: "kokkos",
			Literals: []string{"likely mismatch of architecture", "running kernels compiled for compute capability"},
			Pattern:  `ERROR: (?:likely mismatch of architecture|running kernels compiled for compute capability (?P<built>\d+\.\d+) (?:\([^)]*\) )?on device with compute capability (?P<cc>\d+\.\d+))`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "Kokkos was compiled for another GPU architecture than the one it runs on.",
			Causes: causes(
				Cause{
					When:  on(Is("built", `^0\.0`)),
					Title: "Kokkos was compiled for another GPU architecture: none of its code runs on this GPU[ ({gpu})] of compute capability {cc}",
					Text:  "Kokkos asks its first kernel for what it was compiled; 0.0 means that the kernel did not start. The build's KOKKOS_ARCH (Kokkos_ARCH_… in CMake) names another architecture. The driver is not at fault.",
					Remedies: []Remedy{
						fix("build Kokkos and the program anew with the Kokkos_ARCH of compute capability {cc}: MAXWELL50 is 5.0, PASCAL60 6.0, VOLTA70 7.0, TURING75 7.5, AMPERE80 8.0, AMPERE86 8.6, ADA89 8.9, HOPPER90 9.0", "cmake", "cmake -DKokkos_ENABLE_CUDA=ON -DKokkos_ARCH_AMPERE80=ON -B build"),
					},
				},
				Cause{
					Title: "Kokkos was compiled for another GPU architecture than this GPU's[ ({gpu})][: for {built}, and the GPU has {cc}]",
					Text:  "Kokkos_ARCH_… (KOKKOS_ARCH in makefiles) chooses one GPU architecture when Kokkos is built; without it the build machine's GPU, or a default, is taken. The driver is not at fault.",
					Remedies: []Remedy{
						fix("build Kokkos and the program anew for this GPU[ (compute capability {cc})]: Kokkos_ARCH_VOLTA70 for V100, TURING75 for T4, AMPERE80 for A100, AMPERE86 for A40 and RTX 30, ADA89 for RTX 40, HOPPER90 for H100", "cmake", "cmake -DKokkos_ENABLE_CUDA=ON -DKokkos_ARCH_AMPERE80=ON -B build", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					},
					Ask: "the Kokkos_ARCH of the build, and nvidia-smi --query-gpu=name,compute_cap --format=csv on the node that runs it",
				},
			),
			Samples: []string{
				"Kokkos::Cuda::initialize ERROR: likely mismatch of architecture",
				"Kokkos::Cuda::initialize ERROR: running kernels compiled for compute capability 8.0 on device with compute capability 7.0 is not supported by CUDA!",
			},
			Misses: []string{"Kokkos::Cuda::initialize WARNING: running kernels compiled for compute capability 8.0 on device with compute capability 8.6"},
			Source: "https://github.com/kokkos/kokkos/issues/6565",
		},
		{
			ID: "kokkos-no-gpu-requested", Product: "lammps",
			Literals: []string{"GPU-enabled backend but no GPUs are requested", "Could not determine number of MPI ranks"},
			Pattern:  `GPU-enabled backend but no GPUs are requested`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "LAMMPS with Kokkos for CUDA was started without asking for a GPU.",
			Causes: causes(Cause{
				Title:    "Not the stack: LAMMPS was started without a number of GPUs (-k on g 1)",
				Text:     "A build of Kokkos for CUDA wants at least one GPU per node on the command line. It finds the GPU by itself then; where it does not, the job has none.",
				Remedies: []Remedy{fix("say how many GPUs there are", "shell", "lmp -k on g 1 -sf kk -in in.melt"), fix("in a job see that it has them", "job", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
			}),
			Samples: []string{"ERROR: Kokkos has been compiled with GPU-enabled backend but no GPUs are requested (src/KOKKOS/kokkos.cpp:273)"},
			Misses:  []string{"KOKKOS mode with Kokkos version 4.3 is enabled, will use up to 1 GPU(s) per node"},
			Source:  "https://github.com/lammps/lammps/issues/4944",
		},
		{
			ID: "lammps-gpu-library", Product: "lammps",
			Literals: []string{"GPU library not compiled for this accelerator", "Could not find/initialize a specified accelerator device", "Unable to initialize accelerator for use"},
			Pattern:  `(?P<arch>GPU library not compiled for this accelerator)|Could not find/initialize a specified accelerator device|Unable to initialize accelerator for use`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "LAMMPS' GPU package could not use the GPU.",
			Causes: causes(
				Cause{
					When:  on(Has("arch")),
					Title: "LAMMPS' GPU package was compiled for another GPU than this one[ ({gpu}, {sm})]: GPU_ARCH",
					Text:  "GPU_ARCH (CMake) or CUDA_ARCH (lib/gpu/Makefile) names the architecture for which the library's kernels are made. The driver is not at fault.",
					Remedies: []Remedy{
						fix("build it anew with the GPU's architecture[, {sm}]: sm_70 for V100, sm_75 for T4, sm_80 for A100, sm_86 for RTX 30, sm_89 for RTX 40, sm_90 for H100", "cmake", "cmake -D PKG_GPU=on -D GPU_API=cuda -D GPU_ARCH=sm_86 ../cmake", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					},
				},
				Cause{
					Layer:    rule.DeviceExposure,
					Title:    "LAMMPS' GPU package finds no GPU of the number that was asked for",
					Text:     "Its input or -pk gpu names more GPUs than the job sees, the GPU is in exclusive mode and taken, or the driver does not answer on this node.",
					Remedies: []Remedy{fix("compare", "job", "nvidia-smi -L; nvidia-smi -q | grep 'Compute Mode'; echo $CUDA_VISIBLE_DEVICES")},
				},
			),
			Samples: []string{"ERROR: GPU library not compiled for this accelerator (../gpu_extra.h:40)", "ERROR: Could not find/initialize a specified accelerator device (src/src/GPU/gpu_extra.h:57)"},
			Misses:  []string{"Initializing Device and compiling on process 0...Done."},
			Source:  "https://github.com/lammps/lammps/blob/develop/src/GPU/gpu_extra.h",
		},
		{
			ID: "gromacs-without-gpu", Product: "gromacs",
			Literals: []string{"the GROMACS binary has been built without GPU support", "built without GPU support", "GPU support:         disabled", "GPU support:        disabled"},
			Pattern:  `(?i)GROMACS binary (?:has been|was) built without (?:GPU|CUDA) support|GPU support: +disabled`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "This GROMACS was compiled for the CPU.",
			Causes: causes(Cause{
				Title: "This GROMACS is built without GPU support: it cannot use the GPU[ {gpu}]",
				Text:  "gmx --version tells it in its line GPU support. Distribution packages and the conda package of the variant nompi_h… without cuda are for the CPU. Driver and toolkit are not at fault.",
				Remedies: []Remedy{
					fix("build it with CUDA", "cmake", "cmake .. -DGMX_GPU=CUDA -DCMAKE_INSTALL_PREFIX=/opt/gromacs"),
					fix("or install a build with it", "conda", "conda install -c conda-forge 'gromacs=*=*cuda*'"),
				},
				Ask: "gmx --version | grep -i gpu",
			}),
			Samples: []string{"Nonbonded interactions on the GPU were requested with -nb gpu, but the GROMACS binary has been built without GPU support."},
			Misses:  []string{"GPU support:         CUDA"},
			Source:  "https://github.com/gromacs/gromacs/blob/main/src/gromacs/taskassignment/decidegpuusage.cpp",
		},
		{
			ID: "gromacs-no-gpu", Product: "gromacs",
			Literals: []string{"no GPU is detected", "because no GPU is", "Cannot run short-ranged nonbonded interactions on a GPU", "GPUs cannot be used with GROMACS", "cannot be detected. Gromacs will"},
			Pattern:  `(?i)interactions on a GPU because (?:no GPU is(?: detected)?|(?P<some>not enough|none of))|no (?:compatible )?GPUs? (?:is|were) detected[^\n]{0,40}(?:gromacs|mdrun)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "GROMACS was asked to use a GPU and found none that it can use.",
			Causes: causes(Cause{
				Title: "GROMACS finds no GPU that it can use",
				Text:  "Before this message its log says why: no driver, a driver that is too old for the CUDA of the build, a GPU of an architecture that the build leaves out, or CUDA_VISIBLE_DEVICES (GMX_GPU_ID) that hides it.",
				Remedies: []Remedy{
					fix("see what the job sees, and read the lines GPU info of the log", "job", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES; grep -A4 -i 'gpu info' md.log"),
				},
				Ask: "the lines of md.log that begin with GPU detection, and nvidia-smi",
			}),
			Samples: []string{"Cannot run short-ranged nonbonded interactions on a GPU because no GPU is detected."},
			Misses:  []string{"1 GPU selected for this run."},
			Source:  "https://github.com/gromacs/gromacs/blob/main/src/gromacs/taskassignment/decidegpuusage.cpp",
		},
		{
			ID: "openmm-no-cuda-platform", Product: "openmm",
			Literals: []string{"There is no registered Platform called", "no registered platform called"},
			Pattern:  `(?i)There is no registered Platform called "?(?P<platform>CUDA|OpenCL)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "OpenMM's plugin for the GPU was not loaded.",
			Causes: causes(
				Cause{
					When: on(Says("libcuda.so.1: cannot open", "libcuda.so.1' ")), Layer: rule.Driver,
					Title:    "OpenMM's {platform} plugin does not load: libcuda.so.1 of the driver is not found",
					Text:     "The plugin is linked with the driver's library. On a node or in a container without a driver it is left out, silently.",
					Remedies: []Remedy{fix("run it where the driver is (a GPU node; a container with --gpus all or --nv)", "check", "nvidia-smi; ldconfig -p | grep libcuda")},
				},
				Cause{
					Title: "OpenMM has no {platform} platform here: its plugin was not loaded, because it is built for another CUDA or not found",
					Text:  "OpenMM tries every library in its plugin directory and leaves out what does not load; Platform.getPluginLoadFailures() tells why. Reasons: the build wants the NVRTC or cuFFT of another CUDA release than the one that is installed, the package is for the CPU, OPENMM_PLUGIN_DIR points to another installation, or the driver's libcuda.so.1 is missing.",
					Remedies: []Remedy{
						fix("ask it for the reason", "python", "python -c 'import openmm; print(openmm.Platform.getPluginLoadFailures()); print(openmm.version.openmm_library_path)'"),
						fix("install the build for the driver's CUDA[ ({driver|cuda} at most)]", "conda", "conda install -c conda-forge openmm cuda-version=12", "pip", "python -m pip install 'openmm[cuda12]'"),
						fix("unset OPENMM_PLUGIN_DIR where it names another environment's lib/plugins", "shell", "unset OPENMM_PLUGIN_DIR"),
					},
					Ask: "the output of Platform.getPluginLoadFailures()",
				},
			),
			Samples: []string{`openmm.OpenMMException: There is no registered Platform called "CUDA"`},
			Misses:  []string{"There are 4 Platforms available"},
			Source:  "https://github.com/openmm/openmm/issues/4370",
		},
		{
			ID: "openmm-no-device", Product: "openmm",
			Literals: []string{"No compatible CUDA device is available"},
			Layer:    rule.DeviceExposure,
			Meaning:  "OpenMM's CUDA platform found no GPU that it can use.",
			Causes: causes(Cause{
				Title: "OpenMM can use none of the GPUs[ ({gpu})]: they are taken (exclusive compute mode), hidden, or too old or too new for this build",
				Text:  "The driver answers, and each GPU was refused: in exclusive mode another process holds it; CUDA_VISIBLE_DEVICES hides it; its architecture is not one that this OpenMM with its CUDA compiles for; or the device index does not exist.",
				Remedies: []Remedy{
					fix("see compute mode and processes", "check", "nvidia-smi -q | grep -e 'Product Name' -e 'Compute Mode'; nvidia-smi; echo $CUDA_VISIBLE_DEVICES"),
					fix("set the default compute mode where a shared GPU is in exclusive mode", "shell", "sudo nvidia-smi -c 0"),
				},
				Ask: "nvidia-smi, with the compute mode and the processes",
			}),
			Samples: []string{"openmm.OpenMMException: No compatible CUDA device is available"},
			Misses:  []string{"CUDA - Successfully computed forces"},
			Source:  "https://github.com/openmm/openmm/issues/5196",
		},
		{
			ID: "openacc-architecture", Product: "nvhpc",
			Literals: []string{"Rebuild this file with -gpu", "Rebuild this file with -ta", "This file was compiled: -acc", "This file was compiled: -ta"},
			Pattern:  `This file was compiled: (?P<built>-(?:acc|ta)[\w=, :+-]{0,160}?)\s*(?:- )?Rebuild this file with (?P<want>-(?:gpu|ta)=\S+)(?: to use (?P<device>[A-Z][^\n]{3,50}))?|Rebuild this file with (?P<want>-(?:gpu|ta)=\S+)(?: to use (?P<device>[A-Z][^\n]{3,50}))?`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "OpenACC code was compiled without this GPU's architecture.",
			Causes: causes(Cause{
				Title: "The program's OpenACC code is not compiled for this GPU[: {device}]: it has to be built with {want}",
				Text:  "[It was compiled with {built}. ]The NVIDIA HPC compilers make code for the architectures that -gpu= names, and for those of their default; newer GPUs than that have none. The driver is not at fault.",
				Remedies: []Remedy{
					fix("compile it anew with {want}, or with -gpu=ccall", "shell", "nvaccelinfo"),
					fix("where the compiler does not know it, use a newer NVIDIA HPC SDK"),
				},
			}),
			Samples: []string{
				"Accelerator Fatal Error: This file was compiled: -acc=gpu -gpu=cc80 -gpu=cc86 - Rebuild this file with -gpu=cc70 to use NVIDIA Tesla GPU 0",
				"Rebuild this file with -ta=tesla:cc60 to use NVIDIA Tesla GPU 0",
			},
			Misses: []string{"Rebuild this file with make"},
			Source: "https://github.com/MFlowCode/MFC/issues/1001",
		},
		{
			ID: "parabricks-no-gpu", Product: "parabricks",
			Literals: []string{"Could not find accessible GPUs"},
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "Parabricks finds no nvidia-smi, or no GPU, in its container.",
			Causes: causes(Cause{
				Title:    "Parabricks finds no GPU in its container",
				Text:     "It asks nvidia-smi, which the container toolkit brings in with the GPU.",
				Remedies: []Remedy{fix("start it with --gpus all, on a host whose nvidia-smi works and that has the NVIDIA Container Toolkit", "docker", "docker run --rm --gpus all {image} nvidia-smi", "host", "nvidia-smi")},
			}),
			Samples: []string{"[Parabricks Options Error]: Could not find accessible GPUs. Please make sure the container options enable GPUs"},
			Misses:  []string{"Found 2 accessible GPUs"},
			Source:  "https://docs.nvidia.com/clara/parabricks/latest/gettingstarted/installationrequirements.html",
		},
	}
}
