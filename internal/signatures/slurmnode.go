package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// slurmNode is how Slurm's nodes are set up for GPUs.
func slurmNode() []*Signature {
	return []*Signature{
		{
			ID: "slurm-autodetect-nvml", Product: "slurm",
			Literals: []string{"configured to autodetect nvml", "AutoDetect=nvml", "gpu/nvml", "gpu_nvml.so", "Unable to find NVML", "find that lib when Slurm was configured"},
			Pattern:  `(?i)configured to autodetect nvml functionality|(?:cannot|can't|couldn'?t|unable to|failed to)[^\n]{0,60}(?:gpu[/_]nvml|AutoDetect=nvml)|(?:gpu/nvml|gpu_nvml\.so|AutoDetect=nvml)[^\n]{0,80}(?:not found|no such|cannot|fail|error|couldn'?t)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "slurmd cannot ask NVML for the node's GPUs.",
			Causes: causes(Cause{
				Title:    "slurmd was built without NVML, so AutoDetect=nvml in gres.conf does not work",
				Text:     "The plugin gpu/nvml is built where the headers (nvml.h of the CUDA toolkit) and libnvidia-ml were there at Slurm's configure. The driver on the node is not at fault.",
				Remedies: []Remedy{fix("build Slurm anew on a machine with the CUDA toolkit's nvml development files (configure --with-nvml), or install the package with the plugin", "check", "ls /usr/lib64/slurm/gpu_nvml.so; slurmd -G"), fix("or name the files in gres.conf: Name=gpu File=/dev/nvidia[0-3], with AutoDetect=off; or AutoDetect=nvidia (Slurm 24.11)")},
			}),
			Samples: []string{"slurmd: fatal: We were configured to autodetect nvml functionality, but we weren't able to find that lib when Slurm was configured."},
			Misses:  []string{"gres.conf has AutoDetect=nvml"},
			Source:  "https://slurm.schedmd.com/gres.html",
		},
		{
			ID: "told-slurm-devices-open", Product: "slurm",
			Literals: []string{"ConstrainDevices", "sees all GPUs", "sees all 4", "sees all 8", "see all GPUs", "all GPUs of the node", "all the GPUs", "use all GPUs", "use all NVIDIA GPUs", "uses all GPUs", "evade CUDA_VISIBLE_DEVICES", "override CUDA_VISIBLE_DEVICES"},
			Pattern:  `(?i)(?:no|without|not set|missing)[^\n]{0,30}ConstrainDevices|ConstrainDevices ?= ?no|ConstrainDevices[^\n]{0,20}(?:not set|missing|no\b)|(?:see|use)s? all (?:the |of the |nvidia |\d )?(?:gpus|\d)|(?:evade|override) CUDA_VISIBLE_DEVICES|all (?:the )?gpus (?:of|on) the node`,
			Layer:    rule.DeviceExposure, Role: Told, Strength: Strong,
			Where:   on(Says("slurm", "srun ", "sbatch", "gres")),
			Meaning: "A job of Slurm reaches GPUs that are not its own.",
			Causes: causes(Cause{
				Title:    "Slurm does not keep jobs to their GPUs: ConstrainDevices=yes is missing in cgroup.conf (with TaskPlugin=task/cgroup and File= in gres.conf)",
				Text:     "Without it CUDA_VISIBLE_DEVICES alone names the job's GPUs, and nvidia-smi shows all. That is not a fault of the driver.",
				Remedies: []Remedy{fix("set TaskPlugin=task/cgroup,task/affinity in slurm.conf, ConstrainDevices=yes in cgroup.conf, the device files in gres.conf, and restart slurmd", "node", "scontrol show config | grep -i -e TaskPlugin -e Cgroup; cat /etc/slurm/cgroup.conf /etc/slurm/gres.conf")},
			}),
			Samples: []string{"cgroup.conf has no ConstrainDevices", "the job sees all 4 GPUs"},
			Misses:  []string{"ConstrainDevices=yes"},
			Source:  "https://slurm.schedmd.com/cgroup.conf.html",
		},
	}
}
