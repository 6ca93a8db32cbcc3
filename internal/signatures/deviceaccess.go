package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// deviceAccess is about the way from a process to a GPU that works: nodes, rights, variables, modes.
func deviceAccess() []*Signature {
	return []*Signature{
		{
			ID: "device-node-permission", Product: "operating system",
			Literals: []string{"/dev/nvidia", "/dev/dri/render", "/dev/nvhost", "/dev/nvmap"},
			Pattern:  `(?i)(?:Permission denied|Operation not permitted)[^\n]{0,40}(?P<node>/dev/(?:nvidia[\w/-]*|dri/render\w*|nvhost\S*|nvmap))|(?P<node>/dev/(?:nvidia[\w/-]*|dri/render\w*|nvhost\S*|nvmap))['"]?:? ?[^\n]{0,40}(?:Permission denied|Operation not permitted|EACCES|EPERM)`,
			Layer:    rule.DeviceExposure, Strength: Strong, ExplainedBy: []string{"DEV002", "DEV007"},
			Meaning: "The process may not open a device node of the GPU.",
			Causes: causes(
				Cause{
					When:     on(Any(InContainer, InKubernetes, inLXC)),
					Title:    "The container may not open {node}: its device cgroup, SELinux or its user forbids it",
					Text:     "The node is there, and opening it is refused: mounted as a file without a rule in the device cgroup, another group than the process has, or SELinux.",
					Remedies: []Remedy{fix("let the NVIDIA runtime or CDI pass the device in (--gpus all, --device nvidia.com/gpu=all); in LXC allow its major number; for another user add the group of the node (--group-add)", "check", "ls -l /dev/nvidia*; id")},
				},
				Cause{
					Title:    "This user may not open {node}",
					Text:     "Rights or group of the node leave the user out (NVreg_DeviceFileMode, groups video and render), or a batch system or systemd unit (DevicePolicy, PrivateDevices) takes devices away.",
					Remedies: []Remedy{fix("add the user to the node's group and log in anew", "shell", "ls -l {node}; sudo usermod -aG video,render $USER"), fix("in a systemd unit allow the devices: DeviceAllow=char-nvidia* rw, PrivateDevices=no")},
				},
			),
			Samples: []string{"PermissionError: [Errno 13] Permission denied: '/dev/nvidia0'", "open /dev/nvidiactl: operation not permitted", "failed to open /dev/dri/renderD128: Permission denied"},
			Misses:  []string{"Permission granted for /dev/nvidia0", "crw-rw-rw- 1 root root 195, 0 /dev/nvidia0"},
			Source:  "https://github.com/NVIDIA/nvidia-modprobe/blob/main/modprobe-utils/nvidia-modprobe-utils.c",
		},
		{
			ID: "device-node-missing", Product: "operating system",
			Literals: []string{"/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl", "/dev/nvidia-caps", "/dev/nvidia-modeset"},
			Pattern:  `(?i)(?P<node>/dev/nvidia(?:ctl|\d+|-modeset|-caps[\w/-]*))['"\x60]?:? ?[^\n]{0,20}(?:No such (?:file|device)|not found|does not exist|is missing)|(?:stat|open|access|lstat|find|gathering device information[^\n]{0,40})\s?['"]?(?P<node>/dev/nvidia(?:ctl|\d+|-modeset|-caps[\w/-]*))['"]?:? [^\n]{0,20}no such`,
			Layer:    rule.DeviceExposure, ExplainedBy: []string{"DEV001", "KRN002", "KRN003", "CTR001"},
			Meaning: "A device node of the GPU is not there.",
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Title:    "WSL has no {node}: the GPU is behind /dev/dxg there, and programs that open the node do not run in it unchanged",
					Text:     "The Windows driver passes the GPU in as /dev/dxg with libraries in /usr/lib/wsl/lib. CUDA works with that; what goes around CUDA (parts of DeepStream, NVENC by node, device mounts of containers) does not. A Linux driver inside WSL makes no nodes either.",
					Remedies: []Remedy{fix("see that CUDA itself works, and use the program's support for WSL where it has one", "wsl", "ls -l /dev/dxg /usr/lib/wsl/lib; nvidia-smi"), fix("or run it on Linux itself")},
				},
				Cause{
					When:     on(inLXC),
					Title:    "{node} is not there for the LXC container: the host has not made it yet, or does not pass it in",
					Text:     "The nodes are made when a program first uses the driver on the host; the container's mount entry then has to name them.",
					Remedies: []Remedy{fix("make them on the host at every start, before the container starts", "host", "sudo nvidia-modprobe -c0 -u; ls -l /dev/nvidia*; grep -n nvidia /etc/pve/lxc/*.conf")},
				},
				Cause{
					When:     on(Any(InContainer, InKubernetes, byEngine)),
					Title:    "{node} is not there: the driver is not loaded on the host, or the container was not given the GPU",
					Text:     "Engines that pass nodes by name fail where the host has none.",
					Remedies: []Remedy{fix("see the host first, then use the NVIDIA runtime in place of single nodes", "host", "nvidia-smi; ls -l /dev/nvidia*; sudo nvidia-modprobe -c0 -u")},
				},
				Cause{
					Title:    "{node} is not there: the kernel module is not loaded, or nobody made its nodes",
					Text:     "nvidia-modprobe makes them when the first program uses the GPU, or udev does. Without a display server and without nvidia-modprobe they stay away.",
					Remedies: []Remedy{fix("load the module and make the nodes", "shell", "sudo modprobe nvidia; sudo nvidia-modprobe -c0 -u; ls -l /dev/nvidia*")},
				},
			),
			Samples: []string{"ls: cannot access '/dev/nvidia0': No such file or directory", "error gathering device information while adding custom device \"/dev/nvidiactl\": no such file or directory", "/dev/nvidia-caps/nvidia-cap1: No such file or directory"},
			Misses:  []string{"/dev/nvidia0 was opened"},
			Source:  "https://github.com/NVIDIA/nvidia-modprobe/blob/main/modprobe-utils/nvidia-modprobe-utils.c",
		},
		{
			ID: "visible-devices-wrong", Product: "cuda",
			Literals: []string{"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"},
			Pattern:  `CUDA_VISIBLE_DEVICES\s*[=:]\s*(?P<value>""|''|-1|none|NoDevFiles|void|"-1"|'-1')(?:\s|$|,|;|\))|NVIDIA_VISIBLE_DEVICES\s*[=:]\s*["']?(?P<value>void|none)\b`,
			Layer:    rule.DeviceExposure, Role: Context, ExplainedBy: []string{"DEV003", "CTR007"},
			Meaning: "The variable hides every GPU.",
			Causes: causes(Cause{
				When: on(Says("no CUDA-capable", "No CUDA GPUs", "CUDA_ERROR_NO_DEVICE", "is_available: False", "is_available() False", "is_available()", "cudaErrorNoDevice", "GPU available: False")), Confidence: rule.Possible,
				Title:    "A variable hides every GPU from the program: {value}",
				Text:     "CUDA_VISIBLE_DEVICES empty, -1 or with a first entry that does not exist, and NVIDIA_VISIBLE_DEVICES=void, leave no GPU. The driver and the packages are not the reason.",
				Remedies: []Remedy{fix("unset it, or name a GPU that exists, before the program starts", "shell", "unset CUDA_VISIBLE_DEVICES; nvidia-smi -L")},
			}),
			Samples: []string{"CUDA_VISIBLE_DEVICES=-1", "CUDA_VISIBLE_DEVICES=\"\"", "NVIDIA_VISIBLE_DEVICES=void"},
			Misses:  []string{"CUDA_VISIBLE_DEVICES=0,1", "NVIDIA_VISIBLE_DEVICES=all", "CUDA_VISIBLE_DEVICES=-10"},
			Source:  "https://docs.nvidia.com/cuda/cuda-c-programming-guide/",
		},
		{
			ID: "mig-device-name", Product: "cuda",
			Literals: []string{"invalid literal for int() with base 10: 'MIG-", "invalid literal for int() with base 10: 'GPU-"},
			Pattern:  `invalid literal for int\(\) with base 10: '(?P<device>(?:MIG|GPU)-[\w/-]*)`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "A program takes the entries of CUDA_VISIBLE_DEVICES for numbers.",
			Causes: causes(Cause{
				Title:    "The program cannot read a UUID in CUDA_VISIBLE_DEVICES ({device}): it expects a number",
				Text:     "CUDA takes UUIDs of GPUs and MIG instances; this program (or an older release of it) parses the variable itself and takes only numbers. Not the stack.",
				Remedies: []Remedy{fix("set CUDA_VISIBLE_DEVICES to a number (0 is the first one that the container has), or update the program", "shell", "export CUDA_VISIBLE_DEVICES=0; nvidia-smi -L")},
			}),
			Samples: []string{"ValueError: invalid literal for int() with base 10: 'MIG-GPU-63feeb45/1/0'", "ValueError: invalid literal for int() with base 10: 'GPU-8f1f2c3d'"},
			Misses:  []string{"ValueError: invalid literal for int() with base 10: 'abc'"},
			Source:  "https://github.com/vllm-project/vllm/issues/41848",
		},
		{
			ID: "mps-daemon", Product: "MPS",
			Literals: []string{"nvidia-cuda-mps", "MPS control daemon", "Cannot find MPS control daemon", "mps-control-daemon", "CUDA_MPS_"},
			Pattern:  `(?i)Cannot find MPS control daemon process|An instance of this daemon is already running|Failed to start (?:MPS|nvidia-cuda-mps)[^\n]{0,60}|(?:waiting for|could not connect to) (?:the )?MPS (?:control )?daemon|nvidia-cuda-mps-(?:control|server)[^\n]{0,60}(?:error|failed|not found|Permission denied)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The daemon of MPS is not there or does not start.",
			Causes: causes(Cause{
				Title:    "The MPS control daemon does not run, or another user's runs already",
				Text:     "Clients need the daemon's pipe directory (CUDA_MPS_PIPE_DIRECTORY), as the same user, on the same host IPC.",
				Remedies: []Remedy{fix("start it, or end the one that is left", "shell", "ps aux | grep mps; echo quit | sudo nvidia-cuda-mps-control; nvidia-cuda-mps-control -d")},
			}),
			Samples: []string{"Cannot find MPS control daemon process", "nvidia-cuda-mps-control: Permission denied"},
			Misses:  []string{"nvidia-cuda-mps-server started"},
			Source:  "https://manpages.ubuntu.com/manpages/lunar/man1/nvidia-cuda-mps-control.1.html",
		},
	}
}
