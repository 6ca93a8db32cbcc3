package coverage_test

import (
	"bytes"
	"testing"

	"strata/internal/codefile"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
	"strata/internal/kb"
	"strata/internal/version"
)

// TestLinkable has a library of relocatable device code: a cubin for one GPU was linked, and every object behind it holds PTX, which the
// driver compiles and links anew for another GPU.
func TestLinkable(t *testing.T) {
	object := fatbintest.Build(fatbintest.Container{{Arch: "80"}, {Kind: "ptx", Arch: "80", ISA: "8.4"}})
	data := elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(fatbintest.Container{{Arch: "80"}, {Arch: "86"}}), RelFatbin: object})
	f, err := fatbin.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	file := codefile.File{Path: "/lib.so", Code: f}
	for _, tc := range []struct {
		gpu, driver string
		want        coverage.Status
	}{
		{"8.6", "570.86.10", coverage.Native},
		{"12.0", "570.86.10", coverage.JIT},
		{"9.0", "535.54.03", coverage.PTXTooNew},
		{"7.5", "570.86.10", coverage.NoCode},
	} {
		cc, err := version.ParseComputeCapability(tc.gpu)
		if err != nil {
			t.Fatal(err)
		}
		driver, err := version.ParseDriver(tc.driver)
		if err != nil {
			t.Fatal(err)
		}
		if v := coverage.Judge(kb.Default(), file, derive.GPU{Name: tc.gpu, Capability: cc}, driver); v.Status != tc.want {
			t.Errorf("%s with driver %s: %s (%s), want %s", tc.gpu, tc.driver, v.Status, v.Summary, tc.want)
		}
	}
}
