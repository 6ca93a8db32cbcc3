package cudaruntime

import (
	"testing"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// TestPTXWithoutISA: of PTX whose ISA nobody read it is not known whether the
// driver compiles it, unless its CUDA is of a later major anyway.
func TestPTXWithoutISA(t *testing.T) {
	cuda12, err := version.ParseCUDA("12")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		driver, isa string
		want        rule.Outcome
	}{
		{"535.129.03", "8.0", rule.Pass}, {"535.129.03", "8.8", rule.Fail}, {"535.129.03", "", rule.Unknown}, {"580.95.05", "", rule.Pass},
	} {
		driver, err := version.ParseDriver(tt.driver)
		if err != nil {
			t.Fatal(err)
		}
		s := &stack.Stack{}
		s.Driver.Assumed = stack.Know(driver)
		s.Hardware.Assumed = stack.Know([]stack.AssumedGPU{{ComputeCapability: "8.0"}})
		f := stack.Framework{Name: "other", CUDA: stack.Know(cuda12), Code: stack.Know([]stack.DeviceCode{{Kind: "ptx", Arch: "compute_75", ISA: tt.isa}})}
		s.Python = stack.Know([]stack.Environment{{Prefix: "/env", Frameworks: []stack.Framework{f}}})
		v := derive.New(s, kb.Default())
		if got := cud003.Check(&rule.Input{View: v, Workload: v.Workloads[0]}); got.Outcome != tt.want {
			t.Errorf("driver %s, PTX ISA %q: %s, want %s (%s)", tt.driver, tt.isa, got.Outcome, tt.want, got.Why)
		}
	}
}
