package kernelmodule

import (
	"strata/internal/kb"
	"strata/internal/rule"
)

var krn006 = &rule.Rule{
	ID:       "KRN006",
	Slug:     "gpu-too-old-for-open-module",
	Layer:    rule.KernelModule,
	Severity: rule.Broken,
	Title:    "The GPU is older than Turing, but NVIDIA's open kernel module is installed",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needNative, rule.NeedGPUs, needFlavor},
	After:    []string{"DRV005"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeOpen, citeInstall},
	Doc: `The open kernel modules leave most of the work to the GPU System Processor (GSP), which exists since Turing (compute
capability 7.5). Maxwell, Pascal and Volta GPUs, such as the GTX 1080, the P100 or the V100, have none: the module
does not take them, nvidia-smi says "No devices were found", and the kernel log that the GPU is "not supported by open
nvidia.ko because it does not include the required GPU System Processor (GSP)".

Installers choose the open flavour by default from driver 560 on, so this often follows an upgrade. Install the
proprietary flavour of branch 580 or older; newer branches do not support these GPUs in either flavour.`,
	Check: func(in *rule.Input) rule.Verdict {
		return flavorVerdict(in, kb.OpenUnsupported, "open", "proprietary",
			"is too old for it", "nvidia-smi says \"No devices were found\"; the kernel log that the GPU is \"not supported by open nvidia.ko because it does not include the required GPU System Processor (GSP)\".",
			"not supported by open nvidia.ko")
	},
}
