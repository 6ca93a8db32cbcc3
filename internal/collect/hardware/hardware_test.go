package hardware

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.Hardware {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Hardware
}

var noSource = cmpopts.IgnoreTypes(stack.Source{})

func TestTwoGPUsAndSwitch(t *testing.T) {
	h := collected(t, "hgx.txtar")
	want := []stack.PCIDevice{
		{Address: "0000:05:00.0", Vendor: 0x10de, Device: 0x22a3, SubVendor: 0x10de, SubDevice: 0x1796, Class: 0x068000, Driver: "nvidia-nvswitch", NUMANode: -1},
		{Address: "0000:18:00.0", Vendor: 0x10de, Device: 0x2330, SubVendor: 0x10de, SubDevice: 0x16c1, Class: 0x030200, Driver: "nvidia", NUMANode: 0},
		{Address: "0000:18:00.4", Vendor: 0x10de, Device: 0x2330, Class: 0x030200, NUMANode: 0, Virtual: true},
	}
	if diff := cmp.Diff(want, h.PCI.Value, noSource); diff != "" {
		t.Errorf("PCI (-want +got):\n%s", diff)
	}
	if got := h.PCI.Value[1].From.Locator; got != "/sys/bus/pci/devices/0000:18:00.0" {
		t.Errorf("source is %q", got)
	}
	wantProc := []stack.ProcGPU{
		{Address: "0000:18:00.0", Model: "NVIDIA H100 80GB HBM3", UUID: "GPU-00000000-1111-2222-3333-444444444444", VBIOS: "96.00.74.00.01", Minor: 3},
		{Address: "0000:2a:00.0", Model: "Unknown", UUID: "GPU-????????-????-????-????-????????????", VBIOS: "??.??.??.??.??", Minor: -1, Excluded: true},
	}
	if diff := cmp.Diff(wantProc, h.Proc.Value, noSource); diff != "" {
		t.Errorf("proc (-want +got):\n%s", diff)
	}
}

func TestStates(t *testing.T) {
	tests := []struct {
		machine   string
		pci, proc stack.State
	}{
		{"no-nvidia.txtar", stack.Known, stack.Absent},
		{"image.txtar", stack.NotCollected, stack.NotCollected},
		{"no-bus.txtar", stack.Absent, stack.NotCollected},
		{"denied.txtar", stack.Denied, stack.Denied},
		{"garbage.txtar", stack.Failed, stack.Known},
		{"dangling.txtar", stack.Failed, stack.NotCollected},
	}
	for _, tt := range tests {
		t.Run(tt.machine, func(t *testing.T) {
			h := collected(t, tt.machine)
			if h.PCI.State != tt.pci || h.Proc.State != tt.proc {
				t.Errorf("PCI %s, proc %s; want %s, %s\n%+v\n%+v", h.PCI.State, h.Proc.State, tt.pci, tt.proc, h.PCI, h.Proc)
			}
			if len(h.PCI.Value) != 0 {
				t.Errorf("devices where there are none: %+v", h.PCI.Value)
			}
			if h.PCI.State == stack.Denied && h.PCI.Allow == "" {
				t.Error("denied without saying how to allow it")
			}
		})
	}
}

func FuzzInformation(f *testing.F) {
	f.Add("Model: \t\t NVIDIA A10\nDevice Minor: \t 0\n")
	f.Add("Device Minor: 99999999999999999999\n:\n::\n")
	f.Fuzz(func(t *testing.T, text string) {
		if g := parseInformation(text); strings.Contains(g.Model+g.UUID+g.VBIOS, "\n") {
			t.Errorf("a value spans lines: %+v", g)
		}
	})
}
