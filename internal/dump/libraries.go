package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// libraryFiles reads versions out of the names of libraries, wherever a text
// lists them: ls, find, ldconfig -p, ldd, CDI specifications, container logs.
// Where files of one library have several versions none of them is taken, since
// the text does not say which one is used.
var libraryFiles = reader{name: "library files", read: readLibraryFiles, messages: true, words: []string{
	"libcuda.so.", "libnvidia-ml.so.", "libnvidia-ptxjitcompiler.so.", "libcudart.so.", "libcublas.so.", "libcudnn.so.", "libnccl.so.", "libnvinfer.so.",
}}

var libraryFile = lazyregexp.New(`(\S*?)\blib(cuda|nvidia-ml|nvidia-ptxjitcompiler|cudart|cublas|cudnn|nccl|nvinfer)\.so\.(\d+(?:\.\d+)+)`)

var oldCUDA = lazyregexp.New(`^(?:[5-9]\.\d|10\.0)$`)

func readLibraryFiles(t *transcript.Text, f *Facts) {
	found := map[string]claim{}
	unclear := map[string]bool{}
	note := func(kind, v string, l transcript.Line) {
		if old, ok := found[kind]; ok {
			if longer(v, old.text) {
				found[kind] = claim{v, l}
			} else if !longer(old.text, v) {
				unclear[kind] = true
			}
			return
		}
		found[kind] = claim{v, l}
	}
	for _, l := range t.Lines {
		if missing(l.Text) {
			continue
		}
		for _, m := range libraryFile.FindAllStringSubmatch(l.Text, 8) {
			kind, v := m[2], m[3]
			switch kind {
			case "cuda", "nvidia-ml", "nvidia-ptxjitcompiler":
				if driverOf(v) == "" || strings.Contains(m[1], "stubs") {
					continue
				}
				if kind = "driver"; strings.Contains(m[1], "compat") {
					kind = "compat"
				}
			case "cublas": // it has CUDA's release for its own until 10.0
				if !oldCUDA.MatchString(v) {
					continue
				}
				kind = "cudart"
			case "cudnn", "nccl", "nvinfer":
				if strings.Count(v, ".") < 2 {
					continue
				}
			}
			note(kind, v, l)
		}
	}
	for kind, c := range found {
		if unclear[kind] {
			continue
		}
		switch kind {
		case "driver":
			f.take(&f.rec.Driver, c, Keyed)
		case "compat":
			f.Package(Package{Name: "cuda-compat", Version: c.text, From: f.At(c.line.N, c.line.Text)}, Keyed)
		case "cudart":
			release, _ := cudaOf(c.text)
			f.note(&f.rec.CUDARuntime, release, Prose, c.line)
		case "cudnn":
			f.note(&f.rec.CUDNN, cudnnOf(c.text), Prose, c.line)
		case "nccl":
			f.note(&f.rec.NCCL, ncclOf(c.text), Prose, c.line)
		case "nvinfer":
			f.note(&f.rec.TensorRT, tensorrtOf(c.text), Prose, c.line)
		}
	}
}

// longer tells whether a says the same version as b, and more of it.
func longer(a, b string) bool { return a == b || strings.HasPrefix(a, b+".") }

// missing tells whether a line says that a library is not there, or lists what is left out.
func missing(line string) bool {
	for _, s := range []string{"cannot open", "not found", "o such file", "ould not load", "annot load", "ailed to", "issing", "Skipping", "nable to", "is required"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	return false
}
