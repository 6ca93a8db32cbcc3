package framework_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect"
	"strata/internal/collect/python"
	"strata/internal/machine"
	"strata/internal/stack"
)

var update = flag.Bool("update", false, "write what was found into the want sections, for review")

// TestMachines reads each machine of testdata with the Python collector, which
// calls this package, and compares the frameworks with its want section.
func TestMachines(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no machines in testdata: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := machine.OpenArchive(os.DirFS("testdata"), path.Base(name))
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			s := collect.Run(context.Background(), a.Machine, []collect.Collector{python.New(python.Options{})})
			var b strings.Builder
			for _, e := range s.Python.Value {
				fmt.Fprintln(&b, e.Prefix)
				for _, f := range e.Frameworks {
					write(&b, e.Site[0]+"/", f)
				}
				if e.Libraries.Why != "" {
					fmt.Fprintf(&b, "  libraries %s %s\n", e.Libraries.State, e.Libraries.Why)
				}
				for _, l := range e.Libraries.Value {
					fmt.Fprintf(&b, "  library %s of %q %s %s\n", strings.TrimPrefix(l.Path, e.Site[0]+"/"), l.Owner, l.Version, l.Place)
				}
			}
			got := b.String()
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

func write(b *strings.Builder, site string, f stack.Framework) {
	fmt.Fprintf(b, "  %s: %s %s %s", f.Name, f.Package, f.Version, f.Variant.Or(f.Variant.State.String()))
	if f.Variant.Why != "" {
		fmt.Fprintf(b, " (%s)", f.Variant.Why)
	}
	if f.CUDA.Known() {
		fmt.Fprintf(b, " CUDA %s", f.CUDA.Value)
	}
	if f.CUDNN.Known() {
		fmt.Fprintf(b, " cuDNN %s", f.CUDNN.Value)
	}
	if f.Plugin.Known() {
		fmt.Fprintf(b, " plugin %s %s", f.Plugin.Value.Name, f.Plugin.Value.Version)
	}
	fmt.Fprintln(b)
	if len(f.Variant.Sources) > 0 && f.Variant.Known() {
		fmt.Fprintf(b, "    variant from %s %s\n", strings.TrimPrefix(f.Variant.Sources[0].String(), site), f.Variant.Sources[0].Text)
	}
	if a := f.ABI.Value; f.ABI.Known() {
		fmt.Fprintf(b, "    built for torch=%s cuda=%s cxx11=%s python=%s\n", a.Torch, a.CUDA, a.CXX11, a.Python)
	}
	for _, c := range f.Code.Value {
		fmt.Fprintf(b, "    code %s %s in %d of %d\n", c.Kind, c.Arch, c.Containers, c.Of)
	}
	if f.Code.Why != "" {
		fmt.Fprintf(b, "    code %s\n", f.Code.State)
	}
	for _, l := range f.Libraries {
		fmt.Fprintf(b, "    %s needs %s %s\n", strings.TrimPrefix(l.Path, site), strings.Join(l.Needed, ","), l.Fault)
	}
}
