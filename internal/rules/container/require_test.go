package container

import (
	"testing"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// host is an input of one GPU and one driver.
func host(t *testing.T, gpu, driver string) *rule.Input {
	t.Helper()
	s := &stack.Stack{}
	if driver != "" {
		d, err := version.ParseDriver(driver)
		if err != nil {
			t.Fatal(err)
		}
		s.Driver.Assumed = stack.Know(d)
	}
	if gpu != "" {
		s.Hardware.Assumed = stack.Know([]stack.AssumedGPU{{Name: gpu}})
	}
	return &rule.Input{View: derive.New(s, kb.Default())}
}

func TestRequirement(t *testing.T) {
	a100 := host(t, "NVIDIA A100-SXM4-80GB", "535.129.03") // CUDA 12.2, 8.0, tesla
	geforce := host(t, "NVIDIA GeForce RTX 4090", "535.129.03")
	nobody := host(t, "", "")
	for _, c := range []struct {
		text string
		in   *rule.Input
		want truth
	}{
		{"cuda>=12.2", a100, yes},
		{"cuda>=12.8", a100, no},
		{"cuda>=12.8 brand=tesla,driver>=535,driver<536", a100, yes},
		{"cuda>=12.8 brand=tesla,driver>=535,driver<536", geforce, no},
		{"cuda>=12.10", a100, no}, // 12.10 is newer than 12.9, not older than 12.2
		{"arch>=7.0", a100, yes},
		{"arch<8.0", a100, no},
		{"brand!=geforce", geforce, no},
		{"driver!=535.129.03", a100, no},
		{"colour=green", a100, yes}, // unknown properties are passed over
		{"cuda>=12.8", nobody, perhaps},
		{"cuda>=12.8 arch>=1.0", nobody, perhaps},
		{"", a100, yes},
	} {
		r, err := parseRequirement(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := r.holds(c.in); got != c.want {
			t.Errorf("%q on %v: %v, want %v", c.text, c.in.GPUs, got, c.want)
		}
	}
	if _, err := parseRequirement("cuda>=12.8 tesla"); err == nil {
		t.Error("a condition without operator is read")
	}
}

func FuzzParseRequirement(f *testing.F) {
	f.Add("cuda>=13.2 brand=tesla,driver>=580,driver<581")
	f.Add(">=")
	in := &rule.Input{View: derive.New(&stack.Stack{}, kb.Default())}
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := parseRequirement(text); err == nil {
			r.holds(in)
			r.lowest()
		}
	})
}
