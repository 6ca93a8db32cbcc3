package outcome

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"strata/internal/lddebug"
	"strata/internal/opentrace"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/witness"
)

// opensRecord is a command of which some opens were seen, by a process of which the linker spoke (1) and one of which it did not (2).
func opensRecord(names ...opentrace.Name) *witness.Record {
	rec := &witness.Record{Processes: witness.Processes{Devices: []string{}, Mapped: []string{}}}
	rec.Opens = witness.Opens{Asked: true, Mute: map[int]bool{2: true}}
	rec.Opens.Names, rec.Opens.Result.Opens = names, 100
	return rec
}

func TestMissingOpens(t *testing.T) {
	lib := func(name string, places ...string) opentrace.Name {
		return opentrace.Name{Name: name, Kind: opentrace.Library, PID: 1, By: "/opt/app/server", Missing: places}
	}
	rec := opensRecord(
		lib("libcuda.so.1", "/a/libcuda.so.1", "/b/libcuda.so.1", "/a/glibc-hwcaps/x86-64-v3/libcuda.so.1"),
		lib("libcudnn.so.9", "/a/libcudnn.so.9"), // the linker says so, too
		lib("libcublas.so.12", "/a/libcublas.so.12"),
		lib("libcufft.so.11", "/a/libcufft.so.11"),
		opentrace.Name{Name: "libcudart.so.12", Kind: opentrace.Library, PID: 1, Missing: []string{"/a/libcudart.so.12"}, Found: "/b/libcudart.so.12"},
		opentrace.Name{Name: "libnccl.so.2", Kind: opentrace.Library, PID: 1, Missing: []string{"/a/libnccl.so.2"}, Unsure: true},
		opentrace.Name{Name: "plain.so", Kind: opentrace.Plain, PID: 1, Missing: []string{"/a/plain.so"}},
		opentrace.Name{Name: "/dev/nvidia0", Kind: opentrace.Node, PID: 1, Missing: []string{"/dev/nvidia0"}},
		opentrace.Name{Name: "/proc/driver/nvidia/params", Kind: opentrace.File, PID: 1, Missing: []string{"/proc/driver/nvidia/params"}},
		opentrace.Name{Name: "/usr/share/nvidia/x.bin", Kind: opentrace.File, PID: 1, Denied: []string{"/usr/share/nvidia/x.bin"}},
	)
	rec.Misses = []lddebug.Miss{{Name: "libcudnn.so.9", By: "/opt/app/libx.so", Places: []string{"/a/libcudnn.so.9"}}}
	rec.Loads = []lddebug.Load{{Name: "libcublas.so.12", Path: "/c/libcublas.so.12"}}
	rec.Mapped = []string{"/d/libcufft.so.11"}
	d := looks(t, 0).Document(rec)
	var got []string
	for _, m := range d.Missing {
		got = append(got, strings.Join([]string{m.Name, m.Component, string(m.Layer), m.Source, strings.Join(m.Searched, ":"), strings.Join(m.Denied, ":")}, " "))
	}
	want := []string{
		"libcudnn.so.9 cudnn cudnn linker /a ",
		"libcuda.so.1 driver driver opens /a:/b ",
		"/dev/nvidia0 device-node device_exposure opens /dev ",
		"/proc/driver/nvidia/params driver-file kernel_module opens /proc/driver/nvidia ",
		"/usr/share/nvidia/x.bin driver-file driver opens /usr/share/nvidia /usr/share/nvidia/x.bin",
	}
	if !slices.Equal(got, want) {
		t.Errorf("missing\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := looks(t, 0).Record(rec, nil); !slices.ContainsFunc(r.Misses, func(m Miss) bool { return m.Name == "plain.so" && slices.Equal(m.Searched, []string{"/a"}) }) || len(r.Misses) != 6 {
		t.Errorf("the record has %+v", r.Misses)
	}
}

// TestSilentLibraries takes what a process opened for loaded only where the linker says nothing of that process.
func TestSilentLibraries(t *testing.T) {
	found := func(pid int, name, place string) opentrace.Name {
		return opentrace.Name{Name: name, Kind: opentrace.Library, PID: pid, By: "/opt/musl", Found: place, Real: place + ".4"}
	}
	rec := opensRecord(found(1, "libcublas.so.12", "/copied/libcublas.so.12"), found(2, "libcudart.so.12", "/m/libcudart.so.12"), found(2, "libcufft.so.11", "/m/libcufft.so.11"))
	rec.Mapped = []string{"/m/libcufft.so.11.4"}
	d := looks(t, 0).Document(rec)
	want := []Library{{"libcufft.so.11.4", "cufft", "/m/libcufft.so.11.4", ""}, {"libcudart.so.12", "cudart", "/m/libcudart.so.12", "/opt/musl"}}
	if len(d.Libraries) == 2 {
		want[0].Component = d.Libraries[0].Component
	}
	if !slices.Equal(d.Libraries, want) {
		t.Errorf("libraries %+v", d.Libraries)
	}
}

func TestOpensVerdict(t *testing.T) {
	node := func(missing, denied []string) opentrace.Name {
		return opentrace.Name{Name: "/dev/nvidia0", Kind: opentrace.Node, PID: 1, Missing: missing, Denied: denied}
	}
	d := looks(t, 0).Document(opensRecord(node(nil, []string{"/dev/nvidia0"})))
	if d.Verdict.Status != report.AtRisk || d.Verdict.Layer != rule.DeviceExposure || !strings.Contains(d.Verdict.Summary, "/dev/nvidia0 is there, and this user may not open it") {
		t.Errorf("%+v", d.Verdict)
	}
	d = looks(t, 0).Document(opensRecord(node([]string{"/dev/nvidia0"}, nil)))
	if d.Verdict.Status != report.Unsure || !strings.HasSuffix(d.Verdict.Summary, "no GPU was opened; /dev/nvidia0 was looked for in vain") {
		t.Errorf("%+v", d.Verdict)
	}
	caps := opentrace.Name{Name: "/dev/nvidia-caps/nvidia-cap1", Kind: opentrace.Node, PID: 1, Denied: []string{"/dev/nvidia-caps/nvidia-cap1"}}
	if d = looks(t, 0).Document(opensRecord(caps)); d.Verdict.Status != report.Unsure || strings.Contains(d.Verdict.Summary, "caps") || len(d.Missing) != 1 {
		t.Errorf("what only root may open is no cause: %+v", d.Verdict)
	}
	// A device that was there and that nobody was seen to have is no used GPU.
	rec := opensRecord(opentrace.Name{Name: "/dev/nvidia0", Kind: opentrace.Node, Found: "/dev/nvidia0"})
	rec.Opens.Brief = []string{"/dev/nvidia0"}
	if d = looks(t, 0).Document(rec); d.UsedGPU() || d.Verdict.Status == report.OK || !strings.Contains(strings.Join(d.Notes, "\n"), "/dev/nvidia0 was asked for, and no process was seen to have it open") {
		t.Errorf("%+v, notes %q", d.Verdict, d.Notes)
	}
	// Devices and files that are missing are not the library for want of which a framework does without.
	m := Document{Missing: []Missing{{Name: "/dev/nvidia0", Component: deviceNode}, {Name: "/usr/share/nvidia/x", Component: driverFile}, {Name: "libcudnn.so.9", Component: "cudnn"}}}
	if got := cause(&m, &report.Document{Findings: []report.Finding{{ID: unnamed[0]}}}); got == nil || got.Name != "libcudnn.so.9" {
		t.Errorf("cause %+v", got)
	}
}

func TestOpensNotes(t *testing.T) {
	for _, c := range []struct {
		set  func(*witness.Record)
		want []string
	}{
		{func(r *witness.Record) {}, nil},
		{func(r *witness.Record) { r.Mute, r.Opens = true, witness.Opens{} }, []string{"--trace=full would see"}},
		{func(r *witness.Record) { r.Mute = true }, []string{"what it opened was seen"}},
		{func(r *witness.Record) {
			r.Mute, r.Opens.Why = true, (&opentrace.Unavailable{Why: "no way", Err: errors.New("EPERM")}).Error()
		}, []string{"the dynamic linker said nothing", "--trace=full saw no opens: no way (EPERM)"}},
		{func(r *witness.Record) { r.Opens.NoNewPrivs, r.Opens.Setuid = true, []string{"/usr/bin/sudo"} }, []string{"/usr/bin/sudo ran without the rights of its owner"}},
		{func(r *witness.Record) { r.Opens.NoNewPrivs = true }, nil},
		{func(r *witness.Record) { r.Opens.Unread, r.Opens.Late, r.Opens.Dropped, r.Opens.Alive = 1, 2, 3, true }, []string{"of 1 of 100 opens", "2 of 100 opens went on", "3 opens were of names", "processes of the command live on"}},
	} {
		rec := opensRecord()
		c.set(rec)
		notes := unseen(rec)
		if len(notes) != len(c.want) {
			t.Errorf("notes %q, want %q", notes, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(notes[i], want) {
				t.Errorf("note %q, want %q", notes[i], want)
			}
		}
	}
}

// TestVerdictsFinding has two libraries missing by one rule: the remedy that is shown is that of the verdict's.
func TestVerdictsFinding(t *testing.T) {
	w := looks(t, 0)
	text := "libcublas.so.12: cannot open shared object file: No such file or directory\nlibcudnn.so.9: cannot open shared object file: No such file or directory\n"
	if err := w.Scan.Stream("output", strings.NewReader(text), true); err != nil {
		t.Fatal(err)
	}
	rec := &witness.Record{Exit: 1}
	rec.Misses = []lddebug.Miss{{Name: "libcudnn.so.9", By: "/opt/app/libx.so", Places: []string{"/a/libcudnn.so.9"}}}
	d := w.Document(rec)
	i := slices.IndexFunc(d.Findings, func(f report.Finding) bool { return f.ID == d.Verdict.Finding })
	if i != 0 || !strings.Contains(d.Findings[0].Summary, "libcudnn.so.9") || len(d.Findings) < 2 {
		t.Errorf("verdict %+v, findings %+v", d.Verdict, d.Findings)
	}
}
