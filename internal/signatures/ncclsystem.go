package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ncclSystem is what NCCL says about the system, the network and other ranks.
func ncclSystem() []*Signature {
	return []*Signature{
		{
			ID: "nccl-system-error", Product: "nccl",
			Literals: []string{"ncclSystemError", "unhandled system error", "NCCL WARN Call to", "NCCL WARN socketStartConnect", "NCCL WARN Bootstrap", "NCCL WARN NET/", "ncclRemoteError", "ncclInternalError"},
			Pattern:  `ncclSystemError|unhandled system error|ncclRemoteError|ncclInternalError: Internal check|NCCL WARN (?:Call to \w+ (?:returned|failed)|socket\w+: |Bootstrap : |NET/\w+ : )(?P<text>.{0,100})`,
			Layer:    rule.Application,
			Meaning:  "A system call of NCCL failed: network, shared memory or another rank.",
			Causes: causes(
				Cause{
					When:     on(Seen("nccl-shared-memory")),
					Title:    "NCCL failed because /dev/shm is too small",
					Text:     "See the line about the shared memory segment.",
					Remedies: []Remedy{fix("start the container with --shm-size=8g or --ipc=host")},
				},
				Cause{
					When:     on(Says("NET/IB", "ibv_", "mlx5", "GPU Direct RDMA", "nvidia_peermem", "libibverbs")),
					Title:    "not the GPU stack: NCCL's InfiniBand transport failed[: {text}]",
					Text:     "The adapter, its driver, the memory lock limit or GPUDirect RDMA is at fault.",
					Remedies: []Remedy{fix("raise the limit for locked memory (ulimit -l unlimited, --ulimit memlock=-1)"), fix("see whether it works over sockets", "bash", "export NCCL_IB_DISABLE=1")},
				},
				Cause{
					When:  on(Not(Says("NCCL WARN", "ncclRemoteError", "Connection refused", "Connection reset", "Broken pipe", "nnodes", "MASTER_ADDR", "multi-node", "two nodes"))),
					Layer: rule.NCCL,
					Title: "A system call of NCCL failed (unhandled system error), and the text does not say which: run it with NCCL_DEBUG=INFO",
					Text:  "On one machine it is most often /dev/shm, which has 64 MB in a container, or a network interface that NCCL should not take.",
					Remedies: []Remedy{
						fix("run again with NCCL's own messages and read its first line with NCCL WARN", "bash", "NCCL_DEBUG=INFO torchrun app.py"),
						fix("in a container give shared memory: --ipc=host or --shm-size=8g; on bare metal look at the rights and the size of /dev/shm", "check", "df -h /dev/shm; ls -ld /dev/shm"),
						fix("name the interface", "bash", "export NCCL_SOCKET_IFNAME=eth0"),
					},
					Ask: "NCCL_DEBUG=INFO on all ranks: the first NCCL WARN",
				},
				Cause{
					Title:    "not the GPU stack: NCCL's ranks cannot reach each other, or a rank died[: {text}]",
					Text:     "NCCL took a network interface that the others do not reach (docker0, a VPN), a firewall is in between, or another rank ended with its own error before.",
					Remedies: []Remedy{fix("name the interface", "bash", "export NCCL_SOCKET_IFNAME=eth0"), fix("look at the first error of every rank; in containers give shared memory (--ipc=host)")},
					Ask:      "NCCL_DEBUG=INFO on all ranks: the first NCCL WARN",
				},
			),
			Samples: []string{"ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.", "NCCL WARN Call to connect returned Connection refused, retrying", "RuntimeError: NCCL error: unhandled system error, NCCL version 2.18.1"},
			Misses:  []string{"NCCL INFO NET/Socket : Using [0]eth0"},
			Source:  "https://github.com/NVIDIA/nccl/blob/master/src/init.cc",
		},
		{
			ID: "nccl-watchdog-timeout", Product: "pytorch",
			Literals: []string{"Watchdog caught collective operation timeout", "ProcessGroupNCCL's watchdog got stuck", "NCCL communicator was aborted", "Some NCCL operations have failed or timed out"},
			Pattern:  `Watchdog caught collective operation timeout(?:: WorkNCCL\(SeqNum=\d+, OpType=(?P<op>\w+))?|watchdog got stuck|NCCL communicator was aborted|NCCL operations have failed or timed out`,
			Layer:    rule.Application,
			Meaning:  "A collective operation did not end in time.",
			Causes: causes(Cause{
				Title:    "a collective operation[ {op}] did not end: a rank died, hangs, or went another way",
				Text:     "One rank did not reach the operation: it ended with its own error (out of memory), waits for data, or calls other collectives than the rest. The driver is seldom at fault; where Xid lines are in the kernel's log, it is the GPU or NVLink.",
				Remedies: []Remedy{fix("look at the first error of every rank"), fix("see which rank lags", "bash", "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_DISTRIBUTED_DEBUG=DETAIL NCCL_DEBUG=INFO torchrun app.py"), fix("where a long step is expected, raise timeout= in init_process_group")},
				Ask:      "the log of every rank, and dmesg | grep -i xid",
			}),
			Samples: []string{"[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=42, OpType=ALLREDUCE, NumelIn=1, Timeout(ms)=600000) ran for 600012 milliseconds before timing out."},
			Misses:  []string{"Watchdog started"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp",
		},
		{
			ID: "nccl-invalid-usage", Product: "nccl",
			Literals: []string{"Duplicate GPU detected", "ncclInvalidUsage", "ncclInvalidArgument"},
			Pattern:  `Duplicate GPU detected(?: : rank (?P<rank>\d+) and rank (?P<rank2>\d+) both on CUDA device (?P<device>\w+))?|ncclInvalidUsage|ncclInvalidArgument`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "NCCL was called in a way that cannot work.",
			Causes: causes(
				Cause{
					When:     on(Says("Duplicate GPU detected")),
					Title:    "not the stack: [ranks {rank} and {rank2} use the same GPU || two ranks use the same GPU]",
					Text:     "Each process needs a GPU of its own: torch.cuda.set_device(local_rank) was not called before, there are more processes than GPUs, or CUDA_VISIBLE_DEVICES is the same single GPU for all.",
					Remedies: []Remedy{fix("set the device from LOCAL_RANK at the start, and start as many processes as there are GPUs")},
				},
				Cause{
					Title:    "not the stack: NCCL was used in a way that cannot work",
					Text:     "Often two ranks on one GPU, tensors of different sizes or devices, or a mix of NCCL versions between machines.",
					Remedies: []Remedy{fix("see what NCCL says", "bash", "NCCL_DEBUG=WARN torchrun app.py")},
				},
			),
			Samples: []string{"NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000", "ncclInvalidUsage: This usually reflects invalid usage of NCCL library."},
			Misses:  []string{"GPU detected"},
			Source:  "https://github.com/NVIDIA/nccl/blob/master/src/init.cc",
		},
		{
			ID: "nccl-version-mismatch", Product: "nccl",
			Literals: []string{"NCCL version mismatch", "Mismatched NCCL version", "NCCL library version mismatch"},
			Pattern:  `(?i)(?:NCCL (?:library )?version mismatch|mismatched NCCL version)(?: detected)?(?:[^0-9]{0,20}rank \d+)?[^0-9]{0,60}(?P<one>\d[\d.+a-z]+)?(?:[^0-9]{0,20}rank \d+)?[^0-9]{0,40}(?P<two>\d[\d.+a-z]+)?`,
			Layer:    rule.NCCL,
			Strength: Strong,
			Meaning:  "Ranks, or parts of one process, use different NCCL versions.",
			Causes: causes(Cause{
				Title:    "different NCCL versions work together[: {one} and {two}]",
				Text:     "All ranks of a job must use the same NCCL. A system's libnccl.so.2 on LD_LIBRARY_PATH or LD_PRELOAD replaces the wheel's on one machine, or the images differ.",
				Remedies: []Remedy{fix("use the same image or environment on all machines, and take the system's NCCL off LD_LIBRARY_PATH", "pip", "python -m pip list | grep -i nccl"), fix("where two wheels nvidia-nccl-cu* are installed, remove both and install the one that PyTorch pins")},
			}),
			Samples: []string{"Mismatched NCCL version detected : rank 0 version 22703 rank 1 version 22605"},
			Misses:  []string{"NCCL version 2.18.5"},
			Source:  "https://github.com/NVIDIA/nccl/blob/master/src/init.cc",
		},
		{
			ID: "nccl-p2p-hang", Product: "nccl",
			Literals: []string{"NCCL_P2P_DISABLE", "NCCL hang", "nccl hang", "all_reduce hang", "hangs at the first", "hangs on the first"},
			Beside:   []string{"nccl", "all_reduce", "allreduce", "peer", "p2p"},
			Pattern:  `\bNCCL_P2P_DISABLE\b|(?i:nccl|all_?reduce)\w*\s+(?:\w+\s+){0,3}hangs?\b|hangs? (?:\w+ ){0,6}(?i:nccl|all_?reduce)`,
			Role:     Told, Layer: rule.NCCL,
			Where:   on(Says("hang", "hangs", "stuck", "freez", "wrong results", "deadlock", "never returns", "timeout"), Not(Says("NCCL WARN"))),
			Meaning: "Somebody tells that work on several GPUs hangs, and names NCCL's direct access between GPUs.",
			Causes: causes(Cause{
				When:  on(Says("NCCL_P2P_DISABLE", "4090", "5090", "4080", "3090", "A6000", "L40", "IOMMU", "iommu", "virtual", "PCIe", "all_reduce", "allreduce")),
				Title: "Work on several GPUs hangs in NCCL: direct access between the GPUs (P2P) is announced and does not work here; NCCL_P2P_DISABLE=1 goes round it",
				Text:  "GeForce cards from the RTX 4090 on have no P2P, which some drivers[ (here {driver})] announced all the same; IOMMU and ACS on the host, and virtual machines, break it on other cards. The first collective then never ends.",
				Remedies: []Remedy{
					fix("switch it off", "shell", "export NCCL_P2P_DISABLE=1"),
					fix("update the driver: 525.105.17 and 530.41.03 correct the RTX 4090, 570 later hangs"),
					fix("on cards with P2P switch IOMMU/ACS off on the host, or set iommu=pt", "check", "nvidia-smi topo -p2p r; NCCL_DEBUG=INFO python PROGRAM"),
				},
			}),
			Samples: []string{"Training on two cards hangs; with NCCL_P2P_DISABLE=1 it runs", "NCCL hangs on the first all_reduce with two RTX 4090"},
			Misses:  []string{"NCCL 2.21 was loaded"},
			Source:  "https://github.com/dmlc/xgboost/issues/11242",
		},
	}
}
