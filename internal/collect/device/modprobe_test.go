package device

import (
	"testing"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func TestModprobe(t *testing.T) {
	for text, want := range map[string]stack.Fact[bool]{
		"-- modes --\n4755 /usr/bin/nvidia-modprobe\n": {State: stack.Known, Value: true},
		"-- modes --\n0755 /usr/bin/nvidia-modprobe\n": {State: stack.Known},
		"-- modes --\n0755 dir /usr/bin\n":             {State: stack.Known},
		"-- modes --\n0755 dir /dev\n":                 {},
	} {
		m := collecttest.OpenText(t, text)
		if got := modprobe(m); got.State != want.State || got.Value != want.Value {
			t.Errorf("%q: %v %v, want %v %v", text, got.State, got.Value, want.State, want.Value)
		}
	}
}
