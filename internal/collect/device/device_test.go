package device

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.Devices {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Devices
}

func TestHost(t *testing.T) {
	d := collected(t, "host.txtar")
	var nodes []stack.DeviceNode
	for _, n := range d.Nodes.Value {
		n.From = stack.Source{}
		nodes = append(nodes, n)
	}
	want := []stack.DeviceNode{
		{Path: "/dev/nvidia0", Kind: "char", Major: 195, Minor: 0, Mode: 0o660, GID: 109},
		{Path: "/dev/nvidia1", Kind: "char", Major: 195, Minor: 1, Mode: 0o660, GID: 109},
		{Path: "/dev/nvidiactl", Kind: "char", Major: 195, Minor: 255, Mode: 0o666},
		{Path: "/dev/nvidia-uvm", Kind: "char", Major: 511, Minor: 0, Mode: 0o666},
		{Path: "/dev/nvidia-caps/nvidia-cap30", Kind: "char", Major: 240, Minor: 30, Mode: 0o400},
	}
	if diff := cmp.Diff(want, nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(stack.User{UID: 1000, GIDs: []int{1000, 44}, Groups: map[int]string{0: "root", 109: "nvidia"}}, d.User.Value); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"c 1:3 rwm", "c 195:* rw"}, d.CgroupRules.Value); diff != "" {
		t.Errorf("cgroup rules (-want +got):\n%s", diff)
	}
	// /dev/char has no 240:30.
	if !d.CharLinks.Known() || d.CharLinks.Value || d.CharLinks.Sources[0].Locator != "/dev/char/240:30" {
		t.Errorf("char links: %+v", d.CharLinks)
	}
	if len(d.MIG.Value) != 1 || d.MIG.Value[0].GPU != 1 || d.MIG.Value[0].Instance != "gi1/ci0" || d.MIG.Value[0].Minor != 30 {
		t.Errorf("MIG: %+v", d.MIG.Value)
	}
	if !strings.Contains(d.MIG.Why, "gi2/ci0") {
		t.Errorf("the unreadable instance is not reported: %q", d.MIG.Why)
	}
}

func TestStates(t *testing.T) {
	for _, tt := range []struct {
		machine                         string
		nodes, user, rules, links, migs stack.State
	}{
		{"image.txtar", stack.NotCollected, stack.NotCollected, stack.NotCollected, stack.NotCollected, stack.NotCollected},
		{"no-driver.txtar", stack.Absent, stack.NotCollected, stack.NotCollected, stack.NotCollected, stack.Absent},
		{"denied.txtar", stack.Known, stack.NotCollected, stack.Denied, stack.NotCollected, stack.Denied},
	} {
		d := collected(t, tt.machine)
		got := []stack.State{d.Nodes.State, d.User.State, d.CgroupRules.State, d.CharLinks.State, d.MIG.State}
		if diff := cmp.Diff([]stack.State{tt.nodes, tt.user, tt.rules, tt.links, tt.migs}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.machine, diff)
		}
	}
	if d := collected(t, "denied.txtar"); d.Nodes.Value[0].Kind != "file" {
		t.Errorf("stand-in for a device file: %+v", d.Nodes.Value[0])
	}
	if why := collected(t, "no-driver.txtar").CgroupRules.Why; !strings.Contains(why, "cgroup v2") {
		t.Errorf("why no cgroup rules: %q", why)
	}
}

func FuzzParseGroup(f *testing.F) {
	f.Add([]byte("video:x:44:a\n:x:1:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range ParseGroup(data) {
			if name == "" {
				t.Error("a group without a name")
			}
		}
	})
}

func FuzzDevicesCgroup(f *testing.F) {
	f.Add("5:cpu,devices:/../../x\n")
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := DevicesCgroup(text); ok && (!strings.HasPrefix(p, "/") || strings.Contains(p+"/", "/../")) {
			t.Errorf("path %q", p)
		}
	})
}

func FuzzParseAccess(f *testing.F) {
	f.Add(capabilities+"/gpu0/mig/gi1/ci0/access", []byte("DeviceFileMinor: 30\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		i, err := ParseAccess(name, data)
		if err == nil && !strings.Contains(i.Instance, "/") {
			t.Errorf("instance %q", i.Instance)
		}
	})
}
