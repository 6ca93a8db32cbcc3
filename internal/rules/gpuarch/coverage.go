package gpuarch

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// coverage is what a build means to the GPUs of a machine.
type coverage struct {
	code    []stack.DeviceCode
	without []derive.GPU // no code fits
	with    []derive.GPU
	// specific: none fits only because the code is for exactly another
	// architecture of the kind the GPU could otherwise run. It is about all of without.
	specific bool
	// sparse: code fits, but only in so few of the build's fat binaries that
	// most kernels have none. It is about all of without.
	sparse bool
	// unknown is why a GPU could not be judged.
	unknown  string
	evidence []stack.Source
}

func cover(in *rule.Input) coverage {
	code := in.Code(in.Workload)
	c := coverage{code: code.Value, evidence: slices.Clone(code.Sources), specific: true, sparse: true}
	for _, g := range in.GPUs {
		if g.Capability.IsZero() {
			c.unknown = g.Unknown
			continue
		}
		// PTX that is too new for the driver is the CUDA runtime's rule, not a lack of code.
		fits := derive.Cover(c.code, g.Capability, version.PTX{}) > derive.NoCode
		thin := fits && in.Workload.On == nil && share(c.code, g.Capability) < enough
		if fits && !thin {
			c.with = append(c.with, g)
			continue
		}
		c.without = append(c.without, g)
		c.evidence = append(c.evidence, g.From)
		c.sparse = c.sparse && thin
		c.specific = c.specific && derive.Cover(general(c.code), g.Capability, version.PTX{}) > derive.NoCode &&
			(!fits || share(general(c.code), g.Capability) >= enough)
	}
	c.specific = c.specific && len(c.without) > 0
	c.sparse = c.sparse && len(c.without) > 0
	return c
}

// enough is the share of a build's fat binaries that must hold code for a GPU.
// In complete builds it is nearly all of them. TensorFlow 2.16 to 2.20 had
// usable PTX in 250 to 400 of some 1,500 and failed on Blackwell GPUs at once.
const enough = 1.0 / 3

// share is the largest part of the fat binaries that can hold code for a GPU; 1
// where containers were not counted. Targets in one container are counted
// twice, so it may be too high, never too low.
func share(code []stack.DeviceCode, gpu version.ComputeCapability) float64 {
	n, of := 0, 0
	for _, c := range code {
		of = max(of, c.Of)
		if derive.Cover([]stack.DeviceCode{c}, gpu, version.PTX{}) > derive.NoCode {
			n += c.Containers
		}
	}
	if of == 0 {
		return 1
	}
	return min(1, float64(n)/float64(of))
}

// general is the code as if it were not specific to an architecture: what
// sm_90a and compute_90a would be as sm_90 and compute_90.
func general(code []stack.DeviceCode) []stack.DeviceCode {
	out := slices.Clone(code)
	for i := range out {
		out[i].Arch = strings.TrimRight(out[i].Arch, "af")
	}
	return out
}

// names lists GPUs with their targets.
func names(gpus []derive.GPU) string {
	var list []string
	for _, g := range gpus {
		if text := fmt.Sprintf("%s (%s)", g.Name, g.Capability.SM()); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// targets lists what a build holds, each once: cubins, then PTX.
func targets(code []stack.DeviceCode) string {
	var list []string
	for _, kind := range []string{"cubin", "ptx"} {
		for _, c := range code {
			if c.Kind == kind && !slices.Contains(list, c.Arch) {
				list = append(list, c.Arch)
			}
		}
	}
	return strings.Join(list, ", ")
}

// hasPTX tells whether a driver could compile any of the code for a later GPU.
func hasPTX(code []stack.DeviceCode) bool {
	return slices.ContainsFunc(code, func(c stack.DeviceCode) bool { return c.Kind == "ptx" })
}

// needCode is the machine code of the build, measured or published.
var needCode = rule.Need{Name: "the machine code in the build", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Code(in.Workload).Seen()
	if seen.State == stack.NotCollected && (in.Workload.On != nil || compiles[in.Workload.Name]) {
		seen.State = stack.Absent
	}
	return seen
}}

// compiles are frameworks that compile their kernels when they run, or whose
// code lies elsewhere (TensorRT's engines). An extension whose code nobody read
// is not asked about either: its framework is.
var compiles = map[string]bool{"cupy": true, "numba-cuda": true, "tensorrt": true, "rapids": true}

// extremes are the newest and the oldest target in a build.
func extremes(code []stack.DeviceCode) (newest, oldest version.ComputeCapability) {
	for _, c := range general(code) {
		t, err := version.ParseComputeCapability(c.Arch)
		if err != nil {
			continue
		}
		if newest.IsZero() || newest.Less(t) {
			newest = t
		}
		if oldest.IsZero() || t.Less(oldest) {
			oldest = t
		}
	}
	return newest, oldest
}

// fitsPlain tells whether code would fit if its target had no suffix.
func fitsPlain(code stack.DeviceCode, gpu version.ComputeCapability) bool {
	return derive.Cover(general([]stack.DeviceCode{code}), gpu, version.PTX{}) > derive.NoCode
}
