package assume

import (
	"strings"
	"testing"

	"strata/internal/stack"
)

func TestParse(t *testing.T) {
	put, err := Parse([]string{"driver=535.129.03", "gpu=2xNVIDIA A100-SXM4-80GB", "gpu=sm_90", "gpu=8.6", "module=open", "env.CUDA_VISIBLE_DEVICES=0"})
	if err != nil {
		t.Fatal(err)
	}
	s := &stack.Stack{}
	put(s)
	if got := s.Driver.Assumed.Value.String(); got != "535.129.03" {
		t.Errorf("driver %q", got)
	}
	var gpus []string
	for _, g := range s.Hardware.Assumed.Value {
		gpus = append(gpus, g.Name+g.ComputeCapability)
	}
	if got, want := strings.Join(gpus, "; "), "NVIDIA A100-SXM4-80GB; NVIDIA A100-SXM4-80GB; 9.0; 8.6"; got != want {
		t.Errorf("GPUs %q, want %q", got, want)
	}
	if s.Kernel.Flavor.Value != "open" {
		t.Errorf("flavour %q", s.Kernel.Flavor.Value)
	}
	if v, ok := s.Getenv("CUDA_VISIBLE_DEVICES"); !ok || v.Value != "0" {
		t.Errorf("environment %+v", s.Environment)
	}
}

// TestParse_nothing leaves a stack alone: no assumption is no fact.
func TestParse_nothing(t *testing.T) {
	put, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &stack.Stack{}
	put(s)
	if s.Driver.Assumed.State != stack.NotCollected || s.Hardware.Assumed.State != stack.NotCollected {
		t.Errorf("facts out of nothing: %+v %+v", s.Driver.Assumed, s.Hardware.Assumed)
	}
}

func TestParse_mistakes(t *testing.T) {
	for item, want := range map[string]string{
		"driver":        "want one of",
		"driver=":       "want one of",
		"driver=latest": "parsing driver",
		"gpu=0xA100":    "not between 1 and 64",
		"gpu=sm_90a":    "not a GPU: say sm_90",
		"module=closed": "want one of",
		"cuda=12.4":     "want one of",
	} {
		if _, err := Parse([]string{item}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", item, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"driver=535", "gpu=2xA100", "gpu=8.0", "env.A=b", "=", "gpu=99999999999999999999x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, item string) {
		put, err := Parse([]string{item})
		if err == nil {
			put(&stack.Stack{})
		}
	})
}
