package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverContainer is about the operator's container that builds the driver on a node.
func driverContainer() []*Signature {
	return []*Signature{
		{
			ID: "driver-container-packages", Product: "gpu-operator",
			Literals: []string{"Unable to find a match: ", "Cannot download repomd.xml", "Failed to download metadata for repo", "Cannot prepare internal mirrorlist", "Curl error (", "Temporary failure resolving", "Could not resolve host", "Failed to fetch http", "elfutils-libelf-devel", "There are no enabled repositories"},
			Pattern:  `(?i)Unable to find a match: (?P<package>[\w.+-]+)|(?:Failed to download metadata for repo|Cannot download repomd\.xml|Cannot prepare internal mirrorlist)[^\n]{0,160}|(?:Temporary failure resolving|Could not resolve host|Failed to fetch)[^\n]{0,100}|There are no enabled repositories`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Where:   on(Says("nvidia-driver", "driver-daemonset", "gpu-operator", "GPU operator", "openshift-driver-toolkit")),
			Meaning: "The driver container gets no packages to build the module with.",
			Causes: causes(
				Cause{
					When:     on(Has("package")),
					Title:    "The driver container finds no package {package} for the node's kernel: its repositories are not those of the node (OpenShift and RHEL: entitlement or subscription missing or too old), or no longer have that kernel",
					Text:     "It installs kernel-headers, kernel-devel and elfutils-libelf-devel of exactly the running kernel. On RHEL and OpenShift without the driver toolkit that needs a valid entitlement in the cluster.",
					Remedies: []Remedy{fix("renew the entitlement (subscription) and its machine configs, or use the driver toolkit (OpenShift 4.9 and newer need no entitlement)", "oc", "oc get mc | grep entitlement; oc get clusterpolicy -o yaml | grep -i use_ocp_driver_toolkit"), fix("or move the nodes to a kernel that the repositories have, use precompiled driver images (usePrecompiled), or a driver on the node (driver.enabled=false)", "node", "uname -r")},
				},
				Cause{
					Title:    "The driver container cannot reach its package repositories: no network, a proxy, or a mirror is needed",
					Text:     "It builds the module on the node and loads headers from the distribution's and NVIDIA's repositories (developer.download.nvidia.com). In closed networks they have to be mirrored.",
					Remedies: []Remedy{fix("give the operator a proxy or a local mirror (driver.repoConfig, driver.env with HTTPS_PROXY), or use precompiled driver images, or install the driver on the nodes (driver.enabled=false)")},
				},
			),
			Samples: []string{"Error: Unable to find a match: elfutils-libelf-devel.x86_64", "Error: Failed to download metadata for repo 'cuda': Cannot download repomd.xml"},
			Misses:  []string{"Complete!"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/234",
		},
		{
			ID: "prebuilt-module-package", Product: "apt",
			Literals: []string{"package linux-modules-nvidia", "package linux-objects-nvidia", "package linux-signatures-nvidia", "'linux-modules-nvidia", "'linux-objects-nvidia"},
			Pattern:  `(?:Unable to locate package |by glob '|by regex ')(?P<package>linux-(?:modules|objects|signatures)-nvidia-(?:(?P<branch>\d{3})(?:-server|-open|-server-open)?-)?(?P<kernel>\d[\w.-]*\w))`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The repository has no prebuilt module for a kernel.",
			Causes: causes(
				Cause{
					When:     on(Is("kernel", "-talos$")),
					Title:    "The driver container finds no module for Talos' kernel {kernel}: on Talos the driver comes as system extensions of the image, not from a package ({package})",
					Text:     "Talos has no package manager, and its modules are signed with a key of that build alone. The operator may bring the rest, but neither driver nor toolkit.",
					Remedies: []Remedy{fix("build the node's image with the extensions for the kernel module and the NVIDIA container toolkit, load the modules in the machine's configuration, and install the operator with driver.enabled=false and toolkit.enabled=false", "check", "talosctl get extensions; talosctl read /proc/modules")},
				},
				Cause{
					When:     on(Any(InKubernetes, Says("driver container", "nvidia-driver-ctr", "gpu-operator"))),
					Title:    "The driver container finds no prebuilt module {package}: the distribution has none for the node's kernel {kernel}",
					Text:     "Prebuilt and signed modules exist for Ubuntu's own kernels and some branches of the driver. A kernel of another distribution, a cloud or one's own build has none; the container then has to build the module, for which it needs that kernel's headers.",
					Remedies: []Remedy{fix("use a driver image for the node's distribution, another branch of the driver, or a driver that is installed on the node (driver.enabled=false)", "node", "uname -r; cat /etc/os-release")},
				},
				Cause{
					Title:    "There is no prebuilt module {package} for the kernel {kernel} in the repositories",
					Text:     "Prebuilt modules exist for Ubuntu's own kernels and some branches of the driver, for a time. An older or newer kernel, or one of another source, needs the module built by DKMS.",
					Remedies: []Remedy{fix("see which there are, or build it for the running kernel", "ubuntu", "sudo apt-get update; apt-cache search linux-modules-nvidia | grep $(uname -r)", "ubuntu", "sudo apt-get install linux-headers-$(uname -r) nvidia-dkms-{branch}")},
				},
			),
			Samples: []string{"E: Unable to locate package linux-modules-nvidia-535-server-5.15.0-1040-foo", "E: Unable to locate package linux-objects-nvidia-550-6.6.29-talos", "E: Couldn't find any package by regex 'linux-modules-nvidia-535-6.2.0-26-generic'"},
			Misses:  []string{"linux-modules-nvidia-535-generic is already the newest version", "E: Unable to locate package linux-modules-extra-5.15.0-1040-aws"},
			Source:  "https://github.com/siderolabs/talos/issues/8402",
		},
		{
			ID: "openshift-driver-toolkit", Product: "gpu-operator",
			Literals: []string{"driver-toolkit", "driver toolkit", "DriverToolkit", "OSTREE_VERSION", "openshift-driver-toolkit-ctr"},
			Pattern:  `(?i)driver[- ]?toolkit|OSTREE_VERSION`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Where:   on(Says("openshift", "rhcos", "ocp ", "redhat", "red hat")),
			Meaning: "OpenShift's driver toolkit is named.",
			Causes: causes(Cause{
				When:     on(Says("do not match", "mismatch", "does not match", "too old", "stale", "not found", "not compatible", "differ", "failed", "no such")),
				Title:    "OpenShift's driver toolkit (DTK) image does not fit the node's kernel[ {kernel}]: the labels of Node Feature Discovery (NFD) are stale, or NFD is too old",
				Text:     "The operator chooses the toolkit image by the label feature.node.kubernetes.io/system-os_release.OSTREE_VERSION. After an update of OpenShift it has to follow, or the module is built for another kernel.",
				Remedies: []Remedy{fix("update the NFD operator, let it label the nodes anew, and delete the driver pods", "oc", "oc get nodes -o yaml | grep -e OSTREE_VERSION -e kernelVersion; oc -n openshift-nfd delete pod --all; oc -n nvidia-gpu-operator delete pod -l app=nvidia-driver-daemonset")},
			}),
			Samples: []string{"the driver toolkit image is of another kernel", "label OSTREE_VERSION is stale"},
			Misses:  []string{"driver and toolkit"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/990",
		},
		{
			ID: "told-slurm-docker", Product: "docker",
			Literals: []string{"docker run", "nvidia-docker"},
			Layer:    rule.DeviceExposure, Role: Told, Strength: Strong,
			Where:   on(Says("slurm", "sbatch", "srun "), Says("shows all", "sees all", "see all", "all GPUs", "all the gpus", "all gpus available")),
			Meaning: "Docker is used inside jobs of Slurm.",
			Causes: causes(Cause{
				Title:    "Docker does not keep to the GPUs of the Slurm job: its containers are children of the Docker daemon and not in the job's device cgroup",
				Text:     "--gpus all means all of the machine, whatever the job was given. Engines that run as children of the job (enroot with pyxis, apptainer, rootless podman) inherit its cgroup.",
				Remedies: []Remedy{fix("pass the job's GPUs on by name", "slurm", "docker run --rm --gpus \"\\\"device=$CUDA_VISIBLE_DEVICES\\\"\" IMAGE nvidia-smi -L"), fix("or use pyxis/enroot or apptainer in jobs, which stay inside the job's cgroup")},
			}),
			Samples: []string{"docker run --gpus all nvidia-smi shows all GPUs"},
			Misses:  []string{"a docker compose file"},
			Source:  "https://slurm.schedmd.com/containers.html",
		},
	}
}
