package coverage

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/version"
)

// words writes Summary and Why, where the verdict did not bring its own.
func (j *judge) words() {
	switch j.Status {
	case Native:
		j.Summary = "native: " + j.via("sm_") + j.share(j.Native)
		if j.JIT > 0 {
			j.Summary += fmt.Sprintf(", %s more by JIT", count(j.JIT))
		}
		j.blocked()
		j.tegra()
	case JIT:
		j.Summary = "by JIT: " + j.via("compute_") + ", PTX ISA " + j.fits.isa.String() + j.share(j.JIT)
		j.blocked()
	case NoCode:
		j.Summary = "no code: nothing here runs on " + j.gpu.Capability.SM()
		j.Why = `The first kernel ends with error 209, "no kernel image is available for execution on the device".`
		if j.specific() {
			j.Why += " Code with the suffix a runs on exactly its own architecture, with f on its family."
		}
	case PTXTooNew:
		j.Summary = fmt.Sprintf("PTX too new: ISA %s, and driver %s compiles up to %s", j.fits.isa, j.driver, j.newest)
		j.Why = fmt.Sprintf(`No cubin fits, so the driver would have to compile PTX (%s). The first kernel ends with error 222, "the provided PTX was compiled with an unsupported toolchain".`, j.via("compute_"))
	case Packed:
		kind := strings.Join(j.fits.kinds, " and ")
		j.Summary = fmt.Sprintf("compressed with %s, which driver %s cannot unpack", kind, j.driver)
		j.Why = `The code for the GPU is there. The first kernel ends with error 200, "device kernel image is invalid".`
	}
	if j.Fails() && !j.Needs.IsZero() && j.Needs.String() != j.driver.String() && j.Status != DriverLacksGPU {
		j.Why = strings.TrimSpace(j.Why + fmt.Sprintf(" It takes %s or newer.", DriverName(j.Needs)))
	}
}

// via names the targets with a prefix, the newest first.
func (j *judge) via(prefix string) string {
	var list []string
	for _, v := range j.Via {
		if strings.HasPrefix(v, prefix) {
			list = append(list, v)
		}
	}
	const most = 4
	if len(list) > most {
		list = append(list[:most-1], "…")
	}
	return strings.Join(list, " ")
}

// share says in how many of the fat binaries the code is.
func (j *judge) share(n int) string {
	switch {
	case n+j.JIT*btoi(j.Status == Native) == j.Of && j.Of == 1:
		return ""
	case n == j.Of:
		return fmt.Sprintf(", in all %s fat binaries", count(j.Of))
	case j.Sparse:
		return fmt.Sprintf(", in only %s of %s fat binaries", count(n), count(j.Of))
	case j.Native+j.JIT+j.Blocked == j.Of:
		return fmt.Sprintf(", in %s of %s fat binaries", count(n), count(j.Of))
	}
	return fmt.Sprintf(", in %s of %s fat binaries, the rest is for other GPUs", count(n), count(j.Of))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// blocked says that part of the code for the GPU cannot be used.
func (j *judge) blocked() {
	if j.fits.packed > 0 {
		j.Why += fmt.Sprintf("%s more hold code for it that is compressed with %s, which driver %s cannot unpack. ", count(j.fits.packed), strings.Join(j.fits.kinds, " and "), j.driver)
	}
	if j.fits.tooNew > 0 {
		j.Why += fmt.Sprintf("%s more hold only PTX for it, ISA %s, and driver %s compiles up to %s. ", count(j.fits.tooNew), j.fits.isa, j.driver, j.newest)
	}
	if j.Sparse {
		j.Why += fmt.Sprintf("Of %s fat binaries for several generations of GPUs only %s have code for this one: most kernels end with error 209. ", count(j.fits.common), count(j.fits.commonHere))
	}
	j.Why = strings.TrimSpace(j.Why)
}

// tegra warns where a cubin is for the other kind of system.
func (j *judge) tegra() {
	if !j.Unpromised {
		return
	}
	gpu := j.base.Arch(j.gpu.Capability)
	what := "cubins for Tegra run on a discrete GPU"
	if gpu.Value.Tegra {
		what = "cubins for discrete GPUs run on Tegra"
	}
	j.Why = strings.TrimSpace(j.Why + " NVIDIA does not promise that " + what + ".")
	j.cite(gpu.Ref)
}

// specific tells whether code would fit if it had no suffix.
func (j *judge) specific() bool {
	for i := range j.file.Code.Codes {
		target := capability(j.deviceCode(i))
		if target.Suffix != "" && target.Major == j.gpu.Capability.Major {
			return true
		}
	}
	return false
}

// DriverName names a driver: "driver 525.60.13", or "a driver of R570" for any of a branch.
func DriverName(v version.Driver) string {
	if text := v.String(); text != "" && !strings.Contains(text, ".") {
		return "a driver of R" + text
	}
	return "driver " + v.String()
}

// count writes a number with separators: 2,918.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
