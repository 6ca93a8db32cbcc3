package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfKernel is what TensorFlow says about the kernel module and the versions of the driver.
func tfKernel() []*Signature {
	return []*Signature{
		{
			ID: "tf-kernel-dso-mismatch", Product: "tensorflow",
			Literals:    []string{"does not match DSO version"},
			Pattern:     `kernel version (?P<module>\d+\.\d+(?:\.\d+)?) does not match DSO version (?P<dso>\d+\.\d+(?:\.\d+)?)`,
			Layer:       rule.KernelModule,
			Strength:    Strong,
			ExplainedBy: []string{"KRN004"},
			Meaning:     "The loaded kernel module and the libcuda that was found are of different driver versions.",
			Causes: causes(
				Cause{
					When:     on(InContainer),
					Title:    "the host's kernel module is of driver {module}, the libcuda in the container of {dso}",
					Text:     "A driver library is baked into the image or mounted by hand instead of coming from the host, or the host's driver was updated while the container ran.",
					Remedies: []Remedy{fix("create the container anew with --gpus all, and take NVIDIA driver packages out of the image"), fix("where the host's nvidia-smi fails as well, restart the host")},
				},
				Cause{
					Title:    "the driver is half updated: the kernel module is {module}, the libraries are {dso}",
					Text:     "The packages were updated, often unattended, and the old kernel module is still loaded. Reinstalling TensorFlow or CUDA does not help.",
					Remedies: []Remedy{fix("restart the machine, or unload and load the nvidia modules while nothing uses the GPU", "bash", "sudo reboot"), fix("where it stays after a restart, two drivers are installed: remove the one of {dso} or of {module}")},
				},
			),
			Samples: []string{"E tensorflow/stream_executor/cuda/cuda_diagnostics.cc:313] kernel version 535.129.3 does not match DSO version 545.23.8 -- cannot find working devices in this configuration"},
			Misses:  []string{"kernel version seems to match DSO: 535.129.3"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/4349",
		},
		{
			ID: "tf-kernel-driver-not-running", Product: "tensorflow",
			Literals: []string{"kernel driver does not appear to be running", "/proc/driver/nvidia/version does not exist"},
			Pattern:  `kernel driver does not appear to be running on this host(?: \(([^)]+)\))?(?:: /proc/driver/nvidia/version does not exist)?|/proc/driver/nvidia/version does not exist`,
			Layer:    rule.KernelModule,
			Meaning:  "The nvidia kernel module is not loaded where TensorFlow runs.",
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Layer:    rule.DeviceExposure,
					Title:    "WSL has no nvidia kernel module; TensorFlow finds the GPU only through /usr/lib/wsl/lib",
					Text:     "In WSL there is no /proc/driver/nvidia. The libcuda of /usr/lib/wsl/lib must be the one that is found, and the Windows driver must be installed; no Linux driver is to be installed in WSL.",
					Remedies: []Remedy{fix("put /usr/lib/wsl/lib on LD_LIBRARY_PATH, update the Windows driver and WSL", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH")},
				},
				Cause{
					When: on(OnJetson, Not(InContainer)), Layer: rule.Driver,
					Title:    "TensorFlow finds no GPU on this Jetson: its driver (nvgpu of L4T) is not up, or the user may not open /dev/nvhost-*",
					Text:     "Before JetPack 6 there is no /proc/driver/nvidia on a Jetson, so that line alone says nothing. Where cuInit finds no device, L4T's packages were replaced or damaged by an upgrade (services like nvpmodel fail, too), or the user is not in the group video. The wheel has to be NVIDIA's for this JetPack.",
					Remedies: []Remedy{fix("see whether the GPU works without TensorFlow; where it does not, reinstall L4T's packages or flash the JetPack image anew", "jetson", "cat /etc/nv_tegra_release; id; ls -l /dev/nvhost-gpu /dev/nvmap; sudo dmesg | grep -i -e nvgpu -e gk20a | tail; /usr/local/cuda/samples/1_Utilities/deviceQuery/deviceQuery")},
				},
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "the container does not have the GPU: the kernel driver is not visible inside",
					Text:     "The container was started without --gpus all, or the host has no loaded driver.",
					Remedies: []Remedy{fix("start the container with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
					Ask:      "nvidia-smi on the host",
				},
				Cause{
					Title:    "the nvidia kernel module is not loaded on this host",
					Text:     "libcuda is there, or TensorFlow is a GPU build, but /proc/driver/nvidia does not exist: the driver is not installed, or its module does not load (no module for this kernel after an update, Secure Boot, nouveau). Without an NVIDIA GPU this is no fault.",
					Remedies: []Remedy{fix("see why the module is not loaded", "bash", "sudo modprobe nvidia; sudo dmesg | grep -iE 'nvrm|nvidia' | tail"), fix("install the driver, or build its module for the running kernel with DKMS", "dkms", "sudo dkms autoinstall")},
					Ask:      "nvidia-smi; sudo modprobe nvidia",
				},
			),
			Samples: []string{"I external/local_xla/xla/stream_executor/cuda/cuda_diagnostics.cc:163] kernel driver does not appear to be running on this host (worker): /proc/driver/nvidia/version does not exist"},
			Misses:  []string{"kernel driver appears to be running"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/37689",
		},
		{
			ID: "tf-libcuda-version", Product: "tensorflow",
			Literals: []string{"libcuda reported version is", "kernel reported version is"},
			Pattern:  `libcuda reported version is: (?P<driver>\d+\.\d+(?:\.\d+)?)|kernel reported version is: (?P<module>\d+\.\d+(?:\.\d+)?)`,
			Role:     Context,
			Meaning:  "TensorFlow names the versions of libcuda and of the kernel module.",
			Samples:  []string{"libcuda reported version is: 535.129.3", "kernel reported version is: 535.129.3"},
			Misses:   []string{"libcuda reported version is: NOT_FOUND: was unable to find libcuda.so DSO loaded into this program"},
			Source:   "https://github.com/tensorflow/tensorflow/issues/4768",
		},
	}
}
