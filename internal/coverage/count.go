package coverage

import (
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/stack"
	"strata/internal/version"
)

// fits is what count found beside the verdict.
type fits struct {
	packed, tooNew int         // fat binaries whose only fitting code is so
	zstd           bool        // all of the fitting code is compressed with it
	kinds          []string    // compressions that the driver cannot unpack
	isa            version.PTX // the oldest PTX ISA that all fat binaries without a cubin need
	// common are fat binaries with code for GPUs of several majors, commonHere those
	// of them with code for this one.
	common, commonHere int
}

// count goes over the mixes of codes in the file's fat binaries.
func (j *judge) count() {
	j.fits.zstd = true
	var via []stack.DeviceCode
	for _, mix := range j.file.Code.Mixes {
		best, got := j.mix(mix.Codes)
		n := mix.Containers
		switch got {
		case Native:
			j.Native += n
			j.Unpromised = j.Unpromised || j.crosses(best)
		case JIT:
			j.JIT += n
		case Packed:
			j.fits.packed += n
		case PTXTooNew:
			j.fits.tooNew += n
		default:
			continue
		}
		if !slices.Contains(via, best) {
			via = append(via, best)
		}
		isa, err := version.ParsePTX(best.ISA)
		if err == nil && j.fits.isa.Less(isa) {
			j.fits.isa = isa
		}
	}
	j.Blocked = j.fits.packed + j.fits.tooNew
	slices.SortFunc(via, func(a, b stack.DeviceCode) int { return capability(b).Compare(capability(a)) })
	for _, c := range via {
		if name := c.Arch; !slices.Contains(j.Via, name) {
			j.Via = append(j.Via, name)
		}
	}
	j.others()
}

// mix is what the GPU makes of one fat binary, by its best code.
func (j *judge) mix(codes []int) (best stack.DeviceCode, got Status) {
	rank := map[Status]int{NoCode: 0, PTXTooNew: 1, Packed: 2, JIT: 3, Native: 4}
	got = NoCode
	for _, i := range codes {
		c := j.deviceCode(i)
		s := j.code(c)
		if s != NoCode && (rank[s] > rank[got] || rank[s] == rank[got] && j.closer(c, best)) {
			best, got = c, s
		}
	}
	return best, got
}

// closer tells whether the GPU would rather run a than b: code for its own kind of
// system, then the newer target, then the older PTX ISA.
func (j *judge) closer(a, b stack.DeviceCode) bool {
	x, y := capability(a), capability(b)
	switch {
	case j.crosses(a) != j.crosses(b):
		return !j.crosses(a)
	case x.Compare(y) != 0:
		return y.Less(x)
	}
	return a.ISA < b.ISA
}

// crosses tells whether a cubin is for Tegra and the GPU is not on one, or the
// other way round: NVIDIA promises binary compatibility among discrete GPUs only
// (CUDA C++ Programming Guide, "Binary Compatibility").
func (j *judge) crosses(c stack.DeviceCode) bool {
	target, gpu := j.base.Arch(capability(c)), j.base.Arch(j.gpu.Capability)
	return c.Kind == "cubin" && target.Known && gpu.Known && target.Value.Tegra != gpu.Value.Tegra
}

func (j *judge) code(c stack.DeviceCode) Status {
	s := JIT
	switch derive.Cover([]stack.DeviceCode{c}, j.gpu.Capability, j.newest) {
	case derive.NoCode:
		return NoCode
	case derive.JITImpossible:
		s = PTXTooNew
	case derive.Native:
		s = Native
	}
	if c.Compression != "zstd" {
		j.fits.zstd = false
	}
	if s == PTXTooNew {
		return s
	}
	floor := j.base.FatbinCompression(c.Compression)
	if floor.Known && !j.driver.IsZero() && j.driver.Less(floor.Value.MinDriver) {
		if !slices.Contains(j.fits.kinds, c.Compression) {
			j.fits.kinds = append(j.fits.kinds, c.Compression)
			j.cite(floor.Ref)
		}
		return Packed
	}
	return s
}

// enough is the share of the fat binaries with kernels for all GPUs that must
// hold code for one, in a complete build nearly all of them. TensorFlow 2.16 to
// 2.20 had it in 250 to 400 of some 1,500 for Blackwell GPUs and failed on them at
// once. A GPU with cubins of its own is not asked about: cuBLASLt and cuSPARSELt
// have most of their kernels for one generation each, and some GPUs have few.
const enough = 1.0 / 3

// others compares the GPU with the others that the file was built for.
func (j *judge) others() {
	for _, mix := range j.file.Code.Mixes {
		majors := map[int]bool{}
		for _, i := range mix.Codes {
			majors[capability(j.deviceCode(i)).Major] = true
		}
		if len(majors) < 2 {
			continue
		}
		j.fits.common += mix.Containers
		if _, got := j.mix(mix.Codes); got != NoCode {
			j.fits.commonHere += mix.Containers
		}
	}
	have := j.JIT + j.Blocked
	j.Sparse = have > 0 && j.Native == 0 && float64(have) < enough*float64(j.Of) && float64(j.fits.commonHere) < enough*float64(j.fits.common)
}

func capability(c stack.DeviceCode) version.ComputeCapability {
	cc, err := version.ParseComputeCapability(strings.TrimSpace(c.Arch))
	if err != nil {
		return version.ComputeCapability{}
	}
	return cc
}
