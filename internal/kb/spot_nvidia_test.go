package kb

import (
	"slices"
	"strconv"
	"strings"

	"strata/internal/version"
)

// The functions here answer the questions of testdata/spot.csv about NVIDIA's own parts. A field that the interpreter does not know
// answers with "no such field", which is no expected answer.

const noField = "no such field"

func spotNumber(s string) int { return must(strconv.Atoi(s)) }

// "10.2"
func spotMinDriverLinux(a spotArguments) string {
	m := Default().MinDriverFor(cuda(a.word(0)))
	return shape(m, m.Value.Linux.String())
}

// "10.2"
func spotMinDriverWindows(a spotArguments) string {
	m := Default().MinDriverFor(cuda(a.word(0)))
	return shape(m, m.Value.Windows.String())
}

// "linux 430.26"
func spotDriverCUDA(a spotArguments) string {
	query := Default().DriverCUDA
	if a.word(0) == "windows" {
		query = Default().WindowsDriverCUDA
	}
	c := query(driver(a.word(1)))
	return shape(c, c.Value.String())
}

// "580 eol"
func spotBranch(a spotArguments) string {
	b := Default().Branch(spotNumber(a.word(0)))
	field := map[string]string{
		"type": string(b.Value.Type), "eol": b.Value.EOL, "oldest": b.Value.Oldest, "latest": b.Value.Latest.String(),
	}
	return shape(b, spotField(field, a.word(1)))
}

// spotField returns a field by name.
func spotField(fields map[string]string, name string) string {
	if v, ok := fields[name]; ok {
		return v
	}
	return noField
}

// "GeForce RTX 4090", the name being all words
func spotGPUName(a spotArguments) string {
	g := Default().GPUsByName(strings.Join(a, " "))
	if g.Known && g.Value.Ambiguous {
		return "ambiguous"
	}
	return shape(g, g.Value.ComputeCapability.String())
}

// "1e30 name" or "1e30 10de:129e name"
func spotGPUPCI(a spotArguments) string {
	subsystem, field := "", a.word(1)
	if len(a) > 2 {
		subsystem, field = a.word(1), a.word(2)
	}
	g := Default().GPUByPCI(a.word(0), subsystem)
	return shape(g, spotField(map[string]string{"name": g.Value.Name, "cc": g.Value.ComputeCapability.String()}, field))
}

// "7.0 last-branch"
func spotArch(a spotArguments) string {
	r := Default().Arch(capability(a.word(0)))
	v := r.Value
	return shape(r, spotField(map[string]string{
		"name": v.Name, "first-toolkit": v.FirstCUDA.String(), "last-toolkit": v.LastCUDA.String(),
		"last-toolkit-major": strconv.Itoa(v.LastCUDA.Major()), "last-branch": strconv.Itoa(v.LastBranch),
		"a-since": v.ArchSpecific.String(), "f-since": v.FamilySpecific.String(),
	}, a.word(1)))
}

// "cuda 12.8", "driver 570.124.06" or "isa 8.7", which asks for the driver branch
func spotPTX(a spotArguments) string {
	switch a.word(0) {
	case "cuda":
		p := Default().PTXForCUDA(cuda(a.word(1)))
		return shape(p, p.Value.String())
	case "driver":
		p := Default().PTXForDriver(driver(a.word(1)))
		return shape(p, p.Value.String())
	case "isa":
		b := Default().PTXBranch(must(version.ParsePTX(a.word(1))))
		return shape(b, strconv.Itoa(b.Value))
	}
	return noField
}

// "driver 804 message", "name CUDA_ERROR_NO_DEVICE code" or "text named symbol not found"
func spotCUDAError(a spotArguments) string {
	var e Answer[CUDAError]
	switch a.word(0) {
	case "name":
		e = Default().CUDAErrorByName(a.word(1))
	case "text":
		e = Default().CUDAErrorByMessage(strings.Join(a[1:], " "))
		return shape(e, strconv.Itoa(e.Value.Code))
	default:
		e = Default().CUDAError(API(a.word(0)), spotNumber(a.word(1)))
	}
	return shape(e, spotField(map[string]string{
		"symbol": e.Value.Symbol, "message": e.Value.Message, "code": strconv.Itoa(e.Value.Code),
	}, a.word(2)))
}

// "79 mnemonic"
func spotXid(a spotArguments) string {
	x := Default().Xid(spotNumber(a.word(0)))
	return shape(x, spotField(map[string]string{
		"mnemonic": x.Value.Mnemonic, "class": string(x.Value.Class), "catalog-action": x.Value.CatalogAction,
	}, a.word(1)))
}

// "libcudart.so.12 pip 12", "libcufft.so.11 majors" or "libcurand.so.10 has 13"
func spotSoname(a spotArguments) string {
	if f := a.word(1); f == "pip" || f == "debian" {
		s := Default().Soname(a.word(0), spotNumber(a.word(2)))
		return shape(s, spotField(map[string]string{"pip": s.Value.Pip, "debian": s.Value.Debian}, f))
	}
	all := Default().Sonames(a.word(0))
	var majors []string
	for _, s := range all.Value {
		majors = append(majors, strconv.Itoa(s.CUDA))
	}
	switch a.word(1) {
	case "majors":
		return shape(all, strings.Join(majors, ";"))
	case "has":
		return shape(all, yesNo(slices.Contains(majors, a.word(2))))
	}
	return noField
}

// "13.4 over 580.95.05"
func spotForwardCompat(a spotArguments) string {
	f := Default().ForwardCompat(cuda(a.word(0)), driver(a.word(2)))
	return shape(f, string(f.Value.Status))
}

// "12.4 gcc-max"
func spotHostCompiler(a spotArguments) string {
	h := Default().HostCompiler(cuda(a.word(0)))
	return shape(h, spotField(map[string]string{
		"gcc-min": strconv.Itoa(h.Value.GCCMin), "gcc-max": strconv.Itoa(h.Value.GCCMax), "clang-max": strconv.Itoa(h.Value.ClangMax),
	}, a.word(1)))
}
