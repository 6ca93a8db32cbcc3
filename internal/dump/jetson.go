package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// jetsonFacts reads what tells a Jetson and its release: jetson_release and
// jtop, /etc/nv_tegra_release, the device tree's model.
var jetsonFacts = reader{name: "Jetson", read: readJetson, messages: true, whole: true, words: []string{
	"jetson", "jetpack", "L4T", "tegra", "(release), REVISION", "Orin ",
}}

var (
	tegraRelease = lazyregexp.New(`#\s*R(\d+) \(release\), REVISION:\s*(\d+(?:\.\d+)*)`)
	l4tBracket   = lazyregexp.New(`(?i)\[?L4T(?: Release| Version)?[ :*]*[vr]?(3\d\.\d+(?:\.\d+)?)\]?`)
	jetpackWord  = lazyregexp.New(`(?i)\bJetPack\s*(?:SDK |version |: ?)*v?(\d\.\d(?:\.\d+)?)\b`)
	jetsonStats  = lazyregexp.New(`jetson-stats (\d+\.\d+\.\d+)`)
	jetsonBoard  = lazyregexp.New(`(?:Model|Module|P-Number|Machine|Hardware|Board)?:?\s*(?:NVIDIA )?(Jetson (?:AGX |TX|Orin |Xavier |Nano|Thor)[A-Za-z0-9 ]*|Orin (?:NX|Nano|AGX)[A-Za-z0-9 ]*)`)
	boardTail    = lazyregexp.New(`(?i)(?: engineering reference)? developer kit.*$`)
	tegraKernel  = lazyregexp.New(`\b(\d+\.\d+\.\d+(?:-[a-z0-9]+)*-tegra)\b`)
	jetsonKey    = lazyregexp.New(`^[\s*|\-]*(CUDA|cuDNN|TensorRT|VPI|OpenCV|Vulkan|VisionWorks|Visionworks|Distribution|Release|CUDA Arch BIN)\s*:\s*(\S.*?)\s*$`)
	codename     = lazyregexp.New(`^(\w+ \d+\.\d+(?:\.\d+)?(?: LTS)?)(?: [A-Za-z]+){0,2}$`)
)

func readJetson(t *transcript.Text, f *Facts) {
	tool := false // jetson_release or jtop: the keys under it mean what it owns
	for _, l := range t.Lines {
		line := l.Text
		if len(line) > 500 {
			continue
		}
		lower := strings.Contains(line, "etson") || strings.Contains(line, "etpack") || strings.Contains(line, "etPack") || strings.Contains(line, "JETSON") || strings.Contains(line, "JETPACK")
		if lower || strings.Contains(line, "L4T") || strings.Contains(line, "tegra") || strings.Contains(line, "(release), REVISION") || strings.Contains(line, "Orin ") {
			tool = readBoard(f, l, lower) || tool
		}
		if tool && strings.Contains(line, ":") {
			if m := jetsonKey.FindStringSubmatch(line); m != nil {
				readLibrary(f, m[1], m[2], l)
			}
		}
	}
}

// readBoard reads the board's name and releases; it gives true in a report of jetson-stats.
func readBoard(f *Facts, l transcript.Line, named bool) (tool bool) {
	line := l.Text
	from := f.At(l.N, line)
	if m := tegraRelease.FindStringSubmatch(line); m != nil {
		f.Format("nv_tegra_release", l.N)
		f.l4t(m[1]+"."+m[2], Proper, l)
	}
	if m := l4tBracket.FindStringSubmatch(line); m != nil {
		f.l4t(m[1], Keyed, l)
		tool = strings.Contains(lowerASCII(line), "jetpack")
	}
	if m := tegraKernel.FindStringSubmatch(line); m != nil {
		f.Set(&f.rec.Kernel, m[1], Keyed, from)
		f.Set(&f.rec.Jetson, "yes", Prose, from)
	}
	if !named && !strings.Contains(line, "Orin ") {
		return tool
	}
	if m := jetsonStats.FindStringSubmatch(line); m != nil {
		f.Format("jetson_release", l.N)
		f.Package(Package{Name: "jetson-stats", Version: m[1], Manager: "jetson", From: from}, Stated)
		tool = true
	}
	if m := jetpackWord.FindStringSubmatch(line); m != nil && !wanted(line, m[0]) {
		f.Package(Package{Name: "jetpack", Version: m[1], Manager: "jetson", From: from}, Keyed)
		f.Set(&f.rec.Jetson, "yes", Prose, from)
	}
	if m := jetsonBoard.FindStringSubmatch(line); m != nil && (strings.Contains(line, "odul") || strings.Contains(line, "eveloper")) {
		if name := strings.TrimSpace(boardTail.ReplaceAllString(m[1], "")); len(name) < 40 {
			f.GPUs([]GPU{{Name: name, From: from}}, Prose)
			f.Set(&f.rec.Jetson, "yes", Prose, from)
		}
	}
	return tool
}

// l4t notes the release of Jetson Linux.
func (f *Facts) l4t(release string, rank Rank, l transcript.Line) {
	from := f.At(l.N, l.Text)
	f.Set(&f.rec.Jetson, release, rank, from)
	f.Package(Package{Name: "l4t", Version: release, Manager: "jetson", From: from}, rank)
}

func readLibrary(f *Facts, key, value string, l transcript.Line) {
	from := f.At(l.N, l.Text)
	switch key {
	case "CUDA":
		if _, full := cudaOf(value); full != "" {
			f.Set(&f.rec.Toolkit, full, Proper, from)
		}
	case "cuDNN":
		f.Set(&f.rec.CUDNN, cudnnOf(value), Proper, from)
	case "TensorRT":
		f.Set(&f.rec.TensorRT, tensorrtOf(value), Proper, from)
	case "VPI", "OpenCV":
		if v := threeParts(value); v != "" {
			f.Package(Package{Name: lowerASCII(key), Version: v, Manager: "jetson", From: from}, Stated)
		}
	case "Distribution":
		if m := codename.FindStringSubmatch(value); m != nil {
			f.Set(&f.rec.OS, m[1], Proper, from)
		}
	case "Release":
		f.Set(&f.rec.Kernel, kernelOf(value), Stated, from)
	}
}
