package python

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/collecttest"
	"strata/internal/machine"
	"strata/internal/stack"
)

// TestMachines reads each machine of testdata and compares what was found with
// its want section.
func TestMachines(t *testing.T) {
	collecttest.Wants(t, func(m *machine.Machine) string {
		return summary(collect.Run(t.Context(), m, []collect.Collector{New(Options{Dir: "/project"})}))
	})
}

// summary writes environments as a want section has them.
func summary(s *stack.Stack) string {
	var b strings.Builder
	if !s.Python.Known() {
		fmt.Fprintln(&b, s.Python.State, s.Python.Why)
	} else if s.Python.Why != "" {
		fmt.Fprintln(&b, "partial:", s.Python.Why)
	}
	for _, e := range s.Python.Value {
		fmt.Fprintf(&b, "%s %s %s\n", e.Prefix, e.Kind, e.Python.Or(e.Python.State.String()))
		line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
		if e.Interpreter != "" {
			line("interpreter %s", e.Interpreter)
		}
		if e.Base != "" {
			line("base %s", e.Base)
		}
		for _, site := range e.Site {
			line("site %s", site)
		}
		line("from %s %s", e.From.Kind, e.From)
		if e.Packages.State != stack.Known || e.Packages.Why != "" {
			line("packages %s: %s", e.Packages.State, e.Packages.Why)
		}
		for _, p := range e.Packages.Value {
			line("%s %s %s", p.Name, p.Version, strings.TrimSpace(strings.Join([]string{p.Manager, p.Build, p.Origin, strings.Join(p.Tags, " "), strings.Join(p.Requires, " | "), p.SourceTree}, " ")))
		}
		for _, l := range e.Leftovers {
			line("leftover %s", l)
		}
		for _, o := range e.Overlaps.Value {
			line("overlap %s %s winner=%s", o.Path, strings.Join(o.Packages, ","), o.Winner)
		}
		if e.Overlaps.Why != "" {
			line("overlaps %s: %s", e.Overlaps.State, e.Overlaps.Why)
		}
		for _, f := range e.Frameworks {
			line("framework %s %s %s %s", f.Name, f.Version, f.Variant.Or(f.Variant.State.String()), f.CUDA.Value.String())
		}
	}
	return b.String()
}

const twoEnvironments = `
-- rootfs/opt/a/pyvenv.cfg --
home = /usr/bin
version = 3.11.2
-- rootfs/opt/a/lib/python3.11/site-packages/numpy-1.26.4.dist-info/METADATA --
Name: numpy
Version: 1.26.4
-- rootfs/opt/b/pyvenv.cfg --
home = /usr/bin
version = 3.12.1
-- rootfs/opt/b/lib/python3.12/site-packages/flask-3.0.0.dist-info/METADATA --
Name: flask
Version: 3.0.0
`

func TestNamed(t *testing.T) {
	text := twoEnvironments + "-- links --\n/opt/a/bin/python -> /usr/bin/python3.11\n-- env --\nPATH=/opt/a/bin:/usr/bin\n"
	for _, tt := range []struct{ give, want string }{
		{"/opt/a", "/opt/a"},
		{"/opt/a/bin/python", "/opt/a"},
		{"../opt/b", "/opt/b"},
		{"python", "/opt/a"},
		{"/opt/c", `partial`},
		{"/opt", `partial`},
		{"python9", `partial`},
	} {
		t.Run(tt.give, func(t *testing.T) {
			a := collecttest.OpenText(t, text)
			s := collect.Run(context.Background(), a, []collect.Collector{New(Options{Interpreter: tt.give, Dir: "/project"})})
			if tt.want == "partial" {
				if s.Python.State != stack.Failed || !strings.Contains(s.Python.Why, "give ") {
					t.Errorf("state %s, why %q; want failed with what to give", s.Python.State, s.Python.Why)
				}
				return
			}
			if len(s.Python.Value) != 1 || s.Python.Value[0].Prefix != tt.want {
				t.Errorf("found %s", summary(s))
			}
		})
	}
}

// TestHang: a directory that hangs costs its own environment and no other.
func TestHang(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a deadline")
	}
	a := collecttest.OpenText(t, twoEnvironments+"-- hang --\n/opt/a/lib/python3.11/site-packages\n")
	start := time.Now()
	s := collect.Run(context.Background(), a, []collect.Collector{New(Options{})})
	if d := time.Since(start); d > 2*environmentShare {
		t.Errorf("took %s", d)
	}
	if len(s.Python.Value) != 2 {
		t.Fatalf("found %s", summary(s))
	}
	hung, good := s.Python.Value[0], s.Python.Value[1]
	if hung.Packages.State != stack.Failed || !strings.Contains(hung.Packages.Why, "gave up") {
		t.Errorf("the hanging one: %s %q, want failed", hung.Packages.State, hung.Packages.Why)
	}
	if _, ok := good.Find("flask"); !ok {
		t.Errorf("the other one lacks flask: %s", summary(s))
	}
}

// TestCrowded: a site-packages beyond the limit of a listing is read in part, and says so.
func TestCrowded(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many files")
	}
	var b strings.Builder
	b.WriteString(twoEnvironments + "-- sparse --\n")
	for i := range machine.MaxDirEntries + 10 {
		fmt.Fprintf(&b, "0 /opt/a/lib/python3.11/site-packages/f%d\n", i)
	}
	a := collecttest.OpenText(t, b.String())
	s := collect.Run(context.Background(), a, []collect.Collector{New(Options{})})
	if len(s.Python.Value) != 2 || !strings.Contains(s.Python.Value[0].Packages.Why, "larger than the limit") {
		t.Errorf("found %s", summary(s))
	}
}
