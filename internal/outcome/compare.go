package outcome

import (
	"regexp"
	"strings"

	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/transcript"
)

// CompareSchema names the contract of `strata run --compare-cpu --format json`.
const CompareSchema = "strata.run.compare/1"

// Comparison is one command run twice: with the GPU hidden, and with it. Where
// only the second fails, the GPU's software stack is at fault and not the program.
type Comparison struct {
	Schema string    `json:"schema"`
	CPU    *Document `json:"cpu"`
	GPU    *Document `json:"gpu"`
	// Differs is the first line of the output that the two do not share; nil where they print the same.
	Differs *Difference `json:"differs"`
	Summary string      `json:"summary"`
}

// Difference is a line of each, "" where one has ended.
type Difference struct {
	Line int    `json:"line"` // of the run with the GPU, from 1
	CPU  string `json:"cpu"`
	GPU  string `json:"gpu"`
}

// Compare puts two runs side by side. The outputs are those of the whole commands.
func Compare(cpu, gpu *Document, cpuOutput, gpuOutput []string) *Comparison {
	c := &Comparison{Schema: CompareSchema, CPU: cpu, GPU: gpu, Differs: firstDifference(cpuOutput, gpuOutput)}
	switch {
	case cpu.Worked() && !gpu.Worked():
		c.Summary = "the program works without the GPU and fails with it: the fault is in the GPU's software stack or in how the program uses it"
	case !cpu.Worked() && !gpu.Worked():
		c.Summary = "the program fails without the GPU, too: look at the program, its configuration and its input first"
	case !cpu.Worked():
		c.Summary = "the program needs the GPU: it fails without it and works with it"
	case gpu.FellBack && gpu.Verdict.Status == report.Broken:
		c.Summary = "the program works both times, and with the GPU it fell back to the CPU: the program is in order, and the fault is in the GPU's software stack"
	case gpu.FellBack:
		c.Summary = "the program works both times, and with the GPU it fell back to the CPU"
	case gpu.UsedGPU():
		c.Summary = "the program works both times, and used the GPU where it could"
	default:
		c.Summary = "the program works both times, and was not seen to use a GPU"
	}
	return c
}

// changing is what differs from run to run: numbers, addresses, times.
var changing = regexp.MustCompile(`0x[0-9a-fA-F]+|\d+(?:[.,:]\d+)*`)

func shape(line string) string {
	return changing.ReplaceAllString(transcript.Message(transcript.Clean(line)), "#")
}

// firstDifference is the first line of the second output that stands nowhere in
// the first: two processes do not print in the same order.
func firstDifference(cpu, gpu []string) *Difference {
	known := map[string]bool{}
	for _, l := range cpu {
		known[shape(l)] = true
	}
	for i, l := range gpu {
		if !known[shape(l)] && strings.TrimSpace(l) != "" {
			d := &Difference{Line: i + 1, GPU: redact.Line(l)}
			if i < len(cpu) {
				d.CPU = redact.Line(cpu[i])
			}
			return d
		}
	}
	return nil
}
