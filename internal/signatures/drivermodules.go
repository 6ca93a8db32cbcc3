package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverModules is about further modules and services of the driver on servers.
func driverModules() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-fs-missing", Product: "GPUDirect Storage",
			Literals: []string{"nvidia-fs", "nvidia_fs", "NVFS driver", "gdscheck"},
			Pattern:  `(?i)nvidia[-_]fs(?:\.ko)?[^\n]{0,40}(?:not loaded|not found|not installed|missing|unsupported|failed|No such)|NVFS driver (?:not|un\w+)|Module nvidia[-_]fs not found`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The module of GPUDirect Storage is not there.",
			Causes: causes(Cause{
				Title:    "The module nvidia-fs of GPUDirect Storage (GDS) is not loaded, so cuFile works in compatibility mode",
				Text:     "nvidia-fs is a package of its own, built by DKMS for the kernel, and needs the driver's open modules (or a release that fits). The GPU itself works.",
				Remedies: []Remedy{fix("install and load it", "ubuntu", "sudo apt-get install nvidia-gds && sudo modprobe nvidia-fs; /usr/local/cuda/gds/tools/gdscheck -p")},
			}),
			Samples: []string{"modprobe: FATAL: Module nvidia-fs not found in directory /lib/modules/6.8.0", "nvidia-fs driver not loaded"},
			Misses:  []string{"nvidia-fs version 2.17 libnvcufile"},
			Source:  "https://docs.nvidia.com/gpudirect-storage/troubleshooting-guide/index.html",
		},
		{
			ID: "nvidia-peermem-refused", Product: "nvidia-peermem",
			Literals: []string{"insert 'nvidia_peermem'", "insert 'nvidia-peermem'", "nvidia_peermem: ", "nvidia-peermem"},
			Pattern:  `(?i)could not insert '?nvidia[-_]peermem'?: (?P<why>[A-Za-z ]{5,40})|nvidia_peermem: (?:disagrees|Unknown symbol)[^\n]{0,60}|nvidia-peermem[^\n]{0,40}(?:not loaded|is missing)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The module for GPUDirect RDMA is refused.",
			Causes: causes(Cause{
				Title:    "nvidia_peermem (GPUDirect RDMA) cannot be loaded[: {why}]: the driver was built before the RDMA stack (MLNX OFED, DOCA), so the module has no peer-memory interface",
				Text:     "It has to be built with the headers of OFED that is installed. With newer kernels and open modules DMA-BUF makes it unnecessary.",
				Remedies: []Remedy{fix("install OFED first, then build the driver's modules anew", "shell", "sudo dkms build --force nvidia/$(modinfo -F version nvidia) && sudo dkms install --force nvidia/$(modinfo -F version nvidia); sudo modprobe nvidia_peermem; lsmod | grep peermem"), fix("or use DMA-BUF (NCCL 2.16 and newer, open modules, kernel 5.12 and newer)")},
			}),
			Samples: []string{"modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument"},
			Misses:  []string{"nvidia_peermem 16384 0"},
			Source:  "https://docs.nvidia.com/cuda/gpudirect-rdma/",
		},
		{
			ID: "imex-not-running", Product: "IMEX",
			Literals: []string{"nvidia-imex", "fabric handle", "IMEX channel", "IMEX daemon", "IMEX domain"},
			Pattern:  `(?i)nvidia-imex(?:\.service|-ctl)?[^\n]{0,60}(?:inactive|failed|not running|UNAVAILABLE|DEGRADED|could not be found|not found)|fail\w* to (?:import|export) fabric handle|IMEX (?:channel|daemon|domain)[^\n]{0,40}(?:not|fail|missing|unavailable)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "Memory over NVLink between nodes is not set up.",
			Causes: causes(Cause{
				Title:    "IMEX is not ready: nvidia-imex does not run on all nodes of the NVLink domain, or the process has no IMEX channel, so memory cannot be shared between nodes (fabric handle)",
				Text:     "On GB200 and GB300 NVL systems every compute tray needs nvidia-imex of the driver's release with the same nodes_config.cfg, and a channel device in /dev/nvidia-caps-imex-channels.",
				Remedies: []Remedy{fix("start it on all nodes and look at the domain", "node", "sudo systemctl enable --now nvidia-imex; nvidia-imex-ctl -N; ls /dev/nvidia-caps-imex-channels; cat /etc/nvidia-imex/nodes_config.cfg", "channel", "sudo nvidia-modprobe -i 0:1")},
			}),
			Samples: []string{"nvidia-imex.service is inactive", "failed to import fabric handle"},
			Misses:  []string{"nvidia-imex.service: active"},
			Source:  "https://docs.nvidia.com/multi-node-nvlink-systems/imex-guide/index.html",
		},
		{
			ID: "nvlsm-missing", Product: "Fabric Manager",
			Literals: []string{"nvlsm"},
			Pattern:  `(?i)nvlsm\b[^\n]{0,60}(?:not found|not installed|missing|install|failed|not running|inactive)|(?:no|without|missing) nvlsm`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The subnet manager of NVLink 5 is missing.",
			Causes: causes(Cause{
				Title:    "Fabric Manager cannot start the NVLink 5 fabric (B200, GB200): the package nvlsm (NVLink subnet manager) is missing or does not run",
				Text:     "From HGX B200 on the fabric needs nvlsm and libnvsdm beside Fabric Manager, and ib_umad loaded. CUDA fails with error 802 until then.",
				Remedies: []Remedy{fix("install it, load ib_umad, and start Fabric Manager of the driver's release", "ubuntu", "sudo apt-get install nvlsm infiniband-diags && sudo modprobe ib_umad && sudo systemctl restart nvidia-fabricmanager")},
			}),
			Samples: []string{"nvlsm not found, please install nvlsm"},
			Misses:  []string{"nvlsm started"},
			Source:  "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/index.html",
		},
		{
			ID: "confidential-not-ready", Product: "confidential computing",
			Literals: []string{"conf-compute", "Confidential Compute", "confidential computing"},
			Pattern:  `(?i)conf(?:idential)?[- ]compute[^\n]{0,80}(?:not[- ]ready|ready state|OFF|disabled|not supported)|confidential computing`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The GPU is in the mode of confidential computing.",
			Causes: causes(Cause{
				When:     on(Says("not-ready", "not ready", "system not yet initialized", "error 802", "802")),
				Title:    "The GPU is in confidential computing mode and not set ready (conf-compute ready state): CUDA fails with error 802 until the guest has attested it",
				Text:     "After attestation the guest sets the state; persistence mode has to be on, too. Fabric Manager is not the reason here.",
				Remedies: []Remedy{fix("attest, and set the GPU ready", "guest", "sudo nvidia-smi conf-compute -srs 1; nvidia-smi conf-compute -grs; sudo nvidia-persistenced --uvm-persistence-mode")},
			}),
			Samples: []string{"Confidential Compute GPUs Ready state: not-ready"},
			Misses:  []string{"confident computing"},
			Source:  "https://docs.nvidia.com/nvtrust/index.html",
		},
		{
			ID: "pcie-link-width", Product: "PCIe",
			Literals: []string{"Link Width Current", "PCIe Generation", "PCIe Gen ", "width x1 (downgraded)", "(downgraded)", "pcie.link", "Link Width", "x1 Max", "1x Max"},
			Pattern:  `(?i)(?:link )?width[^\n]{0,24}(?:Current )?\bx?(?P<width>1|2|4)x?\b[^\n]{0,20}(?:max|downgraded|16)|(?P<gen>PCIe Gen\w*)[^\n]{0,24}Current:? ?1\b`,
			Layer:    rule.Hardware, Role: Context, Strength: Usual,
			Meaning: "The link of the GPU is narrower or slower than it could be.",
			Causes: causes(
				Cause{
					When:     on(Has("width"), Says("slow", "speed", "GB/s", "bandwidth", "performance", "riser", "transfer")),
					Title:    "The GPU's PCIe link has {width} lanes only (Link Width): a riser, a slot with few lanes, a dirty contact or a BIOS setting; not the driver",
					Text:     "Width does not change with load. Mining risers have one lane; the second slot of many boards has four.",
					Remedies: []Remedy{fix("put the card into a slot with 16 lanes without a riser, reseat it, and see the board's table of lanes", "check", "nvidia-smi --query-gpu=pcie.link.width.current,pcie.link.width.max,pcie.link.gen.current --format=csv; sudo lspci -vv -d 10de: | grep -i lnksta")},
				},
				Cause{
					When:     on(Says("idle", "nothing is running", "not running", "no load", "no process", "Max: 4", "Max 4", "Max: 3")),
					Title:    "Nothing is wrong: an idle GPU lowers its PCIe generation to save power and raises it under load",
					Text:     "The current generation is to be read while a program runs.",
					Remedies: []Remedy{fix("look again under load", "check", "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pstate --format=csv -l 1")},
				},
			),
			Samples: []string{"Link Width Current 1x Max 16x", "PCIe Gen Current: 1 Max: 4"},
			Misses:  []string{"Link Width Current 16x"},
			Source:  "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
		},
	}
}
