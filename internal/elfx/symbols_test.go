package elfx_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/elfx"
	"strata/internal/elfx/elftest"
)

func TestSymbols(t *testing.T) {
	for _, bare := range []bool{false, true} {
		s := library
		s.NoSections = bare
		b := elftest.Build(s)
		r := bytes.NewReader(b)
		undefined, err := elfx.UndefinedSymbols(r, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]elfx.Symbol{{Name: "dlopen", Version: "GLIBC_2.34", Library: "libc.so.6"}, {Name: "maybe", Weak: true}}, undefined); d != "" {
			t.Errorf("undefined, no sections %t: (-want +got)\n%s", bare, d)
		}
		defined, err := elfx.DefinedSymbols(r, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]elfx.Symbol{{Name: "nvJitLinkCreate", Version: "V12_4"}, {Name: "plain"}}, defined); d != "" {
			t.Errorf("defined, no sections %t: (-want +got)\n%s", bare, d)
		}
	}
}
