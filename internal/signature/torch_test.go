package signature

import (
	"testing"

	"strata/internal/derive"
	"strata/internal/dump"
	"strata/internal/kb"
)

// caseOf is a text that says these things of its machine.
func caseOf(t *testing.T, say func(*dump.Record)) *Case {
	t.Helper()
	r := dump.NewFacts("text").Record()
	say(r)
	return &Case{View: derive.New(r.Stack("text"), kb.Default()), Record: r, Groups: map[string]string{}}
}

func said(text string) dump.Value { return dump.Value{Text: text, Rank: dump.Stated} }

// TestTorchBuilds holds the advice of a build against what the driver runs, the GPU needs and the Python has wheels for.
func TestTorchBuilds(t *testing.T) {
	pascal := func(r *dump.Record) { r.GPUs = []dump.GPU{{ComputeCapability: "6.1"}} }
	for _, c := range []struct {
		name, expr, want string
		say              func(*dump.Record)
	}{
		{"the driver's major counts", "text|torchfordriver", "2.14.1+cu126", func(r *dump.Record) { r.CUDARuntime = said("") }},
		{"before CUDA 11 the minor counts too", "old|torchfordriver", "1.8.1+cu101", func(*dump.Record) {}},
		{"the GPU keeps newer builds out", "new|torchfordriver", "2.14.1+cu126", pascal},
		{"Blackwell begins with cu128", "blackwell|torchforarch", "", func(r *dump.Record) { r.DriverCUDA = said("11.4") }},
		{"Kepler ends with cu118", "kepler|torchforarch", "2.7.1+cu118", func(*dump.Record) {}},
		{"an old Python has old wheels", "text|torchfordriver", "2.4.1+cu121", func(r *dump.Record) { r.Python = said("3.8.10") }},
	} {
		x := caseOf(t, c.say)
		x.Groups = map[string]string{"text": "12.4", "old": "10.1", "new": "13.0", "blackwell": "sm_120", "kepler": "3.7"}
		if got, _ := x.Variable(c.expr); got != c.want {
			t.Errorf("%s: %s gives %q, want %q", c.name, c.expr, got, c.want)
		}
	}
}

// TestTorchFunctions are the small functions of builds and companions.
func TestTorchFunctions(t *testing.T) {
	x := caseOf(t, func(*dump.Record) {})
	x.Groups = map[string]string{"build": "2.7.1+cu126", "tag": "cu92", "torch": "2.1.2", "toolkit": "11.8", "nonsense": "two"}
	for expr, want := range map[string]string{
		"build|variant": "cu126", "build|tagcuda": "12.6", "tag|tagcuda": "9.2", "torch|torchvision": "0.16.2",
		"torch|torchaudio": "2.1.2", "toolkit|gccmax": "11", "nonsense|torchvision": "", "nonsense|gccmax": "", "nonsense|tagcuda": "",
	} {
		if got, _ := x.Variable(expr); got != want {
			t.Errorf("%s gives %q, want %q", expr, got, want)
		}
	}
}

// TestCUDAErrors finds an error by its number, its symbol and its message, and nothing where there is none.
func TestCUDAErrors(t *testing.T) {
	x := caseOf(t, func(*dump.Record) {})
	for text, want := range map[string]struct{ name, layer string }{
		"222":                  {"cudaErrorUnsupportedPtxVersion", "driver"},
		"CUDA_ERROR_NO_DEVICE": {"CUDA_ERROR_NO_DEVICE", "device_exposure"},
		"an illegal memory access was encountered": {"cudaErrorIllegalAddress", "application"},
		"out of memory":          {"cudaErrorMemoryAllocation", "application"},
		"4711":                   {"", ""},
		"the printer is on fire": {"", ""},
	} {
		x.Groups["e"] = text
		name, _ := x.Variable("e|errname")
		layer, _ := x.Variable("e|errlayer")
		if name != want.name || layer != want.layer {
			t.Errorf("%q is %q of %q, want %q of %q", text, name, layer, want.name, want.layer)
		}
	}
}
