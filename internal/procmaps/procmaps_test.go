package procmaps

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/machine"
)

const maps = `55d0c0a00000-55d0c0a20000 r--p 00000000 08:01 131                        /usr/bin/python3.11
55d0c0a20000-55d0c0c00000 r-xp 00020000 08:01 131                        /usr/bin/python3.11
55d0c2000000-55d0c2021000 rw-p 00000000 00:00 0                          [heap]
7f1000000000-7f1000100000 r-xp 00000000 08:01 200                        /opt/a/libcudnn.so.9
7f1000200000-7f1000300000 r-xp 00000000 08:01 201                        /opt/b/libcudnn.so.9
7f1000400000-7f1000500000 r-xp 00000000 08:01 202                        /opt/b/libcublas.so.12 (deleted)
7f1000600000-7f1000700000 r-xp 00000000 08:01 203                        /opt/b/libgone.so.1 (deleted)
7f1000800000-7f1000900000 rw-s 00000000 00:05 9                          /dev/nvidia0
7f1000a00000-7f1000b00000 rw-s 00000000 00:01 10                         /memfd:x (deleted)
7f1000c00000-7f1000d00000 r--p 00000000 08:01 204                        /usr/share/with space
7f1000e00000-7f1000f00000 r-xp 00000000 00:00 0
`

func TestRead(t *testing.T) {
	text := "a process\n-- rootfs/proc/4711/maps --\n" + maps +
		"-- rootfs/proc/4711/root/opt/b/libcublas.so.12 --\nx\n-- rootfs/proc/4711/root/opt/a/libcudnn.so.9 --\nx\n-- rootfs/proc/4711/root/opt/b/libcudnn.so.9 --\nx\n" +
		"-- rootfs/proc/4711/root/usr/bin/python3.11 --\nx\n-- rootfs/proc/4711/root/usr/share/other --\nx\n"
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	files, err := Read(m.Machine, 4711)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		code := "data"
		if f.Code {
			code = "code"
		}
		got = append(got, f.Path+" "+string(f.Now)+" "+code)
	}
	want := []string{
		"/usr/bin/python3.11 same code", "/opt/a/libcudnn.so.9 same code", "/opt/b/libcudnn.so.9 same code",
		"/opt/b/libcublas.so.12 replaced code", "/opt/b/libgone.so.1 gone code", "/usr/share/with space unknown data",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if d := Duplicates(files); len(d) != 1 || len(d["libcudnn.so.9"]) != 2 {
		t.Errorf("duplicates: %v", d)
	}
	if _, err := Read(m.Machine, 1); err == nil || !strings.Contains(err.Error(), "no such process") {
		t.Errorf("a process that is not there: %v", err)
	}
}

// TestReadLive maps a library, replaces its file, and looks.
func TestReadLive(t *testing.T) {
	exe, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "sleeper")
	data, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	state := func() State {
		files, err := Read(machine.OpenHost(), cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f File) bool { return strings.HasSuffix(f.Path, "/sleeper") && f.Code })
		if i < 0 {
			t.Fatalf("the program is not among its own files: %v", files)
		}
		return files[i].Now
	}
	if s := state(); s != Same {
		t.Errorf("at first: %s", s)
	}
	if err := os.WriteFile(copied+".new", data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(copied+".new", copied); err != nil {
		t.Fatal(err)
	}
	if s := state(); s != Replaced {
		t.Errorf("after a rename over it: %s", s)
	}
	if err := os.Remove(copied); err != nil {
		t.Fatal(err)
	}
	if s := state(); s != Gone {
		t.Errorf("after its removal: %s", s)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(maps)
	f.Add("7f10-7f11 r-xp 0 08:01 1 /a\\012b (deleted)\n")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Parse(text)
		if err == nil && len(files) > strings.Count(text, "\n")+1 {
			t.Errorf("%d files in %d lines", len(files), strings.Count(text, "\n"))
		}
		for _, file := range files {
			if !strings.HasPrefix(file.Path, "/") {
				t.Errorf("path %q", file.Path)
			}
		}
	})
}
