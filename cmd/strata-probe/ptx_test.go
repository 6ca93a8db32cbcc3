package main

import (
	"regexp"
	"testing"

	"strata/internal/kb"
	"strata/internal/version"
)

// The kernels are what drivers of the tables compile: the first by all of
// them, the second by those that the probe asks for it. The compiler takes
// nothing but ASCII, in comments neither.
func TestPTX(t *testing.T) {
	base := kb.Default()
	first := regexp.MustCompile(`(?m)^\.version (\d+\.\d+)$`)
	for i, k := range kernels {
		for j := range len(k.ptx) {
			if k.ptx[j] > 0x7e {
				t.Fatalf("%s: byte %d is no ASCII", k.name, j)
			}
		}
		m := first.FindStringSubmatch(k.ptx)
		if m == nil || k.isa != "PTX "+m[1] {
			t.Fatalf("%s: its text is of %v, it is called %s", k.name, m, k.isa)
		}
		isa, err := version.ParsePTX(m[1])
		if err != nil {
			t.Fatal(err)
		}
		branch := base.PTXBranch(isa)
		if !branch.Known {
			t.Fatal(branch.Why)
		}
		if want := []int{340, 450}[i]; branch.Value != want {
			t.Errorf("%s: %s needs driver %d; comments and sentences say %d", k.name, k.isa, branch.Value, want)
		}
		if k.driver != 0 {
			cuda, err := version.ParseCUDA(cudaVersion(int(k.driver)))
			if err != nil {
				t.Fatal(err)
			}
			if newest := base.PTXForCUDA(cuda); !newest.Known || newest.Value != isa {
				t.Errorf("%s: CUDA %s has PTX %v, not %s", k.name, cuda, newest.Value, k.isa)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{cudaVersion(12040), "12.4"}, {cudaVersion(13000), "13.0"}, {cudaVersion(10020), "10.2"},
		{cudnnVersion(90100), "9.1.0"}, {cudnnVersion(91002), "9.10.2"}, {cudnnVersion(8907), "8.9.7"},
		{ncclVersion(22105), "2.21.5"}, {ncclVersion(2804), "2.8.4"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
