package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"strata/internal/probe/probetest"
)

func TestMain(m *testing.M) { probetest.Main(m) }

// prepared is a folder as prepare makes it, with a stand-in of the driver on the linker's path.
func prepared(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	strata := probetest.Strata(t)
	for _, name := range []string{"strata", "strata-probe"} {
		if err := os.Symlink(filepath.Join(filepath.Dir(strata), name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unpack(dir); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", stubArgs(dir)...).CombinedOutput(); err != nil {
		t.Fatalf("building the stub: %v\n%s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", probetest.All(t))
	return dir
}

// standIn are the steps that need no more than a stand-in of the driver.
const standIn = "driver,libraries,one GPU,hidden empty,hidden -1,hidden wrong UUID,libcuda empty,libcuda a text,libcuda a stub," +
	"run hidden,run stub,run new PTX,triage hidden,triage stub,triage new PTX"

func TestRun(t *testing.T) {
	dir, out := prepared(t), t.TempDir()
	code, err := run(context.Background(), dir, out, time.Minute, standIn, false)
	table, _ := os.ReadFile(filepath.Join(out, "table.txt"))
	if err != nil || code != 0 || !strings.Contains(string(table), "15 passed, 0 failed, 0 skipped") {
		t.Errorf("status %d, %v\n%s", code, err, table)
	}
	data, err := os.ReadFile(filepath.Join(out, "results.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "fafafafa") || strings.Contains(string(data), dir) {
		t.Error("the results have UUIDs or paths of this machine")
	}
	names := map[string]bool{}
	for _, f := range txtar.Parse(data).Files {
		names[f.Name] = true
	}
	for _, want := range []string{"driver/0-command", "driver/0-stdout", "run-new-PTX/0-record.json", "run-new-PTX/0-stderr"} {
		if !names[want] {
			t.Errorf("no %s among %d parts", want, len(names))
		}
	}
}

// What goes wrong is told, and what cannot be tried is not counted as passed.
func TestRunFails(t *testing.T) {
	dir := prepared(t)
	t.Setenv("FAKE_cuInit", "999")
	if code, err := run(context.Background(), dir, t.TempDir(), time.Minute, "driver", false); code != 1 || err != nil {
		t.Errorf("a driver that does not start: status %d, %v", code, err)
	}
	t.Setenv("FAKE_cuInit", "")
	if code, err := run(context.Background(), dir, t.TempDir(), 0, "driver", false); code != 3 || err != nil {
		t.Errorf("no time at all: status %d, %v", code, err)
	}
	if _, err := run(context.Background(), t.TempDir(), t.TempDir(), time.Minute, "", false); err == nil {
		t.Error("a folder without programs is run")
	}
}

func TestRedacted(t *testing.T) {
	text := "  uuid GPU-12345678-1234-1234-1234-123456789abc\n\tdisk 12345678-1234-1234-1234-123456789abc\n{\"serial\": \"1320220000000\"}\n/home/somebody/x\nlibcudnn.so.9.10.2 12.8.90\n"
	want := "  uuid GPU-UUID\n\tdisk UUID\n{\"serial\": \"SERIAL\"}\n/home/USER/x\nlibcudnn.so.9.10.2 12.8.90\n"
	if got := redacted(text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
