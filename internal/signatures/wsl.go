package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const wslSource = "https://docs.nvidia.com/cuda/wsl-user-guide/index.html"

// wsl is what WSL 2 and GPU partitions of Hyper-V say.
func wsl() []*Signature {
	return []*Signature{
		{
			ID: "wsl-dxg", Product: "WSL",
			Literals: []string{"dxgkio_query", "dxgk: dxgkio", "/dev/dxg", "dxgkrnl"},
			Pattern:  `(?i)/dev/dxg['"]?:? .{0,20}(?:No such file|not found|does not exist|missing|denied)|(?:open|access|stat|find|no)\s['"]?/dev/dxg\b[^\n]{0,30}(?:fail|no such|denied)?|dxgkrnl[^\n]{0,40}(?:fail|not found|error)|dxgkio_query_adapter_info: Ioctl failed|dxgkio_\w+: Ioctl failed: -\d+`,
			Layer:    rule.DeviceExposure, Strength: Weak, ExplainedBy: []string{"DEV006"},
			Meaning: "WSL has no, or no working, paravirtual GPU.",
			Causes: causes(
				Cause{
					When: on(Says("dxgkio_"), Not(Says("/dev/dxg: No such", "'/dev/dxg': No such"))), Confidence: rule.Possible,
					Title:    "The kernel of WSL reports failed calls to the GPU of Windows (dxgkio … Ioctl failed)",
					Text:     "Single lines of it at the start of WSL are harmless. With a GPU that does not work, driver of Windows, WSL and Windows do not fit together.",
					Remedies: []Remedy{fix("update the NVIDIA driver on Windows and WSL, then restart WSL", "powershell", "wsl --update; wsl --shutdown")},
				},
				Cause{
					Title: "/dev/dxg is not there: this WSL has no GPU of Windows",
					Text:  "The distribution runs under WSL 1, Windows or its driver is too old for GPUs in WSL, or a kernel of one's own lacks dxgkrnl. A Linux driver inside WSL does not help.",
					Remedies: []Remedy{
						fix("use WSL 2, update it, and restart it", "powershell", "wsl -l -v; wsl --set-version DISTRIBUTION 2; wsl --update; wsl --shutdown"),
						fix("install the current NVIDIA driver on Windows"),
					},
					Ask: "wsl --version; wsl -l -v; nvidia-smi in PowerShell",
				},
			),
			Samples: []string{"ls: cannot access '/dev/dxg': No such file or directory", "misc dxg: dxgk: dxgkio_query_adapter_info: Ioctl failed: -22"},
			Misses:  []string{"crw-rw-rw- 1 root root 10, 125 Jan  1 00:00 /dev/dxg"},
			Source:  wslSource,
		},
		{
			ID: "wsl-libcuda-link", Product: "WSL",
			Literals: []string{"libcuda.so.1 is not a symbolic link"},
			Layer:    rule.DeviceExposure, Strength: Weak, Role: Consequence,
			Meaning: "ldconfig finds a copy in place of a link in WSL's directory; a warning.",
			Causes: causes(Cause{
				Title:    "/usr/lib/wsl/lib/libcuda.so.1 is a file in place of a symbolic link (symlink): a warning of ldconfig, which breaks few programs",
				Text:     "The driver of Windows puts three copies of one file there (libcuda.so, libcuda.so.1, libcuda.so.1.1). Programs that look for libcuda.so through ldconfig may not find it.",
				Remedies: []Remedy{fix("put links into a directory of your own, in front of it; the directory itself is not writable", "bash", "echo /usr/lib/wsl/lib | sudo tee /etc/ld.so.conf.d/ld.wsl.conf && sudo ldconfig; export LD_LIBRARY_PATH=/usr/lib/wsl/lib")},
			}),
			Samples: []string{"/sbin/ldconfig.real: /usr/lib/wsl/lib/libcuda.so.1 is not a symbolic link"},
			Misses:  []string{"libcudart.so.12 is not a symbolic link"},
			Source:  "https://github.com/microsoft/WSL/issues/5663",
		},
		{
			ID: "wsl-libcuda-lookup", Product: "WSL",
			Literals: []string{"libcuda.so"},
			Pattern:  `(?i)\blibcuda\.so(?:\.1)*\b[^\n]{0,60}(?:cannot be found|could not be found|not found|can't be found|is not found|fails|missing|No such file)|(?:not find|cannot find|can't find|unable to find|not locate)[^\n]{0,40}\blibcuda\.so`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "A program does not find libcuda, which WSL keeps in a directory of its own.",
			Causes: causes(Cause{
				When:  on(OnWSL),
				Title: "libcuda is not found under this name in WSL: it is in /usr/lib/wsl/lib, and only libcuda.so.1 is in the linker's cache",
				Text:  "Windows puts copies, not links, into /usr/lib/wsl/lib, so ldconfig lists libcuda.so.1 alone; programs that ask for libcuda.so, or that search by ldconfig -p or -L, find none. The driver of Windows is there. A Linux driver must not be installed inside WSL.",
				Remedies: []Remedy{
					fix("let programs look there", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH"),
					fix("for the name without a number, put a link into a directory that is searched", "bash", "sudo ln -s /usr/lib/wsl/lib/libcuda.so.1 /usr/local/lib/libcuda.so && sudo ldconfig"),
				},
			}),
			Samples: []string{"OSError: libcuda.so: cannot open shared object file: No such file or directory", "/usr/bin/ld: cannot find libcuda.so"},
			Misses:  []string{"Successfully opened libcuda.so.1"},
			Source:  "https://github.com/microsoft/WSL/issues/8587",
		},
		{
			ID: "wsl-linux-driver", Product: "WSL",
			Literals: []string{"libnvidia-compute-", "nvidia-driver-", "nvidia-utils-", "nvidia-dkms-", "nvidia-kernel-"},
			Pattern:  `(?:\b(?P<state>ii|hi)\s+)?\b(?P<package>(?:libnvidia-compute|nvidia-driver|nvidia-utils|nvidia-dkms|nvidia-kernel-common)-\d{3}(?:-server|-open)?)(?::\w+)?(?:\s+(?P<state>install)\b|[^\n]*(?P<state>\[installed))?`,
			Layer:    rule.Driver, Role: Context, ExplainedBy: []string{"DRV004"},
			Meaning: "The text names a package of the Linux driver.",
			Causes: causes(Cause{
				When:     on(OnWSL, Has("package"), Has("state")),
				Title:    "A Linux driver package ({package}) is installed inside WSL: its libcuda is found in place of the one from Windows",
				Text:     "In WSL the driver is that of Windows, at /usr/lib/wsl/lib. Packages of the Linux driver bring a libcuda that works with no kernel module there, and the linker finds it first.",
				Remedies: []Remedy{fix("remove the Linux driver's packages from WSL, and keep only the toolkit (cuda-toolkit-12-x)", "bash", "sudo apt-get purge {package} 'libnvidia-*' && sudo ldconfig && ldconfig -p | grep libcuda")},
			}, Cause{
				When: on(OnWSL, Has("package"), Says("CUDA_ERROR", "cuInit", "Failed to initialize NVML", "no CUDA-capable", "CUDA driver library", "named symbol", "cudaErr", "CUDA error", "CUDA initialization", "couldn't communicate")), Confidence: rule.Possible,
				Title:    "A Linux driver package ({package}) is installed inside WSL: its libcuda is found in place of the one from Windows",
				Text:     "In WSL the driver is that of Windows, at /usr/lib/wsl/lib. Packages of the Linux driver (pulled in by cuda, nvidia-cuda-toolkit's recommends, or by hand) bring a libcuda that works with no kernel module there.",
				Remedies: []Remedy{fix("remove the Linux driver's packages from WSL, and keep only the toolkit (cuda-toolkit-12-x)", "bash", "sudo apt-get purge {package} 'libnvidia-*' && sudo ldconfig && ldconfig -p | grep libcuda")},
			}),
			Samples: []string{"ii  libnvidia-compute-535:amd64  535.183.01-0ubuntu1  amd64"},
			Misses:  []string{"nvidia-driver-assistant"},
			Source:  wslSource,
		},
		{
			ID: "wsl-libcuda-foreign", Product: "WSL",
			Literals: []string{"x86_64-linux-gnu/libcuda.so"},
			Pattern:  `(?P<file>/(?:usr/)?lib/x86_64-linux-gnu/libcuda\.so(?:\.\d+)*)`,
			Layer:    rule.Driver, Role: Context, Strength: Weak, ExplainedBy: []string{"DRV004"},
			Meaning: "The text names a libcuda in the directory of the distribution.",
			Causes: causes(Cause{
				When: on(OnWSL), Confidence: rule.Possible,
				Title:    "In WSL a libcuda of the distribution, {file}, is found: it belongs to a Linux driver package, which does not work there",
				Text:     "The libcuda of WSL is that of Windows, in /usr/lib/wsl/lib. A copy in the distribution's directory comes from a Linux driver package (libnvidia-compute), or is a link that somebody made.",
				Remedies: []Remedy{fix("see whose it is, and remove the Linux driver's packages", "bash", "ls -l {file}; dpkg -S {file}; sudo apt-get purge 'libnvidia-compute-*' && sudo ldconfig")},
				Ask:      "ls -l {file}; dpkg -l | grep libnvidia",
			}),
			Samples: []string{"\tlibcuda.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libcuda.so.1"},
			Misses:  []string{"\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/wsl/lib/libcuda.so.1"},
			Source:  wslSource,
		},
		{
			ID: "wsl-named-symbol", Product: "WSL",
			Literals: []string{"Error 500: named symbol not found", "named symbol not found", "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND"},
			Pattern:  `(?:Error 500: )?named symbol not found|cudaErrorSymbolNotFound`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Usual,
			Meaning: "CUDA does not find a symbol; in WSL at the start, the driver of Windows and the libraries in the container do not fit.",
			Causes: causes(Cause{
				When:     on(Any(OnWSL, OnWindows, Says("docker desktop", "docker-desktop"))),
				Title:    "The driver of Windows and what Docker or WSL passes in do not fit together (error 500, named symbol not found)",
				Text:     "Docker Desktop or the container toolkit is older than the driver of Windows expects: new drivers need libnvdxgdmal.so.1 in the container too.",
				Remedies: []Remedy{fix("update Docker Desktop (or the NVIDIA container toolkit in WSL), WSL and the driver of Windows", "powershell", "wsl --update; wsl --shutdown"), fix("or go back to the driver of before")},
				Ask:      "does nvidia-smi and a CUDA program work in WSL outside of the container; the versions of Docker Desktop and of the driver",
			}),
			Samples: []string{"RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 500: named symbol not found"},
			Misses:  []string{"named symbols found: 12"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/issues/520",
		},
		{
			ID: "wsl-nvdxgdmal", Product: "WSL",
			Literals: []string{"libnvdxgdmal.so", "libdxcore.so", "libnvwgf2umx.so", "libnvidia-ptxjitcompiler.so.1 is not a symbolic"},
			Pattern:  `(?P<lib>libnvdxgdmal\.so(?:\.1)?|libdxcore\.so)['"]?:? (?:cannot open|not found|=> not found|is missing)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "A library of the Windows driver for WSL is not found.",
			Causes: causes(Cause{
				Title:    "{lib} is not found: the libraries of the Windows driver are not whole in this place",
				Text:     "It is in /usr/lib/wsl/lib or the driver store below /usr/lib/wsl/drivers. In a container an older toolkit does not mount it; in a VM with a GPU partition the copy is not whole.",
				Remedies: []Remedy{fix("update the NVIDIA container toolkit or Docker Desktop; in a VM copy the host's driver files anew and whole", "bash", "ls -l /usr/lib/wsl/lib; export LD_LIBRARY_PATH=/usr/lib/wsl/lib")},
			}),
			Samples: []string{"libnvdxgdmal.so.1: cannot open shared object file: No such file or directory", "libdxcore.so => not found"},
			Misses:  []string{"libdxcore.so (libc6,x86-64) => /usr/lib/wsl/lib/libdxcore.so"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/issues/520",
		},
		{
			ID: "wsl-nvidia-smi-crash", Product: "WSL",
			Literals: []string{"nvidia-smi segfault", "nvidia-smi crashes", "Segmentation fault", "core dumped"},
			Beside:   []string{"nvidia-smi"},
			Pattern:  `(?i)nvidia-smi[^\n]{0,60}(?:segfault|segmentation fault|core dumped|crash)|(?:segmentation fault|core dumped)[^\n]{0,40}nvidia-smi`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Usual,
			Meaning: "nvidia-smi crashes.",
			Causes: causes(Cause{
				When:     on(Any(OnWSL, OnWindows)),
				Title:    "nvidia-smi crashes in WSL: the driver of Windows[ {driver}] and the libraries in /usr/lib/wsl/lib do not fit, or this driver release has a fault in WSL",
				Text:     "Releases 551 and others were known for it. CUDA programs often work all the same.",
				Remedies: []Remedy{fix("update WSL, restart it, and install another (newer) driver release on Windows", "powershell", "wsl --update; wsl --shutdown"), fix("see that no other nvidia-smi of a Linux driver package is called", "bash", "which -a nvidia-smi; /usr/lib/wsl/lib/nvidia-smi")},
			}),
			Samples: []string{"Segmentation fault (core dumped) nvidia-smi", "nvidia-smi segfaults after the driver's update"},
			Misses:  []string{"python: Segmentation fault (core dumped)"},
			Source:  "https://docs.nvidia.com/cuda/wsl-user-guide/index.html",
		},
		{
			ID: "wsl-version-1", Product: "WSL",
			Literals: []string{"WSL_E_", "Please enable the Virtual Machine Platform", "WSL 2 requires an update", "WslRegisterDistribution failed"},
			Layer:    rule.Application,
			Meaning:  "WSL itself does not start.",
			Causes: causes(Cause{
				Title:    "WSL 2 does not start on this Windows; the GPU stack is not the reason",
				Text:     "Virtualisation is off in the BIOS or in Windows, or WSL needs its update.",
				Remedies: []Remedy{fix("switch virtualisation on in the BIOS, enable the feature, and update WSL", "powershell", "wsl --install --no-distribution; wsl --update")},
			}),
			Samples: []string{"Error: 0x80370102 Please enable the Virtual Machine Platform Windows feature", "WslRegisterDistribution failed with error: 0x80370102"},
			Misses:  []string{"WSL 2 is up to date"},
			Source:  "https://learn.microsoft.com/en-us/windows/wsl/troubleshooting",
		},
	}
}
