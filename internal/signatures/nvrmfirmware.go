package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmFirmware is what the kernel module writes about the firmware (GSP) of a GPU.
func nvrmFirmware() []*Signature {
	return []*Signature{
		{
			ID: "nvrm-gsp-firmware", Product: "nvidia kernel module",
			Literals: []string{"gsp_tu10x.bin", "gsp_ga10x.bin", "/gsp.bin failed", "GSP firmware image", "No firmware image found"},
			Pattern:  `(?i)(?:Direct firmware load for|failed to load|unable to load|request_firmware).{0,30}nvidia/(?P<module>\d{3}\.\d+(?:\.\d+)?)?/?\S*gsp\S*|No firmware image found|GSP firmware image.{0,40}(?:version mismatch|not found|fail)|\bgsp(?:_\w+)?\.bin\b.{0,40}(?:not found|failed|No such file)`,
			Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN011"},
			Meaning: "The kernel did not find the GSP firmware of the module's release.",
			Causes: causes(Cause{
				Title: "The GSP firmware of the loaded module[ {module}] is not found",
				Text:  "The module loads /lib/firmware/nvidia/VERSION/gsp_*.bin of exactly its own release. The package with it is missing or of another release (after a half update), or the initramfs has the module without it.",
				Remedies: []Remedy{
					fix("install the firmware package of the same release (nvidia-firmware on Ubuntu, firmware-nvidia-gsp on Debian, nvidia-kmod-common on Fedora and RHEL), rebuild the initramfs and restart", "check", "ls /lib/firmware/nvidia; modinfo -F version nvidia", "ubuntu", "apt-cache policy 'nvidia-firmware-*'"),
				},
			}),
			Samples: []string{"nvidia 0000:17:00.0: Direct firmware load for nvidia/560.35.03/gsp_ga10x.bin failed with error -2", "NVRM: RmFetchGspRmImages: No firmware image found"},
			Misses:  []string{"install -m 644 firmware/gsp_ga10x.bin /lib/firmware/nvidia"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osinit.c",
		},
		{
			ID: "nvrm-gsp-timeout", Product: "nvidia kernel module",
			Literals: []string{"Timeout waiting for RPC from GSP", "of waiting for RPC", "GSP RM heartbeat", "kgspHealthCheck", "GSP-RM proxy", "Unexpected WPR2"},
			Pattern:  `(?i)Timeout (?:waiting for|after \d+s? of waiting for) RPC (?:response )?from (?:GPU\d* ?)?GSP|Timeout after \d+s? of waiting for RPC|GSP RM heartbeat timed out|kgspHealthCheck\w*.{0,60}(?:fatal|crash|error)|GSP-RM proxy boot command failed|unexpected WPR2 already up`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"HWR002"},
			Meaning: "The GPU's firmware processor (GSP) no longer answers the driver.",
			Causes: causes(
				Cause{
					When:     on(Says("WPR2 already up")),
					Title:    "The GPU was not reset since its last use: GSP firmware is still up (unexpected WPR2)",
					Text:     "The protected memory of GSP of an earlier start is still there, after a crash, a warm reset or kexec, or another VM.",
					Remedies: []Remedy{fix("switch the machine fully off, so that the GPU loses power, and start it again")},
				},
				Cause{
					Title: "The GPU's GSP firmware stopped answering the driver (GSP RPC timeout)",
					Text:  "GSP is the GPU's own processor; when it hangs the GPU is lost until a reset. Reasons: faults of GSP firmware in this release[ ({driver})] of the open kernel modules, or hardware: power, heat, link. Frameworks are not the reason.",
					Remedies: []Remedy{
						fix("reset the GPU or restart the machine", "shell", "sudo nvidia-smi --gpu-reset"),
						fix("update to the newest release of the driver's branch, and check power, temperature and PCIe (ASPM, link speed)"),
					},
					Ask: "sudo dmesg | grep -e Xid -e NVRM | head -30: what came first",
				},
			),
			Samples: []string{
				"NVRM: GPU0 _kgspRpcRecvPoll: Timeout after 45s of waiting for RPC response from GPU0 GSP! Expected function 76 (GSP_RM_CONTROL)",
				"NVRM: Xid (PCI:0000:c1:00): 119, pid=2211, name=python, Timeout waiting for RPC from GSP!",
				"NVRM: GPU0 kgspBootstrap_TU102: GSP-RM proxy boot command failed.",
				"NVRM: kgspExecuteFwsec_TU102: unexpected WPR2 already up, cannot proceed with booting GSP",
			},
			Misses: []string{"Timeout after 30s waiting for HTTP response"},
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/446",
		},
		{
			ID: "nvrm-gsp-off", Product: "nvidia kernel module",
			Literals: []string{"NVreg_EnableGpuFirmware"},
			Pattern:  `NVreg_EnableGpuFirmware ?= ?0`,
			Layer:    rule.Application, Role: Context, Strength: Weak,
			Meaning: "The module's option that switches GSP firmware off.",
			Causes: causes(Cause{
				When:     on(Any(Says("open kernel module", "open flavour", "-open", "kernel-open", "Open GPU"), Is("gpu|openmodule", "required"))),
				Title:    "GSP cannot be switched off here: the open kernel modules always use the GSP firmware",
				Text:     "NVreg_EnableGpuFirmware=0 is an option of the proprietary module alone; the open one ignores it. GPUs from Blackwell on[ ({gpu})] work with the open modules only, so there is no way without GSP. Not a fault of the stack.",
				Remedies: []Remedy{fix("leave the option out; for a fault of GSP take the newest release of the driver's branch", "check", "nvidia-smi -q | grep -i gsp; cat /proc/driver/nvidia/version")},
			}),
			Samples: []string{"options nvidia NVreg_EnableGpuFirmware=0"},
			Misses:  []string{"EnableGpuFirmware: 18, NVreg_EnableGpuFirmware=18"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/543",
		},
	}
}
