package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// banner reads what NVIDIA's containers print as they start, and interpreters and tools in their first line.
var banner = reader{name: "start banners", read: readBanner, messages: true, around: bannerLines, words: []string{
	"NVIDIA Release ", "CUDA Version ", "PyTorch version ", "TensorFlow version ", "Server version ", "JAX version ", "TensorRT version ", "TensorRT-LLM version ", "MXNet version ",
	"PaddlePaddle version ", "Container Image version ", "with kernel driver version ", "which has support for CUDA ", "was built with CUDA ", "or later, but", "was detected",
	"Python ", "(you have ", "-with-glibc", "cc (", "g++ (", "c++ (", "-gcc-", "gcc version ", "ldd (", "GNU C Library ",
}}

// bannerLines is how far from the versions of a container its title and NVIDIA's words stand.
const bannerLines = 6

var (
	ngcRelease = lazyregexp.New(`^\s*NVIDIA Release (\d{2}\.\d{2}\S*)`)
	ngcProduct = lazyregexp.New(`^\s*(PyTorch|TensorFlow|Triton Server|Triton Inference Server|JAX|TensorRT|TensorRT-LLM|Apache MXNet|MXNet|PaddlePaddle|Container Image|NVIDIA TensorRT) [Vv]ersion (\d\S*)`)
	cudaBanner = lazyregexp.New(`^\s*CUDA Version (\d{1,2}\.\d)(?:\.\d+)?\s*$`)
	// Using CUDA 11.6 driver version 510.47.03 with kernel driver version 460.32.03.
	compatMode  = lazyregexp.New(`Using CUDA (\d{1,2}\.\d) driver version (\d{3}\.\d{2,3}(?:\.\d{2})?) with kernel driver version (\d{3}\.\d{2,3}(?:\.\d{2})?)`)
	compatError = lazyregexp.New(`(?:built for|requires|using) (?:NVIDIA |CUDA )?[Dd]river (?:Release )?(\d{3}(?:\.\d+)*) or later, but\s+version (\d{3}\.\d{2,3}(?:\.\d{2})?) was detected`)
	minorMode   = lazyregexp.New(`Using driver version (\d{3}\.\d{2,3}(?:\.\d{2})?) which has support for CUDA (\d{1,2}\.\d)`)
	minorBuild  = lazyregexp.New(`\bwas built with CUDA (\d{1,2}\.\d) and will be run in`)
	butVersion  = lazyregexp.New(`\bversion (\d{3}\.\d{2,3}(?:\.\d{2})?) was detected and compatibility mode is`)
	// xFormers says what it was built for, and what it found.
	foundTorch  = lazyregexp.New(`PyTorch \S+ with CUDA (\d{3,4}|None) \(you have (\d+\.\d+\.\d+\S*)\)`)
	foundPython = lazyregexp.New(`Python +\S+ \(you have (\d\.\d+\.\d+)\)`)
	pythonAlone = lazyregexp.New(`^\s*Python (\d\.\d{1,2}\.\d{1,2}\S*)(?:\s*$| [(|:])`)
	gccFirst    = lazyregexp.New(`^\s*(?:gcc|g\+\+|cc|c\+\+|\S+-gcc(?:-\d+)?) \([^)]*\) (\d{1,2}\.\d{1,2}\.\d{1,2})`)
	gccVersion  = lazyregexp.New(`^\s*gcc version (\d{1,2}\.\d{1,2}\.\d{1,2})`)
	lddFirst    = lazyregexp.New(`^\s*(?:ldd \([^)]*\)|GNU C Library .*version) (\d\.\d{1,2})`)
	withGlibc   = lazyregexp.New(`-with-glibc(\d\.\d{1,2})\b`)
)

// ngcPackage are the packages behind the names of the banners.
var ngcPackage = map[string]string{"PyTorch": "torch", "TensorFlow": "tensorflow", "JAX": "jax", "Apache MXNet": "mxnet", "MXNet": "mxnet", "PaddlePaddle": "paddlepaddle"}

func readBanner(t *transcript.Text, f *Facts) {
	inside := false
	for i, l := range t.Lines {
		line := l.Text
		if len(line) < 6 || len(line) > 500 {
			continue
		}
		switch {
		case strings.Contains(line, "NVIDIA Release "):
			if m := ngcRelease.FindStringSubmatch(line); m != nil {
				inside = true
				from := f.At(l.N, line)
				f.Format("NGC banner", l.N)
				f.Package(Package{Name: "ngc-release", Version: strings.TrimRight(m[1], ","), Manager: "ngc", From: from}, Stated)
				f.Set(&f.rec.Container, "docker", Keyed, from)
			}
		case strings.Contains(line, "CUDA Version "):
			if m := cudaBanner.FindStringSubmatch(line); m != nil && bannerAround(t.Lines, i) {
				from := f.At(l.N, line)
				f.Format("CUDA banner", l.N)
				f.Set(&f.rec.CUDARuntime, m[1], Stated, from)
				f.Set(&f.rec.Container, "docker", Keyed, from)
			}
		case strings.Contains(line, "ersion "), strings.Contains(line, "was built with"):
			if m := ngcProduct.FindStringSubmatch(line); m != nil && (inside || bannerAround(t.Lines, i)) {
				if name := ngcPackage[m[1]]; name != "" {
					f.Framework(name, m[2], Stated, f.At(l.N, line))
				} else if strings.HasSuffix(m[1], "TensorRT") {
					f.note(&f.rec.TensorRT, tensorrtOf(m[2]), Stated, l)
				} else if strings.HasPrefix(m[1], "Triton") {
					f.Package(Package{Name: "tritonserver", Version: m[2], Manager: "ngc", From: f.At(l.N, line)}, Stated)
				}
			}
			readCompat(f, t.Lines, i)
		}
		readFirstLine(f, l)
	}
}

// readCompat reads the two drivers of forward compatibility: the one that the
// container brings and the one of the host.
func readCompat(f *Facts, lines []transcript.Line, i int) {
	l := lines[i]
	if m := compatMode.FindStringSubmatch(l.Text); m != nil {
		from := f.At(l.N, l.Text)
		f.Set(&f.rec.DriverCUDA, m[1], Stated, from)
		f.Package(Package{Name: "cuda-compat", Version: m[2], From: from}, Stated)
		f.Set(&f.rec.Driver, m[3], Stated, from)
		f.Set(&f.rec.Module, m[3], Stated, from)
		return
	}
	if m := minorMode.FindStringSubmatch(l.Text); m != nil {
		f.note(&f.rec.Driver, m[1], Stated, l)
		f.note(&f.rec.DriverCUDA, m[2], Stated, l)
		return
	}
	window := l.Text
	if i+1 < len(lines) {
		window += " " + strings.TrimSpace(lines[i+1].Text)
	}
	if m := minorBuild.FindStringSubmatch(window); m != nil {
		f.note(&f.rec.CUDARuntime, m[1], Stated, l)
		return
	}
	m := compatError.FindStringSubmatch(window)
	if m != nil {
		f.note(&f.rec.Driver, m[2], Stated, l)
	} else if m := butVersion.FindStringSubmatch(l.Text); m != nil {
		f.note(&f.rec.Driver, m[1], Stated, l)
	}
}

// bannerAround tells whether a line stands in a container's banner: a title
// between rows of equal signs before it, or NVIDIA's words about the image after it.
func bannerAround(lines []transcript.Line, i int) bool {
	for j := max(0, i-bannerLines); j < min(len(lines), i+bannerLines); j++ {
		if s := strings.TrimSpace(lines[j].Text); strings.HasPrefix(s, "== ") && strings.HasSuffix(s, " ==") || strings.HasPrefix(s, "Container image Copyright") {
			return true
		}
	}
	return false
}

// readFirstLine reads what python, gcc and ldd print as their first line.
func readFirstLine(f *Facts, l transcript.Line) {
	line := l.Text
	if strings.Contains(line, "Python ") {
		if m := pythonAlone.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.Python, m[1], Proper, l)
		}
	}
	if strings.Contains(line, "(you have ") {
		if m := foundTorch.FindStringSubmatch(line); m != nil {
			f.Framework("torch", m[2], Stated, f.At(l.N, line))
			release, _ := cudaOf(m[1])
			f.FrameworkCUDA("xformers", release, Keyed, f.At(l.N, line))
		} else if m := foundPython.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.Python, m[1], Stated, l)
		}
	}
	if strings.Contains(line, "-with-glibc") {
		if m := withGlibc.FindStringSubmatch(line); m != nil {
			f.note(&f.rec.Glibc, m[1], Stated, l)
		}
	}
	if !strings.Contains(line, "(") || len(line) > 200 {
		return
	}
	if m := gccFirst.FindStringSubmatch(line); m != nil {
		f.note(&f.rec.GCC, m[1], Proper, l)
	} else if m := gccVersion.FindStringSubmatch(line); m != nil {
		f.note(&f.rec.GCC, m[1], Stated, l)
	} else if m := lddFirst.FindStringSubmatch(strings.TrimSuffix(line, ".")); m != nil {
		f.note(&f.rec.Glibc, m[1], Proper, l)
	}
}
