package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hostService is about services and plugins beside the driver: units that are masked, Nomad's plugin, the toolkit of JetPack, and build trees of kernels.
func hostService() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-unit-masked", Product: "systemd",
			Literals: []string{".service is masked"},
			Pattern:  `\b(?P<unit>nvidia-[\w-]+)\.service is masked`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "A unit of the driver is masked, so systemd does not start it.",
			Causes: causes(Cause{
				Title:    "The unit {unit}.service is masked: somebody, or a package that was removed, has switched it off",
				Text:     "A masked unit is a link to /dev/null. The driver itself may be in order.",
				Remedies: []Remedy{fix("unmask it, and see that its package is installed", "shell", "sudo systemctl unmask {unit}.service && sudo systemctl enable --now {unit}.service; systemctl cat {unit}.service")},
			}),
			Samples: []string{"Failed to enable unit: Unit file /etc/systemd/system/nvidia-persistenced.service is masked."},
			Misses:  []string{"nvidia-persistenced.service is active"},
			Source:  "https://github.com/NVIDIA/ansible-role-nvidia-driver/issues/79",
		},
		{
			ID: "zypper-driver-unknown", Product: "zypper",
			Literals: []string{"not found in package names", "No provider of '"},
			Pattern:  `'(?P<package>(?:x11-video-)?nvidia[\w.-]+)' not found in package names|No provider of '(?P<package>(?:x11-video-)?nvidia[\w.-]+)' found`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "zypper knows no such package of the driver.",
			Causes: causes(Cause{
				Title:    "zypper has no package {package}: NVIDIA's repository is not there, or the package is named otherwise in this release",
				Text:     "The driver is not in openSUSE's own repositories. In NVIDIA's they are nvidia-video-G06, nvidia-compute-G06 and nvidia-driver-G06-kmp-default (or nvidia-open-driver-G06-signed-kmp-default), G05 and G04 for older GPUs.",
				Remedies: []Remedy{fix("add the repository, and let zypper choose by the GPU", "opensuse", "sudo zypper install openSUSE-repos-Tumbleweed-NVIDIA && sudo zypper refresh && sudo zypper install-new-recommends --repo repo-non-free", "check", "zypper lr -u; zypper se -s nvidia | grep G0")},
			}),
			Samples: []string{"'nvidia-drivers-G06' not found in package names. Trying capabilities.", "No provider of 'nvidia-video-G06' found."},
			Misses:  []string{"'htop' not found in package names. Trying capabilities."},
			Source:  "https://en.opensuse.org/SDB:NVIDIA_drivers",
		},
		{
			ID: "wsl-adapter-of-another-vendor", Product: "WSL",
			Literals: []string{"Core Nvidia component"},
			Pattern:  `Core Nvidia component \S+ not found in /usr/lib/wsl/drivers/(?P<dir>\S+)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The adapter that Windows passes into WSL has no NVIDIA driver.",
			Causes: causes(
				Cause{
					When:     on(Is("dir", `^(?:u\d|iigd|amd)`)),
					Title:    "Windows passes only an AMD or Intel adapter into WSL ({dir}), and no NVIDIA GPU with a driver",
					Text:     "Each adapter's driver lies in a directory of its own under /usr/lib/wsl/drivers; NVIDIA's begins with nv. Where none does, there is no NVIDIA GPU in the machine, it is switched off, or its driver in Windows is missing or too old.",
					Remedies: []Remedy{fix("see in Windows whether there is an NVIDIA GPU and install its driver, then restart WSL", "powershell", "Get-PnpDevice -Class Display; nvidia-smi; wsl --shutdown", "wsl", "ls /usr/lib/wsl/drivers")},
				},
				Cause{
					Title:    "The driver that Windows passes into WSL ({dir}) lacks NVIDIA's parts",
					Text:     "The NVIDIA driver of Windows is too old for WSL or damaged, or the adapter is another vendor's.",
					Remedies: []Remedy{fix("install the newest NVIDIA driver in Windows, then restart WSL", "powershell", "nvidia-smi; wsl --update; wsl --shutdown", "wsl", "ls /usr/lib/wsl/drivers")},
				},
			),
			Samples: []string{"dxcore.c:211] Core Nvidia component libcuda.so.1.1 not found in /usr/lib/wsl/drivers/u0377383.inf_amd64_30501df11e64fe9a"},
			Misses:  []string{"dxcore.c:227] Adding new adapter via dxcore hAdapter:40000000"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/1786",
		},
		{
			ID: "aws-batch-without-gpu", Product: "AWS Batch",
			Literals: []string{"AWS Batch", "awsbatch"},
			Layer:    rule.Application, Role: Context, Strength: Usual,
			Meaning: "The job runs in AWS Batch, which gives a GPU only to jobs that ask for one.",
			Causes: causes(Cause{
				When: on(Says("libcuda", "no gpu", "without gpu", "no cuda", "RUNNABLE", "reference to gpu", "gpu details"), Says("job definition", "accelerator", "resourceRequirements", "RUNNABLE")), Confidence: rule.Likely,
				Title:    "The job asks AWS Batch for no GPU: its definition needs a resource requirement of type GPU, and the compute environment instances that have one",
				Text:     "Options of docker run (--gpus all) do not reach Batch. A job that asks for more than any instance of the environment has, or for a GPU where no instance has one, stays RUNNABLE. Driver and image are not at fault.",
				Remedies: []Remedy{fix("put resourceRequirements with type GPU into the job definition (Nextflow: accelerator 1, type of the GPU left out), and GPU instance types into the compute environment", "check", "aws batch describe-job-definitions --job-definition-name NAME --query jobDefinitions[0].containerProperties.resourceRequirements; aws batch describe-compute-environments --query computeEnvironments[].computeResources.instanceTypes")},
			}),
			Samples: []string{"process.executor = 'awsbatch'"},
			Misses:  []string{"a batch of images on AWS"},
			Source:  "https://docs.aws.amazon.com/batch/latest/userguide/gpu-jobs.html",
		},
		{
			ID: "told-driver-too-old-for-gpu", Product: "NVIDIA driver",
			Literals: []string{"too old for"},
			Pattern:  `(?i)\bdrivers?(?: version)?[\s:(]{0,3}[^\w\s]?(?P<have>\d{3}(?:\.\d+){0,2})[^\w\s]?\)? is (?:also |just |much )?too old for (?:the |an? |our |my )?(?:nvidia )?(?P<which>(?:RTX |GTX |GeForce )?[A-Z]+ ?\d[\w-]*)`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Meaning: "Somebody says that a driver is older than a GPU.",
			Causes: causes(Cause{
				When:     on(Has("which")),
				Title:    "The driver {have} is older than the GPU ({which}) and does not know it: a newer driver or image is needed",
				Text:     "A driver starts only the GPUs that were there when it was made, so nvidia-smi finds none or cannot talk to the module.",
				Remedies: []Remedy{fix("take an image, or install a driver, that is newer than the GPU", "check", "lspci -nn -d 10de:; modinfo -F version nvidia; sudo dmesg | grep NVRM")},
			}),
			Samples: []string{"The reason is the GPU driver version 450.142.00 is too old for A10"},
			Misses:  []string{"this page is too old for that"},
			Source:  "https://github.com/skypilot-org/skypilot/issues/568",
		},
		{
			ID: "akmods-key", Product: "akmods",
			Literals: []string{"kmodgenca", "/etc/pki/akmods/certs"},
			Pattern:  `(?i)kmodgenca[^\n]{0,60}(?:fail|error|not found)|/etc/pki/akmods/certs/\S*?['"\)]*:? ?(?:No such file|failed)|restorecon: lstat\(/etc/pki/akmods/certs`,
			Layer:    rule.KernelModule, Strength: Usual,
			Meaning: "The key by which akmods signs modules could not be made.",
			Causes: causes(Cause{
				Title:    "kmodgenca made no key, so akmods cannot sign the nvidia module for Secure Boot",
				Text:     "public_key.der and private_key.priv in /etc/pki/akmods point to files that are not there: the template cacert.config was not filled in, or the machine's name has signs that it does not take. An unsigned module is refused, and nouveau takes the GPU.",
				Remedies: []Remedy{fix("make the key anew, enrol it and build the module again", "fedora", "sudo kmodgenca -a --force && sudo mokutil --import /etc/pki/akmods/certs/public_key.der; sudo akmods --force --rebuild; ls -l /etc/pki/akmods/certs /etc/pki/akmods/private"), fix("or switch Secure Boot off in the firmware")},
			}),
			Samples: []string{"chmod: cannot access '/etc/pki/akmods/certs/HP-Z840-4080769880.*': No such file or directory"},
			Misses:  []string{"sudo mokutil --import /etc/pki/akmods/certs/public_key.der"},
			Source:  "https://rpmfusion.org/Howto/Secure%20Boot",
		},
		{
			ID: "nomad-device-plugin", Product: "Nomad",
			Literals: []string{"nomad-device-nvidia"},
			Layer:    rule.Application, Role: Context, Strength: Strong,
			Meaning: "The text is about the plugin by which Nomad offers GPUs.",
			Causes: causes(
				Cause{
					When: on(Says("unsupported GPU device", "failed to get fingerprint", "failed to fingerprint")), Confidence: rule.Likely,
					Title:    "Nomad's NVIDIA plugin (nomad-device-nvidia) does not get along with the driver's NVML, so the node offers no GPU",
					Text:     "The plugin stops at the first value of NVML that it does not know. Where nvidia-smi works on the node, driver and GPU are not at fault: releases of the plugin with an older go-nvml fail on newer drivers.",
					Remedies: []Remedy{fix("install the newest nomad-device-nvidia in plugin_dir and restart the client", "check", "nvidia-smi -L; nomad node status -self -verbose | grep -A5 -i device")},
				},
				Cause{
					When: on(Says("no nvidia device", "not appear", "no device", "not listed", "not discovered", "no gpu", "not getting", "not working", "plugin_dir", "unable to use")), Confidence: rule.Likely,
					Title:    "Nomad shows no GPU: the plugin nomad-device-nvidia does not come with Nomad, its program has to lie in plugin_dir",
					Text:     "Since Nomad 1.0 the plugin is a download of its own; a block plugin in the configuration alone loads nothing. Docker's NVIDIA runtime is needed beside it.",
					Remedies: []Remedy{fix("put the program into plugin_dir, name the directory in the agent's configuration, and restart the client", "check", "ls -l /opt/nomad/data/plugins; journalctl -u nomad | grep -i nvidia; nomad node status -self -verbose")},
				},
			),
			Samples: []string{"plugin \"nomad-device-nvidia\" {"},
			Misses:  []string{"nomad job run gpu.nomad"},
			Source:  "https://github.com/hashicorp/nomad-device-nvidia/issues/51",
		},
		{
			ID: "jetpack-toolkit-csv", Product: "NVIDIA container toolkit",
			Literals: []string{"0.11.0+jetpack", "host-files-for-container.d"},
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "The text has the container toolkit of JetPack, which mounts what CSV files list.",
			Causes: causes(Cause{
				When:     on(OnJetson, Is("l4t", `^32`), Says("no longer", "not mounted", "not being mounted", "nearly empty", "is empty", "not found", "missing")),
				Title:    "The container has no CUDA: from 0.11.0+jetpack on libnvidia-container takes only l4t.csv, drivers.csv and devices.csv by default, not cuda.csv, cudnn.csv and tensorrt.csv",
				Text:     "Images for L4T r32 have no CUDA of their own and rely on those files of the host. An upgrade of the package changed it.",
				Remedies: []Remedy{fix("start the container with all CSV files, or go back to 0.10.0+jetpack", "docker", "docker run --runtime nvidia -e NVIDIA_REQUIRE_JETPACK=csv-mounts=all IMAGE", "jetson", "apt list -a libnvidia-container0 libnvidia-container-tools; ls /etc/nvidia-container-runtime/host-files-for-container.d")},
			}),
			Samples: []string{"ii  libnvidia-container0:arm64  0.11.0+jetpack"},
			Misses:  []string{"libnvidia-container0 0.10.0"},
			Source:  "https://github.com/NVIDIA/nvidia-container-runtime/issues/173",
		},
		{
			ID: "told-cdi-after-update", Product: "CDI",
			Literals: []string{"nvidia-ctk cdi generate", "/etc/cdi/nvidia.yaml"},
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "The text tells how the CDI specification was made.",
			Causes: causes(Cause{
				When:     on(Says("after each update", "every update", "does an update", "do an update", "driver update", "drivers update", "update the graphics", "updated the driver", "upgrade the driver", "kernel update", "after an update", "after updating"), Says("stop", "wrong", "fail", "again", "can't", "cannot", "not work", "broken")),
				Title:    "The CDI specification does not follow updates of the driver: after each one nvidia-ctk cdi generate has to run anew",
				Text:     "/etc/cdi/nvidia.yaml lists the files of one driver release by name. Newer toolkits (from 1.18 on) have a service that makes it anew (nvidia-cdi-refresh); a file in /etc/cdi that was made by hand hides the one in /var/run/cdi.",
				Remedies: []Remedy{fix("make it anew, and let the service do it from then on", "host", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml", "host, toolkit 1.18 or newer", "sudo rm /etc/cdi/nvidia.yaml; sudo systemctl enable --now nvidia-cdi-refresh.path nvidia-cdi-refresh.service")},
			}),
			Samples: []string{"then I run nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"},
			Misses:  []string{"nvidia-ctk cdi list"},
			Source:  "https://github.com/containers/podman/issues/26233",
		},
		{
			ID: "module-build-tree-empty", Product: "Linux kernel",
			Literals: []string{"No rule to make target 'modules'", "No rule to make target `modules'"},
			Pattern:  "No rule to make target ['`]modules'",
			Layer:    rule.KernelModule, Strength: Usual,
			Where:   on(Says("nvidia")),
			Meaning: "The kernel's build tree has no Makefile to build modules with.",
			Causes: causes(Cause{
				Title:    "The nvidia module cannot be built: the kernel's build tree (/lib/modules/…/build) has no Makefile, so its headers are missing or the path is wrong",
				Text:     "The build tree has to be the one of the kernel that the module is for. Packages of kernels and of their headers are separate in most systems; under Nix and Guix the kernel's own build output is needed.",
				Remedies: []Remedy{fix("install the headers of that kernel, or point SYSSRC (SYSOUT) to a prepared kernel source", "shell", "ls /lib/modules/$(uname -r)/build/Makefile; make modules SYSSRC=/lib/modules/$(uname -r)/build")},
			}),
			Samples: []string{"make[2]: *** No rule to make target 'modules'. Stop."},
			Misses:  []string{"make: *** No rule to make target 'all'. Stop."},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/221",
		},
	}
}
