package kb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

// embeddedFiles are the files of the embedded base, to be changed. It is the one in the program, whatever the directory holds by now.
func embeddedFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(Default().fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(Default().fsys, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// writeBase writes the embedded base into a directory.
func writeBase(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range embeddedFiles(t) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenDir(t *testing.T) {
	dir := writeBase(t)
	b, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Dir() != dir || Default().Dir() != "" || b.Version() != Default().Version() {
		t.Errorf("dir %q, version %q", b.Dir(), b.Version())
	}
	if len(b.Tables()) != len(files) || !b.DriverCUDA(driver("535.129.03")).Known {
		t.Errorf("%d tables, want %d", len(b.Tables()), len(files))
	}
	// What was read stays, whatever becomes of the directory.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if !b.Xid(79).Known {
		t.Error("a table is gone with its file")
	}
}

// TestOpenDirHostile holds the reader to a clear and quick answer about what is no knowledge base.
func TestOpenDirHostile(t *testing.T) {
	write := func(t *testing.T, path string, data string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		make func(t *testing.T, dir string)
		want string
	}{
		{"empty", func(*testing.T, string) {}, "VERSION: is not there; a knowledge base is a directory"},
		{"link", func(t *testing.T, dir string) {
			if err := os.Symlink("/etc/passwd", filepath.Join(dir, "VERSION")); err != nil {
				t.Fatal(err)
			}
		}, "VERSION: is a symbolic link; only regular files are read"},
		{"linked folder", func(t *testing.T, dir string) {
			if err := os.Symlink("/", filepath.Join(dir, "nvidia")); err != nil {
				t.Fatal(err)
			}
		}, "nvidia: is a symbolic link"},
		{"pipe", func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, "VERSION"), 0o644); err != nil {
				t.Skip(err)
			}
		}, "VERSION: is a named pipe"},
		{"deep", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "a/b/c/d/e.csv"), "") }, "a/b/c: lies deeper than 2 folders"},
		{"large file", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "VERSION"), "2026.11.30\n")
			write(t, filepath.Join(dir, "x.csv"), strings.Repeat("a\n", maxFileSize/2+1))
		}, "x.csv: larger than 8388608 bytes"},
		{"many files", func(t *testing.T, dir string) {
			for i := range maxFiles + 1 {
				write(t, filepath.Join(dir, fmt.Sprintf("%d.csv", i)), "")
			}
		}, "has more than 400 entries: this is no knowledge base"},
		{"many folders", func(t *testing.T, dir string) {
			for i := range 21 {
				for j := range 20 {
					write(t, filepath.Join(dir, fmt.Sprintf("%02d/%02d.csv", i, j)), "")
				}
			}
		}, "20/00.csv: is one too many"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.make(t, dir)
			start := time.Now()
			_, err := OpenDir(dir)
			var broken *BrokenError
			if !errors.As(err, &broken) || !strings.Contains(err.Error(), tt.want) || broken.Dir != dir {
				t.Errorf("got %v, want that it says %q", err, tt.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	for name, want := range map[string]string{file: "not a directory", file + "/none": "not a directory", t.TempDir() + "/none": "no such file"} {
		if _, err := OpenDir(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

func TestBrokenErrorIsShort(t *testing.T) {
	e := &BrokenError{Dir: "kb"}
	for i := range 50 {
		e.Problems = append(e.Problems, Problem{"a.csv", i + 1, "is wrong"})
	}
	got := e.Error()
	if n := strings.Count(got, "is wrong"); n != maxShown || !strings.HasSuffix(got, "and 30 more problems, 50 in all") {
		t.Errorf("%d problems are shown: %s", n, got)
	}
}
