package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldSetup is about how a driver, a toolkit or a cluster was set up.
func toldSetup() []*Signature {
	return []*Signature{
		{
			ID: "told-slurm-constrained", Product: "slurm",
			Literals: []string{"ConstrainDevices", "unset CUDA_VISIBLE_DEVICES"},
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "Slurm's cgroups leave a job its own GPUs alone, numbered from 0.",
			Causes: causes(Cause{
				When:     on(Says("CUDA_VISIBLE_DEVICES"), Any(Says("slurm", "srun ", "sbatch", "ConstrainDevices", "gres"), aboutDocker), Says("no CUDA-capable", "No CUDA GPUs", "invalid device ordinal", "unknown device", "not detect", "no GPU")),
				Title:    "CUDA_VISIBLE_DEVICES names a GPU by the node's number, while the job's cgroup (ConstrainDevices, --gres) shows its GPUs from 0 on",
				Text:     "With ConstrainDevices=yes a job sees its own GPUs alone, as 0, 1, …; a number of the whole node (set by a script, an older slurmd or AutoDetect) then names none.",
				Remedies: []Remedy{fix("do not set the variable in scripts (unset it), and let slurmd number by cgroup: gres.conf with the right File= lines, a current Slurm", "slurm", "srun --gres=gpu:1 bash -c 'nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES $SLURM_JOB_GPUS'")},
			}),
			Samples: []string{"cgroup.conf has ConstrainDevices=yes", "unset CUDA_VISIBLE_DEVICES helps"},
			Misses:  []string{"export CUDA_VISIBLE_DEVICES=0"},
			Source:  "https://slurm.schedmd.com/gres.html",
		},
		{
			ID: "told-compute-mode", Product: "cuda",
			Literals: []string{"exclusive process", "exclusive_process", "exclusive mode", "E. Process", "compute mode", "exclusive (single process)", "exclusive-process"},
			Pattern:  `(?i)exclusive[_ -](?:process|thread|mode)|\bE\. Process|(?:prohibited|exclusive)[^\n]{0,40} compute mode|compute mode[^\n.]{0,30}(?:exclusive|prohibited)|nvidia-smi -c (?:[123]|EXCLUSIVE|PROHIBITED)`,
			Layer:    rule.Application, Role: Context,
			Meaning: "The GPU's compute mode lets one process alone, or none, use it.",
			Causes: causes(Cause{
				When:     on(Says("busy or unavailable", "prohibited", "second process", "only one process", "the second", "only the first", "already in use", "workers", "CUDA error", "fails")),
				Title:    "The GPU is in an exclusive (or prohibited) compute mode: one process at a time may use it",
				Text:     "The administrator set it with nvidia-smi -c. A second process, a worker that touches CUDA, or a process that is left over is refused. Driver and packages are not broken.",
				Remedies: []Remedy{fix("keep CUDA in one process, end the other one, or set the mode back to default", "shell", "nvidia-smi -q -d COMPUTE; sudo nvidia-smi -c DEFAULT"), fix("or share it by MPS, which counts as one process", "shell", "nvidia-cuda-mps-control -d")},
			}),
			Samples: []string{"CUDA error: exclusive (single process) or prohibited compute mode", "nvidia-smi shows E. Process", "the compute mode is exclusive"},
			Misses:  []string{"Compute Mode : Default"},
			Source:  "https://man.archlinux.org/man/extra/nvidia-utils/nvidia-smi.1.en",
		},
		{
			ID: "told-two-drivers", Product: "nvidia driver",
			Literals: []string{".run file", "the runfile", "a runfile", "runfile driver", "runfile and", "NVIDIA's runfile", ".run installer", "NVIDIA-Linux-x86_64"},
			Layer:    rule.Driver, Role: Context,
			Meaning: "A driver was installed from NVIDIA's runfile.",
			Causes: causes(Cause{
				When:     on(Says("nvidia-driver-", "from apt", "with apt", "by apt", "dnf install", "apt install nvidia", "packages"), Says("mixed", "both drivers", "both versions", "two versions", "two drivers", "first installed", "earlier installed", "conflict", "left over", "leftover", "later installed", "on top of")),
				Title:    "Two drivers are installed over each other: one from NVIDIA's .run file and one from packages, so libraries of two releases are mixed",
				Text:     "Neither removes the other's files. The loader and DKMS then take parts of both.",
				Remedies: []Remedy{fix("uninstall the runfile's driver, purge the packages, and install one of them", "shell", "sudo nvidia-uninstall; sudo apt-get purge '^nvidia-.*' '^libnvidia-.*'; ls /usr/lib/x86_64-linux-gnu/libcuda.so.*; sudo apt-get install nvidia-driver-550; sudo reboot")},
			}),
			Samples: []string{"I installed the .run file and later the package"},
			Misses:  []string{"cuda.deb"},
			Source:  "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/index.html",
		},
		{
			ID: "cuda-package-missing", Product: "apt",
			Literals: []string{"Unable to locate package cuda", "Unable to locate package libcudnn", "Unable to locate package nvidia-container-toolkit", "Unable to locate package libnv", "No match for argument: cuda", "Unable to find a match: cuda", "has no installation candidate"},
			Pattern:  `(?:Unable to locate package|No match for argument:|Unable to find a match:) (?P<package>(?:cuda|libcudnn|cudnn|libnvinfer|libnv|nvidia-container)[\w.-]*)|Package '?(?P<package>(?:cuda|libcudnn|libnvinfer|nvidia-container)[\w.-]*)'? has no installation candidate`,
			Layer:    rule.Toolkit,
			Meaning:  "The package manager knows no such package of NVIDIA.",
			Causes: causes(Cause{
				Title:    "{package} is not in the configured repositories[ of this {os}]: NVIDIA's repository is missing, or is that of another distribution release",
				Text:     "Each release of a distribution has a repository of its own (ubuntu2404, rhel9 …), and not every CUDA release exists for each. An entry for another release in sources.list.d does not serve.",
				Remedies: []Remedy{fix("add NVIDIA's repository for this release (cuda-keyring; for the container toolkit its own), and update the lists", "ubuntu", "grep -rn nvidia /etc/apt/sources.list.d; sudo apt-get update; apt-cache search --names-only '^cuda-toolkit'")},
			}),
			Samples: []string{"E: Unable to locate package cuda-toolkit-12-6", "Error: Unable to find a match: cuda-toolkit", "E: Package 'cuda-toolkit-11-8' has no installation candidate"},
			Misses:  []string{"E: Unable to locate package htop"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
		},
		{
			ID: "driver-packages-updated", Product: "apt",
			Literals: []string{"libnvidia-", "nvidia-driver-", "nvidia-utils-", "nvidia-dkms-", "nvidia-kernel-"},
			Pattern:  `(?:libnvidia|nvidia)-[a-z][\w-]*?(?::\w+)? \((?P<old>\d{3}\.\d+(?:\.\d+)?)[^\s,)]*(?: =>|,| ->) ?(?P<new>\d{3}\.\d+(?:\.\d+)?)[^\s)]*\)`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "A log of apt tells that the driver's packages were updated.",
			Causes: causes(Cause{
				When:     on(Says("version mismatch", "API mismatch", "LibRmVersionMismatch", "couldn't communicate", "driver mismatch")),
				Title:    "The driver's packages were updated from {old} to {new}, and the kernel module {old} is still loaded",
				Text:     "New programs find libraries of {new}; those that were started before keep the old ones and go on. Unattended upgrades do this without notice.",
				Remedies: []Remedy{fix("restart the machine, or with no program on the GPU reload the module", "shell", "sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia && sudo modprobe nvidia; cat /proc/driver/nvidia/version"), fix("keep the driver from unattended upgrades", "ubuntu", "sudo apt-mark hold $(dpkg-query -W -f '${Package} ' 'nvidia-*' 'libnvidia-*')")},
			}),
			Samples: []string{"Upgrade: libnvidia-compute-535:amd64 (535.129.03-0ubuntu0.22.04.1, 535.154.05-0ubuntu0.22.04.1)", "libnvidia-gl-550 (550.54.14-0ubuntu1 => 550.67-0ubuntu1)"},
			Misses:  []string{"libnvidia-compute-535 (535.129.03)"},
			Source:  "https://github.com/Syllo/nvtop/issues/125",
		},
		{
			ID: "told-swarm", Product: "docker",
			Literals: []string{"docker stack", "docker service create", "docker swarm", "swarm service", "swarm mode", "in swarm"},
			Layer:    rule.ContainerRuntime, Role: Context,
			Meaning: "The container is one of Docker Swarm.",
			Causes: causes(Cause{
				When:     on(Says("nvidia", "GPU", "cuda"), Says("device_count", "is_available", "no GPU", "not see", "not detect", "not available", "No CUDA GPUs", "no suitable node", "insufficient resources", "generic resource")),
				Title:    "Docker Swarm has no --gpus for services: nvidia has to be the node's default runtime, or the GPUs generic resources of the node",
				Text:     "Swarm ignores runtime: and device reservations of Compose. A node offers GPUs as node-generic-resources (NVIDIA-GPU=UUID) in daemon.json, with swarm-resource in /etc/nvidia-container-runtime/config.toml, and a service reserves them; simplest is nvidia as default-runtime.",
				Remedies: []Remedy{fix("make nvidia the default runtime of the GPU nodes", "node", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker")},
			}),
			Samples: []string{"docker stack deploy -c stack.yml app", "in a swarm service"},
			Misses:  []string{"particle swarming"},
			Source:  "https://docs.docker.com/reference/cli/docker/service/create/",
		},
		{
			ID: "told-mig-index", Product: "cuda",
			Literals: []string{"CUDA_VISIBLE_DEVICES=", "CUDA_VISIBLE_DEVICES ="},
			Pattern:  `CUDA_VISIBLE_DEVICES ?= ?["']?(?P<index>\d[\d,]*)`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "CUDA_VISIBLE_DEVICES names GPUs by number.",
			Causes: causes(Cause{
				When:     on(Says(" MIG ", "MIG mode", "MIG instance", "1g.5gb", "1g.10gb", "1g.6gb", "2g.10gb", "2g.20gb", "3g.20gb", "3g.40gb", "1g.12gb"), Says("same slice", "same instance", "no gpu", "No CUDA GPUs", "no CUDA-capable", "not found", "invalid device", "one device", "only one", "first instance", "not detect")),
				Title:    "CUDA_VISIBLE_DEVICES={index} names a GPU, and a MIG instance has to be named by its UUID (MIG-…)",
				Text:     "By number CUDA takes the first MIG instance of that GPU, and a number above the GPUs gives none. Each process uses one instance.",
				Remedies: []Remedy{fix("name the instance by UUID", "shell", "nvidia-smi -L; export CUDA_VISIBLE_DEVICES=MIG-UUID-OF-THE-INSTANCE")},
			}),
			Samples: []string{"CUDA_VISIBLE_DEVICES=0 python train.py"},
			Misses:  []string{"CUDA_VISIBLE_DEVICES=MIG-41b3"},
			Source:  "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/index.html",
		},
	}
}
