package device

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev005 = &rule.Rule{
	ID:       "DEV005",
	Slug:     "mig-capability-nodes-missing",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "There are MIG instances, but no device node gives access to one",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{needMIG, rule.NeedNodes},
	After:    []string{"DEV001", "CTR001", "CTR006", "CTR007"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeMIG},
	Doc: `A GPU in MIG mode is used through its instances, and access to an instance is a right of its own: the device nodes
/dev/nvidia-caps/nvidia-capN, whose numbers stand in /proc/driver/nvidia/capabilities. A process that can open
/dev/nvidia0 but no such node sees the GPU in nvidia-smi and no CUDA device: error 100.

In a container name the instance instead of the GPU: --gpus with its identifier, as nvidia-smi -L prints it
(MIG-…), or NVIDIA_VISIBLE_DEVICES; in Kubernetes ask for the MIG resource. On a host nvidia-modprobe makes the nodes.`,
	Check: func(in *rule.Input) rule.Verdict {
		mig := in.Stack.Devices.MIG
		if len(mig.Value) == 0 || !native(in) {
			return rule.NA()
		}
		cut := map[int]bool{}
		for _, i := range mig.Value {
			cut[i.GPU] = true
			if _, ok := node(in, fmt.Sprintf("/dev/nvidia-caps/nvidia-cap%d", i.Minor)); ok {
				return rule.Clean()
			}
		}
		if yes, known := onDemand(in); yes {
			return rule.Clean()
		} else if !known {
			return whoMakes(in, "no node of a MIG instance is there")
		}
		first := mig.Value[0]
		f := rule.Finding{
			Summary:  fmt.Sprintf("no MIG instance has its node /dev/nvidia-caps/nvidia-capN (instances: %d)", len(mig.Value)),
			Cause:    fmt.Sprintf("Instance %s of GPU %d needs nvidia-cap%d. Without one, nvidia-smi shows the GPU, and CUDA fails with error 100, \"no CUDA-capable device is detected\".", first.Instance, first.GPU, first.Minor),
			Evidence: append([]stack.Source{first.From}, in.Stack.Devices.Nodes.Sources...),
		}
		if len(cut) < len(gpuNodes(in)) {
			f.Severity = rule.AtRisk
			f.Cause += " GPUs without MIG can still be used."
		}
		if in.Stack.Container.Inside.Known() {
			f.Remedies = []rule.Remedy{{
				Summary: "start the container with one of the instances", Layer: rule.ContainerRuntime, Changes: []stack.Change{stack.GiveGPU{}},
				Commands: remedy.Shell(`nvidia-smi -L   # on the host; then: docker run --gpus '"device=MIG-UUID"' IMAGE`),
			}}
		} else {
			f.Remedies = []rule.Remedy{{
				Summary: "make the nodes of the instances", Layer: rule.DeviceExposure, Changes: []stack.Change{stack.MakeNodes{}},
				Commands: remedy.Shell("for f in /proc/driver/nvidia/capabilities/gpu*/mig/gi*/{access,ci*/access}; do sudo nvidia-modprobe -f $f; done"),
			}}
		}
		return rule.Found(f)
	},
}

var needMIG = rule.Need{Name: "the MIG instances", Seen: func(in *rule.Input) stack.Seen { return in.Stack.Devices.MIG.Seen() }}
