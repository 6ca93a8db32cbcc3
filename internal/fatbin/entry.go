package fatbin

// Kinds of code. 1, 2, 4 and 8 are in CUDA's public header fatbinary.h (4, the
// old cubin format, is "no longer generated"). 256 was seen by running the
// tool fatbinary of CUDA 13.5 with --concat.
const (
	kindPTX   = 1
	kindCubin = 2
	kindIR    = 8
	kindGroup = 256
)

// Flags of an entry. Each was seen by making fat binaries with NVIDIA's
// fatbinary and ptxas of CUDA 13.5 (see the package documentation).
const (
	flagLZ4    = 1 << 13
	flagZstd   = 1 << 15
	flagArch   = 1 << 20 // architecture-specific target, sm_90a
	flagFamily = 1 << 21 // family-specific target, sm_100f
)

const (
	entrySize    = 64      // of an entry's fixed part; the whole length is in the entry
	entryVersion = 0x101   // in all entries met
	maxHeader    = 1 << 20 // usual 64 to 120; a group has the headers of all its members
	maxArch      = 999     // compute capability 99.9
)

// entry is the fixed part of an entry's header.
type entry struct {
	kind    uint16
	version uint16 // entryVersion
	header  uint32 // bytes from here to the payload; of a group's member: offset in the payload
	payload uint64 // padded bytes of payload
	minor   uint16 // of the PTX ISA; in cubins of a toolkit-internal version
	major   uint16
	arch    uint32 // 90 for sm_90
	flags   uint64
}

func parseEntry(b []byte) entry {
	return entry{
		kind:    le.Uint16(b),
		version: le.Uint16(b[2:]),
		header:  le.Uint32(b[4:]),
		payload: le.Uint64(b[8:]),
		minor:   le.Uint16(b[24:]),
		major:   le.Uint16(b[26:]),
		arch:    le.Uint32(b[28:]),
		flags:   le.Uint64(b[40:]),
	}
}

func (e entry) suffix() string {
	switch {
	case e.flags&flagArch != 0:
		return "a"
	case e.flags&flagFamily != 0:
		return "f"
	}
	return ""
}

func (e entry) compression() string {
	switch {
	case e.flags&flagZstd != 0:
		return "zstd"
	case e.flags&flagLZ4 != 0:
		return "lz4"
	}
	return "none"
}

// plausible rejects numbers that no compiler writes, so that garbage is a
// problem rather than an architecture.
func (e entry) plausible() bool {
	return e.arch > 0 && e.arch <= maxArch && e.major < 100 && e.minor < 100
}
