package witness

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"strata/internal/lddebug"
)

// TestSpill takes the linker's words out of the output where its folder is not there, and understands them all the same.
func TestSpill(t *testing.T) {
	p := program(t, `
#include <dlfcn.h>
#include <stdio.h>
int main() { fprintf(stderr, "  before"); dlopen("libnothing-of-this-name.so.9", RTLD_NOW); fprintf(stderr, "after\n  12:\t3\n"); puts("out"); return 0; }
`, "-ldl")
	in, out, errs := files(t)
	seen := &sink{}
	rec, err := Run(context.Background(), Options{Argv: []string{"env", "LD_DEBUG_OUTPUT=/no/such/folder/ld", p}, In: in, Out: out, Err: errs, Output: seen, Trace: true})
	if err != nil || rec.Exit != 0 {
		t.Fatalf("%v, %+v", err, rec)
	}
	// What the program begins a line with the linker ends: only its own words are kept apart.
	if got := content(t, errs); !strings.HasPrefix(got, "  before") || !strings.HasSuffix(got, "after\n  12:\t3\n") || strings.Count(got, "\n") > 3 {
		t.Errorf("errors %q", got)
	}
	if got := content(t, out); got != "out\n" {
		t.Errorf("output %q", got)
	}
	if rec.Mute || !slices.ContainsFunc(rec.Misses, func(m lddebug.Miss) bool { return m.Name == "libnothing-of-this-name.so.9" && len(m.Places) > 1 }) {
		t.Errorf("mute %v, misses %+v", rec.Mute, rec.Misses)
	}
}

// TestSpillPieces cuts an output in any way: what is the command's own is there, in order, and nothing else.
func TestSpillPieces(t *testing.T) {
	const own = "one\n\n  7:\tnot a process\n1234567890\n12345678901:\tx\n         5;\tx\n          :\tx\nlast "
	var text strings.Builder
	for line := range strings.Lines(own) {
		text.WriteString("        17:\tfind library=libx.so.1 [0]; searching\n" + line)
	}
	for range 2000 {
		s := &spill{to: &tracer{files: map[string]*traced{}}}
		var got strings.Builder
		for rest := text.String(); rest != ""; {
			n := 1 + rand.IntN(len(rest))
			if rand.IntN(2) == 0 {
				n = 1 + rand.IntN(min(20, len(rest)))
			}
			got.Write(s.take([]byte(rest[:n]), n < len(rest)))
			rest = rest[n:]
		}
		if got.String() != own {
			t.Fatalf("got %q", got.String())
		}
		if len(s.to.files) != 1 || s.to.files["ld.17"] == nil {
			t.Fatalf("processes %v", s.to.files)
		}
	}
	// A prompt is shown at once, also one that could become a tag.
	s := &spill{to: &tracer{files: map[string]*traced{}}}
	if got := string(s.take([]byte("   42"), false)) + string(s.take([]byte(" > \n"), false)); got != "   42 > \n" {
		t.Errorf("got %q", got)
	}
}
