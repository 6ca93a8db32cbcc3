package machine

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func open(t *testing.T, text string) *Archived {
	t.Helper()
	m, err := OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// TestBases holds every part to being readable on its own.
func TestBases(t *testing.T) {
	if len(Bases()) == 0 {
		t.Fatal("no base machines are embedded")
	}
	for _, b := range Bases() {
		open(t, "-- include --\n"+b+"\n")
	}
}

func TestArchive_linksStayInside(t *testing.T) {
	m := open(t, `
-- rootfs/etc/hosts --
inside
-- rootfs/opt/app/file --
x
-- links --
/opt/abs -> /etc/hosts
/opt/up -> ../../../../etc/hosts
/opt/dir -> /etc
/opt/loop -> loop
/opt/a -> b
/opt/b -> a
/opt/dangling -> /nowhere
`)
	for _, p := range []string{"/opt/abs", "/opt/up", "/opt/dir/hosts"} {
		data, err := m.ReadFile(p, 100)
		if err != nil || string(data) != "inside\n" {
			t.Errorf("ReadFile(%s) = %q, %v; want the root's own /etc/hosts", p, data, err)
		}
	}
	for p, want := range map[string]error{"/opt/loop": ErrLinkLoop, "/opt/a": ErrLinkLoop, "/opt/a/x": ErrLinkLoop, "/opt/dangling": fs.ErrNotExist} {
		if _, err := m.ReadFile(p, 100); !errors.Is(err, want) {
			t.Errorf("ReadFile(%s): %v, want %v", p, err, want)
		}
	}
}

func TestArchive_badFiles(t *testing.T) {
	m := open(t, `
-- rootfs/secret/key --
k
-- modes --
0644 fifo /run/pipe
0666 char 195:255 /dev/nvidiactl
-- sparse --
4294967296 /big
-- deny --
/secret
/etc/shadow
-- rootfs/etc/shadow --
x
`)
	if _, err := m.Open("/run/pipe"); !errors.Is(err, ErrNotRegular) {
		t.Errorf("opening a FIFO: %v", err)
	}
	if _, err := m.ReadFile("/big", 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("reading 4 GiB: %v", err)
	}
	for _, p := range []string{"/secret/key", "/etc/shadow"} {
		if _, err := m.ReadFile(p, 10); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("reading denied %s: %v", p, err)
		}
	}
	info, err := m.Stat("/dev/nvidiactl")
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := Owner(info); !ok || o.Major != 195 || o.Minor != 255 {
		t.Errorf("Owner = %+v, %v; want 195:255", o, ok)
	}
}

func TestArchive_hangs(t *testing.T) {
	m := open(t, "-- rootfs/net/x --\nx\n-- hang --\n/net\n")
	done := make(chan error, 1)
	go func() { _, err := m.ReadFile("/net/x", 10); done <- err }()
	select {
	case err := <-done:
		t.Fatalf("a read that should hang returned %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	m.Close()
	if err := <-done; err == nil {
		t.Error("a read of a closed machine succeeded")
	}
}

func TestArchive_mistakesAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		"nothing":                                                  "no section",
		"-- rootsf/etc/x --\n":                                     "unknown section",
		"-- links --\n/a /b\n":                                     "want PATH -> TARGET",
		"-- modes --\nrw /a\n":                                     "reading the mode",
		"-- elf --\n/lib/x.so sonme=x\n":                           "unknown key",
		"-- include --\n@no-such-part\n":                           "no-such-part",
		"-- include --\nm.txtar\n":                                 "nest deeper",
		"-- remove --\n/nothing\n":                                 "not there",
		"-- elf --\n/lib/x.so pad=1e12\n":                          "reading pad",
		"-- elf --\n/lib/x.so pad=99999999999\n":                   "pad is not between",
		"-- sparse --\n1 /" + strings.Repeat("a/", 3000) + "\n":    "more than 4096",
		"-- include --\n" + strings.Repeat("@ubuntu-22.04\n", 300): "archives are included",
		"-- rootfs/a --\n-- rootfs/a/b --\n":                       "not a directory",
		"-- user --\nroot\n":                                       "want uid",
		"-- now --\nyesterday\n":                                   "reading the clock",
	} {
		_, err := OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want it to say %q", text, err, want)
		}
	}
}

func FuzzOpenArchive(f *testing.F) {
	f.Add("-- rootfs/etc/os-release --\nID=x\n-- links --\n/a -> ../b/../c\n/b -> /etc\n-- modes --\n4755 uid=1 /etc/x\n0644 char 195:0 /dev/nvidia0\n" +
		"-- sparse --\n9 /s\n-- elf --\n/lib/x.so soname=x needs=libc.so.6(GLIBC_2.17) code=sm_80,compute_90@8.4/zstd;sm_90a compat=12.9:535\n" +
		"-- env --\nA=b\n-- user --\nuid=1 gids=1,2\n-- deny --\n/etc\n-- remove --\n/s\n-- now --\n2026-11-30T00:00:00Z\n-- include --\n@ubuntu-22.04\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "hang") {
			return // what hangs does so until the machine is closed
		}
		m, err := OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
		if err != nil {
			return
		}
		defer m.Close()
		entries, _ := m.ReadDir("/")
		for _, e := range entries {
			p := "/" + e.Name()
			if real, err := m.Real(p); err == nil {
				if again, err := m.Real(real); err != nil || again != real {
					t.Errorf("Real(%q) = %q, whose own is %q, %v", p, real, again, err)
				}
			}
			_, _, _ = m.ReadHead(p, 100)
		}
	})
}
