package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// slurmGRES is what slurmd and slurmctld say of gres.conf.
func slurmGRES() []*Signature {
	return []*Signature{
		{
			ID: "slurm-gres-file", Product: "slurm",
			Literals: []string{"gres.conf file", "gres.conf: file"},
			Pattern:  `(?i)(?:waiting for|can'?t stat|cannot stat|unable to stat) gres\.conf:? file (?P<file>/[\w/.\[\]-]+)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "A device file that gres.conf names is not there when slurmd starts.",
			Causes: causes(Cause{
				Title: "slurmd does not start: the device file {file} that gres.conf names is not on the node[ (driver {driver})]",
				Text:  "The nodes /dev/nvidia* are made when the kernel module is loaded and a program of root first uses it. Here slurmd came before that, the driver is not loaded, or the node has no such GPU and the line in gres.conf is for other nodes.",
				Remedies: []Remedy{
					fix("see whether the driver works, and let the device files be made before slurmd starts (nvidia-persistenced, or nvidia-modprobe in the unit)", "node", "nvidia-smi -L; sudo nvidia-modprobe -c 0 -u; ls -l /dev/nvidia*; sudo systemctl restart slurmd"),
					fix("where the node has no GPU, restrict the line with NodeName= in gres.conf and take Gres= from the node in slurm.conf"),
				},
				Ask: "nvidia-smi -L and ls -l /dev/nvidia*, on that node",
			}),
			Samples: []string{"slurmd[812]: error: Waiting for gres.conf file /dev/nvidia1", "slurmd: fatal: can't stat gres.conf file /dev/nvidia0: No such file or directory"},
			Misses:  []string{"edit the gres.conf file of the cluster"},
			Source:  "https://github.com/fgci-org/ansible-role-cuda/issues/3",
		},
		{
			ID: "slurm-gres-config", Product: "slurm",
			Literals: []string{"invalid GRES core specification", "gres.conf duplicate", "invalid gres data", "unable to parse gres.conf", "gres.conf: parsing error", "Invalid GRES data", "GresPlugin", "GresTypes", "Ignoring gres.conf record", "gres type", "plugin not configured"},
			Pattern:  `(?i)(?P<what>invalid GRES core specification \((?P<cores>[\d,-]+)\)|gres\.conf duplicate records?[^\n]{0,20}|Ignoring gres\.conf record[^\n]{0,80}|(?:gres\.conf: )?parsing error[^\n]{0,60}gres\.conf|invalid gres data for \w+[^\n]{0,80}|gres plugin \w* ?not configured)`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "Slurm does not take what gres.conf says.",
			Causes: causes(
				Cause{
					When:     on(Has("cores")),
					Title:    "Slurm refuses the Cores= (CPUs=) of gres.conf: {cores} is not a set of cores that the node's slurm.conf has",
					Text:     "Cores= in gres.conf counts cores as Slurm numbers them (socket by socket), not the operating system's CPU numbers with hyper-threads that nvidia-smi topo -m shows. The GPUs and their driver are not at fault.",
					Remedies: []Remedy{fix("take the core numbers that slurmd itself finds, or leave Cores= out and use AutoDetect=nvml", "node", "slurmd -C; slurmd -G; nvidia-smi topo -m")},
				},
				Cause{
					When:     on(Says("duplicate")),
					Title:    "gres.conf describes the GPUs twice: AutoDetect=nvml and own lines Name=gpu, or the same file in two lines, are duplicate records",
					Text:     "With AutoDetect slurmd makes the records itself. Lines beside it are allowed only where they describe the same GPUs with File=. The driver is not at fault.",
					Remedies: []Remedy{fix("keep AutoDetect=nvml alone, or the lines with File= alone, in gres.conf, and restart slurmd", "node", "cat /etc/slurm/gres.conf; slurmd -G")},
				},
				Cause{
					Title:    "Slurm does not take the node's gres.conf ({what}): names, types and numbers have to agree with Gres= and GresTypes= of slurm.conf",
					Text:     "The controller compares what slurmd finds on the node with slurm.conf. The GPUs and their driver are not at fault.",
					Remedies: []Remedy{fix("compare what slurmd finds with the two files, and make them agree", "node", "slurmd -G; grep -i gres /etc/slurm/slurm.conf; cat /etc/slurm/gres.conf; nvidia-smi -L")},
				},
			),
			Samples: []string{"error: _node_config_validate: gres/gpu: invalid GRES core specification (0-23) on node gpu07", "slurmd: fatal: gres.conf duplicate records for gpu", "error: Ignoring gres.conf record, invalid name: gpus", "fatal: Invalid gres data for gpu, Count does not match"},
			Misses:  []string{"GresTypes=gpu", "see gres.conf for the gres types"},
			Source:  "https://slurm.schedmd.com/gres.conf.html",
		},
	}
}
