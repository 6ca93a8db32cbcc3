package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// jetsonDriver is about the driver of Jetsons, which is part of JetPack, and its packages.
func jetsonDriver() []*Signature {
	return []*Signature{
		{
			ID: "jetson-driver-insufficient", Product: "Jetson",
			Literals: []string{"driver version is insufficient", "unsupported toolchain", "UNSUPPORTED_PTX_VERSION", "cudaErrorInsufficientDriver", "cudaGetDeviceCount returned 35"},
			Pattern:  `(?i)driver version is insufficient|unsupported toolchain|UNSUPPORTED_PTX_VERSION|InsufficientDriver|cudaGetDeviceCount returned 35`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Where:   on(OnJetson),
			Meaning: "A program was built for a newer CUDA than the Jetson's driver runs.",
			Causes: causes(Cause{
				When:  on(OnJetson),
				Title: "The driver of this Jetson, which comes with JetPack (L4T[ {l4t}])[ and runs CUDA {driver_cuda}], is older than the CUDA[ {toolkit} || {runtime}] that the program was built with",
				Text: "On a Jetson the driver is part of L4T and is not updated by CUDA packages: JetPack 4 runs CUDA 10.2, JetPack 5 CUDA 11.4, JetPack 6 CUDA 12.2 to 12.6. A newer minor or major CUDA needs cuda-compat for Jetson " +
					"(JetPack 5 and newer on Orin and Xavier, up to the release that NVIDIA lists), or a newer JetPack. A desktop driver does not help.",
				Remedies: []Remedy{
					fix("build the program, or take one that was built, with the CUDA of this JetPack", "jetson", "cat /etc/nv_tegra_release; dpkg -l nvidia-jetpack; /usr/local/cuda/bin/nvcc --version"),
					fix("or install cuda-compat of that CUDA for Jetson and put it first on the library path", "jetson", "sudo apt-get install cuda-compat-12-2; export LD_LIBRARY_PATH=/usr/local/cuda/compat:$LD_LIBRARY_PATH"),
					fix("or flash a newer JetPack (Orin: JetPack 6; Xavier ends with JetPack 5, Nano and TX2 with JetPack 4)"),
				},
			}),
			Samples: []string{"CUDA driver version is insufficient for CUDA runtime version", "the provided PTX was compiled with an unsupported toolchain."},
			Misses:  []string{"the driver version is sufficient"},
			Source:  "https://docs.nvidia.com/cuda/cuda-for-tegra-appnote/index.html",
		},
		{
			ID: "jetson-l4t-packages", Product: "L4T",
			Literals: []string{"nvidia-l4t-", "nvidia-l4t "},
			Pattern:  `(?i)(?P<package>[\w-]*nvidia-l4t-[\w-]+)[^\n]{0,40}(?:Conflicts|Depends|Breaks): ?(?P<needs>[\w.-]+)|error processing package (?P<package>nvidia-l4t-[\w-]+)|(?P<package>nvidia-l4t-[\w-]+)[^\n]{0,80}(?:not going to be installed|unmet|but \S+ is to be installed|post-installation script)`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "apt cannot bring the packages of L4T together.",
			Causes: causes(Cause{
				Title:    "The packages of L4T are of different releases: {package}[ does not go with {needs}] (nvidia-l4t-*, all have to be of one release)",
				Text:     "apt upgrade took some of them to a newer L4T than the board's image, bootloader or a vendor's kernel package was made for.",
				Remedies: []Remedy{fix("bring all nvidia-l4t packages to one release, that of the vendor's package, and hold them", "jetson", "cat /etc/nv_tegra_release; dpkg -l 'nvidia-l4t-*'; apt-cache policy nvidia-l4t-core; sudo apt-mark hold 'nvidia-l4t-*'"), fix("where the bootloader's package fails on a board that is not NVIDIA's, flash the vendor's image, or leave that package out")},
			}),
			Samples: []string{" some-nvidia-l4t-kernel : Conflicts: nvidia-l4t-kernel but 5.10.120-tegra-35.4.1-20230801124926 is to be installed", "dpkg: error processing package nvidia-l4t-bootloader (--configure):"},
			Misses:  []string{"nvidia-l4t-core is already the newest version"},
			Source:  "https://docs.nvidia.com/jetson/archives/r36.4/DeveloperGuide/SD/SoftwarePackagesAndTheUpdateMechanism.html",
		},
		{
			ID: "told-jetson-desktop-driver", Product: "Jetson",
			Literals: []string{"nvidia-driver-", "NVIDIA-Linux-aarch64", "cuda-drivers", "ubuntu-drivers"},
			Pattern:  `(?i)(?:install(?:ed|ing)?|apt|apt-get)\b[^\n]{0,60}(?P<package>nvidia-driver-\d{3}[\w-]*|cuda-drivers[\w-]*|ubuntu-drivers)|(?P<package>NVIDIA-Linux-aarch64)`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Where:   on(OnJetson),
			Meaning: "A driver for desktops was installed on a Jetson.",
			Causes: causes(Cause{
				When:     on(OnJetson),
				Title:    "A desktop driver ({package}) was installed on a Jetson, where the driver is part of L4T (JetPack): it hides or replaces L4T's libraries",
				Text:     "The GPU of a Jetson is not on PCIe, and the packages for desktops and servers do not drive it.",
				Remedies: []Remedy{fix("remove it and install L4T's packages again, or flash the board", "jetson", "sudo apt-get purge 'nvidia-driver-*' 'libnvidia-*' 'cuda-drivers*'; sudo apt-get install --reinstall nvidia-l4t-core nvidia-l4t-cuda nvidia-l4t-3d-core nvidia-jetpack")},
			}),
			Samples: []string{"sudo apt install nvidia-driver-535", "NVIDIA-Linux-aarch64-550.54.14.run"},
			Misses:  []string{"apt-cache policy nvidia-jetpack"},
			Source:  "https://docs.nvidia.com/jetson/archives/r36.4/DeveloperGuide/index.html",
		},
	}
}
