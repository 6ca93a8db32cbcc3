package device

import (
	"testing"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
)

func TestReadVisible(t *testing.T) {
	s := &stack.Stack{}
	s.Hardware.Proc = stack.Know([]stack.ProcGPU{{UUID: "GPU-0a1b2c3d-0000-0000-0000-000000000000"}, {UUID: "GPU-ffff0000-0000-0000-0000-000000000000"}})
	s.Devices.MIG = stack.None[[]stack.MIGInstance]()
	in := &rule.Input{View: &derive.View{Stack: s}}
	for value, want := range map[string]struct {
		devices int
		ended   bool
	}{
		"0": {1, false}, "1,0": {2, false}, "0,2,-1,1": {1, true}, "-1": {0, true}, "": {0, true}, "NoDevFiles": {0, true},
		" 1 ": {1, false}, "2": {0, true}, "GPU-0a1b": {1, false}, "gpu-0a1b": {0, true}, "GPU-1234": {0, true},
		"GPU-FFFF,GPU-0a": {2, false}, "MIG-0a1b": {0, true}, "0,,1": {1, true},
	} {
		v := readVisible(in, value, 2)
		if len(v.devices) != want.devices || v.ended != want.ended {
			t.Errorf("CUDA_VISIBLE_DEVICES=%q: %+v, want %d devices, ended %v", value, v, want.devices, want.ended)
		}
	}
}

func TestOpens(t *testing.T) {
	user := stack.User{UID: 1000, GIDs: []int{1000, 44}}
	for _, c := range []struct {
		mode     uint32
		uid, gid int
		want     bool
	}{
		{0o666, 0, 0, true}, {0o660, 0, 44, true}, {0o660, 0, 0, false}, {0o640, 0, 44, false},
		{0o606, 0, 44, false}, // the group's bits bind its members, whatever others may do
		{0o600, 1000, 0, true}, {0o066, 1000, 44, false}, {0o444, 0, 0, false},
	} {
		n := stack.DeviceNode{Mode: c.mode, UID: c.uid, GID: c.gid}
		if got := opens(user, n); got != c.want {
			t.Errorf("opens(%o of %d:%d) = %v, want %v", c.mode, c.uid, c.gid, got, c.want)
		}
	}
	if !opens(stack.User{}, stack.DeviceNode{Mode: 0o600, UID: 5}) {
		t.Error("root is kept out")
	}
}

func TestAllowed(t *testing.T) {
	n := stack.DeviceNode{Major: 195, Minor: 255}
	for r, want := range map[string]bool{
		"a *:* rwm": true, "c 195:* rwm": true, "c 195:255 rw": true, "c *:* rwm": true,
		"c 195:0 rwm": false, "b 195:255 rwm": false, "c 195:255 m": false, "c 195:255": false, "": false,
	} {
		if got := allowed([]string{r}, n); got != want {
			t.Errorf("allowed(%q) = %v, want %v", r, got, want)
		}
	}
}

// TestUnknownIdentifier: an identifier that nothing read can be compared with is
// neither a GPU nor none.
func TestUnknownIdentifier(t *testing.T) {
	s := &stack.Stack{}
	s.Environment = stack.Know([]stack.Variable{{Name: "CUDA_VISIBLE_DEVICES", Value: "GPU-0a1b2c3d"}})
	s.Devices.Nodes = stack.Know([]stack.DeviceNode{{Path: "/dev/nvidia0"}})
	in := &rule.Input{View: &derive.View{Stack: s, GPUs: []derive.GPU{{Name: "NVIDIA L4"}}}}
	if v := dev003.Check(in); v.Outcome != rule.Unknown {
		t.Errorf("the answer is %s, want unknown", v.Outcome)
	}
}
