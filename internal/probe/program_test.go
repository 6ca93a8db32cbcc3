package probe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/probe"
	"strata/internal/probe/probetest"
)

func TestMain(m *testing.M) { probetest.Main(m) }

// A program that is carried within strata runs from memory, and leaves no file.
func TestProgramFromMemory(t *testing.T) {
	data, err := os.ReadFile(probetest.Program(t).Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	p, err := probe.FromMemory(data)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.Path, "/proc/self/fd/") {
		t.Errorf("it is run from %s", p.Path)
	}
	before := descriptors(t)
	l := probe.Ladder{Program: p, Env: probetest.Env(probetest.Driver(t)), Rungs: []probe.Rung{probe.Driver, probe.Compute}}
	runs, err := l.Climb(t.Context())
	if err != nil || len(runs) != 3 {
		t.Fatal(len(runs), err)
	}
	for _, r := range runs {
		if r.Failed() {
			t.Errorf("%s: %+v", r.Part, r)
		}
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors are open, %d were", after, before)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if after := descriptors(t); after != before-1 {
		t.Errorf("%d descriptors are open after closing, want %d", after, before-1)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Error("left:", left, err)
	}
}

// Where memory is no place to run from, it is unpacked and cleared away.
func TestProgramFromFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p, err := probe.Unpack([]byte("#!/bin/sh\nexit 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(p.Path); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Error("left:", left, err)
	}
}

// A strata-probe of another release does not know a part, and that is said.
func TestProgramOfAnotherVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), probe.ProgramName)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho 'no part' >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := probe.Ladder{Program: &probe.Program{Path: path, Found: path}}.Climb(t.Context())
	if err == nil || !strings.Contains(err.Error(), "another version") {
		t.Error(err)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
