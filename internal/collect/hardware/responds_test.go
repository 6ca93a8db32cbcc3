package hardware

import (
	"testing"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func TestResponds(t *testing.T) {
	const dir = "sys/bus/pci/devices/0000:65:00.0/"
	for text, want := range map[string]stack.Fact[bool]{
		"-- rootfs/" + dir + "config --\n\xde\x10\xb2\x20\n":                                                          {State: stack.Known, Value: true},
		"-- rootfs/" + dir + "config --\n\xff\xff\xff\xff\n":                                                          {State: stack.Known},
		"-- rootfs/" + dir + "config --\n\n":                                                                          {State: stack.Failed},
		"-- rootfs/" + dir + "vendor --\n0x10de\n":                                                                    {},
		"-- rootfs/" + dir + "config --\n\xff\xff\xff\xff\n-- rootfs/" + dir + "power/runtime_status --\nsuspended\n": {},
	} {
		m := collecttest.OpenText(t, text)
		if got := responds(m, "/"+dir); got.State != want.State || got.Value != want.Value {
			t.Errorf("%q: %v %v, want %v %v", text, got.State, got.Value, want.State, want.Value)
		}
	}
}
