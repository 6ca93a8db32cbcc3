package dump

import (
	"strconv"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/version"
)

// The functions of this file read one kind of value each and give "" for what
// has another form. A wrong kind under a known key is common: "Driver: yes",
// "CUDA: True", and a key that means two things tells them apart by the form.

var (
	driverForm = lazyregexp.New(`(?:^|[^\d.])(\d{2,3}\.\d{2,3}(?:\.\d{1,2})?)(?:$|[^\d.]|\.(?:$|\D))`)
	cudaForm   = lazyregexp.New(`(?:^|[^\d.])(\d{1,2}\.\d{1,2})((?:\.\d{1,3}){0,2})(?:$|[^\d]|\.(?:$|\D))`)
	cudaTag    = lazyregexp.New(`\bcu(\d{2,3})\b`)
	threeForm  = lazyregexp.New(`(?:^|[^\d.])v?(\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)(?:\.\d+)*(?:$|[^\d])`)
	tupleForm  = lazyregexp.New(`^[\[(]\s*(\d{1,5})\s*,\s*(\d{1,5})(?:\s*,\s*(\d{1,5}))?`)
	integer    = lazyregexp.New(`^\(?(\d{2,6})\)?$`)
	pythonForm = lazyregexp.New(`(?:^|[^\d.])([23]\.\d{1,2}(?:\.\d{1,2})?(?:(?:a|b|rc)\d+)?)`)
	kernelForm = lazyregexp.New(`(?:^|[^\d.])(\d{1,2}\.\d{1,3}\.\d{1,3}(?:[-.+_~][0-9A-Za-z~+._-]*)?)`)
	ccForm     = lazyregexp.New(`^\(?(?:sm_?|compute_?|cc ?)?(\d{1,2})[.,]\s*(\d)[af]?(?:$|\D)`)
	ccDigits   = lazyregexp.New(`^(?:sm_?|compute_?)?(\d{2,3})[af]?(?:$|\s)`)
	memoryForm = lazyregexp.New(`(?i)(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*(MiB|MBytes|MByte|MB|kBytes|KiB)\b`)
	byteForm   = lazyregexp.New(`^(\d{9,13})(?:$| \(| ?[Bb]ytes| B$)`)
	anyVersion = lazyregexp.New(`\d+(?:\.\d+)+[0-9A-Za-z.+_-]*`)
)

// firstVersion is the first word of a value that has the form of a version with a dot.
func firstVersion(s string) string { return strings.TrimRight(anyVersion.FindString(s), ".-_+") }

// driverOf is a driver's version: 535.104.05, 390.25.
func driverOf(s string) string {
	m := driverForm.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	if _, rest, ok := strings.Cut(s, "/"); ok && m[1] < "2" { // NVML's version before the driver's: 12.550.54/550.54.14
		return driverOf(rest)
	}
	if d, err := version.ParseDriver(m[1]); err != nil || d.Branch() > 999 {
		return ""
	}
	// TensorFlow prints three numbers of a release that has two: 390.25.0.
	if two, ok := strings.CutSuffix(m[1], ".0"); ok && strings.Count(two, ".") == 1 {
		return two
	}
	return m[1]
}

// cudaOf is a release of CUDA as major and minor, with everything that the
// value says: "12.1", "12.1.105". It takes the integers of the two interfaces
// and of xFormers too (12010, 1201), the tag of a wheel (cu121), and "12.20" of
// GROMACS, which writes the integer's remainder.
func cudaOf(s string) (release, full string) {
	s = decimal(strings.TrimSpace(s))
	if m := integer.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		switch {
		case n >= 800 && n < 2000: // 100 × major + minor; CUDA's integers begin at 3000
			release = itoa(n/100) + "." + itoa(n%100)
		case n >= 70 && n < 200: // the tag of a wheel without its letters
			release = itoa(n/10) + "." + itoa(n%10)
		default:
			release = CUDAOfNumber(n)
		}
		return release, release
	}
	if m := tupleForm.FindStringSubmatch(s); m != nil {
		release, full = plausibleCUDA(m[1]+"."+m[2]), m[1]+"."+m[2]
		return release, full
	}
	if m := cudaForm.FindStringSubmatch(s); m != nil {
		rest := m[2]
		release = m[1]
		if i := strings.IndexByte(release, '.'); len(release)-i == 3 && release[len(release)-1] == '0' && release[i+1] != '0' {
			release = release[:len(release)-1]
		}
		if release = plausibleCUDA(release); release == "" {
			return "", ""
		}
		if strings.Count(rest, ".") > 1 {
			rest = rest[:1+strings.IndexByte(rest[1:], '.')]
		}
		return release, release + rest
	}
	if m := cudaTag.FindStringSubmatch(s); m != nil {
		if v, ok := version.ParseCUDATag("cu" + m[1]); ok {
			return v.String(), v.String()
		}
	}
	return "", ""
}

// decimal is a release without the zeros that MATLAB prints behind one, as
// behind any number: 11.8000.
func decimal(s string) string {
	if n := len(s); n >= 6 && n <= 7 && s[n-5] == '.' && strings.HasSuffix(s, "000") {
		return s[:n-3]
	}
	return s
}

// plausibleCUDA gives back a release between the first with a major of two
// parts that a report could hold and what may come for some years.
func plausibleCUDA(s string) string {
	major, minor, _ := strings.Cut(s, ".")
	n, _ := strconv.Atoi(major)
	if m, err := strconv.Atoi(minor); err != nil || m > 9 || n < 4 || n > 19 || n == 4 && m > 2 {
		return ""
	}
	return itoa(n) + "." + minor
}

// isBuildNumber tells the number of a toolkit's component ("12.1.105", what
// nvcc prints) from a patch release ("12.1.1").
func isBuildNumber(full string) bool {
	i := strings.LastIndexByte(full, '.')
	n, err := strconv.Atoi(full[i+1:])
	return err == nil && strings.Count(full, ".") == 2 && n >= 10
}

// cudnnOf is cuDNN's version in at most three parts: 8.9.7, from "8907",
// "90100", "(8, 9, 7)", "8.9.7.29", "/usr/lib/libcudnn.so.8.9.7".
func cudnnOf(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndex(s, ".so."); i >= 0 {
		s, _, _ = strings.Cut(s[i+len(".so."):], " ")
	}
	if m := integer.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return CUDNNOfNumber(n)
	}
	if m := tupleForm.FindStringSubmatch(s); m != nil && m[3] != "" {
		s = m[1] + "." + m[2] + "." + m[3]
	}
	if strings.ContainsAny(s, `/\`) { // a path that has no version of its own
		return ""
	}
	v := threeParts(s)
	if major, _, _ := strings.Cut(v, "."); len(major) > 1 && major > "19" || v == "" {
		return ""
	}
	return v
}

// ncclOf is NCCL's version: 2.18.3, from "21803" too.
func ncclOf(s string) string {
	s = strings.TrimSpace(s)
	if m := integer.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		switch {
		case n >= 20900 && n < 50000: // since 2.9: 10000 × major + 100 × minor + patch
			return itoa(n/10000) + "." + itoa(n%10000/100) + "." + itoa(n%100)
		case n >= 2000 && n < 2900:
			return itoa(n/1000) + "." + itoa(n%1000/100) + "." + itoa(n%100)
		}
		return ""
	}
	if m := tupleForm.FindStringSubmatch(s); m != nil && m[3] != "" {
		s = m[1] + "." + m[2] + "." + m[3]
	}
	if v := threeParts(s); strings.HasPrefix(v, "1.") || strings.HasPrefix(v, "2.") || strings.HasPrefix(v, "3.") {
		return v
	}
	return ""
}

// tensorrtOf is TensorRT's version: 8.6.1, from "8601" and "100300" too.
func tensorrtOf(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "v")
	if m := integer.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		switch {
		case n >= 100000: // since 10.0
			return itoa(n/10000) + "." + itoa(n%10000/100) + "." + itoa(n%100)
		case n >= 4000 && n < 10000:
			return itoa(n/1000) + "." + itoa(n%1000/100) + "." + itoa(n%100)
		}
		return ""
	}
	return threeParts(s)
}

func threeParts(s string) string {
	if m := threeForm.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// pythonOf is Python's version.
func pythonOf(s string) string {
	if m := pythonForm.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// capabilityOf is a compute capability, 8.6, from "(8, 6)", "86", "sm_86" and "compute_86" too.
func capabilityOf(s string) string {
	s = lowerASCII(strings.TrimSpace(s))
	if strings.Contains(s, "bit") { // the architecture of something else: 64 bit
		return ""
	}
	major, minor := "", ""
	if m := ccForm.FindStringSubmatch(s); m != nil {
		major, minor = m[1], m[2]
	} else if m := ccDigits.FindStringSubmatch(s); m != nil {
		major, minor = m[1][:len(m[1])-1], m[1][len(m[1])-1:]
	}
	if n, err := strconv.Atoi(major); err != nil || n < 1 || n > 12 {
		return ""
	}
	return major + "." + minor
}

// memoryOf is a size in MiB, as far as the value is exact: programs write MiB
// as MB and MBytes. Sizes in GB are rounded and not taken.
func memoryOf(s string) int {
	if m := memoryForm.FindStringSubmatch(s); m != nil {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64) // 15,360 MiB
		if unit := lowerASCII(m[2]); unit == "kbytes" || unit == "kib" {
			n /= 1024
		}
		if err == nil && n >= 128 && n < 4<<20 {
			return int(n)
		}
		return 0
	}
	if m := byteForm.FindStringSubmatch(strings.TrimSpace(s)); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n >> 20
	}
	return 0
}

// kernelOf is a kernel's release, also out of Python's platform string
// "Linux-5.15.0-91-generic-x86_64-with-glibc2.35".
func kernelOf(s string) string {
	if m := platformForm.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	if m := kernelForm.FindStringSubmatch(s); m != nil && !strings.HasPrefix(m[1], "0.") {
		return strings.TrimRight(m[1], ".-_,")
	}
	return ""
}

// platformForm is what Python's platform.platform() gives on Linux.
var platformForm = lazyregexp.New(`^Linux-(\d+\.\d+[0-9A-Za-z.+_~-]*?)-(?:x86_64|aarch64|ppc64le|arm64|amd64|i686|armv7l|riscv64|s390x)(?:-with-(.*))?$`)
