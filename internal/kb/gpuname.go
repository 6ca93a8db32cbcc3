package kb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"strata/internal/version"
)

// GPUMatch is what a name stands for.
type GPUMatch struct {
	GPUs []GPU
	// Ambiguous is true when the GPUs differ in compute capability. Then only the PCI id decides. A name is no key: 16 of them
	// were sold with chips of two generations.
	Ambiguous bool
	// ComputeCapability is that of all GPUs, zero when they differ or are older than CUDA.
	ComputeCapability version.ComputeCapability
	// OpenModule and Class are "" when the GPUs differ in them.
	OpenModule OpenModule
	Class      GPUClass
}

// GPUsByName returns the GPUs that name stands for, as nvidia-smi, a framework or a person writes it: "NVIDIA A100-SXM4-80GB",
// "GeForce RTX 4090", "RTX 4090", "GB10". A name that is one GPU's in full means that GPU ("RTX 4090" is no laptop GPU), else
// all whose names hold its words ("A100"). MIG and vGPU profiles behind a name are ignored.
//
// An answer with an ambiguous match is Known, and Why says between what.
func (b *Base) GPUsByName(name string) Answer[GPUMatch] {
	words := gpuWords(gpuProfile.ReplaceAllString(strings.TrimSpace(name), "$1"))
	if len(words) == 0 {
		return notFound[GPUMatch](gpus.in(b), "no GPU name given")
	}
	t := gpus.holding(b, slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) }))
	match := findGPUs(t.Rows, words)
	if len(match) == 0 {
		return notFound[GPUMatch](t, "no GPU named %q is known as of %s", name, t.limit("date"))
	}
	a := found(b, t, match[0].Row, matchOf(match))
	if a.Value.Ambiguous {
		a.Why = fmt.Sprintf("%q stands for GPUs of compute capability %s", name, capabilities(match))
	}
	return a
}

// matchOf keeps what the GPUs have in common.
func matchOf(match []*GPU) GPUMatch {
	first := match[0]
	m := GPUMatch{ComputeCapability: first.ComputeCapability, OpenModule: first.OpenModule, Class: first.Class}
	for _, g := range match {
		m.GPUs = append(m.GPUs, *g)
		if g.ComputeCapability != first.ComputeCapability {
			m.Ambiguous, m.ComputeCapability = true, version.ComputeCapability{}
		}
		if g.OpenModule != first.OpenModule {
			m.OpenModule = ""
		}
		if g.Class != first.Class {
			m.Class = ""
		}
	}
	return m
}

func capabilities(match []*GPU) string {
	var list []string
	for _, g := range match {
		cc := g.ComputeCapability.String()
		if cc == "" {
			cc = "none"
		}
		if !slices.Contains(list, cc) {
			list = append(list, cc)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " and ")
}

// findGPUs returns the GPUs whose whole name is words, else those whose name holds all of words.
func findGPUs(rows []GPU, words []string) []*GPU {
	var whole, holding []*GPU
	for i := range rows {
		g := &rows[i]
		if g.Board { // "GA100" is the name of a chip, and nobody's GPU is called so
			continue
		}
		switch name := gpuWords(g.Name); {
		case slices.Equal(name, words):
			whole = append(whole, g)
		case !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(name, w) }):
			holding = append(holding, g)
		}
	}
	if whole != nil {
		return whole
	}
	return holding
}

// containsFold reports whether a name holds a word in lower case, whatever the case of its ASCII letters.
func containsFold(name, word string) bool {
	for i := 0; i+len(word) <= len(name); i++ {
		j := 0
		for j < len(word) && (name[i+j] == word[j] || 'A' <= name[i+j] && name[i+j] <= 'Z' && name[i+j]+'a'-'A' == word[j]) {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}

// gpuProfile is a MIG device ("A100-SXM4-40GB MIG 1g.5gb") or a vGPU type ("GRID V100D-8Q", "A100DX-2-20C") behind a name. The
// letters before a vGPU type tell boards of one GPU apart.
var gpuProfile = regexp.MustCompile(`(?i)\s+mig\s.*$|(\d)[a-z]{0,2}(?:-\d+)+[abcq]$`)

// gluedSuffix is what people write without the space: 1080Ti, 2070super.
var gluedSuffix = regexp.MustCompile(`\b(\d{3,4})(ti|super)\b`)

// gpuWords returns the words of a name that tell GPUs apart, in lower case.
func gpuWords(name string) []string {
	words := strings.FieldsFunc(gluedSuffix.ReplaceAllString(strings.ToLower(name), "$1 $2"), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.'
	})
	return slices.DeleteFunc(words, isBrand)
}

// isBrand reports whether people and tools leave out word. Quadro stays: a Quadro RTX 6000, an RTX 6000 Ada and an RTX PRO 6000
// are three generations.
func isBrand(word string) bool {
	switch word {
	case "nvidia", "corporation", "geforce", "tesla", "grid", "graphics", "nvgpu", "gpu", "r", "tm":
		return true
	}
	return false
}
