package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// slurm reads scontrol show node and sinfo: the GPUs as the cluster names them,
// which is the only name that such a text has, and the node's system.
var slurm = reader{name: "Slurm", read: readSlurm, messages: true, words: []string{"GRES[gpu] Type:", "Gres=", "NodeHostName=", "slurm"}}

var (
	gres = lazyregexp.New(`\bGres=(?:\S*,)?gpu:([A-Za-z][A-Za-z0-9_.-]*):(\d{1,2})\b`)
	// GRES[gpu] Type:h100 Count:1 … File:/dev/nvidia0 of slurmd, a line for each GPU that it detects
	gresType     = lazyregexp.New(`\bGRES\[gpu\] Type:([A-Za-z][A-Za-z0-9_.-]*) Count:(\d{1,2})\b.*\bFile:(/dev/nvidia\S*)`)
	slurmVersion = lazyregexp.New(`\bVersion=(\d{2}\.\d{2}\.\d+\S*)|^slurm(?:-wlm)? (\d{2}\.\d{2}\.\d+\S*)$`)
)

func readSlurm(t *transcript.Text, f *Facts) {
	var detected []GPU
	files := map[string]bool{}
	for _, l := range t.Lines {
		line := l.Text
		if strings.Contains(line, "GRES[gpu] Type:") {
			if m := gresType.FindStringSubmatch(line); m != nil && !files[m[3]] && len(detected) < maxGPUs {
				f.Format("Slurm", l.N)
				files[m[3]] = true
				for range min(atoi(m[2]), maxGPUs-len(detected)) {
					detected = append(detected, GPU{Name: m[1], From: f.At(l.N, line)})
				}
			}
		}
		if strings.Contains(line, "Gres=") {
			if m := gres.FindStringSubmatch(line); m != nil {
				f.Format("Slurm", l.N)
				var list []GPU
				for range min(atoi(m[2]), maxGPUs) {
					list = append(list, GPU{Name: m[1], From: f.At(l.N, line)})
				}
				f.GPUs(list, Prose)
			}
		}
		if strings.Contains(line, "NodeHostName=") || strings.HasPrefix(line, "slurm") {
			if m := slurmVersion.FindStringSubmatch(line); m != nil {
				f.Package(Package{Name: "slurm", Version: m[1] + m[2], From: f.At(l.N, line)}, Stated)
			}
		}
	}
	f.GPUs(detected, Prose)
}
