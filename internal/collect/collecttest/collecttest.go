// Package collecttest runs a collector over machines written as txtar
// archives. Only tests import it.
package collecttest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Open returns the machine of an archive in the package's testdata. It is
// closed when the test ends.
func Open(t testing.TB, name string) *machine.Machine {
	t.Helper()
	return open(t, os.DirFS("testdata"), name).Machine
}

// OpenText returns the machine that the text of an archive describes.
func OpenText(t testing.TB, text string) *machine.Machine {
	t.Helper()
	return open(t, fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar").Machine
}

func open(t testing.TB, fsys fs.FS, name string) *machine.Archived {
	t.Helper()
	a, err := machine.OpenArchive(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// Read returns a stack that holds what the collector reads from the machine,
// and nothing else.
func Read(t testing.TB, c collect.Collector, m *machine.Machine) *stack.Stack {
	t.Helper()
	s := &stack.Stack{}
	ReadInto(t, c, m, s)
	return s
}

// ReadInto puts what the collector reads into a stack that others have filled.
func ReadInto(t testing.TB, c collect.Collector, m *machine.Machine, s *stack.Stack) {
	t.Helper()
	put, err := c.Read(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	put(s)
}

var update = flag.Bool("update", false, "write what was found into the want sections, for review")

// Wants compares what summary says of each machine in testdata with the want
// section of its archive; with -update it writes the section instead.
func Wants(t *testing.T, summary func(*machine.Machine) string) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no machines in testdata: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a := open(t, os.DirFS("testdata"), filepath.Base(name))
			got := summary(a.Machine)
			if *update {
				rewrite(t, name, got)
				return
			}
			if diff := cmp.Diff(a.Section("want"), got); diff != "" {
				t.Errorf("differs from want (-want +got):\n%s\ngot:\n%s", diff, got)
			}
		})
	}
}

func rewrite(t *testing.T, name, want string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(data), "-- want --\n")
	if !ok {
		t.Fatalf("%s has no want section", name)
	}
	if err := os.WriteFile(name, []byte(head+"-- want --\n"+want), 0o644); err != nil {
		t.Fatal(err)
	}
}
