package rpmdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/ospackage/rpmdb"
	"strata/internal/collect/ospackage/rpmdb/rpmdbtest"
)

var driver = rpmdbtest.Package{Name: "nvidia-driver-cuda-libs", Version: "550.54.15", Release: "1.el9", Epoch: 3, Arch: "x86_64",
	Files: []string{"/usr/lib64/libcuda.so.1", "/usr/lib64/libcuda.so.550.54.15", "/usr/share/doc/x"}}

// fillers have ever more files, so that headers fit into a page, fill it, and
// need several.
func fillers(n int) []rpmdbtest.Package {
	var list []rpmdbtest.Package
	for i := range n {
		p := rpmdbtest.Package{Name: fmt.Sprintf("filler%d", i), Version: "1", Release: "1", Arch: "noarch"}
		for j := range 20 * i {
			p.Files = append(p.Files, fmt.Sprintf("/usr/lib64/libfiller%d.so.%d", i, j))
		}
		list = append(list, p)
	}
	return list
}

// sqliteFile was made by SQLite itself (Python's sqlite3) with pages of 512
// bytes: 9 fillers, then the driver; every kind of page and of cell occurs.
func sqliteFile(t testing.TB) []byte {
	data, err := os.ReadFile("testdata/rpmdb.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRead(t *testing.T) {
	tests := map[string]struct {
		data     []byte
		packages int
	}{
		"sqlite": {sqliteFile(t), 10},
		"ndb":    {rpmdbtest.NDB(append(fillers(20), driver)...), 21},
		"bdb":    {rpmdbtest.BDB(append(fillers(20), driver)...), 21},
		"empty":  {rpmdbtest.NDB(), 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := 0
			var got rpmdbtest.Package
			err := rpmdb.Read(bytes.NewReader(tt.data), int64(len(tt.data)), func(h rpmdb.Header) error {
				n++
				if h.Name() == driver.Name {
					got = rpmdbtest.Package{Name: h.Name(), Version: h.EVR(), Arch: h.Arch(), Files: h.Files()}
				}
				return nil
			})
			if err != nil || n != tt.packages {
				t.Fatalf("%d packages, %v; want %d", n, err, tt.packages)
			}
			want := rpmdbtest.Package{Name: driver.Name, Version: "3:550.54.15-1.el9", Arch: driver.Arch, Files: driver.Files}
			if diff := cmp.Diff(want, got); diff != "" && n > 0 {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDamaged(t *testing.T) {
	loop := rpmdbtest.BDB(driver)
	loop[2*1024+16] = 2 // the overflow page's next page is itself
	loop[2*1024+22] = 1 // and it holds one byte
	loop[2*1024+23] = 0
	sq := sqliteFile(t)
	tests := map[string]struct {
		data []byte
		want error
	}{
		"nothing":          {nil, rpmdb.ErrFormat},
		"text":             {bytes.Repeat([]byte("no database\n"), 100), rpmdb.ErrFormat},
		"loop":             {loop, rpmdb.ErrMalformed},
		"cut sqlite":       {sq[:len(sq)/2], rpmdb.ErrMalformed},
		"cut ndb":          {rpmdbtest.NDB(fillers(20)...)[:8000], rpmdb.ErrMalformed},
		"ndb without mark": {append(rpmdbtest.NDB(driver)[:32], make([]byte, 4096)...), rpmdb.ErrMalformed},
	}
	for name, tt := range tests {
		err := rpmdb.Read(bytes.NewReader(tt.data), int64(len(tt.data)), func(rpmdb.Header) error { return nil })
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

// Found by fuzzing: directory and base name of a file may both be empty.
func TestNamelessFile(t *testing.T) {
	data := rpmdbtest.NDB(rpmdbtest.Package{Name: "x", Version: "1", Release: "1", Arch: "noarch", Files: []string{"/q/x", "/r/y"}})
	damaged := bytes.Replace(data, []byte("x\x00y\x00/q/\x00"), []byte("\x00\x00y\x00\x00q/\x00"), 1)
	if bytes.Equal(data, damaged) {
		t.Fatal("the header is not laid out as this test thinks")
	}
	err := rpmdb.Read(bytes.NewReader(damaged), int64(len(damaged)), func(h rpmdb.Header) error {
		if slices.Contains(h.Files(), "") {
			t.Errorf("files %q", h.Files())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestStop(t *testing.T) {
	stop := errors.New("enough")
	data := rpmdbtest.NDB(fillers(5)...)
	n := 0
	err := rpmdb.Read(bytes.NewReader(data), int64(len(data)), func(rpmdb.Header) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%d calls, %v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sqliteFile(f))
	f.Add(rpmdbtest.NDB(driver))
	f.Add(rpmdbtest.BDB(append(fillers(2), driver)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		_ = rpmdb.Read(bytes.NewReader(data), int64(len(data)), func(h rpmdb.Header) error {
			n++
			if slices.Contains(h.Files(), "") {
				t.Error("a file without a name")
			}
			_, _, _ = h.Name(), h.EVR(), h.Arch()
			return nil
		})
		if n > 0 && len(data) < 16 {
			t.Errorf("%d packages in %d bytes", n, len(data))
		}
	})
}
