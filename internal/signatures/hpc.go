package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hpc is what Apptainer and Singularity, Slurm, enroot and other parts of clusters say about GPUs.
func hpc() []*Signature {
	return []*Signature{
		{
			ID: "apptainer-no-nv-files", Product: "apptainer",
			Literals: []string{"Could not find any nv files on this host", "Could not find any NVIDIA"},
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV001", "HWR001"},
			Meaning: "--nv found no library of the driver on the host.",
			Causes: causes(
				Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "Apptainer finds no driver library in WSL: /usr/lib/wsl/lib is not in the linker's cache",
					Text:     "It asks ldconfig for the files in nvliblist.conf, and WSL's directory is not in its cache.",
					Remedies: []Remedy{fix("put the directory into the cache", "bash", "echo /usr/lib/wsl/lib | sudo tee /etc/ld.so.conf.d/ld.wsl.conf && sudo ldconfig")},
				},
				Cause{
					Title: "Apptainer finds no driver library of NVIDIA on this host (--nv): no driver here, or not in the linker's cache",
					Text:  "Login nodes and CPU nodes have no driver. Where nvidia-smi works, ldconfig does not list the libraries (NixOS, a driver in a directory of its own).",
					Remedies: []Remedy{
						fix("run it on a GPU node, inside a job that has a GPU", "slurm", "srun --gres=gpu:1 apptainer exec --nv image.sif nvidia-smi"),
						fix("where nvidia-smi works on this node, bring the linker's cache up to date", "host", "sudo ldconfig; ldconfig -p | grep libcuda"),
					},
					Ask: "nvidia-smi and ldconfig -p | grep libcuda, on this node",
				},
			),
			Samples: []string{"INFO:    Could not find any nv files on this host!", "WARNING: Could not find any nv files on this host!"},
			Misses:  []string{"found nv files on this host"},
			Source:  "https://github.com/apptainer/apptainer/blob/main/internal/pkg/runtime/launch/launcher_linux.go",
		},
		{
			ID: "apptainer-nv-contain", Product: "apptainer",
			Literals: []string{"--contain", "--containall", "singularity exec", "apptainer exec", "singularity run", "apptainer run", "singularity shell"},
			// Options stand before the image; what the container runs may have a -c of its own.
			Pattern: `(?:singularity|apptainer)\s+(?:-\S+\s+)*(?:exec|run|shell|test)\s+(?:-\S+\s+(?:[^-\s]\S*[:/,]\S*\s+)?)*?(?:-c|-C|--contain|--containall|--no-mount[= ]dev)(?:\s|$)`,
			Layer:   rule.DeviceExposure, Role: Context,
			Meaning: "The container has a /dev of its own.",
			Causes: causes(Cause{
				When:     on(Says("no CUDA-capable", "No CUDA GPUs", "couldn't communicate with the NVIDIA", "CUDA unknown error", "Failed to initialize NVML", "no cuda gpus", "cuInit", "CUDA_ERROR_", "/dev/nvidia", "CUDA error", "no CUDA", "not see the GPU", "No devices were found")),
				Title:    "With --contain the container has a minimal /dev without the GPU's device nodes",
				Text:     "--nv brings the libraries in; with --contain (or --containall) some releases make a /dev of their own that lacks /dev/nvidia*, so CUDA finds no device.",
				Remedies: []Remedy{fix("leave --contain out, or bind the nodes: --bind /dev/nvidia0,/dev/nvidiactl,/dev/nvidia-uvm; newer releases of Apptainer add them by themselves", "shell", "apptainer exec --nv --bind /dev image.sif nvidia-smi; apptainer --version")},
			}),
			Samples: []string{"$ singularity exec --nv --contain cuda.sif ./deviceQuery", "singularity exec -c --nv tools.img ./deviceQuery", "apptainer run --containall --nv image.sif"},
			Misses:  []string{"apptainer exec --nv image.sif python train.py", "singularity exec --nv image.sif bash -c 'python train.py'"},
			Source:  "https://apptainer.org/docs/user/main/gpu.html",
		},
		{
			ID: "slurm-no-gpu-type", Product: "slurm",
			Literals: []string{"Invalid generic resource (gres)", "Invalid Trackable RESource", "Requested node configuration is not available", "gres/gpu", "Unable to allocate resources: Invalid generic"},
			Pattern:  `(?i)Invalid generic resource \(gres\) specification|gres/gpu[^\n]{0,100}(?:count|no such|failed|changed|reported lower)|(?:sbatch|srun|salloc): error:[^\n]{0,80}(?:Requested node configuration is not available|Invalid Trackable RESource)`,
			Layer:    rule.Application,
			Meaning:  "The batch system does not give the job the GPUs that it asks for.",
			Causes: causes(
				Cause{
					When: on(Says("reported lower", "gres/gpu count", "fatal: ", "slurmd")), Layer: rule.DeviceExposure,
					Title:    "Slurm's gres configuration and the GPUs of the node do not agree",
					Text:     "slurm.conf or gres.conf names more GPUs, or other files, than the node has: a card dropped out, or /dev/nvidia* were not there when slurmd started.",
					Remedies: []Remedy{fix("make the nodes before slurmd starts, and compare with nvidia-smi -L", "node", "nvidia-smi -L; ls /dev/nvidia*; sudo nvidia-modprobe -u -c=0; sudo slurmd -G; sudo systemctl restart slurmd")},
				},
				Cause{
					Title:    "Slurm has no such GPU in this partition: the request (--gres, --gpus) names a type or number that is not there",
					Text:     "Not the stack.",
					Remedies: []Remedy{fix("ask for what the partition has", "slurm", "sinfo -o '%P %G %N'")},
				},
			),
			Samples: []string{"sbatch: error: Batch job submission failed: Invalid generic resource (gres) specification", "srun: error: Unable to allocate resources: Requested node configuration is not available", "error: Node gpu03: gres/gpu count reported lower than configured (3 < 4)"},
			Misses:  []string{"AllocTRES=cpu=8,mem=64G,node=1,gres/gpu=1"},
			Source:  "https://github.com/SchedMD/slurm/blob/master/src/common/slurm_errno.c",
		},
		{
			ID: "slurm-job-without-gpu", Product: "slurm",
			Literals: []string{"SLURM_JOB_ID", "slurmstepd", "sbatch ", "#SBATCH", "SLURM_JOB_GPUS", "SLURM_NODELIST"},
			Pattern:  `SLURM_JOB_ID|slurmstepd|\bsbatch\b|#SBATCH`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "The program runs in a job of Slurm.",
			Causes: causes(Cause{
				When:     on(Says("no CUDA-capable device", "No CUDA GPUs are available", "No devices were found", "CUDA_ERROR_NO_DEVICE"), Not(Says("--gres", "gres=gpu", "--gpus", "SLURM_JOB_GPUS", "-G 1", "gpu:"))),
				Title:    "The Slurm job sees no GPU: it did not ask for one (--gres=gpu:1)",
				Text:     "Slurm hides the GPUs of a node from jobs that did not ask for them (ConstrainDevices, CUDA_VISIBLE_DEVICES).",
				Remedies: []Remedy{fix("ask for a GPU", "slurm", "srun --gres=gpu:1 nvidia-smi -L")},
				Ask:      "the job's #SBATCH lines; scontrol show job, the line of TRES",
			}),
			Samples: []string{"SLURM_JOB_ID=1123", "#SBATCH --time=01:00:00"},
			Misses:  []string{"slurm is a drink"},
			Source:  "https://slurm.schedmd.com/gres.html",
		},
		{
			ID: "enroot-nvidia-hook", Product: "enroot",
			Literals: []string{"98-nvidia.sh", "nvidia-container-cli: ", "[ERROR] Command not found: nvidia-container-cli", "Command not found: nvidia-container-cli", "pyxis:"},
			Pattern:  `(?i)98-nvidia\.sh[^\n]{0,80}(?:exited with|failed|error)|Command not found: nvidia-container-cli`,
			Layer:    rule.ContainerRuntime,
			Meaning:  "enroot's hook for NVIDIA failed.",
			Causes: causes(Cause{
				Title:    "enroot could not bring the driver into the container: its hook needs nvidia-container-cli and a working driver on the node",
				Text:     "libnvidia-container-tools is not installed on the node, or the node's driver does not answer (the line before says which).",
				Remedies: []Remedy{fix("install it on the compute nodes, and see nvidia-smi there", "node", "sudo apt-get install libnvidia-container-tools; nvidia-smi")},
			}),
			Samples: []string{"[ERROR] /etc/enroot/hooks.d/98-nvidia.sh exited with return code 1", "enroot-nvidia: [ERROR] Command not found: nvidia-container-cli, see https://github.com/NVIDIA/libnvidia-container"},
			Misses:  []string{"/etc/enroot/hooks.d/98-nvidia.sh"},
			Source:  "https://github.com/NVIDIA/enroot/blob/main/conf/hooks/98-nvidia.sh",
		},
		{
			ID: "charliecloud-shifter", Product: "hpc containers",
			Literals: []string{"ch-fromhost", "shifter: ", "sarus: ", "podman-hpc"},
			Pattern:  `(?i)ch-fromhost: (?:error|.*not found|.*no libraries)[^\n]{0,100}|(?:shifter|sarus|podman-hpc)[^\n]{0,80}(?:nvidia|cuda|gpu)[^\n]{0,60}(?:error|not found|fail)`,
			Layer:    rule.ContainerRuntime,
			Meaning:  "The HPC container engine could not bring the driver in.",
			Causes: causes(Cause{
				Title:    "The container engine of this cluster could not bring the NVIDIA driver into the container",
				Text:     "It takes the libraries of the node on which it runs: nodes without a GPU have none.",
				Remedies: []Remedy{fix("run it inside a job with a GPU; for Charliecloud add the driver to the image with ch-fromhost --nvidia on such a node", "node", "nvidia-smi; nvidia-container-cli list")},
			}),
			Samples: []string{"ch-fromhost: error: nvidia-container-cli failed; does this host have GPUs"},
			Misses:  []string{"ch-fromhost: injecting 12 libraries"},
			Source:  "https://github.com/hpc/charliecloud/blob/master/bin/ch-fromhost",
		},
	}
}
