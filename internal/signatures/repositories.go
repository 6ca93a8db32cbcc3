package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// repositories is about the sources of the driver's and the toolkit's packages.
func repositories() []*Signature {
	return []*Signature{
		{
			ID: "apt-cuda-unmet", Product: "apt",
			Literals: []string{"unmet dependencies", " : Depends: ", " : PreDepends: "},
			Beside:   []string{"cuda", "cudnn", "nvinfer"},
			Pattern:  `(?P<package>(?:nvidia-)?(?:cuda|libcu|cudnn|libcudnn|libnvinfer|tensorrt|libnccl)[\w.+-]*) : (?:Pre)?Depends: (?P<needs>[\w.+:-]+)(?: \((?P<which>[^)\n]{1,40})\))?`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "apt cannot install a package of CUDA, because one that it needs does not fit.",
			Causes: causes(
				Cause{
					When: on(Is("needs", `^(?:nvidia-driver|libnvidia|cuda-drivers|nvidia-(?:dkms|kernel|open|utils))`)), Layer: rule.Driver,
					Title:    "apt cannot install {package}: it needs the driver package {needs}[ ({which})], which does not fit what is installed",
					Text:     "The packages cuda and cuda-runtime bring a driver of NVIDIA's repository; one of the distribution, of a PPA or of another branch stands in its way. The toolkit alone needs no driver package.",
					Remedies: []Remedy{fix("where nvidia-smi works already, install the toolkit alone (cuda-toolkit-12-4 and the like)", "ubuntu", "apt-cache search --names-only '^cuda-toolkit-[0-9]+'; apt-mark showhold"), fix("else keep one source for the driver, remove the other's packages and install again", "check", "dpkg -l | grep -i -e nvidia -e cuda-drivers; apt-cache policy {needs}")},
				},
				Cause{
					When: on(Is("package", `^cuda-drivers`)), Layer: rule.Driver,
					Title:    "apt cannot install the driver ({package}): it needs {needs}[ ({which})], and no such release can be installed beside what is there",
					Text:     "Driver packages of two sources or branches are mixed, or a repository that is pinned or offered first has an older {needs}.",
					Remedies: []Remedy{fix("see which source has which release, and keep to one", "check", "apt-cache policy {package} {needs}; dpkg -l | grep -i nvidia; apt-mark showhold; grep -rn -i nvidia /etc/apt/preferences.d /etc/apt/sources.list.d")},
				},
				Cause{
					Title:    "apt cannot install {package}: it needs {needs}[ ({which})], and no such release can be installed beside what is there",
					Text:     "Packages of CUDA from two sources are mixed, the distribution's (nvidia-cuda-toolkit, an old CUDA) and NVIDIA's repository (cuda-toolkit-12-4), or some are held, or of another release of the distribution.[ The text has a toolkit {toolkit}.] nvidia-cuda-toolkit is not what a program asks for by the name nvcc: any toolkit with nvcc on PATH will do.",
					Remedies: []Remedy{fix("see which source has which release, and keep to one", "check", "apt-cache policy {package} {needs}; dpkg -l | grep -i cuda; apt-mark showhold"), fix("where a toolkit is there already (Conda, /usr/local/cuda), put its bin directory on PATH in place of installing another", "shell", "ls -d /usr/local/cuda*; export PATH=/usr/local/cuda/bin:$PATH")},
				},
			),
			Samples: []string{" nvidia-cuda-toolkit : Depends: nvidia-cuda-dev (= 11.5.1-1ubuntu1) but it is not going to be installed", " cuda-12-4 : Depends: cuda-runtime-12-4 (>= 12.4.1) but it is not going to be installed", " cuda-runtime-12-2 : Depends: cuda-drivers (>= 535.54.03) but it is not going to be installed"},
			Misses:  []string{" gnome-shell : Depends: libmutter-8-0 (>= 40) but it is not installable"},
			Source:  "https://github.com/CharlesShang/DCNv2/issues/82",
		},
		{
			ID: "apt-nvidia-key", Product: "apt",
			Literals: []string{"NO_PUBKEY", "Conflicting values set for option Signed-By", "is not signed", "EXPKEYSIG", "7fa2af80", "A4B469963BF863CC"},
			Beside:   []string{"nvidia", "cuda", "a4b469963bf863cc", "7fa2af80"},
			Pattern:  `(?i)(?:GPG error|repository|signatures couldn't be verified)[^\n]{0,200}(?:nvidia|cuda)[^\n]{0,300}(?:NO_PUBKEY|not signed|EXPKEYSIG|public key)|(?P<conflict>Conflicting values set for option Signed-By)[^\n]{0,80}nvidia|A4B469963BF863CC|NO_PUBKEY[^\n]{0,20}F60F4B3D7FA2AF80`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "apt does not trust NVIDIA's repository with the key that it has.",
			Causes: causes(
				Cause{
					When:     on(Has("conflict")),
					Title:    "NVIDIA's repository is configured twice with different keys (Conflicting values set for option Signed-By): remove one of the list files",
					Text:     "An old list of the repository is left in /etc/apt/sources.list.d beside the new one. The stack is not at fault.",
					Remedies: []Remedy{fix("keep one", "ubuntu and debian", "grep -rn nvidia /etc/apt/sources.list.d; sudo rm /etc/apt/sources.list.d/nvidia-docker.list /etc/apt/sources.list.d/libnvidia-container.list")},
				},
				Cause{
					Title:    "The key of NVIDIA's repository is missing or the old one: install the package cuda-keyring (the old key 7fa2af80 was replaced in 2022)",
					Text:     "apt refuses the repository until then; nothing of the driver is broken. In old images the list of the repository can also be removed.",
					Remedies: []Remedy{fix("install the new key and remove the old list", "ubuntu", "wget https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64/cuda-keyring_1.1-1_all.deb && sudo dpkg -i cuda-keyring_1.1-1_all.deb && sudo apt-key del 7fa2af80; sudo apt-get update"), fix("in an image whose CUDA is complete, remove the list", "Dockerfile", "RUN rm -f /etc/apt/sources.list.d/cuda.list /etc/apt/sources.list.d/nvidia-ml.list")},
				},
			),
			Samples: []string{"W: GPG error: https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64 InRelease: The following signatures couldn't be verified because the public key is not available: NO_PUBKEY A4B469963BF863CC", "E: Conflicting values set for option Signed-By regarding source https://nvidia.github.io/libnvidia-container/stable/deb/amd64/ /"},
			Misses:  []string{"GPG error: https://ppa.example NO_PUBKEY 0123456789ABCDEF"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
		},
		{
			ID: "rpm-driver-not-offered", Product: "dnf",
			Literals: []string{"No match for argument", "Unable to find a match"},
			Pattern:  `(?i)(?:No match for argument|Unable to find a match):? (?P<package>(?:akmod|kmod|xorg-x11-drv|dkms)-nvidia[\w.-]*|nvidia-(?:driver|open|container-toolkit)[\w.-]*|cuda-(?:drivers|toolkit)[\w.-]*)`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "No repository of this machine has the package.",
			Causes: causes(
				Cause{
					When: on(Is("package", "container-toolkit")), Layer: rule.ContainerRuntime,
					Title:    "NVIDIA's repository of the container toolkit is not configured, so dnf finds no {package}",
					Text:     "The toolkit comes from nvidia.github.io/libnvidia-container.",
					Remedies: []Remedy{fix("add the repository and install it", "rhel and fedora", "curl -s -L https://nvidia.github.io/libnvidia-container/stable/rpm/nvidia-container-toolkit.repo | sudo tee /etc/yum.repos.d/nvidia-container-toolkit.repo && sudo dnf install nvidia-container-toolkit")},
				},
				Cause{
					Title:    "No configured repository has {package}: it comes from RPM Fusion (akmod-nvidia, nonfree) or from NVIDIA's CUDA repository, ELRepo on RHEL",
					Text:     "Fedora and RHEL themselves have no NVIDIA driver. Mix no two of these sources.",
					Remedies: []Remedy{fix("add RPM Fusion and install the driver", "fedora", "sudo dnf install https://download1.rpmfusion.org/nonfree/fedora/rpmfusion-nonfree-release-$(rpm -E %fedora).noarch.rpm && sudo dnf install akmod-nvidia xorg-x11-drv-nvidia-cuda", "rhel", "sudo dnf config-manager --add-repo https://developer.download.nvidia.com/compute/cuda/repos/rhel9/x86_64/cuda-rhel9.repo && sudo dnf module install nvidia-driver:open-dkms")},
				},
			),
			Samples: []string{"No match for argument: akmod-nvidia", "Error: Unable to find a match: nvidia-container-toolkit"},
			Misses:  []string{"No match for argument: htop"},
			Source:  "https://rpmfusion.org/Howto/NVIDIA",
		},
		{
			ID: "nvidia-detect-legacy", Product: "nvidia-detect",
			Literals: []string{"legacy drivers series", "legacy driver series", "only supported by the"},
			Beside:   []string{"legacy"},
			Pattern:  `(?i)only supported (?:up to|by) the (?P<branch>\d{3})(?:\.\d+)? (?:legacy )?drivers? series`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "Debian's tool names the last branch of the GPU.",
			Causes: causes(Cause{
				Title:    "This GPU[ ({gpu})] is supported up to driver branch {branch} alone, and this release of the distribution has no package of it",
				Text:     "Newer branches ignore the GPU. The branch {branch} gets no more updates and has to be patched for new kernels.",
				Remedies: []Remedy{fix("stay with nouveau, or use a distribution release and kernel that still have branch {branch} (Debian: sid or an older release; Arch: AUR)"), fix("or replace the card")},
			}),
			Samples: []string{"Your card is only supported by the 390 legacy drivers series, which is not available in this suite."},
			Misses:  []string{"Your card is supported by all driver versions."},
			Source:  "https://wiki.debian.org/NvidiaGraphicsDrivers",
		},
	}
}
