package driver

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.Driver {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Driver
}

// TestPlaces: where systems without a usual /usr/lib keep the driver, and a
// directory that only the environment of a captured machine names.
func TestPlaces(t *testing.T) {
	places := []string{
		"/var/lib/nvidia/lib64", "/opt/nvidia/current/lib64", "/opt/nvidia/current/usr/lib64", "/usr/local/glibc/usr/lib",
		"/run/opengl-driver/lib", "/run/nvidia/driver/usr/lib64", "/srv/own",
	}
	text := "-- rootfs/proc/1/environ --\nLD_LIBRARY_PATH=/srv/own\x00\n-- elf --\n"
	for _, dir := range places {
		text += dir + "/libcuda.so.550.54.15 soname=libcuda.so.1\n"
	}
	d := collecttest.Read(t, Collector, collecttest.OpenText(t, text)).Driver
	found := map[string]bool{}
	for _, l := range d.Libraries.Value {
		found[path.Dir(l.Path)] = l.Version == "550.54.15"
	}
	for _, dir := range places {
		if !found[dir] {
			t.Errorf("no driver found in %s", dir)
		}
	}
}

func TestCopies(t *testing.T) {
	d := collected(t, "copies.txtar")
	type copy struct{ Path, Real, Version, Place, Fault string }
	var got []copy
	for _, l := range d.Libraries.Value {
		c := copy{l.Path, l.Real, l.Version, l.Place, ""}
		if l.Fault != "" {
			c.Fault = "yes"
		}
		got = append(got, c)
	}
	const gnu = "/usr/lib/x86_64-linux-gnu/"
	want := []copy{
		{gnu + "libcuda.so.1", gnu + "libcuda.so.535.183.01", "535.183.01", "system", ""},
		{gnu + "libcuda.so.470.256.02", gnu + "libcuda.so.470.256.02", "470.256.02", "system", "yes"},
		{gnu + "libnvidia-ml.so.1", "", "", "system", "yes"},
		{"/opt/own/libcuda.so.1", "/opt/own/libcuda.so.1", "", "ldpath", ""},
		{"/usr/local/cuda/compat/libcuda.so.1", "/usr/local/cuda-12.8/compat/libcuda.so.570.124.06", "570.124.06", "compat", ""},
		{"/usr/local/cuda-12.8/lib64/stubs/libcuda.so", "/usr/local/cuda-12.8/lib64/stubs/libcuda.so", "", "stubs", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, l := range d.Libraries.Value {
		if l.Place == "compat" && (l.Compat == nil || len(l.Compat.Branches) != 2) {
			t.Errorf("the compat libcuda's note is %+v", l.Compat)
		}
	}
}

// A directory that hangs must cost that directory, not the driver beside it.
func TestHangingDirectory(t *testing.T) {
	d := collected(t, "hang.txtar")
	if len(d.Libraries.Value) != 1 || !strings.Contains(d.Libraries.Why, "/mnt/dead") {
		t.Errorf("%+v", d.Libraries)
	}
}

func TestHistory(t *testing.T) {
	d := collected(t, "copies.txtar")
	want := []stack.PackageEvent{
		{When: "2026-11-01 06:12:31", Action: "install", Package: "libnvidia-compute-535", New: "535.161.07-0ubuntu1"},
		{When: "2026-11-29 06:12:33", Action: "upgrade", Package: "libnvidia-compute-535", Old: "535.161.07-0ubuntu1", New: "535.183.01-0ubuntu1"},
		{When: "Fri Nov 27 16:30:30 2026", Action: "install", Package: "NVIDIA .run installer", New: "418.56"},
	}
	if diff := cmp.Diff(want, d.History.Value, cmpopts.IgnoreTypes(stack.Source{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if from := d.History.Value[1].From; from.String() != "/var/log/dpkg.log:2" {
		t.Errorf("the upgrade is said to be at %s", from)
	}
}

func TestStates(t *testing.T) {
	tests := map[string][2]stack.State{
		"empty.txtar":  {stack.Known, stack.Absent},
		"denied.txtar": {stack.Denied, stack.Denied},
	}
	for name, want := range tests {
		d := collected(t, name)
		if got := [2]stack.State{d.Libraries.State, d.History.State}; got != want {
			t.Errorf("%s: %v, want %v; %s; %s", name, got, want, d.Libraries.Why, d.History.Why)
		}
		if len(d.Libraries.Value) > 0 {
			t.Errorf("%s: found %+v", name, d.Libraries.Value)
		}
	}
}

// TestHistory_oneLine: a line of apt's history can name every package there is.
func TestHistory_oneLine(t *testing.T) {
	line := "Upgrade: " + strings.Repeat("nvidia-utils-550:amd64 (1, 2), ", 100_000)
	start := time.Now()
	events := parseLog("/var/log/apt/history.log", line, true, aptLine)
	if d := time.Since(start); len(events) > 2*maxEvents || d > 20*time.Second {
		t.Errorf("%d events after %s", len(events), d)
	}
}

func TestLogLines(t *testing.T) {
	tests := []struct {
		name  string
		parse func(string, *string) []stack.PackageEvent
		line  string
		want  []stack.PackageEvent
	}{
		{"dpkg status", dpkgLine, "2026-11-29 06:12:33 status installed libnvidia-compute-535:amd64 535.183.01-0ubuntu1", nil},
		{"dpkg remove", dpkgLine, "2026-11-29 06:12:33 remove nvidia-dkms-535:amd64 535.183.01-0ubuntu1 <none>",
			[]stack.PackageEvent{{When: "2026-11-29 06:12:33", Action: "remove", Package: "nvidia-dkms-535", Old: "535.183.01-0ubuntu1"}}},
		{"container library", dpkgLine, "2026-11-29 06:12:33 install libnvidia-container1:amd64 <none> 1.17.0-1", nil},
		{"apt", aptLine, "Upgrade: curl:amd64 (7.8, 7.9), nvidia-driver-550:amd64 (550.54.14-0ubuntu1, 550.107.02-0ubuntu1)",
			[]stack.PackageEvent{{Action: "upgrade", Package: "nvidia-driver-550", Old: "550.54.14-0ubuntu1", New: "550.107.02-0ubuntu1"}}},
		{"apt automatic", aptLine, "Install: libcuda1:amd64 (535.183.01-1, automatic)",
			[]stack.PackageEvent{{Action: "install", Package: "libcuda1", New: "535.183.01-1"}}},
		{"apt again", aptLine, "Reinstall: nvidia-340:amd64 (340.108-0ubuntu5)",
			[]stack.PackageEvent{{Action: "upgrade", Package: "nvidia-340", New: "340.108-0ubuntu5"}}},
		{"yum", yumLine, "May 01 06:12:33 Updated: 3:nvidia-driver-latest-dkms-460.32.03-1.el7.x86_64",
			[]stack.PackageEvent{{When: "May 01 06:12:33", Action: "upgrade", Package: "nvidia-driver-latest-dkms", New: "460.32.03-1.el7"}}},
		{"dnf", dnfLine, "2026-05-01T06:12:33+0000 SUBDEBUG Upgrade: nvidia-driver-cuda-libs-3:550.54.15-1.el9.x86_64",
			[]stack.PackageEvent{{When: "2026-05-01T06:12:33+0000", Action: "upgrade", Package: "nvidia-driver-cuda-libs", New: "3:550.54.15-1.el9"}}},
		{"dnf old package", dnfLine, "2026-05-01T06:12:33+0000 SUBDEBUG Upgraded: nvidia-driver-3:545.23.08-1.el9.x86_64", nil},
		{"zypper", zyppLine, "2026-05-01 06:12:33|install|nvidia-compute-G06|550.54.14-1|x86_64|root@host|repo|",
			[]stack.PackageEvent{{When: "2026-05-01 06:12:33", Action: "install", Package: "nvidia-compute-G06", New: "550.54.14-1"}}},
		{"pacman", pacmanLine, "[2026-05-01T06:12:33+0200] [ALPM] upgraded nvidia-utils (550.54.14-1 -> 550.67-1)",
			[]stack.PackageEvent{{When: "2026-05-01T06:12:33+0200", Action: "upgrade", Package: "nvidia-utils", Old: "550.54.14-1", New: "550.67-1"}}},
		{"installer failed", installerLine, "ERROR: Installation has failed.  Please see the file",
			[]stack.PackageEvent{{Action: "failed", Package: "NVIDIA .run installer"}}},
	}
	for _, tt := range tests {
		state := ""
		if diff := cmp.Diff(tt.want, tt.parse(tt.line, &state)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("2026-11-29 06:12:33 upgrade libcuda1:amd64 1 2")
	f.Add("Install: libcuda1:amd64 (1, automatic)")
	f.Add("x Updated: 3:nvidia-open-1-1.el7.x86_64 y")
	f.Add("[2026] [ALPM] upgraded nvidia (1 -> 2)")
	f.Add("creation time: x\n-> Installation of the NVIDIA (version: 1) is now complete.")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range logs {
			for _, e := range parseLog("log", text, true, l.parse) {
				if e.Package == "" || e.Action == "" || e.From.Line < 1 {
					t.Errorf("incomplete event %+v", e)
				}
			}
		}
	})
}
