package loader

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/machine"
	"strata/internal/version"
)

// CPU is what the linker wants to know of the processor. The zero value is the least that an architecture has.
type CPU struct {
	// Level of the x86-64 psABI, 1 to 4; 0 for other architectures.
	Level int
	// Platform is a name that glibc before 2.37 gave to some of Intel's processors: haswell, xeon_phi.
	Platform string
	// AVX512 is what the same releases called avx512_1 on these.
	AVX512 bool
}

// levels are the processor flags that each level of the x86-64 psABI adds, in the words of /proc/cpuinfo (glibc:
// sysdeps/x86/isa-level.c; x86-64 psABI, table 3.1).
var levels = [][]string{
	2: {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"},
	3: {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
	4: {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}

// ReadCPU reads the first processor in /proc/cpuinfo; the zero CPU where there is none.
func ReadCPU(m *machine.Machine) CPU {
	data, _, err := m.ReadHead("/proc/cpuinfo", 64<<10)
	if err != nil {
		return CPU{}
	}
	var flags []string
	vendor := ""
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(key) {
		case "vendor_id":
			vendor = strings.TrimSpace(value)
		case "flags":
			flags = strings.Fields(value)
		case "": // the end of the first processor
			if flags != nil {
				return cpuOf(vendor, flags)
			}
		}
	}
	return cpuOf(vendor, flags)
}

func cpuOf(vendor string, flags []string) (c CPU) {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(f string) bool { return !slices.Contains(flags, f) })
	}
	if !has("lm") { // long mode, which all x86-64 processors have and no other
		return c
	}
	for c.Level = 1; c.Level+1 < len(levels) && has(levels[c.Level+1]...); {
		c.Level++
	}
	if vendor != "GenuineIntel" {
		return c
	}
	switch { // sysdeps/x86/cpu-features.c of glibc 2.26 to 2.36
	case has("avx512cd", "avx512er", "avx512pf"):
		c.Platform = "xeon_phi"
	case has("avx2", "bmi1", "bmi2", "abm", "movbe", "popcnt", "fma"):
		c.Platform = "haswell"
	}
	c.AVX512 = has("avx512cd", "avx512bw", "avx512dq", "avx512vl") && !has("avx512er")
	return c
}

// hwcaps returns the subdirectories of each library directory that a processor makes the linker search first, best first.
func hwcaps(machine string, glibc version.Glibc, cpu CPU) []string {
	var list []string
	if machine == "x86_64" && atLeast("2.33", glibc) {
		for n := min(cpu.Level, 4); n >= 2; n-- {
			list = append(list, fmt.Sprintf("glibc-hwcaps/x86-64-v%d", n))
		}
	}
	if atLeast("2.37", glibc) {
		return list
	}
	// Older releases search every combination of these words, the first counting most (elf/dl-hwcaps.c).
	words := []string{"tls"}
	if machine == "x86_64" {
		platform := cpu.Platform
		if platform == "" {
			platform = "x86_64" // AT_PLATFORM
		}
		words = append(words, platform)
		if cpu.AVX512 {
			words = append(words, "avx512_1")
		}
		words = append(words, "x86_64")
	} else {
		words = append(words, machine)
	}
	for mask := 1<<len(words) - 1; mask > 0; mask-- {
		var parts []string
		for i, w := range words {
			if mask>>(len(words)-1-i)&1 == 1 {
				parts = append(parts, w)
			}
		}
		if dir := strings.Join(parts, "/"); !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}

// legacyBits are the bits of cache entries that glibc before 2.37 accepts on a processor: tls, x86_64, avx512_1, and the platform
// (sysdeps/x86/dl-procinfo.h, dl-hwcap.h).
func legacyBits(cpu CPU) uint64 {
	bits := uint64(1)<<63 | 1<<1
	if cpu.AVX512 {
		bits |= 1 << 2
	}
	switch cpu.Platform {
	case "haswell":
		bits |= 1 << 50
	case "xeon_phi":
		bits |= 1 << 51
	}
	return bits
}

// atLeast reports whether v is release or later. A linker that does not tell its release is taken for a current one.
func atLeast(release string, v version.Glibc) bool {
	if v.IsZero() {
		return true
	}
	r, err := version.ParseGlibc(release)
	return err == nil && v.Compare(r) >= 0
}
