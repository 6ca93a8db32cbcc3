package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// network is what fails on the way to files: downloads, access, paths, ports.
func network() []*Signature {
	return []*Signature{
		{
			ID: "network-unreachable", Product: "network",
			Literals: []string{"Temporary failure in name resolution", "Max retries exceeded with url", "ConnectionResetError", "ProxyError", "Read timed out", "Connection refused", "Network is unreachable", "couldn't connect to 'https", "Could not resolve host", "SSLError", "CERTIFICATE_VERIFY_FAILED", "SSL: ", "We couldn't connect to", "LocalEntryNotFoundError", "i/o timeout", "TLS handshake timeout"},
			Pattern:  `(?:Temporary failure in name resolution|Max retries exceeded with url|ProxyError|ReadTimeoutError|Read timed out|(?:ConnectionRefusedError|ConnectionResetError|NewConnectionError|ConnectTimeout)\b|Network is unreachable|[Cc]ouldn't connect to '?https|Could not resolve host|SSLError|CERTIFICATE_VERIFY_FAILED|LocalEntryNotFoundError|dial tcp \S+ i/o timeout|TLS handshake timeout)`,
			Layer:    rule.Application,
			Meaning:  "A server was not reached, or its certificate was not accepted.",
			Causes: causes(
				Cause{
					When:     on(Says("SSLError", "CERTIFICATE_VERIFY_FAILED", "certificate verify failed")),
					Title:    "A server's certificate was not accepted (SSL)",
					Text:     "A proxy that opens TLS, old root certificates, or a wrong clock. Not the GPU's stack.",
					Remedies: []Remedy{fix("give Python the proxy's root certificate (SSL_CERT_FILE, REQUESTS_CA_BUNDLE), or update certifi")},
				},
				Cause{
					When:     on(Says("huggingface.co", "hf.co", "hf-mirror", "LocalEntryNotFound")),
					Title:    "The Hugging Face hub was not reached, so a model or file could not be downloaded",
					Text:     "The network, a proxy or a firewall is between. Not the GPU's stack.",
					Remedies: []Remedy{fix("download where there is a connection and use the local path with HF_HUB_OFFLINE=1; set HTTPS_PROXY, or HF_ENDPOINT for a mirror")},
				},
				Cause{
					Title:    "The network failed: a server was not reached",
					Text:     "Name resolution, a proxy, a firewall, or a server that does not run. Not the GPU's stack.",
					Remedies: []Remedy{fix("test the connection to the host that the message names; set HTTPS_PROXY where one is needed")},
				},
			),
			Samples: []string{"requests.exceptions.SSLError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /gpt2", "socket.gaierror: [Errno -3] Temporary failure in name resolution"},
			Misses:  []string{"SSL: enabled"},
			Source:  "https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables",
		},
		{
			ID: "hub-access", Product: "huggingface",
			Literals: []string{"GatedRepoError", "401 Client Error", "403 Client Error", "RepositoryNotFoundError", "is not a valid model identifier", "Access to model", "You are trying to access a gated repo", "Cannot access gated repo", "Invalid user token", "is not a local folder and is not a valid model identifier"},
			Pattern:  `(?:GatedRepoError|40[13] Client Error|RepositoryNotFoundError|is not a local folder and is not a valid model identifier|You are trying to access a gated repo|Cannot access gated repo)`,
			Layer:    rule.Application,
			Meaning:  "The hub refuses a download: the model is gated, private, or has another name.",
			Causes: causes(Cause{
				Title:    "The Hugging Face hub refuses the model: gated, private, or no such name (401, 403 or not found)",
				Text:     "A token is missing, the model's licence was not accepted, or the name or path is wrong. Not the GPU's stack.",
				Remedies: []Remedy{fix("accept the model's terms on its page and log in (huggingface-cli login, HF_TOKEN), and check the name")},
			}),
			Samples: []string{"huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-66)", "OSError: my/model is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'"},
			Misses:  []string{"401 students"},
			Source:  "https://github.com/huggingface/huggingface_hub/blob/main/src/huggingface_hub/errors.py",
		},
		{
			ID: "port-in-use", Product: "operating system",
			Literals: []string{"Address already in use", "address already in use", "EADDRINUSE", "port is already allocated", "Cannot find empty port"},
			Pattern:  `(?i:Address already in use|EADDRINUSE|port is already allocated|Cannot find empty port)`,
			Layer:    rule.Application,
			Meaning:  "Another process listens on the port.",
			Causes: causes(Cause{
				Title:    "The port is already in use by another process",
				Text:     "A second run, or one that did not end; torch.distributed listens on MASTER_PORT, 29500 unless told otherwise. Not the GPU's stack.",
				Remedies: []Remedy{fix("end the other process or choose another port (--port, --master_port)", "check", "ss -ltnp")},
			}),
			Samples: []string{"RuntimeError: The server socket has failed to listen on any local network address. The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use)."},
			Misses:  []string{"the address is already used"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/csrc/distributed/c10d/socket.cpp",
		},
		{
			ID: "permission-denied-path", Product: "operating system",
			Literals: []string{"Permission denied: '", "PermissionError", "permission denied while trying to connect to the Docker daemon", "PermissionError: [Errno 13]"},
			Pattern:  `(?:PermissionError: \[Errno 13\] Permission denied:? ?'?(?P<path>[^'\n]*)|permission denied while trying to connect to the Docker daemon|Could not create cache directory|Permission denied: '(?P<path>/[^'\n]*(?:cache|\.local|site-packages|dist-packages)[^'\n]*)')`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A file, a directory or a socket may not be used by this user.",
			Causes: causes(
				Cause{
					When: on(Is("path", `^/dev/nvidia`)), Layer: rule.DeviceExposure,
					Title:    "This user may not open the GPU's device node {path}",
					Text:     "The node's owner and mode, or a container's cgroup, keep the user out.",
					Remedies: []Remedy{fix("add the user to the group that owns the node (video, render), or start the container with --gpus", "check", "ls -l /dev/nvidia*; id")},
				},
				Cause{
					When:     on(Says("Docker daemon socket")),
					Title:    "This user may not talk to the Docker daemon",
					Text:     "Its socket belongs to root and the group docker. Not the GPU's stack.",
					Remedies: []Remedy{fix("add the user to the group docker and log in again, or use sudo", "shell", "sudo usermod -aG docker $USER")},
				},
				Cause{
					Title:    "Permission denied[: {path}]",
					Text:     "The user may not write or read there: a cache or package directory of root, or of the image's user. Not the GPU's stack.",
					Remedies: []Remedy{fix("use a directory of your own (HF_HOME, XDG_CACHE_HOME, TRITON_CACHE_DIR, a virtual environment), or change its owner")},
				},
			),
			Samples: []string{"PermissionError: [Errno 13] Permission denied: '/.cache/huggingface/hub'", "docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"},
			Misses:  []string{"except PermissionError as e:"},
			Source:  "https://docs.docker.com/engine/install/linux-postinstall/",
		},
		{
			ID: "python-exception", Product: "python",
			Literals: []string{"KeyError: ", "AttributeError: ", "TypeError: ", "IndexError: ", "NameError: ", "SyntaxError: ", "ZeroDivisionError: ", "IndentationError: ", "UnboundLocalError: "},
			Pattern:  `^(?:E\s+)?(?P<what>(?:Key|Attribute|Type|Index|Name|Syntax|ZeroDivision|Indentation|UnboundLocal)Error: [^\n]{1,160})`,
			Layer:    rule.Application, Role: Consequence, Strength: Weak,
			Meaning: "Python code raised an exception that names nothing of the GPU's stack.",
			Where:   on(Not(Is("what", `(?i)cuda|cudnn|gpu|nvidia|nvml|nccl|torch\._C|_OpNamespace|\.so\b|\.dll|device|sm_\d|driver|tensorrt|libbitsandbytes|triton|onnxruntime|providers|xla`))),
			Causes: causes(
				Cause{
					Confidence: rule.Possible,
					Title:      "The program's own code fails: {what}",
					Text:       "An exception of Python that names no part of the GPU's stack: the program, its data, or releases of Python packages that do not go together.",
					Ask:        "the whole traceback, and python -m pip list",
				},
			),
			Samples: []string{"KeyError: 'labels'", "AttributeError: 'NoneType' object has no attribute 'shape'"},
			Misses:  []string{"except KeyError: pass"},
			Source:  "https://docs.python.org/3/library/exceptions.html",
		},
		{
			ID: "file-missing", Product: "python",
			Literals: []string{"FileNotFoundError: [Errno 2]", "can't open file '", "does not appear to have a file named", "Error no file named"},
			Pattern:  `(?:FileNotFoundError: \[Errno 2\] No such file or directory: ['"](?P<path>[^'"\n]{1,200})['"]|can't open file '(?P<path>[^'\n]+)'|does not appear to have a file named (?P<path>[\w.-]+)|Error no file named (?P<path>[\w.-]+))`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A file that the program wants is not there.",
			Causes: causes(
				Cause{
					When: on(Is("path", `(?:nvcc|ptxas|cuda-?\d*[\d.]*/bin/\w+)$`)), Layer: rule.Toolkit,
					Title:    "The program calls {path}, a tool of the CUDA toolkit, which is not there",
					Text:     "CUDA_HOME points to a directory without it, or there is no toolkit.",
					Remedies: []Remedy{fix("install the toolkit (or cuda-nvcc), and point CUDA_HOME to it", "check", "ls -d /usr/local/cuda*; echo $CUDA_HOME")},
				},
				Cause{
					When: on(Is("path", `nvidia-smi$`)), Layer: rule.Driver,
					Title:    "nvidia-smi is not there: the driver is not installed, or not passed into the container",
					Text:     "nvidia-smi comes with the driver; in a container the NVIDIA runtime passes it in with the capability utility.",
					Remedies: []Remedy{fix("install the driver; start a container with --gpus all", "check", "which nvidia-smi")},
				},
				Cause{
					Title:    "A file is missing: {path}",
					Text:     "The path is wrong, or a download or checkout is incomplete. Not the GPU's stack.",
					Remedies: []Remedy{fix("check the path and the directory that the program starts in")},
				},
			),
			Samples: []string{"FileNotFoundError: [Errno 2] No such file or directory: 'data/train.json'", "python: can't open file 'train.py': [Errno 2] No such file or directory"},
			Misses:  []string{"FileNotFoundError: [Errno 2] was handled"},
			Source:  "https://docs.python.org/3/library/exceptions.html#FileNotFoundError",
		},
	}
}
