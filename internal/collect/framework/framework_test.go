package framework_test

import (
	"fmt"
	"strings"
	"testing"

	"strata/internal/collect"
	"strata/internal/collect/collecttest"
	"strata/internal/collect/python"
	"strata/internal/machine"
	"strata/internal/stack"
)

// TestMachines reads each machine of testdata with the Python collector, which
// calls this package, and compares the frameworks with its want section.
func TestMachines(t *testing.T) {
	collecttest.Wants(t, func(m *machine.Machine) string {
		s := collect.Run(t.Context(), m, []collect.Collector{python.New(python.Options{})})
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
		return b.String()
	})
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
