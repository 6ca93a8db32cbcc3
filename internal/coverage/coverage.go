// Package coverage gives the verdict of GPU × file × driver: whether the machine
// code in a file runs on a GPU under a driver, and if not, why. Which code fits
// which GPU is derive.Cover's rule, which driver can do what is in the tables of
// package kb.
package coverage

import (
	"strata/internal/codefile"
	"strata/internal/derive"
	"strata/internal/fatbin"
	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// Status is a verdict in one word. The words are part of the output contract.
type Status string

// The verdicts. With Native and JIT the file runs on the GPU, with Empty and
// Unknown nothing is said, with all others it does not run.
const (
	Native         Status = "native"              // a cubin fits
	JIT            Status = "jit"                 // PTX fits and the driver compiles it
	NoCode         Status = "no-code"             // nothing in the file fits
	PTXTooNew      Status = "ptx-too-new"         // only PTX fits, and it is newer than the driver
	Packed         Status = "compression-too-new" // what fits is compressed in a way that the driver cannot unpack
	DriverTooOld   Status = "driver-too-old"      // for the CUDA major that the file was built with
	DriverLacksGPU Status = "driver-lacks-gpu"    // the driver does not support the GPU at all
	Empty          Status = "no-gpu-code"         // the file has no GPU code
	Unknown        Status = "unknown"
)

// Verdict is what one GPU makes of one file under one driver.
type Verdict struct {
	Status Status
	// Of is how many fat binaries the file has. Of these Native hold a cubin that
	// runs, JIT hold only PTX that the driver compiles, and Blocked hold code that
	// fits the GPU and that this driver cannot use. The rest is for other GPUs.
	Native, JIT, Blocked, Of int
	// Sparse says that kernels which other generations of GPUs have are mostly missing
	// for this one.
	Sparse bool
	// Unpromised says that the cubin that fits is for Tegra and the GPU is not, or the
	// other way round: it is known to run in places, and NVIDIA does not promise it.
	Unpromised bool
	// Beyond says that nothing is known because the driver is newer than what the knowledge base knows.
	Beyond bool
	// Via are the targets that the GPU would run, the best of each fat binary.
	Via []string
	// Needs is the oldest Linux driver that runs the file on this GPU, a branch
	// alone where any of it does; zero where that is not known.
	Needs version.Driver
	// Summary is the verdict on one line, Why a sentence with the reason and the
	// error that CUDA reports, empty where all is well.
	Summary, Why string
	Refs         []kb.Ref
}

// Fails tells whether the file certainly does not run.
func (v Verdict) Fails() bool {
	switch v.Status {
	case Native, JIT, Empty, Unknown:
		return false
	}
	return true
}

// Judge gives the verdict for a GPU and a Linux driver; a zero driver excludes
// nothing, and Needs tells which one it takes.
func Judge(base *kb.Base, f codefile.File, gpu derive.GPU, driver version.Driver) Verdict {
	left := leftover(f.Code)
	f.Code, _ = withLinkable(f.Code)
	j := &judge{base: base, file: f, gpu: gpu, driver: driver}
	j.Of = f.Code.Containers
	switch {
	case f.Code.Entries == 0:
		j.Status, j.Summary = Empty, "no GPU code"
	case left && len(f.Code.Linkable) == 0:
		j.Status, j.Summary = Unknown, "not told: the only code is one cubin for "+f.Code.Codes[0].Arch+", nvcc's default target"
		j.Why = "nvcc leaves such a cubin, which has no kernels, where it links device code; cuFFT and the core of NPP have nothing else in fat binaries."
	case gpu.Capability.IsZero():
		j.Status, j.Summary = Unknown, "the GPU is not known: "+gpu.Unknown
	default:
		j.judge()
	}
	return j.Verdict
}

// leftover tells whether a file holds nothing but the cubin without symbols that
// the device linker adds for nvcc's default target: sm_52 up to CUDA 12, sm_75 in
// CUDA 13. Seen in libcufft, libnppc and libnppisu of CUDA 11.8 to 13.5. A kernel
// compiled without -arch has PTX beside its cubin.
func leftover(f *fatbin.File) bool {
	linked := f.Kind == fatbin.ELF || f.Kind == fatbin.PE
	return linked && f.Entries == 1 && len(f.Codes) == 1 && (f.Codes[0].Arch == "sm_52" || f.Codes[0].Arch == "sm_75")
}

type judge struct {
	Verdict
	base   *kb.Base
	file   codefile.File
	gpu    derive.GPU
	driver version.Driver
	newest version.PTX // that the driver compiles; zero where unknown
	fits   fits
}

func (j *judge) judge() {
	if !j.driver.IsZero() {
		ptx := j.base.PTXForDriver(j.driver)
		if !ptx.Known {
			j.Status, j.Summary = Unknown, "what driver "+j.driver.String()+" runs is not known"
			if j.Beyond = ptx.Beyond; j.Beyond {
				j.Summary = "not told: the driver is beyond the horizon of the knowledge base"
			}
			j.Why = ptx.Why
			return
		}
		j.newest = ptx.Value
		j.cite(ptx.Ref)
	}
	j.count()
	j.needs()
	switch {
	case len(j.Via) == 0: // no driver helps
		j.Status = NoCode
	case j.lacksGPU():
	case j.tooOld():
	case j.Native > 0:
		j.Status = Native
	case j.JIT > 0:
		j.Status = JIT
	case j.fits.packed > 0:
		j.Status = Packed
	default:
		j.Status = PTXTooNew
	}
	j.words()
}

func (j *judge) cite(refs ...kb.Ref) { j.Refs = append(j.Refs, refs...) }

// deviceCode is a code as the rules know it.
func (j *judge) deviceCode(i int) stack.DeviceCode {
	c := j.file.Code.Codes[i]
	return stack.DeviceCode{Kind: c.Kind, Arch: c.Arch, ISA: c.ISA, Compression: c.Compression, Containers: c.Containers, Of: j.Of}
}
