package cuda

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

const (
	maxVersionFile = 256 << 10 // version.json has some 3 KB
	// maxHeader is how far the version macro is looked for: cuda.h has it
	// within its first 20 KB, cuda_runtime_api.h within 10.
	maxHeader = 256 << 10
)

// Version reads the version of the toolkit in a directory, from what NVIDIA
// puts there: version.json since CUDA 11.1, version.txt before, else the
// macros of its headers. Zero where none of them tells.
func Version(m *machine.Machine, dir string) (version.CUDA, stack.Source) {
	name := path.Join(dir, "version.json")
	if data, err := m.ReadFile(name, maxVersionFile); err == nil {
		if v, err := ParseVersionJSON(data); err == nil {
			return v, stack.From("file", name, 0, "cuda "+v.String())
		}
	}
	texts := []string{path.Join(dir, "version.txt")}
	headers := []string{path.Join(dir, "include")}
	if dir == debianRoot || dir == "/usr" {
		texts, headers = []string{"/usr/lib/cuda/version.txt"}, []string{"/usr/include"}
	}
	for _, name := range texts {
		if data, err := m.ReadFile(name, maxVersionFile); err == nil {
			if v, err := ParseVersionText(data); err == nil {
				return v, stack.Line(name, 1, "CUDA Version "+v.String())
			}
		}
	}
	more, _ := m.Glob(path.Join(escape(dir), "targets/*/include"))
	for _, d := range append(headers, more...) {
		for _, h := range []struct{ file, macro string }{{"cuda_runtime_api.h", "CUDART_VERSION"}, {"cuda.h", "CUDA_VERSION"}} {
			name := path.Join(d, h.file)
			data, _, err := m.ReadHead(name, maxHeader)
			if err != nil {
				continue
			}
			if v, line, err := ParseHeader(data, h.macro); err == nil {
				return v, stack.Line(name, line, "#define "+h.macro)
			}
		}
	}
	return version.CUDA{}, stack.From("directory", dir, 0, "")
}

// ParseVersionJSON reads version.json: the version of "cuda", or the release
// that its runtime or compiler belongs to.
func ParseVersionJSON(data []byte) (version.CUDA, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return version.CUDA{}, fmt.Errorf("decoding version.json: %w", err)
	}
	for _, key := range []string{"cuda", "cuda_cudart", "cuda_nvcc"} {
		var part struct {
			Version string `json:"version"`
		}
		if json.Unmarshal(parts[key], &part) != nil || part.Version == "" {
			continue
		}
		text := part.Version
		if key != "cuda" {
			// A component's third number is a build, 12.4.127, not a release.
			if n := strings.Split(text, "."); len(n) > 2 {
				text = n[0] + "." + n[1]
			}
		}
		return version.ParseCUDA(text)
	}
	return version.CUDA{}, fmt.Errorf("decoding version.json: no version of cuda, cuda_cudart or cuda_nvcc in it")
}

// ParseVersionText reads version.txt: "CUDA Version 10.1.243".
func ParseVersionText(data []byte) (version.CUDA, error) {
	line, _, _ := strings.Cut(string(data), "\n")
	text, ok := strings.CutPrefix(strings.TrimSpace(line), "CUDA Version ")
	if !ok {
		return version.CUDA{}, fmt.Errorf("decoding version.txt: %.40q is not CUDA Version N", line)
	}
	return version.ParseCUDA(strings.TrimSpace(text))
}

// ParseHeader reads a version macro, "#define CUDART_VERSION  12040", with its line.
func ParseHeader(data []byte, macro string) (version.CUDA, int, error) {
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "#define" || f[1] != macro {
			continue
		}
		n, err := strconv.Atoi(f[2])
		if err != nil {
			return version.CUDA{}, 0, fmt.Errorf("reading %s: %w", macro, err)
		}
		v, err := version.CUDAFromInt(n)
		return v, number, err
	}
	return version.CUDA{}, 0, fmt.Errorf("no %s in the header", macro)
}
