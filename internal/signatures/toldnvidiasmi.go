package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldNvidiaSMI is what people tell of the figures that nvidia-smi shows.
func toldNvidiaSMI() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-smi-cuda-err", Product: "nvidia-smi",
			Literals: []string{"CUDA Version: ERR!", "CUDA Version: N/A"},
			Pattern:  `CUDA Version: (?P<value>ERR!|N/A)`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "nvidia-smi reaches the driver's kernel side and cannot load libcuda.",
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Title:    "nvidia-smi in WSL cannot load libcuda (CUDA Version {value}): the Windows driver[ {driver}] and WSL do not fit, or a libcuda of Linux is in the way",
					Text:     "In WSL libcuda.so comes from the Windows driver in /usr/lib/wsl/lib. A new or half updated driver needs a newer WSL kernel, and a libcuda of Linux packages hides the right one. Do not install a Linux driver.",
					Remedies: []Remedy{fix("update the driver on Windows and WSL, and remove Linux driver packages from the distribution", "powershell", "wsl --update; wsl --shutdown", "bash", "ldconfig -p | grep libcuda; dpkg -l | grep -e libnvidia-compute -e nvidia-utils")},
					Ask:      "ldconfig -p | grep libcuda; wsl --version",
				},
				Cause{
					When: on(Any(InContainer, inImage)), Layer: rule.ContainerRuntime,
					Title:    "The container has no libcuda (CUDA Version {value}): NVIDIA_DRIVER_CAPABILITIES lacks compute, or the container was created before a driver update (create it anew)",
					Text:     "With utility alone, nvidia-smi is brought in and libcuda is not.",
					Remedies: []Remedy{fix("start it with the capability compute", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE nvidia-smi")},
				},
				Cause{
					Title:    "The driver is only half there: nvidia-smi runs and libcuda does not load (CUDA Version {value})",
					Text:     "libcuda.so.1 (package libnvidia-compute, nvidia-driver-cuda-libs) is missing or of another release than the driver.",
					Remedies: []Remedy{fix("install the compute part of the same driver release", "check", "ldconfig -p | grep libcuda", "ubuntu", "sudo apt-get install --reinstall libnvidia-compute-$(cut -d. -f1 /sys/module/nvidia/version)")},
				},
			),
			Samples: []string{"| NVIDIA-SMI 551.61       Driver Version: 551.61       CUDA Version: ERR!     |"},
			Misses:  []string{"CUDA Version: 12.4"},
			Source:  "https://github.com/microsoft/WSL/issues/11589",
		},
		{
			ID: "told-zombie-memory", Product: "operating system",
			Literals: []string{"a zombie", "zombie process", "zombies of", "<defunct>", "[python] <defunct", "is defunct", "no such process", "shows no process", "no processes", "no running process", "without any process", "No running processes"},
			Pattern:  `(?i)zombie|defunct|no such process|(?:no|without any|not (?:list|show)\w*(?: any)?)(?: running)? process`,
			Layer:    rule.Application, Role: Context,
			Meaning: "A process that ended, or that nobody sees, holds memory of the GPU.",
			Causes: causes(Cause{
				When:  on(Says("GPU memory", "memory of the GPU", "occupied", "still in use", "in use", "not released", "not freed", "holds memory", "keeps the", "memory usage", "MiB /", "not free", "still hold"), Says("zombie", "defunct", "kill", "killed", "Ctrl-C", "ctrl+c", "interrupt", "terminated", "crashed", "stopped")),
				Title: "A process that was killed or became a zombie still holds the GPU's memory",
				Text: "Memory is given back when the last process that has the GPU open is gone: data loader workers, a parent that does not reap its child, a process of another container or user that nvidia-smi does not show. " +
					"Not the stack: driver and CUDA need no reinstallation.",
				Remedies: []Remedy{
					fix("find who has the devices open and end them (kill the parent of a zombie)", "shell", "sudo fuser -v /dev/nvidia*; ps -ef | grep -e defunct -e python"),
					fix("where nothing has them open, reset the GPU or restart the machine", "shell", "sudo nvidia-smi --gpu-reset -i 0"),
				},
			}),
			Samples: []string{"the trainer became a zombie process", "kill: (4711) - No such process"},
			Misses:  []string{"one process is running"},
			Source:  "https://github.com/pytorch/pytorch/issues/4293",
		},
	}
}
