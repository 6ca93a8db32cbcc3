package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const dcgmSource = "https://github.com/NVIDIA/dcgm-exporter"

// dcgm is what monitoring says of GPUs: DCGM, its exporter, and programs that read counters.
func dcgm() []*Signature {
	return []*Signature{
		{
			ID: "dcgm-profiling-module", Product: "DCGM",
			Literals: []string{"module of DCGM that is not currently loaded", "Not collecting DCP metrics", "DCP metrics not enabled", "Profiling is not supported for this group", "Profiling module failed", "metric not enabled"},
			Pattern:  `(?i)module of DCGM that is not currently loaded|Not collecting DCP metrics|DCP metrics not enabled|Profiling is not supported for this group|DCGM_FI_PROF_\w+'?\)?: metric not enabled`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "DCGM gives no profiling metrics (DCP, DCGM_FI_PROF_*).",
			Causes: causes(
				Cause{
					When:     on(Is("gpu", `(?i)\b(?:K[1248]0\w?|K520|M\d\d?|P\d\d?\d?|GTX|GT|Kepler|Maxwell|Pascal)\b`)),
					Title:    "DCGM's profiling metrics (DCP, DCGM_FI_PROF_*) do not exist on the {gpu}: they begin with Volta and data-centre GPUs",
					Text:     "The profiling module needs counters that older and consumer GPUs do not have, so it is not loaded. The other metrics work, and the driver is not at fault.",
					Remedies: []Remedy{fix("leave DCGM_FI_PROF_* out of the list of metrics; DCGM_FI_DEV_GPU_UTIL and DCGM_FI_DEV_FB_USED exist on this GPU", "check", "dcgmi modules -l; dcgmi profile -l")},
				},
				Cause{
					When:     on(Is("gpu|openmodule", "required")),
					Title:    "This DCGM is older than the GPU ({gpu}): profiling (DCP, DCGM_FI_PROF_*) of Blackwell needs DCGM 4 or newer",
					Text:     "DCGM 3 (dcgm-exporter 3.x, such as 3.3.5) does not know this generation, so its profiling module is not loaded. Driver and GPU work.",
					Remedies: []Remedy{fix("update DCGM and dcgm-exporter to 4.x, in the image and, where nv-hostengine runs on the host, there too", "check", "dcgmi --version; dcgmi modules -l"), fix("give the container SYS_ADMIN, which profiling needs")},
				},
				Cause{
					Title: "DCGM's profiling module is not loaded (DCP metrics, DCGM_FI_PROF_*): it exists on data-centre GPUs (Tesla, from Volta on) alone, needs SYS_ADMIN, and a DCGM that knows the GPU",
					Text:  "Other metrics work, and the stack of the programs is not touched by it. Old releases of dcgm-exporter (before 2.1.2) end at it instead of going on.",
					Remedies: []Remedy{
						fix("leave DCGM_FI_PROF_* out of the list of metrics where the GPU has no profiling (GeForce, Quadro)", "check", "dcgmi modules -l; dcgmi profile -l"),
						fix("on a data-centre GPU give the container SYS_ADMIN, stop other profilers, and update DCGM (4.x for Blackwell, with datacenter-gpu-manager-4-proprietary for the profiling module)"),
					},
					Ask: "which GPU it is (nvidia-smi -L), and dcgmi --version",
				},
			),
			Samples: []string{
				`level=fatal msg="Error watching fields: This request is serviced by a module of DCGM that is not currently loaded"`,
				`level=info msg="Not collecting DCP metrics: Error getting supported metrics: Profiling is not supported for this group of GPUs or GPU"`,
			},
			Misses: []string{"level=info msg=\"Collecting DCP Metrics\""},
			Source: dcgmSource,
		},
		{
			ID: "dcgm-hostengine-version", Product: "DCGM",
			Literals: []string{"API version mismatch", "version mismatch between the client", "dcgm_version", "Host engine is running a different version"},
			Beside:   []string{"dcgm", "hostengine", "host engine"},
			Pattern:  `(?i)(?:dcgm|host ?engine)[^\n]{0,120}version mismatch|version mismatch[^\n]{0,80}(?:dcgm|host ?engine)`,
			Layer:    rule.PackageConflict,
			Meaning:  "Two releases of DCGM speak to each other.",
			Causes: causes(Cause{
				Title:    "DCGM's client and nv-hostengine are of different major releases (version mismatch)",
				Text:     "The exporter brings a libdcgm of its own; a host engine of another major (3 beside 4) does not answer it.",
				Remedies: []Remedy{fix("bring both to one major release of DCGM, or let the exporter run its embedded engine (leave -r and DCGM_REMOTE_HOSTENGINE_INFO out)", "check", "dcgmi --version; nv-hostengine --version")},
			}),
			Samples: []string{"Error connecting to nv-hostengine: DCGM API version mismatch"},
			Misses:  []string{"Kubernetes API version mismatch"},
			Source:  dcgmSource,
		},
		{
			ID: "dcgm-exporter-pod-labels", Product: "dcgm-exporter",
			Literals: []string{"exported_pod", "pod-resources/kubelet.sock", "--kubernetes-gpu-id-type", "DCGM_EXPORTER_KUBERNETES"},
			Pattern:  `(?i)pod-resources/kubelet\.sock[^\n]{0,80}(?:no such|refused|fail|denied|deadline)|failed[^\n]{0,80}pod-resources|exported_pod|DCGM_EXPORTER_KUBERNETES`,
			Layer:    rule.Application, Role: Context,
			Meaning: "The exporter maps GPUs to pods.",
			Causes: causes(Cause{
				When:     on(Says("no pod", "empty", "missing", "not show", "no such", "does not", "doesn't", "refused", "deadline", "not label", "without")),
				Title:    "dcgm-exporter does not learn which pod has which GPU: it needs DCGM_EXPORTER_KUBERNETES=true and the kubelet's pod-resources socket",
				Text:     "The metrics come, their labels pod, namespace and container are empty. Programs that take a GPU without the device plugin are never shown. With time-slicing or MIG the type of the id has to fit.",
				Remedies: []Remedy{fix("set DCGM_EXPORTER_KUBERNETES=true, mount /var/lib/kubelet/pod-resources (MicroK8s, k0s and k3s have the kubelet's root elsewhere), and set honorLabels: true in the ServiceMonitor so that they are not renamed exported_pod", "check", "ls -l /var/lib/kubelet/pod-resources/kubelet.sock")},
			}),
			Samples: []string{"failed to get pods: rpc error: dial unix /var/lib/kubelet/pod-resources/kubelet.sock: connect: no such file or directory"},
			Misses:  []string{"listening on pod-resources server"},
			Source:  dcgmSource,
		},
		{
			ID: "monitor-no-process-memory", Product: "nvidia-smi",
			Literals: []string{"No running processes found", "[Not Found]", "[Insufficient Permissions]", "process list is empty", "processes are not shown", "does not show processes", "doesn't show processes", "no processes"},
			Pattern:  `(?i)No running processes found|process (?:list|table)[^\n]{0,30}(?:empty|nothing)|(?:does not|doesn't|not) show[^\n]{0,20}process|process_name[^\n]{0,20}\[Not Found\]`,
			Layer:    rule.Application, Role: Told, Strength: Weak,
			Meaning: "nvidia-smi shows no processes.",
			Causes: causes(
				Cause{
					When:     on(OnWSL, Says("process")),
					Title:    "nvidia-smi in WSL does not list processes: WSL does not pass them on; not a fault",
					Text:     "The Windows host owns the GPU, and processes of WSL are not visible by NVML there. Memory and utilization in the table are right.",
					Remedies: []Remedy{fix("look at memory and utilization, or at the task manager of Windows")},
				},
				Cause{
					When:     on(InContainer, Says("not show", "doesn't show", "does not show", "No running processes found", "empty", "not listed"), Says("GPU-Util", "utilization", "memory", "usage", "is used", "is using", "in use")),
					Title:    "nvidia-smi in a container does not list processes: it is in a PID namespace of its own; not a fault",
					Text:     "NVML names process ids of the host, which do not exist inside. Memory and utilization are right.",
					Remedies: []Remedy{fix("look from the host, or start the container with --pid=host (hostPID: true in Kubernetes)", "host", "nvidia-smi")},
				},
			),
			Samples: []string{"|  No running processes found                                                 |"},
			Misses:  []string{"processes are shown"},
			Source:  "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
		},
	}
}
