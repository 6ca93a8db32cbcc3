package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/transcript"
)

// julia reads CUDA.versioninfo() and the package manager's status.
var julia = reader{name: "Julia", read: readJulia, whole: true, words: []string{
	"CUDA toolchain", "Julia", "Packages:", "Status `", "NVIDIA driver ", "CUDA driver ", "installation",
}}

var (
	juliaLine    = lazyregexp.New(`^\s*(?:- )?(?:CUDA )?(runtime|driver|toolkit|compiler) (\d+\.\d+(?:\.\d+)?)(?: for (\d+\.\d+))?(?:,.*)?$`)
	juliaDriver  = lazyregexp.New(`^\s*(?:- )?NVIDIA driver (\d{2,3}\.\d+(?:\.\d+)?)(?:, for CUDA (\d+\.\d+))?`)
	juliaPackage = lazyregexp.New(`^\s*(?:- ([A-Z]\w*|\w+_jll)(?:\.jl)?: (\d\S*)|[⌃⌅→✓! ]*\[[0-9a-f]{8}\] [+~]? ?(\w+) v(\d\S*))\s*$`)
	juliaVersion = lazyregexp.New(`^\s*(?:- )?Julia(?: Version)?:? (\d+\.\d+\.\d+\S*)`)
)

func readJulia(t *transcript.Text, f *Facts) {
	section, last := "", 0
	for _, l := range t.Lines {
		text := l.Message
		low := strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(low, "CUDA toolchain"), strings.HasPrefix(low, "Julia packages"), low == "Packages:", strings.HasPrefix(low, "Toolchain"), strings.HasPrefix(low, "Status `"):
			section, last = low, l.N
		case low == "", l.N-last > 40:
			if low == "" && !strings.HasPrefix(section, "Status") {
				section = ""
			}
		}
		from := f.At
		switch {
		case strings.Contains(text, ", ") || strings.HasPrefix(section, "CUDA toolchain") || strings.HasPrefix(low, "CUDA "):
			if m := juliaLine.FindStringSubmatch(text); m != nil && (strings.HasPrefix(section, "CUDA") || strings.Contains(text, "installation") || strings.HasPrefix(low, "CUDA driver ")) {
				juliaCUDA(f, m, l)
			} else if m := juliaDriver.FindStringSubmatch(text); m != nil {
				f.Set(&f.rec.Driver, driverOf(m[1]), Stated, from(l.N, l.Text))
				f.Set(&f.rec.DriverCUDA, cudaRelease(m[2]), Stated, from(l.N, l.Text))
			}
		case strings.HasPrefix(section, "Julia packages"), section == "Packages:", strings.HasPrefix(section, "Status"):
			if m := juliaPackage.FindStringSubmatch(text); m != nil {
				juliaPkg(f, m[1]+m[3], m[2]+m[4], from(l.N, l.Text))
			}
		}
		if strings.Contains(text, "Julia") {
			if m := juliaVersion.FindStringSubmatch(text); m != nil {
				f.Package(Package{Name: "julia", Version: strings.TrimRight(m[1], ";,"), Manager: "julia", From: from(l.N, l.Text)}, Stated)
			}
		}
	}
}

// juliaCUDA takes "runtime 12.9, artifact installation" and "driver 580.82.7 for 13.0".
func juliaCUDA(f *Facts, m []string, l transcript.Line) {
	from := f.At(l.N, l.Text)
	switch m[1] {
	case "runtime", "toolkit":
		f.Set(&f.rec.CUDARuntime, cudaRelease(m[2]), Stated, from)
	case "driver":
		f.Set(&f.rec.Driver, driverOf(m[2]), Stated, from)
		if driverOf(m[2]) == "" {
			f.Set(&f.rec.DriverCUDA, cudaRelease(m[2]), Stated, from)
		}
		f.Set(&f.rec.DriverCUDA, cudaRelease(m[3]), Stated, from)
	}
}

func juliaPkg(f *Facts, name, version string, from stack.Source) {
	f.Package(Package{Name: name, Version: version, Manager: "julia", From: from}, Stated)
	if name == "CUDA" || name == "CUDACore" || name == "cuDNN" || name == "Flux" || name == "Lux" {
		f.Framework(name+".jl", version, Stated, from)
	}
}
