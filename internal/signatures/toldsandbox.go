package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldSandbox is what people tell of sandboxes, builds and containers that were not given the GPU.
func toldSandbox() []*Signature {
	return []*Signature{
		{
			ID: "told-flatpak-driver", Product: "flatpak",
			Literals: []string{"Platform.GL.nvidia", "flatpak apps", "flatpaks", "the flatpak", "flatpak run", "in flatpak", "via flatpak", "flatpak version", "flatpak list", "as flatpak", "from flatpak", "flatpak apps", "flatpak 0.", "flatpak 1.", "flatpak expects"},
			Pattern:  `(?i)Platform\.GL(?:32)?\.nvidia-(?P<have>[\d-]+\d)|\bflatpaks?\b`,
			Layer:    rule.Driver, Role: Context, Strength: Usual,
			Meaning: "The program runs in Flatpak, which has driver libraries of its own.",
			Causes: causes(Cause{
				When:     on(Any(noGPUTold, Says("not launch", "don't launch", "do not see", "does not see", "llvmpipe", "GLX", "software rendering", "do not run", "fail to load", "fails to load", "is not mounted", "no runtime", "not been found"))),
				Title:    "Flatpak's NVIDIA driver extension (org.freedesktop.Platform.GL.nvidia)[, here {have},] has to be of exactly the host's driver[ ({driver})]",
				Text:     "Programs in Flatpak do not use the host's driver libraries but those of an extension, GL.nvidia-VERSION. After a driver update the new one has to be installed, and Flathub may get it some days later.",
				Remedies: []Remedy{fix("update Flatpak, which takes the extension for the loaded module", "shell", "cat /sys/module/nvidia/version; flatpak update; flatpak list | grep -i nvidia")},
			}),
			Samples: []string{"nvidia-550-54-14 org.freedesktop.Platform.GL.nvidia-550-54-14", "the flatpak does not see the GPU"},
			Misses:  []string{"org.freedesktop.Platform.GL.default"},
			Source:  "https://github.com/nokyan/resources/issues/334",
		},
		{
			ID: "told-singularity-libs", Product: "apptainer",
			Literals: []string{"/.singularity.d/libs", "--cleanenv"},
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The text names the directory into which --nv binds the driver's libraries.",
			Causes: causes(Cause{
				When: on(Says("GLIBC_2")), Layer: rule.ContainerRuntime,
				Title:    "The image's glibc is older than the host's driver libraries, which --nv binds into the container, need (GLIBC_2.x not found)",
				Text:     "--nv brings libraries of the host in; those were built for the host's glibc, and an image of an older distribution lacks it. CUDA's own libraries need little, the graphics ones (libGLX, libEGL) and nvidia-smi more.",
				Remedies: []Remedy{fix("build the image on a distribution at least as new as the host", "check", "ldd --version; singularity exec image.sif ldd --version"), fix("or try --nvccli, which brings the files of the container toolkit alone", "shell", "singularity exec --nv --nvccli image.sif nvidia-smi")},
			}, Cause{
				When:     on(Says("couldn't find", "not found", "cannot open shared", "not see", "LD_LIBRARY_PATH", "could not load", "clean environment", "missing")),
				Title:    "The driver's libraries are in /.singularity.d/libs, but LD_LIBRARY_PATH no longer names that directory",
				Text:     "singularity and apptainer bind the libraries of --nv there and set LD_LIBRARY_PATH to it. A script, module or clean environment (env -i, --cleanenv, a Prefix shell) that empties or replaces the variable hides them.",
				Remedies: []Remedy{fix("keep the directory in the variable", "container", "export LD_LIBRARY_PATH=/.singularity.d/libs:$LD_LIBRARY_PATH; nvidia-smi")},
			}),
			Samples: []string{"the libraries are in /.singularity.d/libs"},
			Misses:  []string{"/.singularity.d/runscript"},
			Source:  "https://github.com/EESSI/software-layer/issues/231",
		},
		{
			ID: "told-build-without-gpu", Product: "docker",
			Literals: []string{"docker build", "during the build", "at build time", "RUN pip", "image build", "build stage"},
			Pattern:  `(?i)docker build|(?:during|at) (?:the )?(?:image )?build(?: time)?|image build`,
			Layer:    rule.ContainerRuntime, Role: Context,
			Meaning: "The text is about the build of an image.",
			Causes: causes(Cause{
				When:  on(Says("is_available", "no GPU", "No CUDA GPUs", "Found no NVIDIA driver", "CUDA is not available", "libcuda.so.1: cannot", "not detect"), Says("default-runtime", "default runtime", "docker run", "--gpus")),
				Title: "docker build has no GPU: --gpus is for docker run alone, and nvidia is not the default runtime (default-runtime in /etc/docker/daemon.json)",
				Text:  "In a build torch.cuda.is_available() is False and libcuda is not there. Extensions can be compiled without a GPU, where the architectures are named.",
				Remedies: []Remedy{
					fix("name the architectures in place of asking the GPU", "Dockerfile", "ENV FORCE_CUDA=1 TORCH_CUDA_ARCH_LIST=\"8.0;8.6;9.0\""),
					fix("or set \"default-runtime\": \"nvidia\" in /etc/docker/daemon.json, restart docker and build with the classic builder (DOCKER_BUILDKIT=0)", "host", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker"),
				},
			}),
			Samples: []string{"docker build fails since torch.cuda.is_available() is False during the build"},
			Misses:  []string{"docker run"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/wiki",
		},
		{
			ID: "docker-run-without-gpus", Product: "docker",
			Literals: []string{"docker run", "podman run"},
			Pattern:  `(?P<engine>docker|podman) run\b`,
			Layer:    rule.ContainerRuntime, Role: Context,
			Meaning: "A container is started, and nothing asks for the GPU.",
			Causes: causes(
				Cause{
					When:     on(OnJetson, Not(Says("--gpus", "--runtime", "runtime: nvidia", "default-runtime")), Says("no CUDA-capable", "is_available", "not found", "cannot open shared", "libnvrm", "nvmap", "no GPU")),
					Title:    "On this Jetson the container was started without --runtime nvidia, so it has neither the GPU's libraries nor its device nodes",
					Text:     "The NVIDIA runtime brings both from the host. The image must also be for the host's L4T[ ({l4t})].",
					Remedies: []Remedy{fix("start it with the runtime", "jetson", "docker run --rm -it --runtime nvidia IMAGE; cat /etc/nv_tegra_release")},
				},
				Cause{
					When: on(Not(Says("--gpus", "--runtime", "nvidia-docker", "nvidia.com/gpu", "--device", "runtime: nvidia", "default-runtime", "default runtime", "gpus: all", "libnvidia-container", "hooks-dir")),
						Says("no CUDA-capable", "No CUDA GPUs", "is_available", "Found no NVIDIA driver", "nvidia-smi: command not found", "nvidia-smi: not found", "libcuda.so.1: cannot", "libcuda.so: cannot", "CUDA_ERROR_NO_DEVICE", "on the CPU", "no GPU", "not detect", "not see")),
					Title:    "The container was started without the GPU: the {engine} run command asks for none (--gpus all is missing)",
					Text:     "Without --gpus all (podman: --device nvidia.com/gpu=all) a container has neither the driver's libraries nor the device nodes. Driver and CUDA in the image are not the reason.",
					Remedies: []Remedy{fix("start it with the GPU; where that fails, install nvidia-container-toolkit on the host", "docker", "docker run --rm --gpus all IMAGE nvidia-smi", "podman", "podman run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi")},
				},
			),
			Samples: []string{"docker run -it --rm app:latest python main.py"},
			Misses:  []string{"docker ps"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
	}
}
