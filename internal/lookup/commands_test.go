package lookup

import (
	"slices"
	"strings"
	"testing"
)

// TestJAXExtras has releases with one CUDA and with two, and one whose extras for CUDA pin builds that the package index does not have.
func TestJAXExtras(t *testing.T) {
	for query, want := range map[string][]string{
		"jax 0.6.0":  {"cuda12", "cuda", "cuda12-local"},
		"jax 0.7.2":  {"cuda12", "cuda", "cuda13", "cuda12-local", "cuda13-local"},
		"jax 0.8.1":  {"cuda13", "cuda12", "cuda13-local", "cuda12-local", "cuda"},
		"jax 0.4.20": nil,
	} {
		c, err := find(t, query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, in := range c.Commands {
			if !strings.HasPrefix(in.Variant, "cuda") {
				continue
			}
			got = append(got, in.Variant)
			_, release, _ := strings.Cut(query, " ")
			if run := `pip install -U "jax[` + in.Variant + `]==` + release + `"`; in.Run != run || i != len(got)-1 {
				t.Errorf("%s: command %d is %q, want %q", query, i, in.Run, run)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}

// TestAmbiguousGPU has a name of three products, one of which has two PCI ids.
func TestAmbiguousGPU(t *testing.T) {
	c, err := find(t, "gpu 4090")
	if err != nil {
		t.Fatal(err)
	}
	if want := `"4090" stands for 3 GPUs of 4 PCI ids`; c.Title != want || len(c.Tables) != 1 || len(c.Tables[0].Rows) != 4 {
		t.Errorf("%q, want %q; %d tables", c.Title, want, len(c.Tables))
	}
}
