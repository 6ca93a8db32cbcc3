package container

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr007 = &rule.Rule{
	ID:       "CTR007",
	Slug:     "visible-devices-names-no-gpu",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Broken,
	Title:    "NVIDIA_VISIBLE_DEVICES keeps every GPU out of the container",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedInside, rule.NeedEnv, rule.NeedNodes.OrAbsent()},
	Since:    "0.1",
	Cites:    []rule.Cite{docsEnv},
	Doc: `The NVIDIA runtime reads NVIDIA_VISIBLE_DEVICES when a container starts: "all", indices, UUIDs or MIG devices. With
"void" or an empty value it does nothing at all; with "none" it brings the driver's libraries and no GPU. The variable comes
from the image, from the command line or from a device plugin that handed out nothing.

It has an effect at start only: setting it inside a running container changes nothing. Start the container with
NVIDIA_VISIBLE_DEVICES=all or with --gpus all.`,
	Check: func(in *rule.Input) rule.Verdict {
		v, ok := in.Stack.Getenv("NVIDIA_VISIBLE_DEVICES")
		if !ok {
			return rule.NA()
		}
		if !derive.NoDevices(v.Value) || in.HasGPUNode() {
			return rule.Clean()
		}
		severity := rule.Note // a cluster sets void on purpose for what needs no GPU
		if hasWorkload(in) {
			severity = rule.Broken
		}
		return rule.Found(rule.Finding{
			Severity: severity,
			Summary:  fmt.Sprintf("NVIDIA_VISIBLE_DEVICES is %q, so the runtime gave this container no GPU", v.Value),
			Cause:    "The value names no device. The runtime read it when the container started; there is no GPU device file in /dev.",
			Evidence: append([]stack.Source{v.From, stack.From("directory", "/dev", 0, "no nvidia0")}, in.Stack.Container.Inside.Sources...),
			Remedies: []rule.Remedy{give(in)},
		})
	},
}
