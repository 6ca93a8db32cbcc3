package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const suspendSource = "https://github.com/NixOS/nixpkgs/issues/476690"

// suspend is about sleep and what the driver does before and after it.
func suspend() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-sleep-script", Product: "nvidia driver",
			Literals: []string{"nvidia-sleep.sh", "nvidia-suspend.service", "nvidia-resume.service", "nvidia-hibernate.service", "NVIDIA system suspend actions", "NVIDIA system hibernate actions"},
			Pattern:  `(?i)nvidia-sleep\.sh[^\n]{0,40}(?:No such file|not found|Permission denied)|nvidia-(?P<unit>suspend|resume|hibernate)\.service:? (?:Failed|Main process exited|could not be found|not found)|Failed to start[^\n]{0,12}NVIDIA system (?P<unit>suspend|hibernate|resume) actions|Unit nvidia-(?P<unit>suspend|resume|hibernate)\.service[^\n]{0,20}not`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The driver's sleep service fails, so the machine does not sleep or wake up properly.",
			Causes: causes(
				Cause{
					When:     on(Says("nvidia-sleep.sh: No such file", "nvidia-sleep.sh: not found", "status=203/EXEC", "could not be found", "service not found")),
					Title:    "nvidia-sleep.sh is missing: nvidia-suspend.service and nvidia-resume.service of the driver[ {driver}] cannot run, so suspend fails",
					Text:     "The package of the driver (or an updated part of it) does not bring the script, or the units are left from another installation. The kernel and the GPU are not at fault.",
					Remedies: []Remedy{fix("install the driver's package of this release whole (nvidia-utils on Arch, nvidia-kernel-common on Ubuntu, xorg-x11-drv-nvidia-power on Fedora; on NixOS hardware.nvidia.powerManagement.enable with a matching package)", "check", "ls -l /usr/bin/nvidia-sleep.sh; systemctl cat nvidia-suspend"), fix("or switch the units off where the driver does without them", "shell", "sudo systemctl disable nvidia-suspend nvidia-resume nvidia-hibernate")},
				},
				Cause{
					Title:    "The driver's sleep service fails[ (nvidia-{unit}.service)], so suspend or resume breaks",
					Text:     "nvidia-sleep.sh writes to /proc/driver/nvidia/suspend. It fails where a program keeps the GPU busy, the memory cannot be saved (no room in NVreg_TemporaryFilePath), or NVreg_PreserveVideoMemoryAllocations is not set.",
					Remedies: []Remedy{fix("set NVreg_PreserveVideoMemoryAllocations=1 and a directory with room for the GPU's memory, and enable the units", "shell", "echo 'options nvidia NVreg_PreserveVideoMemoryAllocations=1 NVreg_TemporaryFilePath=/var/tmp' | sudo tee /etc/modprobe.d/nvidia-power.conf; sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate; journalctl -b -u nvidia-suspend")},
				},
			),
			Samples: []string{
				"nvidia-suspend.service: Failed to execute /usr/bin/nvidia-sleep.sh: No such file or directory",
				"systemd[1]: Failed to start NVIDIA system suspend actions.",
				"Failed to start nvidia-suspend.service: Unit nvidia-suspend.service not found.",
			},
			Misses: []string{"systemd[1]: Finished NVIDIA system suspend actions."},
			Source: "https://github.com/chaotic-cx/nyx/issues/1189",
		},
		{
			ID: "nvrm-suspend-refused", Product: "nvidia kernel module",
			Literals: []string{"System Power Management attempted without driver procfs suspend interface", "PreserveVideoMemoryAllocations module parameter is set", "nv_pmops_suspend", "pci_pm_suspend(): nv_pmops", "PM: failed to suspend async: error", "nv_restore_user_channels", "nv_set_system_power_state"},
			Pattern:  `(?i)PreserveVideoMemoryAllocations module parameter is set\. System Power Management attempted|attempted without driver procfs suspend interface|nv_pmops_(?P<op>suspend|resume|freeze)\+|nv_pmops_(?P<op>suspend|resume|freeze)[^\n]{0,40}returns -\d+|nvidia [\w:.]+: PM: failed to (?P<op>suspend|resume|freeze)|nv_restore_user_channels[^\n]{0,80}fail`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The module did not take part in a suspend or resume.",
			Causes: causes(
				Cause{
					When:     on(Says("without driver procfs suspend interface", "System Power Management attempted")),
					Title:    "The driver refuses to suspend: NVreg_PreserveVideoMemoryAllocations=1 is set, and nvidia-suspend.service did not run before the sleep (procfs suspend interface)",
					Text:     "With that option the units nvidia-suspend, nvidia-hibernate and nvidia-resume have to call nvidia-sleep.sh around every sleep. They are not enabled, or the sleep was started past systemd.",
					Remedies: []Remedy{fix("enable the units", "shell", "sudo systemctl enable nvidia-suspend.service nvidia-hibernate.service nvidia-resume.service"), fix("or take NVreg_PreserveVideoMemoryAllocations out of /etc/modprobe.d", "check", "grep -rn PreserveVideoMemory /etc/modprobe.d /usr/lib/modprobe.d")},
				},
				Cause{
					Title:    "The nvidia module[ {driver}] failed in suspend or resume[ ({op})]",
					Text:     "Faults of this release of the driver with this kernel or board, or memory of the GPU that was not saved.",
					Remedies: []Remedy{fix("enable nvidia-suspend and nvidia-resume with NVreg_PreserveVideoMemoryAllocations=1, and take the newest release of the driver's branch", "shell", "sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate; cat /proc/driver/nvidia/params | grep Preserve"), fix("where it began with an update, go back to the release before")},
				},
			),
			Samples: []string{
				"NVRM: GPU 0000:01:00.0: PreserveVideoMemoryAllocations module parameter is set. System Power Management attempted without driver procfs suspend interface. Please refer to the 'Configuring Power Management Support' section in the driver README.",
				"nvidia 0000:01:00.0: PM: failed to suspend async: error -5",
				"nvidia 0000:01:00.0: PM: pci_pm_suspend(): nv_pmops_suspend+0x0/0x30 [nvidia] returns -5",
			},
			Misses: []string{"nvidia 0000:01:00.0: PM: resumed"},
			Source: suspendSource,
		},
		{
			ID: "told-suspend-graphics", Product: "nvidia driver",
			Literals: []string{"after suspend", "from suspend", "suspend/resume", "suspend or", "resume from", "resuming from", "after resume", "after resuming", "after sleep", "from sleep", "wake from", "waking from", "wakes up", "waking up", "wake up from", "hibernat", "suspend does not", "suspend doesn't", "fails to suspend", "cannot suspend"},
			Pattern:  `(?i)\b(?:suspend\w*|resum\w+|hibernat\w+|wak(?:e|es|ing)[ -](?:up|from)|(?:after|from|to) sleep)\b`,
			Layer:    rule.KernelModule, Role: Told, Strength: Usual,
			Where:   on(Says("nvidia")),
			Meaning: "Somebody tells that the picture is broken after sleep.",
			Causes: causes(Cause{
				When:  on(Says("black screen", "corrupt", "garbled", "artifact", "artefact", "freez", "frozen", "hangs", "lock up", "lockup", "crash", "blank", "glitch", "does not wake", "doesn't wake", "not wake", "unable to resume", "does not work", "doesn't work", "not working", "fails", "no signal", "cursor", "unresponsive", "broken")),
				Title: "The NVIDIA driver[ {driver}] does not come through suspend and resume: its memory is not saved (NVreg_PreserveVideoMemoryAllocations, nvidia-suspend.service)",
				Text:  "Without that option the driver loses most of the GPU's memory in a sleep: garbled windows, a black screen or a dead session after the resume. The units nvidia-suspend and nvidia-resume have to be enabled with it.",
				Remedies: []Remedy{
					fix("let the driver save its memory, and enable its units", "shell", "echo 'options nvidia NVreg_PreserveVideoMemoryAllocations=1 NVreg_TemporaryFilePath=/var/tmp' | sudo tee /etc/modprobe.d/nvidia-power.conf; sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate", "nixos", "hardware.nvidia.powerManagement.enable = true;"),
					fix("where it is set already: the newest release of the branch, the other flavour of the module (open or proprietary), or for a test NVreg_EnableGpuFirmware=0 with the proprietary one; a release before the trouble began"),
				},
				Ask: "journalctl -b -1 -k | grep -i -e nvrm -e nvidia | tail -30; cat /proc/driver/nvidia/params | grep -i preserve",
			}),
			Samples: []string{"After resuming from suspend the screen stays black"},
			Misses:  []string{"the account was closed"},
			Source:  suspendSource,
		},
	}
}
