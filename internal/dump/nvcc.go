package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// nvcc reads what the CUDA compiler says of itself, with or without its lines
// around it, and the toolkit's own version files.
var nvcc = reader{name: "nvcc", read: readNVCC, words: []string{"release ", "Build cuda_", "CUDA Version "}}

var (
	nvccRelease = lazyregexp.New(`release (\d{1,2}\.\d),? (?:V(\d{1,2}\.\d\.\d{1,3}))?`)
	nvccBuild   = lazyregexp.New(`\bBuild cuda_(\d{1,2}\.\d)\.r`)
	versionFile = lazyregexp.New(`^CUDA Version (\d{1,2}\.\d\.\d{2,3})\s*$`)
)

func readNVCC(t *transcript.Text, f *Facts) {
	for _, l := range t.Lines {
		switch {
		case strings.Contains(l.Text, "release ") && (strings.Contains(l.Text, "ompilation tools") || strings.Contains(l.Text, ", V")):
			m := nvccRelease.FindStringSubmatch(l.Text + " ")
			if m == nil {
				continue
			}
			f.Format("nvcc", l.N)
			v := m[2]
			if v == "" {
				v = m[1]
			}
			f.Set(&f.rec.Toolkit, v, Proper, f.At(l.N, l.Text))
		case strings.Contains(l.Text, "Build cuda_"):
			if m := nvccBuild.FindStringSubmatch(l.Text); m != nil {
				f.Set(&f.rec.Toolkit, m[1], Stated, f.At(l.N, l.Text))
			}
		default: // version.txt of toolkits before 11
			if m := versionFile.FindStringSubmatch(l.Text); m != nil {
				f.Set(&f.rec.Toolkit, m[1], Stated, f.At(l.N, l.Text))
			}
		}
	}
}
