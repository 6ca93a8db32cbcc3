package container

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.Container {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Container
}

func TestEngines(t *testing.T) {
	var got []stack.Engine
	for _, e := range collected(t, "host.txtar").Engines.Value {
		if e.From.Locator == "" {
			t.Errorf("%s has no source", e.Name)
		}
		e.From = stack.Source{}
		got = append(got, e)
	}
	want := []stack.Engine{
		{Name: "docker", Config: "/etc/docker/daemon.json", NVIDIA: true, Default: "nvidia", CDI: true, CgroupDriver: "systemd"},
		{Name: "docker", Config: "/var/snap/docker/current/config/daemon.json", Snap: true},
		{Name: "docker", Config: "/home/ann/.config/docker/daemon.json", Rootless: true, Fault: "line 2: unexpected end of JSON input"},
		{Name: "containerd", Config: "/etc/containerd/config.toml", NVIDIA: true, Default: "nvidia", CDI: true, CgroupDriver: "systemd"},
		{Name: "containerd", Config: "/var/lib/rancher/k3s/agent/etc/containerd/config.toml", NVIDIA: true, CDI: true},
		{Name: "cri-o", Config: "/etc/crio/crio.conf.d", NVIDIA: true, Default: "gpu", CDI: true, CgroupDriver: "systemd"},
		{Name: "podman", Config: "/etc/containers/containers.conf", NVIDIA: true, CDI: true, CgroupDriver: "cgroupfs"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("engines (-want +got):\n%s", diff)
	}
}

// collectedFrom collects a machine given as text.
func collectedFrom(t *testing.T, text string) stack.Container {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.OpenText(t, text)).Container
}

func TestEngines_homeOnce(t *testing.T) {
	c := collectedFrom(t, `
-- rootfs/home/ann/.profile --
-- rootfs/home/zoe/.config/docker/daemon.json --
{}
-- env --
HOME=/home/zoe
`)
	if len(c.Engines.Value) != 1 {
		t.Errorf("a home that HOME names too gives %d engines, want 1", len(c.Engines.Value))
	}
}

// TestContainerd_cgroupDriver: of several runtimes always the same one counts.
func TestContainerd_cgroupDriver(t *testing.T) {
	const head = `
-- rootfs/etc/cri/containerd.toml --
version = 2
[plugins."io.containerd.grpc.v1.cri".containerd]
default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.gvisor.options]
SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.kata.options]
SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = true
`
	const nvidia = `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
SystemdCgroup = false
`
	for text, want := range map[string]string{head: "systemd", head + nvidia: "cgroupfs"} {
		for range 20 {
			if got := collectedFrom(t, text).Engines.Value[0].CgroupDriver; got != want {
				t.Fatalf("cgroup driver %q, want %q", got, want)
			}
		}
	}
}

// TestParseTOML_hostile: what makes the decoder slow is refused before it starts.
func TestParseTOML_hostile(t *testing.T) {
	for name, text := range map[string]string{
		"a key of many parts":   strings.Repeat("a.", 400_000) + "b = 1",
		"a table of many parts": "[" + strings.Repeat("a . ", 200_000) + "b]\nx = 1",
		"many brackets":         "a = " + strings.Repeat("[", 400_000),
	} {
		start := time.Now()
		if _, err := parseTOML([]byte(text)); err == nil || time.Since(start) > 20*time.Second {
			t.Errorf("%s: error %v after %s", name, err, time.Since(start))
		}
	}
}

func TestParseCDI_hostile(t *testing.T) {
	for name, text := range map[string]string{
		"many keys":      "kind: x\n" + strings.Repeat("y: 1\n", 60_000),
		"deep blocks":    strings.Repeat("- ", 1_000_000),
		"many brackets":  "kind: " + strings.Repeat("[", 1_000_000),
		"nested aliases": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ndevices: [*c,*c,*c]\n",
		"no kind at all": strings.Repeat("# \n", 1_000_000),
		"an open quote":  "kind: \"" + strings.Repeat("x", 1_000_000),
	} {
		start := time.Now()
		if _, err := ParseCDI([]byte(text)); err == nil || time.Since(start) > 20*time.Second {
			t.Errorf("%s: error %v after %s", name, err, time.Since(start))
		}
	}
}

// TestCDI_denied: a directory that may not be listed does not hide the other's specifications.
func TestCDI_denied(t *testing.T) {
	const one = `
-- rootfs/etc/cdi/nvidia.yaml --
kind: nvidia.com/gpu
-- deny --
/etc/cdi
`
	if f := collectedFrom(t, one).CDI; f.State != stack.Denied {
		t.Errorf("state %s, want denied", f.State)
	}
	if f := collectedFrom(t, one+"-- rootfs/run/cdi/nvidia.yaml --\nkind: nvidia.com/gpu\n").CDI; !f.Known() || len(f.Value) != 1 || f.Why == "" {
		t.Errorf("%s %v, why %q; want one specification and a reason", f.State, f.Value, f.Why)
	}
}

func TestToolkit(t *testing.T) {
	c := collected(t, "host.txtar")
	got := c.Toolkit.Value
	got.From = stack.Source{}
	want := stack.ContainerToolkit{
		Version:  "1.17.4",
		Programs: []string{"/usr/bin/nvidia-ctk", "/usr/bin/nvidia-cdi-hook", "/usr/bin/nvidia-container-runtime"},
		Mode:     "cdi", NoCgroups: true, DisableRequire: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("toolkit (-want +got):\n%s", diff)
	}
	if c.Hook.Value != "enable-cuda-compat" || len(c.Hook.Sources) != 2 {
		t.Errorf("hook: %+v", c.Hook)
	}
	if c.Inside.State != stack.Absent || c.Kubernetes.State != stack.Absent {
		t.Errorf("a host is inside %+v, kubernetes %+v", c.Inside, c.Kubernetes)
	}
}

func TestCDI(t *testing.T) {
	specs := collected(t, "host.txtar").CDI.Value
	if len(specs) != 3 {
		t.Fatalf("%d specifications, want 3: %+v", len(specs), specs)
	}
	s := specs[0]
	var drivers []string
	for _, d := range s.Drivers {
		drivers = append(drivers, d.String())
	}
	if s.Kind != "nvidia.com/gpu" || !slices.Equal(s.Devices, []string{"0", "all"}) || !slices.Equal(drivers, []string{"535.104.05", "535.129.03"}) {
		t.Errorf("kind %q, devices %q, drivers %q", s.Kind, s.Devices, drivers)
	}
	want := []string{
		"/dev/nvidia0", "/lib/firmware/nvidia/535.104.05/gsp_ga10x.bin",
		"/usr/lib/x86_64-linux-gnu/libcuda.so.535.129.03", "/usr/lib/x86_64-linux-gnu/libnvidia-egl-gbm.so.1.1.1",
	}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(s.Missing))); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if specs[1].Fault == "" || specs[2].Kind != "vendor.example/nic" || specs[2].Fault != "" {
		t.Errorf("other specifications: %+v", specs[1:])
	}
}

func TestInside(t *testing.T) {
	for name, want := range map[string]struct {
		state      stack.State
		engine     string
		kubernetes stack.State
	}{
		"pod.txtar":    {stack.Known, "containerd", stack.Known},
		"docker.txtar": {stack.Known, "docker", stack.Absent},
		"image.txtar":  {stack.NotCollected, "", stack.NotCollected},
	} {
		c := collected(t, name)
		if c.Inside.State != want.state || c.Inside.Value != want.engine || c.Kubernetes.State != want.kubernetes {
			t.Errorf("%s: inside %v %q, kubernetes %v", name, c.Inside.State, c.Inside.Value, c.Kubernetes.State)
		}
	}
}

func TestBroken(t *testing.T) {
	c := collected(t, "broken.txtar")
	want := map[string]string{"docker": "line 3: ", "containerd": "to end table name", "cri-o": "permission denied"}
	for _, e := range c.Engines.Value {
		if !strings.Contains(e.Fault, want[e.Name]) {
			t.Errorf("%s: fault %q, want %q in it", e.Name, e.Fault, want[e.Name])
		}
		delete(want, e.Name)
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
	if !strings.Contains(c.Toolkit.Value.Fault, "line 1") {
		t.Errorf("toolkit: fault %q", c.Toolkit.Value.Fault)
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]string{
		"12:devices:/docker/0a1b":                        "docker",
		"0::/system.slice/docker-0a1b.scope":             "docker",
		"0::/machine.slice/libpod-0a.scope/container":    "podman",
		"0::/kubepods.slice/kubepods-pod1.slice/crio-0a": "cri-o",
		"0::/kubepods.slice/kubepods-besteffort.slice/x": "kubernetes",
		"0::/lxc.payload.c1":                             "lxc",
		"0::/user.slice/user-1000.slice/docker.service":  "",
		"0::/system.slice/docker.service":                "",
		"no colon at all":                                "",
	} {
		if got, _ := CgroupEngine(text); got != want {
			t.Errorf("CgroupEngine(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"1 0 0:50 / / rw - overlay overlay rw,upperdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/s/1/fs": "containerd",
		"1 0 8:1 /var/lib/kubelet/pods/u/etc-hosts /etc/hosts rw - ext4 /dev/sda rw":                                      "kubernetes",
		"1 0 8:1 /var/lib/docker/containers/x/hosts /etc/hosts rw - ext4 /dev/sda rw":                                     "docker",
		"1 0 0:9 / / rw - overlay overlay rw,lowerdir=/run/live/rootfs":                                                   "",
		"1 0 8:1 / /var/lib/docker/overlay2/x rw - ext4 /dev/sda rw":                                                      "",
	} {
		if got, _ := MountEngine(text); got != want {
			t.Errorf("MountEngine(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzParseCDI(f *testing.F) {
	f.Add([]byte("kind: nvidia.com/gpu\ndevices: [{name: 0}]\n"))
	f.Add([]byte(`{"kind":"a/b","devices":[{"name":"x","containerEdits":{"mounts":[{"hostPath":"/libcuda.so.535.1"}]}}]}`))
	f.Add([]byte("a: &a [x]\nkind: *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCDI(data)
		if err == nil && c.Kind == "" {
			t.Error("a specification without kind")
		}
		for _, m := range c.Edits.Mounts {
			DriverOf(m.HostPath)
		}
	})
}

func FuzzParseDaemon(f *testing.F) {
	f.Add([]byte(`{"runtimes":{"nvidia":{"path":"x"}},"features":{"cdi":true}}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e stack.Engine
		if err := ParseDaemon(data, &e); err != nil && e.NVIDIA {
			t.Error("a broken file registered a runtime")
		}
	})
}

func FuzzTOML(f *testing.F) {
	f.Add([]byte("version = 2\nimports = [\"x\"]\n[plugins.cri.containerd.runtimes.nvidia.options]\nSystemdCgroup = true\n"))
	f.Add([]byte("[crio.runtime.runtimes.nvidia]\nruntime_path=\"x\"\n[engine.runtimes]\nnvidia=[\"a\"]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseTOML(data)
		if err != nil {
			return
		}
		var e stack.Engine
		readContainerd()(c, &e)
		readCRIO(c, &e)
		readPodman(c, &e)
		configure(c, &stack.ContainerToolkit{})
	})
}

func FuzzMarks(f *testing.F) {
	f.Add("1 0 0:50 / / rw - overlay overlay rw,upperdir=/var/lib/docker/x\n5:devices:/docker/a\n")
	f.Fuzz(func(t *testing.T, text string) {
		if engine, line := MountEngine(text); (engine == "") != (line == "") {
			t.Errorf("engine %q, line %q", engine, line)
		}
		CgroupEngine(text)
	})
}
