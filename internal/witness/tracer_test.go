package witness

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"strata/internal/lddebug"
)

// TestLastSearch hears of a library that was the last one to be looked for: JAX ends and TensorFlow goes on on the CPU right after they missed
// cuDNN, and the linker says nothing that would end the search.
func TestLastSearch(t *testing.T) {
	p := program(t, `
#include <dlfcn.h>
int main() { dlopen("libm.so.6", RTLD_NOW); return dlopen("libnothing-of-this-name.so.9", RTLD_NOW) != 0; }
`, "-ldl")
	in, out, errs := files(t)
	rec, err := Run(context.Background(), Options{Argv: []string{p}, In: in, Out: out, Err: errs, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	missed := func(m lddebug.Miss) bool {
		return m.Name == "libnothing-of-this-name.so.9" && m.Opened && m.By == p && len(m.Places) > 1
	}
	if !slices.ContainsFunc(rec.Misses, missed) {
		t.Errorf("the last miss is not among %+v", rec.Misses)
	}
}

// TestOtherUser hears of a process that has become another user, as the entry points of many containers do: where its linker cannot
// write to the folder it writes to the command's own output.
func TestOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("ONLY ROOT CAN BECOME ANOTHER USER; EPERM")
	}
	in, out, errs := files(t)
	rec, err := Run(context.Background(), Options{Argv: []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "true"}, In: in, Out: out, Err: errs, Trace: true})
	if err != nil || rec.Exit != 0 {
		t.Fatalf("%v, %+v", err, rec)
	}
	if got := content(t, errs) + content(t, out); got != "" {
		t.Errorf("the linker's words are in the command's output:\n%.300s", got)
	}
	// What others can write is not followed elsewhere.
	tr, err := newTracer()
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, bytes.Repeat([]byte("x"), 8192), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, link := range map[string]func(from, to string) error{"ld.1": os.Symlink, "ld.2": os.Link} {
		if err := link(victim, filepath.Join(tr.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(tr.dir, "ld.3"), 0o666); err != nil {
		t.Fatal(err)
	}
	tr.read()
	if data, err := os.ReadFile(victim); err != nil || bytes.Count(data, []byte("x")) != 8192 {
		t.Errorf("a file outside was changed: %d bytes, %v", len(data), err)
	}
}
