package dump

import (
	"regexp"
	"strconv"
	"strings"

	"strata/internal/transcript"
)

// nvidiaSMI reads the table of plain nvidia-smi, of every age: the banner with
// the driver and, since driver 410, its CUDA, and two lines for each GPU. R610
// words the banner's CUDA "CUDA UMD Version" and adds "KMD Version".
var nvidiaSMI = reader{name: "nvidia-smi", read: readSMI}

var (
	smiBanner = regexp.MustCompile(`NVIDIA-SMI\s+(\S+)`)
	smiDriver = regexp.MustCompile(`(?:Driver|KMD) Version:\s*(\d[\d.]*)`)
	smiCUDA   = regexp.MustCompile(`CUDA (?:UMD )?Version:\s*(\d+\.\d+)`)
	// The first line of a GPU: | 0  Tesla T4    Off | 00000000:00:1E.0 Off |
	smiGPU    = regexp.MustCompile(`^\|\s+(\d+)\s+(\S.*?)\s+(?:On|Off|N/A)?\s*\|\s*(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]`)
	smiMemory = regexp.MustCompile(`\d+\s*MiB\s*/\s*(\d+)\s*MiB`)
)

func readSMI(t *transcript.Text, f *Facts) {
	var gpus []GPU
	open := false
	for _, l := range t.Lines {
		line := l.Text
		if strings.Contains(line, "NVIDIA-SMI") && smiBanner.MatchString(line) {
			f.Format("nvidia-smi", l.N)
			from := f.At(l.N, line)
			if m := smiDriver.FindStringSubmatch(line); m != nil {
				f.Set(&f.rec.Driver, m[1], Proper, from)
			}
			if m := smiCUDA.FindStringSubmatch(line); m != nil {
				f.Set(&f.rec.DriverCUDA, m[1], Proper, from)
			}
			open = true
			continue
		}
		line = strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if m := smiGPU.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			if n < len(gpus) {
				f.GPUs(gpus, Proper) // a second table begins
				gpus = nil
			}
			gpus = append(gpus, GPU{Name: m[2], From: f.At(l.N, line)})
			open = true
			continue
		}
		if m := smiMemory.FindStringSubmatch(line); m != nil && open && len(gpus) > 0 {
			if g := &gpus[len(gpus)-1]; g.MemoryMiB == 0 {
				g.MemoryMiB, _ = strconv.Atoi(m[1])
			}
		}
	}
	f.GPUs(gpus, Proper)
}
