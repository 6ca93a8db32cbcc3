package kb

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiffLines holds the line of each row that only one base has to the file: the row starts there, comments above it counted.
func TestDiffLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "VERSION"), []byte(Default().Version()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	none, err := ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Diff(Default(), none)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, table := range d.Tables {
		text, err := os.ReadFile(filepath.Join("data", filepath.FromSlash(table.Name)))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, r := range table.Removed {
			first := r.Row.Text(0)
			if r.Line < 1 || r.Line > len(lines) || !strings.Contains(lines[r.Line-1], first) {
				t.Fatalf("%s: the row of %q is said to be at line %d", table.Name, first, r.Line)
			}
			rows++
		}
	}
	if rows < 5000 {
		t.Errorf("only %d rows were looked at", rows)
	}
}
