package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// procGPUs reads the blocks that begin with a GPU's model:
// /proc/driver/nvidia/gpus/…/information and nvidia-container-cli info, which
// knows the compute capability too and calls it the architecture.
var procGPUs = reader{name: "GPU information", read: readProcGPUs, messages: true, words: []string{"Model:"}, around: gpuBlock}

var (
	modelLine = lazyregexp.New(`^\s*Model:\s+(\S.*)$`)
	blockKey  = lazyregexp.New(`^\s*(IRQ|GPU UUID|Bus Location|Bus Type|Architecture|Video BIOS|Brand|GPU Firmware):\s+(\S.*)$`)
)

// gpuBlock is how many lines belong to one GPU in /proc: the model, ten keys and an empty line.
const gpuBlock = 12

func readProcGPUs(t *transcript.Text, f *Facts) {
	var list []GPU
	for i, l := range t.Lines {
		if !strings.Contains(l.Text, "Model:") {
			continue
		}
		m := modelLine.FindStringSubmatch(l.Text)
		if m == nil {
			continue
		}
		name := strings.TrimSpace(m[1])
		known, capability := false, ""
		for _, n := range t.Lines[i+1 : min(i+1+gpuBlock, len(t.Lines))] {
			if strings.Contains(n.Text, "Model:") || n.Text == "" {
				break
			}
			if k := blockKey.FindStringSubmatch(n.Text); k != nil {
				known = true
				if k[1] == "Architecture" {
					capability = capabilityOf(k[2])
				}
			}
		}
		if known && !Nothing(name) && len(list) < maxGPUs {
			list = append(list, GPU{Name: name, ComputeCapability: capability, From: f.At(l.N, l.Text)})
		}
	}
	f.GPUs(list, Stated)
}
