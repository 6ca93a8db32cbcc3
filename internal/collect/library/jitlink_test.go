package library

import (
	"testing"

	"strata/internal/collect/collecttest"
)

func TestJitLink(t *testing.T) {
	m := collecttest.OpenText(t, `Libraries that call nvJitLink, and some that do not.
-- elf --
/lib/libcusparse.so.12 soname=libcusparse.so.12 needs=libnvJitLink.so.12(libnvJitLink.so.12) undefined=__nvJitLinkCreate_12_4@libnvJitLink.so.12,__nvJitLinkComplete_12_10@libnvJitLink.so.12
/lib/libcusolver.so.11 soname=libcusolver.so.11 needs=libcusparse.so.12 undefined=__nvJitLinkCreate_12_4
/lib/libother.so.1 soname=libother.so.1 needs=libnvJitLink.so.12 undefined=nvJitLinkVersion,__nvJitLinkCreate_12
/lib/libnone.so.1 soname=libnone.so.1 needs=libnvJitLink.so.12
`)
	for name, want := range map[string]string{
		"/lib/libcusparse.so.12": "12.10", // the newest, by number
		"/lib/libcusolver.so.11": "",      // does not need it itself
		"/lib/libother.so.1":     "",      // names without a release
		"/lib/libnone.so.1":      "",
	} {
		if got := Read(m, name, "wheel").JitLink; got != want {
			t.Errorf("%s calls nvJitLink %q, want %q", name, got, want)
		}
	}
}
