package triage

import (
	"strings"
	"testing"

	"strata/internal/dump"
	"strata/internal/report"
	"strata/internal/rule"
)

// TestWithFacts holds that the numbers of a layer come once, before the question, and those of other layers not at all.
func TestWithFacts(t *testing.T) {
	f := dump.NewFacts("report")
	from := f.At(1, "")
	f.Set(&f.Rec().Driver, "535.104.05", dump.Stated, from)
	f.Set(&f.Rec().CUDNN, "9.1.0", dump.Stated, from)
	f.Set(&f.Rec().OS, "Ubuntu 22.04", dump.Stated, from)
	f.Framework("torch", "2.4.0+cu121", dump.Stated, from)
	f.GPUs([]dump.GPU{{Name: "NVIDIA L4", From: from}, {Name: "NVIDIA L4", From: from}}, dump.Stated)
	j := &judge{record: f.Record()}
	for _, c := range []struct {
		name      string
		f         report.Finding
		later     string
		has, lack []string
	}{
		{
			name: "the numbers of the layer, and what the message names",
			f: report.Finding{Layer: rule.CUDNN, Title: "cuDNN is mixed", Cause: "Two copies." + asking + "which one",
				Evidence: []report.Evidence{{Text: "libcudnn_ops.so.9: undefined symbol, see LD_LIBRARY_PATH"}}},
			has:  []string{"Two copies. The text has: CUDA runtime 12.1, cuDNN 9.1.0, torch 2.4.0+cu121,", "driver 535.104.05", "GPU NVIDIA L4", "libcudnn_ops.so.9, LD_LIBRARY_PATH." + asking + "which one"},
			lack: []string{"Ubuntu", "NVIDIA L4, GPU NVIDIA L4"},
		},
		{
			name: "nothing twice",
			f:    report.Finding{Layer: rule.Application, Title: "torch 2.4.0+cu121 on an NVIDIA L4", Cause: "So it is built for CUDA 12.1."},
			has:  []string{"So it is built for CUDA 12.1."},
			lack: []string{"The text has"},
		},
		{
			name: "a remedy tells, too",
			f:    report.Finding{Layer: rule.Driver, Title: "old", Cause: "Old.", Remedies: []report.Remedy{{Summary: "replace 535.104.05"}}},
			has:  []string{"Old. The text has: GPU NVIDIA L4, system Ubuntu 22.04, torch 2.4.0+cu121"},
			lack: []string{"driver 535"},
		},
		{
			name: "what follows names comes last",
			f: report.Finding{Layer: rule.KernelModule, Title: "no module", Cause: "None.",
				Evidence: []report.Evidence{{Text: "nvidia-persistenced failed"}}},
			later: "nvidia-container-cli: NVML_ERROR_UNKNOWN, nvidia-persistenced, on 6.8.0-45-generic",
			has:   []string{"nvidia-persistenced, nvidia-container-cli", "6.8.0-45-generic."},
			lack:  []string{"nvidia-container-cli, nvidia-persistenced"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := j.withFacts(&c.f, report.Evidence{Text: c.later})
			for _, w := range c.has {
				if !strings.Contains(got, w) {
					t.Errorf("%q lacks %q", got, w)
				}
			}
			for _, w := range c.lack {
				if strings.Contains(got, w) {
					t.Errorf("%q has %q", got, w)
				}
			}
		})
	}
}
