package device

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var dev003 = &rule.Rule{
	ID:       "DEV003",
	Slug:     "cuda-visible-devices-hides-gpus",
	Layer:    rule.DeviceExposure,
	Severity: rule.Broken,
	Title:    "CUDA_VISIBLE_DEVICES hides every GPU",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedEnv, rule.NeedGPUs},
	After:    []string{"CTR001", "DEV001"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeEnv},
	Doc: `CUDA_VISIBLE_DEVICES lists the GPUs that CUDA shows to a program: ordinals, or identifiers that start with GPU- or
MIG-. Reading stops at the first entry that is no device, so 0,2,-1,1 leaves GPUs 0 and 2. An empty value, -1, or a
number beyond the last GPU leaves none: error 100, "no CUDA-capable device is detected", and PyTorch's "No CUDA GPUs
are available". nvidia-smi does not look at the variable and lists all of them.

Unset it, or name a device that exists. Schedulers such as Slurm set it for a reason; ask for a GPU there. The numbers
are CUDA's order, fastest first, unless CUDA_DEVICE_ORDER=PCI_BUS_ID makes it that of nvidia-smi. In a container with
some of the host's GPUs they count from 0 again.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		set, ok := in.Stack.Getenv("CUDA_VISIBLE_DEVICES")
		if !ok {
			return rule.Clean()
		}
		count := deviceCount(in)
		v := readVisible(in, set.Value, count)
		if !v.ended {
			if v.unsure != "" {
				return rule.Cannot(fmt.Sprintf("whether CUDA_VISIBLE_DEVICES=%s names a GPU: %s", set.Value, v.unsure), "")
			}
			return rule.Clean()
		}
		f := rule.Finding{
			Evidence: []stack.Source{set.From},
			Remedies: []rule.Remedy{{
				Summary: "unset CUDA_VISIBLE_DEVICES, or name a GPU that exists", Layer: rule.DeviceExposure,
				Changes: []stack.Change{stack.UnsetEnv{Name: "CUDA_VISIBLE_DEVICES"}}, Commands: remedy.Shell("unset CUDA_VISIBLE_DEVICES"),
			}},
		}
		have := ""
		if count >= 0 {
			have = fmt.Sprintf(" (GPUs here: %d, numbered from 0)", count)
		}
		if len(v.devices) > 0 {
			f.Severity = rule.Note
			f.Summary = fmt.Sprintf("CUDA_VISIBLE_DEVICES=%s shows %d of the GPUs: %s", set.Value, len(v.devices), v)
			f.Cause = fmt.Sprintf("Reading stops at the first entry that is no device%s; what stands behind it is hidden.", have)
			return rule.Found(f)
		}
		f.Summary = fmt.Sprintf("CUDA_VISIBLE_DEVICES=%q hides every GPU", set.Value)
		f.Cause = fmt.Sprintf("It is set, and %s%s. CUDA fails with error 100, \"no CUDA-capable device is detected\"; PyTorch says \"No CUDA GPUs are available\".", v, have)
		return rule.Found(f)
	},
}
