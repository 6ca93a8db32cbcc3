package program

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

// TestMachines reads each machine of testdata and compares the programs with its want section.
func TestMachines(t *testing.T) {
	collecttest.Wants(t, func(m *machine.Machine) string {
		return summary(collect.Run(t.Context(), m, []collect.Collector{Collector}).Programs)
	})
}

func summary(programs stack.Fact[[]stack.Program]) string {
	var b strings.Builder
	if !programs.Known() || programs.Why != "" {
		fmt.Fprintln(&b, programs.State, programs.Why)
	}
	for _, p := range programs.Value {
		f := p.Framework
		fmt.Fprintf(&b, "%s %s %s\n", p.Name, p.Version, p.Path)
		fmt.Fprintf(&b, "  framework %s %s %s %s\n", f.Name, f.Version, f.Variant.Or(f.Variant.State.String()), f.Variant.Why)
		fmt.Fprintf(&b, "  wants %s %s\n", p.Wants.Or(p.Wants.State.String()), p.Wants.Why)
		for _, s := range p.Wants.Sources {
			fmt.Fprintf(&b, "    from %s %s\n", s, s.Text)
		}
		for _, d := range p.Directories {
			fmt.Fprintf(&b, "  directory %s\n", d)
		}
		for _, l := range f.Libraries {
			fmt.Fprintf(&b, "  %s needs %s %s\n", l.Path, strings.Join(l.Needed, ","), l.Fault)
		}
		for _, c := range f.Code.Value {
			fmt.Fprintf(&b, "  code %s %s\n", c.Kind, c.Arch)
		}
		if f.Code.Why != "" {
			fmt.Fprintf(&b, "  code %s: %s\n", f.Code.State, f.Code.Why)
		}
	}
	return b.String()
}

// TestHang: a directory that hangs costs its own place and is told.
func TestHang(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a deadline")
	}
	text := "-- elf --\n/usr/lib/libonnxruntime.so.1.20.0 soname=libonnxruntime.so.1\n-- rootfs/opt/stuck/x --\n-- hang --\n/opt/stuck\n"
	m := collecttest.OpenText(t, text)
	start := time.Now()
	got := collect.Run(context.Background(), m, []collect.Collector{Collector}).Programs
	if d := time.Since(start); d > 2*topShare {
		t.Errorf("took %s", d)
	}
	if len(got.Value) != 1 || !strings.Contains(got.Why, `"/opt": gave up`) {
		t.Errorf("got %s", summary(got))
	}
}

func TestParseBareun(t *testing.T) {
	for _, tt := range []struct {
		give, want string
		bad        bool
	}{
		{`{"executionProvider": {"provider": "cuda"}}`, "cuda", false},
		{`{"executionProvider": {"provider": "CPU"}}`, "CPU", false},
		{`{}`, "", false},
		{`{"executionProvider": "cuda"}`, "", true},
		{`{`, "", true},
		{`{"executionProvider": {"provider": "` + strings.Repeat("x", 65) + `"}}`, "", true},
	} {
		got, err := parseBareun([]byte(tt.give))
		if got != tt.want || (err != nil) != tt.bad {
			t.Errorf("parseBareun(%q) = %q, %v", tt.give, got, err)
		}
	}
}

func FuzzParseBareun(f *testing.F) {
	f.Add([]byte(`{"executionProvider": {"provider": "cuda"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := parseBareun(data); err == nil && len(p) > 200 {
			t.Errorf("a provider of %d bytes", len(p))
		}
		lineOf(data, `"provider"`)
	})
}

func FuzzMarks(f *testing.F) {
	f.Add("libonnxruntime.so.1.22.0")
	f.Fuzz(func(t *testing.T, name string) { marks(name) })
}
