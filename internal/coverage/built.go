package coverage

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/codefile"
	"strata/internal/fatbin"
	"strata/internal/kb"
	"strata/internal/version"
)

// Build is what a file was built with.
type Build struct {
	// CUDA is the newest toolkit that made any of its code, a major alone where more
	// is not told; zero where nothing is.
	CUDA version.CUDA
	// From says what tells it: "its cubins", "PTX ISA 8.7", "libcudart.so.12".
	From string
}

// BuiltWith reads the toolkit off a file: its cubins name it, a PTX ISA belongs to
// a toolkit (nvcc writes its own newest unless told otherwise), and the soname
// of the runtime or the form of the entries tells the major.
func BuiltWith(base *kb.Base, f codefile.File) Build {
	var b Build
	take := func(text, from string) {
		v, err := version.ParseCUDA(text)
		if err == nil && (b.CUDA.IsZero() || b.CUDA.Less(v)) {
			b = Build{v, from}
		}
	}
	if f.Code == nil {
		return b
	}
	for _, v := range f.Code.Toolkits {
		if strings.Contains(v, ".") {
			take(v, "its cubins")
		}
	}
	for _, c := range f.Code.Codes {
		if isa, err := version.ParsePTX(c.ISA); err == nil {
			if list := Toolkits(base, isa); len(list) > 0 {
				take(list[0].String(), "PTX ISA "+c.ISA)
			}
		}
	}
	if f.Runtime != "" {
		take(f.Runtime, "libcudart.so."+f.Runtime)
	}
	if slices.Contains(f.Code.Toolkits, "13") {
		take("13", "the form of its fat binaries")
	}
	return b
}

// Toolkits are the minor releases of CUDA whose nvcc writes a PTX ISA, oldest first.
func Toolkits(base *kb.Base, isa version.PTX) []version.CUDA {
	var list []version.CUDA
	for _, r := range kb.Rows[kb.CUDARelease](base) {
		minor, err := version.ParseCUDA(fmt.Sprintf("%d.%d", r.Version.Major(), r.Version.Minor()))
		if err != nil || r.Kind == kb.NeverReleased || slices.Contains(list, minor) {
			continue
		}
		if p := base.PTXForCUDA(minor); p.Known && p.Value.Compare(isa) == 0 {
			list = append(list, minor)
		}
	}
	return list
}

func (b Build) major() bool { return !b.CUDA.IsZero() && !strings.Contains(b.CUDA.String(), ".") }

func (b Build) String() string {
	if b.major() {
		return fmt.Sprintf("CUDA %s.x", b.CUDA)
	}
	return "CUDA " + b.CUDA.String()
}

// floor is the oldest driver for the CUDA that a file was built with. A cubin or PTX
// of its own is not linked with a runtime; the driver's own rules about code hold.
func (j *judge) floor() (Build, kb.Answer[kb.MinDriver]) {
	b := BuiltWith(j.base, j.file)
	switch {
	case b.CUDA.IsZero() || j.file.Code.Kind == fatbin.PTX:
		return b, kb.Answer[kb.MinDriver]{}
	case b.major():
		return b, j.base.MinDriverForMajor(b.CUDA.Major())
	}
	return b, j.base.MinDriverFor(b.CUDA)
}

// needs finds the oldest driver.
func (j *judge) needs() {
	if len(j.Via) == 0 {
		return
	}
	raise := func(d version.Driver) {
		if j.Needs.Less(d) {
			j.Needs = d
		}
	}
	branch := func(n int) {
		if d, err := version.ParseDriver(fmt.Sprint(n)); err == nil && n > 0 {
			raise(d)
		}
	}
	if _, floor := j.floor(); floor.Known {
		raise(floor.Value.Linux)
	}
	if a := j.base.Arch(j.gpu.Capability); a.Known {
		branch(a.Value.FirstBranch)
	}
	if !j.fits.isa.IsZero() {
		if b := j.base.PTXBranch(j.fits.isa); b.Known {
			branch(b.Value)
		}
	}
	if zstd := j.base.FatbinCompression("zstd"); j.fits.zstd && zstd.Known {
		raise(zstd.Value.MinDriver)
	}
}

// lacksGPU tells whether the driver does not support the GPU.
func (j *judge) lacksGPU() bool {
	a := j.base.Arch(j.gpu.Capability)
	if j.driver.IsZero() || !a.Known || a.Value.Tegra {
		return false
	}
	n := j.driver.Branch()
	switch {
	case n < a.Value.FirstBranch:
		j.Summary = fmt.Sprintf("driver %s does not know this GPU: R%d is the first branch", j.driver, a.Value.FirstBranch)
	case a.Value.LastBranch != 0 && n > a.Value.LastBranch:
		j.Summary = fmt.Sprintf("driver %s no longer supports this GPU: R%d was the last branch", j.driver, a.Value.LastBranch)
	default:
		return false
	}
	j.Status = DriverLacksGPU
	j.cite(a.Ref)
	return true
}

// tooOld tells whether the driver is below the floor of the CUDA major.
func (j *judge) tooOld() bool {
	b, floor := j.floor()
	if j.driver.IsZero() || !floor.Known || !j.driver.Less(floor.Value.Linux) {
		return false
	}
	j.Status = DriverTooOld
	j.Summary = fmt.Sprintf("driver %s is too old for CUDA %d, which needs %s", j.driver, b.CUDA.Major(), floor.Value.Linux)
	j.Why = fmt.Sprintf(`Built with %s, told by %s. The first CUDA call ends with error 35, "CUDA driver version is insufficient for CUDA runtime version".`, b, b.From)
	j.cite(floor.Ref)
	return true
}
