package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// windowsDriver is what Windows and its driver's installer say.
func windowsDriver() []*Signature {
	return []*Signature{
		{
			ID: "windows-installer-failed", Product: "Windows",
			Literals: []string{"NVIDIA Installer failed", "NVIDIA Installer cannot continue", "graphics driver could not find compatible", "Other Nvidia installer error", "not compatible with this version of Windows", "standard NVIDIA graphics driver is not compatible", "NVIDIA Setup cannot continue", "installer has failed"},
			Pattern:  `(?i)NVIDIA (?:Installer|Setup) (?:failed|cannot continue|has failed)|could not find compatible graphics hardware|(?:graphics )?driver is not compatible with this version of Windows|Other Nvidia installer error`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The driver's installer stops on Windows.",
			Causes: causes(
				Cause{
					When:     on(Says("compatible graphics hardware", "not compatible with this version", "cannot continue")),
					Title:    "The Windows driver package does not fit this machine: another GPU, another Windows, or a DCH package where the other kind is installed",
					Text:     "The installer found no hardware that it is made for: notebook GPUs and vGPUs have packages of their own, the newest branches dropped older GPUs, and a GPU that is off or has Code 43 is not seen.",
					Remedies: []Remedy{fix("take the package that the download page names for exactly this GPU and Windows release (DCH), or the maker's; see that the device manager shows the GPU")},
				},
				Cause{
					Title:    "NVIDIA's installer failed on Windows: remains of another driver or a running update are in the way (clean installation, DDU)",
					Text:     "Windows Update installs a driver at the same time, or files of the old one are locked. Error 0x0003 and the like mean no more than that.",
					Remedies: []Remedy{fix("let Windows Update end and restart; then install with the option Perform a clean installation"), fix("where it stays, remove the old driver with DDU in safe mode and install anew")},
				},
			),
			Samples: []string{"NVIDIA Installer failed", "This graphics driver could not find compatible graphics hardware."},
			Misses:  []string{"NVIDIA Installer finished"},
			Source:  "https://nvidia.custhelp.com/app/answers/detail/a_id/4161",
		},
		{
			ID: "windows-tdr", Product: "Windows",
			Literals: []string{"nvlddmkm", "stopped responding and has", "VIDEO_TDR", "TdrDelay", "Timeout Detection and Recovery", "LiveKernelEvent"},
			Pattern:  `(?i)nvlddmkm(?:[^\n]{0,120}(?:stopped responding|Event ID|error|cannot be found|reset|\\Device\\Video\d))?|Display driver \w* ?stopped responding|VIDEO_TDR_(?:FAILURE|ERROR|TIMEOUT\w*)|\bTdrDelay\b|Timeout Detection and Recovery|LiveKernelEvent[ :(]*1[147][0-9a-f]`,
			Layer:    rule.Hardware, Strength: Strong,
			Meaning: "Windows reset the GPU because it did not answer in time (TDR).",
			Causes: causes(
				Cause{
					When: on(Says("launch timed out", "launch timeout", "cudaErrorLaunchTimeout", "error 702", "long kernel", "TdrDelay")), Layer: rule.Application,
					Title:    "Windows ended a kernel that ran too long (TDR, nvlddmkm): the time limit is TdrDelay, 2 seconds",
					Text:     "The GPU drives a display in WDDM mode, and Windows resets it where a kernel takes longer. The driver is well.",
					Remedies: []Remedy{fix("raise the limit and restart", "cmd", "reg add HKLM\\SYSTEM\\CurrentControlSet\\Control\\GraphicsDrivers /v TdrDelay /t REG_DWORD /d 60 /f"), fix("or make the program's kernels shorter, or use a GPU without a display in TCC mode")},
				},
				Cause{
					Title:    "Windows reset the GPU (TDR): the display driver nvlddmkm stopped responding, by a fault of hardware or of this driver release[ ({driver})]",
					Text:     "Event 153, 14 or 13 of nvlddmkm and LiveKernelEvent 141 mean that the GPU hung: overclocking, heat, power, memory of the card, or a faulty driver. A program's long kernel (TdrDelay) is the other reason.",
					Remedies: []Remedy{fix("take overclocking out, look at temperature and power cables, and install another driver release cleanly (DDU)"), fix("for long compute kernels raise TdrDelay", "cmd", "reg add HKLM\\SYSTEM\\CurrentControlSet\\Control\\GraphicsDrivers /v TdrDelay /t REG_DWORD /d 60 /f")},
					Ask:      "does it come under load of any program, or in this one alone",
				},
			),
			Samples: []string{"Display driver nvlddmkm stopped responding and has successfully recovered.", "VIDEO_TDR_FAILURE (nvlddmkm.sys)"},
			Misses:  []string{"the server stopped responding"},
			Source:  "https://learn.microsoft.com/windows-hardware/drivers/display/timeout-detection-and-recovery",
		},
	}
}
