package rpmdb

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	ref "github.com/anchore/go-rpmdb/pkg"
	_ "modernc.org/sqlite"
)

func TestDiff(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("HOME") + "/go/pkg/mod/github.com/anchore/go-rpmdb@v0.2.0/pkg/testdata/*/*")
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := f.Stat()
		got := map[string]int{}
		nfiles := 0
		start := time.Now()
		err = Read(f, info.Size(), func(h Header) error {
			got[h.Name()+" "+h.EVR()+" "+h.Arch()]++
			nfiles += len(h.Files())
			return nil
		})
		took := time.Since(start)
		db, e2 := ref.Open(name)
		if e2 != nil {
			fmt.Println(name, err, e2)
			continue
		}
		start = time.Now()
		pk, e2 := db.ListPackages()
		fmt.Println(filepath.Base(filepath.Dir(name)), filepath.Base(name), info.Size(), err, len(got), nfiles, took, "ref", e2, len(pk), time.Since(start))
		for _, p := range pk {
			k := fmt.Sprintf("%s-%s", p.Version, p.Release)
			if p.Epoch != nil && *p.Epoch != 0 {
				k = fmt.Sprintf("%d:%s", *p.Epoch, k)
			}
			k = p.Name + " " + k + " " + p.Arch
			if got[k] == 0 {
				t.Errorf("%s: missing %s", name, k)
			}
			got[k]--
		}
		for k, n := range got {
			if n != 0 {
				t.Errorf("%s: %s %d", name, k, n)
			}
		}
	}
}
