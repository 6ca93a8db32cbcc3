package python

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/collect"
	"strata/internal/machine"
)

// BenchmarkCollect reads real directories: five environments of 400 packages,
// 20 of which matter. The bar is 20 ms warm; BenchmarkCollect/50 shows growth.
func BenchmarkCollect(b *testing.B) {
	for _, n := range []int{1, 5, 50} {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			root := b.TempDir()
			for i := range n {
				makeEnvironment(b, filepath.Join(root, "opt", fmt.Sprintf("env%02d", i)))
			}
			m, closer, err := machine.OpenRoot(root)
			if err != nil {
				b.Fatal(err)
			}
			defer closer.Close()
			for b.Loop() {
				s := collect.Run(context.Background(), m, []collect.Collector{New(Options{})})
				if len(s.Python.Value) != n || len(s.Python.Value[0].Packages.Value) != 400 {
					b.Fatalf("found %d environments: %s", len(s.Python.Value), s.Python.Why)
				}
			}
		})
	}
}

func makeEnvironment(b *testing.B, dir string) {
	b.Helper()
	write := func(name, text string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("pyvenv.cfg", "home = /usr/bin\nversion = 3.11.7\n")
	site := "lib/python3.11/site-packages/"
	for i := range 400 {
		name := fmt.Sprintf("package_%d", i)
		if i < 20 {
			name = fmt.Sprintf("nvidia_part%d_cu12", i)
		}
		write(site+name+"/__init__.py", "")
		write(fmt.Sprintf("%s%s-1.%d.dist-info/METADATA", site, name, i), fmt.Sprintf("Name: %s\nVersion: 1.%d\n%s\n%s", name, i,
			strings.Repeat("Requires-Dist: other>=1\n", 20), strings.Repeat("text\n", 4000)))
		write(fmt.Sprintf("%s%s-1.%d.dist-info/RECORD", site, name, i), name+"/__init__.py,,0\n")
	}
}
