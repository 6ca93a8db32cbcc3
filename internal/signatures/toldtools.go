package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldTools is about toolkits and clusters: links, paths, modules, nodes, as their
// tools and the people who use them tell it.
func toldTools() []*Signature {
	return []*Signature{
		{
			ID: "cuda-link-dangling", Product: "cuda toolkit",
			Literals: []string{"/usr/local/cuda -> ", "/usr/local/cuda ->", "cuda symlink", "/usr/local/cuda symlink", "/usr/local/cuda points", "link /usr/local/cuda"},
			Pattern:  `(?i)/usr/local/cuda ?-> ?(?P<target>\S+)|/usr/local/cuda (?:is a )?(?:sym(?:bolic )?)?(?:link )?(?:points|pointing|linked|that points) to (?P<target>\S+)|sym(?:bolic )?link[^\n.]{0,30}/usr/local/cuda|/usr/local/cuda symlink`,
			Layer:    rule.Toolkit, Role: Context, Strength: Strong,
			Meaning: "/usr/local/cuda is a link.",
			Causes: causes(Cause{
				When:     on(Says("not exist", "doesn't exist", "broken", "dangling", "not there", "wrong version", "old version", "nvcc is not found", "nvcc not found", "nvcc: command not found", "No such file", "missing", "mismatch", "another version", "still points", "instead of")),
				Title:    "The link /usr/local/cuda[ points to {target}, which] is not the toolkit that is wanted, or is not there at all",
				Text:     "Builds and PATH use /usr/local/cuda, a symbolic link to one toolkit. It was left from another installation or an image layer.",
				Remedies: []Remedy{fix("let the link point to the toolkit that is installed, or name that one in CUDA_HOME and PATH", "shell", "ls -d /usr/local/cuda-*; sudo ln -sfn /usr/local/cuda-12.4 /usr/local/cuda; /usr/local/cuda/bin/nvcc --version")},
			}),
			Samples: []string{"lrwxrwxrwx 1 root root 20 /usr/local/cuda -> /opt/tmp/cuda-12", "the /usr/local/cuda symlink is broken"},
			Misses:  []string{"ls /usr/local/cuda-12.4"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/issues/1088",
		},
		{
			ID: "distribution-nvcc-first", Product: "nvcc",
			Literals: []string{"/usr/bin/nvcc", "nvidia-cuda-toolkit", "/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda"},
			Pattern:  `(?:^|[\s:"'(=])(?P<path>/usr/bin/nvcc|/usr/lib/nvidia-cuda-toolkit\S*|/usr/lib/cuda)\b|\bnvidia-cuda-toolkit\b`,
			Layer:    rule.Toolkit, Role: Context, Strength: Strong,
			Meaning: "The toolkit of the distribution's package is used.",
			Causes: causes(Cause{
				When:  on(Says("too old", "wrong nvcc", "older version", "wrong version", "wrong compiler", "wrong CUDA", "not support", "unsupported", "different version", "mismatch", "picks the", "instead of /usr/local", "instead of the", "or newer is required", "or higher is required", "Unsupported gpu architecture", "is required"), Not(Says("RuntimeError: The detected CUDA version", "unsupported clang version", "code=sm_ ", "architecture 'compute_'"))),
				Title: "The old nvcc of the distribution's package nvidia-cuda-toolkit (/usr/bin/nvcc) is used in place of the toolkit[ {toolkit}] in /usr/local/cuda",
				Text:  "apt install nvidia-cuda-toolkit puts an older release into /usr/bin, which comes first on PATH; CMake and setup scripts take the first nvcc that they find.",
				Remedies: []Remedy{
					fix("name the other toolkit to the build: put it first on PATH and set CUDA_HOME and CUDACXX, then delete the build directory and configure anew", "shell", "export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH CUDACXX=/usr/local/cuda/bin/nvcc"),
					fix("or remove the distribution's package", "ubuntu", "sudo apt-get remove nvidia-cuda-toolkit"),
				},
			}),
			Samples: []string{"-- Check for working CUDA compiler: /usr/bin/nvcc - skipped", "I once installed nvidia-cuda-toolkit"},
			Misses:  []string{"/usr/local/cuda/bin/nvcc"},
			Source:  "https://github.com/vllm-project/vllm/issues/4313",
		},
		{
			ID: "cuda-runfile-driver", Product: "cuda installer",
			Literals: []string{"Install of driver component failed", "failed, quitting"},
			Pattern:  `(?i)Install of driver component failed|\[ERROR\]:? Install of (?P<release>[\d.]+) failed`,
			Layer:    rule.Toolkit,
			Meaning:  "The runfile of the CUDA toolkit stopped at the driver in it.",
			Causes: causes(Cause{
				Title: "The CUDA runfile stopped because the driver in it[ ({release})] could not be installed: the one that is there already does not give way, or is in use",
				Text:  "The toolkit does not need the driver of its runfile: any driver that is new enough for it will do.[ Driver {driver} is there.] Read /var/log/nvidia-installer.log for the reason.",
				Remedies: []Remedy{
					fix("install the toolkit alone, without the driver: deselect Driver in the menu, or say --toolkit", "shell", "sudo sh cuda_VERSION_linux.run --silent --toolkit"),
					fix("or from packages: cuda-toolkit, not cuda", "ubuntu", "sudo apt-get install cuda-toolkit-12-4"),
				},
			}),
			Samples: []string{"[ERROR]: Install of driver component failed. Consult the driver log at /var/log/nvidia-installer.log for more details.", "[ERROR]: Install of 535.54.03 failed, quitting"},
			Misses:  []string{"3 of 4 downloads failed, quitting"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
		},
		{
			ID: "nvhpc-toolkit-not-matching", Product: "HPC SDK",
			Literals: []string{"was not installed with this HPC SDK", "A CUDA toolkit matching the current driver version", "nvfortran-Error", "nvc-Error", "nvc++-Error"},
			Pattern:  `(?:nv\w+(?:\+\+)?-Error-)?A CUDA toolkit matching the current driver version \((?P<have>[\d.]+)\) or a supported older version \((?P<want>[\d.]+)\) was not installed with this HPC SDK`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The compilers of the HPC SDK choose a CUDA by the driver and find none.",
			Causes: causes(
				Cause{
					When:     on(Is("have", `^0`)),
					Title:    "The HPC SDK found no driver on this node (version 0, a login node) and has no CUDA {want} of its own",
					Text:     "Without a driver the compilers fall back to CUDA {want}, which this installation of the SDK does not have. Name a CUDA that it has.",
					Remedies: []Remedy{fix("name the CUDA of the SDK with -gpu=cuda12.x (or NVHPC_CUDA_HOME), or build on a GPU node", "check", "ls $NVHPC_ROOT/cuda; nvaccelinfo")},
				},
				Cause{
					Title:    "The HPC SDK has no CUDA for the driver's {have}, nor {want}",
					Text:     "Its compilers take the CUDA of the driver, where nothing else is said.",
					Remedies: []Remedy{fix("name a CUDA that the SDK has with -gpu=cuda12.x, set NVHPC_CUDA_HOME to another toolkit, or use the SDK's multi-CUDA package", "check", "ls $NVHPC_ROOT/cuda")},
				},
			),
			Samples: []string{"nvfortran-Error-A CUDA toolkit matching the current driver version (12.2) or a supported older version (11.8) was not installed with this HPC SDK."},
			Misses:  []string{"nvfortran-Error-Unknown switch: -foo"},
			Source:  "https://github.com/MFlowCode/MFC/issues/687",
		},
		{
			ID: "apptainer-nv-behind-image", Product: "apptainer",
			Literals: []string{"apptainer exec", "apptainer run", "apptainer shell", "singularity exec", "singularity run", "singularity shell"},
			Pattern:  `(?:apptainer|singularity) (?:exec|run|shell)(?: --?[\w-]+(?:[= ][\w./:,-]*[/:,][\w./:,-]*)?)* (?P<image>[^\s-][^\s]*\.(?:sif|simg|img))\b(?P<rest>(?: \S+){0,4}? --nv\b)?`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "A container is started with apptainer or singularity.",
			Causes: causes(
				Cause{
					When:     on(Has("rest"), noGPUTold),
					Title:    "--nv stands behind the image {image|base}, where it is an option of the program: it has to stand before the image",
					Text:     "Options of apptainer and singularity come before the image. So the container was started without the GPU's libraries.",
					Remedies: []Remedy{fix("put --nv before the image", "shell", "apptainer exec --nv image.sif nvidia-smi")},
				},
				Cause{
					When:     on(Not(Says("--nv", "--nvccli")), noGPUTold),
					Title:    "The container was started without --nv, so it has no driver libraries: apptainer and singularity need it for the GPU",
					Text:     "Without --nv (or --nvccli) nothing of the host's driver is in the container.",
					Remedies: []Remedy{fix("start it with --nv", "shell", "apptainer exec --nv image.sif nvidia-smi")},
				},
			),
			Samples: []string{"apptainer exec tools.sif --nv python run.py", "$ singularity exec tools.sif ./deviceQuery"},
			Misses:  []string{"apptainer pull docker://ubuntu"},
			Source:  "https://github.com/apptainer/apptainer/issues/846",
		},
		{
			ID: "told-apptainer-contain", Product: "apptainer",
			Literals: []string{"/dev/nvidia*", "(contain)", "--contain", "contain)"},
			Pattern:  `(?i)/dev/nvidia\*[^\n.]{0,40}(?:missing|not there|absent|gone|not (?:exist|present|visible|found|in))|(?:with|when|adding|add|using|option|flag)\s[^\n.]{0,30}(?:\s-c\b|--contain(?:all)?\b)`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "Somebody tells of --contain, or of device nodes that are missing.",
			Causes: causes(
				Cause{
					When:     on(Says("apptainer", "singularity"), Says("--contain", " -c ", "contain)", "/dev/nvidia")),
					Title:    "With --contain (-c) the container has a minimal /dev without the device nodes /dev/nvidia*",
					Text:     "--nv brings the libraries; with --contain or --containall some releases make a /dev of their own that lacks the GPU's nodes, so CUDA finds no device.",
					Remedies: []Remedy{fix("leave --contain out, bind the nodes (--bind /dev/nvidia0,/dev/nvidiactl,/dev/nvidia-uvm), or update: newer releases add them", "shell", "apptainer exec --nv --bind /dev image.sif nvidia-smi; apptainer --version")},
				},
				Cause{
					When:     on(Any(InContainer, InKubernetes, inLXC)),
					Title:    "The device nodes /dev/nvidia* are not in the container, so CUDA finds no GPU there",
					Text:     "The container has libraries of the driver and no nodes: it was not started with the NVIDIA runtime or CDI, or the nodes did not exist on the host when it started.",
					Remedies: []Remedy{fix("see the nodes on the host, and start the container with --gpus all (or the CDI device)", "host", "ls -l /dev/nvidia*; sudo nvidia-modprobe -u -c=0")},
				},
			),
			Samples: []string{"the /dev/nvidia* files are missing inside", "when I add --contain it fails"},
			Misses:  []string{"ls /dev/nvidia*"},
			Source:  "https://github.com/apptainer/singularity/issues/1306",
		},
		{
			ID: "pyxis-visible-devices", Product: "enroot",
			Literals: []string{"--container-image", "enroot start", "with pyxis", "pyxis/enroot", "pyxis and enroot", "using enroot", "with enroot"},
			Pattern:  `(?i)--container-image|enroot start|\bpyxis\b|\benroot\b`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "The container is one of enroot, perhaps by way of Slurm's pyxis.",
			Causes: causes(Cause{
				When:     on(Says("Found no NVIDIA driver", "libcuda.so.1: cannot open", "no CUDA-capable device", "No CUDA GPUs are available", "nvidia-smi: command not found", "nvidia-smi: not found"), Not(Says("98-nvidia.sh"))),
				Title:    "enroot gave the container no driver: NVIDIA_VISIBLE_DEVICES is not set in it",
				Text:     "enroot's hook 98-nvidia.sh looks at NVIDIA_VISIBLE_DEVICES (and NVIDIA_DRIVER_CAPABILITIES). NVIDIA's images set them; a plain ubuntu or python image does not, unlike with docker --gpus.",
				Remedies: []Remedy{fix("set it for the container, in the job's environment or the image", "shell", "srun --gpus=1 --container-image=IMAGE --export=ALL,NVIDIA_VISIBLE_DEVICES=all,NVIDIA_DRIVER_CAPABILITIES=compute,utility nvidia-smi")},
			}),
			Samples: []string{"srun --gpus=2 --container-image=ubuntu python train.py"},
			Misses:  []string{"--container-name=app"},
			Source:  "https://github.com/NVIDIA/enroot/issues/205",
		},
		{
			ID: "told-login-node", Product: "hpc",
			Literals: []string{"login node", "login-node", "head node", "head-node", "frontend node", "front-end node", "submit node", "login server"},
			Pattern:  `(?i)(?:login|head|front-?end|submit)[- ](?:node|server)|@login\d*`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The text comes from a cluster's login node.",
			Causes: causes(Cause{
				When:     on(Says("nvidia-smi: command not found", "no CUDA-capable device", "No CUDA GPUs are available", "is_available", "Found no NVIDIA driver", "libcuda.so.1: cannot open", "CUDA_ERROR_NO_DEVICE", "nvidia-smi not found", "GPU is not", "no GPU", "not see"), Not(Says("SLURM_JOB_ID", "compute node", "gpu node", "GPU nodes", "HPC SDK"))),
				Title:    "This is a login node: it has no GPU and no driver; the check has to run in a job on a GPU node",
				Text:     "On clusters CUDA works in jobs that asked for a GPU. What is installed on the login node is shared and need not be wrong; False there says nothing.",
				Remedies: []Remedy{fix("ask for a GPU and check in the job", "slurm", "srun --gres=gpu:1 --pty nvidia-smi", "slurm", "srun --gres=gpu:1 python -c 'import torch; print(torch.cuda.is_available())'")},
			}),
			Samples: []string{"I ran it on the login node of the cluster", "the head node has no GPU"},
			Misses:  []string{"please log in on the node"},
			Source:  "https://slurm.schedmd.com/gres.html",
		},
		{
			ID: "told-jetson-wheel", Product: "pytorch",
			Literals: []string{"pip install torch", "pip3 install torch", "from PyPI", "torch from pip", "Torch not compiled with CUDA", "torch.version.cuda"},
			Layer:    rule.FrameworkBuild, Role: Context, Strength: Strong,
			Meaning: "torch was installed from PyPI.",
			Causes: causes(Cause{
				When:     on(OnJetson, Says("is_available", "not compiled with CUDA", "+cpu", "CUDA is not", "not use the GPU", "torch.version.cuda"), Not(Says("No CUDA GPUs", "libcu"))),
				Title:    "The torch[ {torch}] on this Jetson is the CPU wheel of PyPI: a Jetson needs the aarch64 wheel built for its JetPack",
				Text:     "PyPI's wheels for aarch64 have no CUDA for Jetson's GPU (JetPack 6 and older). NVIDIA and the jetson-containers project publish wheels for each JetPack, whose CUDA they use.",
				Remedies: []Remedy{fix("uninstall it and install the wheel for this JetPack, or use an l4t-pytorch container", "jetson", "cat /etc/nv_tegra_release; python3 -m pip uninstall -y torch torchvision")},
			}),
			Samples: []string{"pip install torch torchvision", "torch.version.cuda is None"},
			Misses:  []string{"pip install numpy"},
			Source:  "https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/index.html",
		},
	}
}
