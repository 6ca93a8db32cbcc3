package kb

import "strata/internal/version"

// Architecture is one compute capability.
type Architecture struct {
	Row
	ComputeCapability version.ComputeCapability `kb:"compute_capability,key"`
	Name              string                    `kb:"name,required"` // Ampere
	Chips             []string                  `kb:"chips"`
	Products          string                    `kb:"products"` // examples
	FirstCUDA         version.CUDA              `kb:"first_cuda,required"`
	LastCUDA          version.CUDA              `kb:"last_cuda"` // last toolkit that compiles for it; zero: still does
	ArchSpecific      version.CUDA              `kb:"a_since"`   // first toolkit with the sm_XYa target; zero: there is none
	FamilySpecific    version.CUDA              `kb:"f_since"`   // first toolkit with the sm_XYf target; zero: there is none
	FirstBranch       int                       `kb:"first_branch"`
	LastBranch        int                       `kb:"last_branch"` // last driver branch that supports it; 0: still supported
	Tegra             bool                      `kb:"tegra"`       // Jetson and DRIVE: the driver comes with JetPack
	OpenModule        OpenModule                `kb:"open_module"` // "" where the driver comes with JetPack
	Note              string                    `kb:"note"`
}

// OpenModule says how a GPU stands to the open flavour of the kernel modules.
type OpenModule string

// A GPU older than Turing is not supported by it, Grace Hopper and Blackwell are supported by nothing else.
const (
	OpenUnsupported OpenModule = "unsupported"
	OpenSupported   OpenModule = "supported"
	OpenRequired    OpenModule = "required"
)

// UnmarshalText accepts the three and nothing else.
func (m *OpenModule) UnmarshalText(text []byte) error {
	return unmarshalWord(m, text, OpenUnsupported, OpenSupported, OpenRequired)
}

var architectures = csvFile("nvidia/architectures.csv", reaches[Architecture]("cuda", "driver", "compute_capability"))

// Arch returns the architecture of compute capability cc. A suffix of a target ("9.0a") is ignored.
func (b *Base) Arch(cc version.ComputeCapability) Answer[Architecture] {
	t := architectures.in(b)
	if cc.IsZero() {
		return notFound[Architecture](t, "no compute capability given")
	}
	for _, r := range t.Rows {
		if r.ComputeCapability.Compare(cc) == 0 {
			return found(b, t, r.Row, r)
		}
	}
	limit, err := version.ParseComputeCapability(t.limit("compute_capability"))
	if err != nil || limit.Less(cc) {
		return beyond[Architecture](t, "compute capability "+cc.String())
	}
	return notFound[Architecture](t, "no GPU of compute capability %s is known", cc)
}

// NVCCTargets returns the compute capabilities that nvcc of toolkit v compiles for, oldest first.
func (b *Base) NVCCTargets(v version.CUDA) Answer[[]version.ComputeCapability] {
	t := architectures.in(b)
	switch {
	case v.IsZero():
		return notFound[[]version.ComputeCapability](t, "no CUDA version given")
	case cudaBeyond(t, v):
		return beyond[[]version.ComputeCapability](t, "CUDA "+v.String())
	}
	var targets []version.ComputeCapability
	var row Row
	for _, r := range t.Rows {
		if r.compiledBy(v) {
			targets = append(targets, r.ComputeCapability)
			row = r.Row
		}
	}
	if targets == nil {
		return notFound[[]version.ComputeCapability](t, "nothing is known about nvcc of CUDA %s", v)
	}
	return found(b, t, row, targets)
}

// compiledBy reports whether nvcc of toolkit v compiles for a. All updates of a minor release do or do not.
func (a Architecture) compiledBy(v version.CUDA) bool {
	return !v.Less(a.FirstCUDA) && (a.LastCUDA.IsZero() || !a.LastCUDA.Less(v) || sameMinor(a.LastCUDA, v))
}
