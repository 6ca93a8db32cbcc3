package device

import (
	"os"
	"path/filepath"
	"testing"

	"strata/internal/machine"
	"strata/internal/stack"
)

func TestModprobe(t *testing.T) {
	for text, want := range map[string]stack.Fact[bool]{
		"-- modes --\n4755 /usr/bin/nvidia-modprobe\n": {State: stack.Known, Value: true},
		"-- modes --\n0755 /usr/bin/nvidia-modprobe\n": {State: stack.Known},
		"-- modes --\n0755 dir /usr/bin\n":             {State: stack.Known},
		"-- modes --\n0755 dir /dev\n":                 {},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "m.txtar"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := machine.OpenArchive(os.DirFS(dir), "m.txtar")
		if err != nil {
			t.Fatal(err)
		}
		if got := modprobe(m.Machine); got.State != want.State || got.Value != want.Value {
			t.Errorf("%q: %v %v, want %v %v", text, got.State, got.Value, want.State, want.Value)
		}
		m.Close()
	}
}
