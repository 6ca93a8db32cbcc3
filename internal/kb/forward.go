package kb

import "strata/internal/version"

// ForwardCompat says whether a cuda-compat package, which brings the user-mode driver of a newer CUDA, works over the
// kernel module of an older driver branch.
type ForwardCompat struct {
	Row
	CUDA         version.CUDA   `kb:"compat_cuda,key"` // zero: every package
	DriverInside version.Driver `kb:"driver_inside"`
	BaseBranch   int            `kb:"base_branch,required,key"`
	Status       CompatStatus   `kb:"status,required"`
	Note         string         `kb:"note"`
}

// CompatStatus is what NVIDIA says about a package over a driver.
type CompatStatus string

const (
	// Supported: the package works there, on GPUs that are allowed to; see [GPUClass.ForwardCompatible].
	Supported CompatStatus = "supported"
	// Native: the driver has this CUDA itself, the package is pointless.
	Native CompatStatus = "native"
	// Unsupported: the driver is newer than the package; an older user-mode driver over it fails (error 803).
	Unsupported CompatStatus = "unsupported"
	// Unlisted: the branch has reached its end of life and the current guide no longer tests it. Packages of its time
	// supported it.
	Unlisted CompatStatus = "unlisted"
)

// UnmarshalText accepts the states and nothing else.
func (s *CompatStatus) UnmarshalText(text []byte) error {
	return unmarshalWord(s, text, Supported, Native, Unsupported, Unlisted)
}

// ForwardCompatible reports whether GPUs of class c may use cuda-compat packages; on others cuInit ends with error 804. Data-center GPUs
// may. Of workstation boards only some NGC-Ready ones may, and the name does not tell which, so that known is false.
// Jetson has packages of its own; see [Base.JetPackCompat].
func (c GPUClass) ForwardCompatible() (allowed, known bool) {
	switch c {
	case DataCenter:
		return true, true
	case GeForce, Laptop, Mining, Jetson:
		return false, true
	}
	return false, false
}

var forwardCompat = csvFile("nvidia/forward_compat.csv", reaches[ForwardCompat]("driver", "cuda"))

// ForwardCompat returns whether the cuda-compat package of CUDA compat works over driver base. The GPU must be allowed too.
func (b *Base) ForwardCompat(compat version.CUDA, base version.Driver) Answer[ForwardCompat] {
	t := forwardCompat.in(b)
	switch {
	case compat.IsZero() || base.IsZero():
		return notFound[ForwardCompat](t, "CUDA of the package or version of the driver not given")
	case cudaBeyond(t, compat):
		return beyond[ForwardCompat](t, "cuda-compat "+compat.String())
	case driverBeyond(t, base):
		return beyond[ForwardCompat](t, "driver "+base.String())
	}
	for _, r := range t.Rows {
		if r.BaseBranch != base.Branch() || !r.CUDA.IsZero() && !sameMinor(r.CUDA, compat) {
			continue
		}
		if native := b.DriverCUDA(base); r.CUDA.IsZero() && native.Known && !native.Value.Less(compat) {
			r.Status = Unsupported // whatever the age of the branch, an older package over it is
			if sameMinor(native.Value, compat) {
				r.Status = Native
			}
		}
		return found(b, t, r.Row, r)
	}
	return notFound[ForwardCompat](t, "the compatibility matrix has no cell for cuda-compat %s over R%d", compat, base.Branch())
}
