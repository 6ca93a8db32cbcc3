package loader_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/loader"
	"strata/internal/machine"
)

const jitMachine = `
-- m.txtar --
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/bin/app type=exec interp=/lib64/ld-linux-x86-64.so.2 rpath=/lib64
/lib64/libcusparse.so.12 soname=libcusparse.so.12 needs=libnvJitLink.so.12(libnvJitLink.so.12),libplain.so(P1) undefined=__nvJitLinkComplete_12_4@libnvJitLink.so.12,__nvJitLinkComplete_12_1@libnvJitLink.so.12,plain@P1
/lib64/libnvJitLink.so.12 soname=libnvJitLink.so.12 defines=libnvJitLink.so.12 defined=__nvJitLinkComplete_12_1@libnvJitLink.so.12
/lib64/libplain.so soname=libplain.so defines=P1
`

func jitProcess(t *testing.T) *loader.Process {
	t.Helper()
	_, text, _ := strings.Cut(jitMachine, "-- m.txtar --\n")
	a, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	l, err := loader.New(a.Machine, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l.Start("/bin/app", loader.Environment{})
}

// TestBound: cuSPARSE of 12.4 over nvJitLink of 12.1, whose one symbol version is that of all its releases.
func TestBound(t *testing.T) {
	p := jitProcess(t)
	o, err := p.Open("libcusparse.so.12", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range p.Versions() {
		t.Errorf("a version is missing: %v", v)
	}
	only := func(name string) func(string) bool { return func(soname string) bool { return soname == name } }
	got := p.Bound(o, only("libnvJitLink.so.12"))
	if len(got) != 1 || got[0].Symbol != "__nvJitLinkComplete_12_4" || got[0].From.Path != "/lib64/libnvJitLink.so.12" {
		t.Errorf("got %v", got)
	}
	if got := p.Bound(o, only("libplain.so")); len(got) != 1 || got[0].Symbol != "plain" {
		t.Errorf("got %v", got)
	}
	if got := p.Bound(o, only("libc.so.6")); got != nil {
		t.Errorf("got %v of a library that it does not need", got)
	}
}

// TestOpenIf: what is not accepted leaves nothing behind, and is loaded when it is asked for again.
func TestOpenIf(t *testing.T) {
	p := jitProcess(t)
	before := len(p.Objects)
	seen := 0
	refuse := func(loaded []*loader.Object) *loader.Failure {
		seen = len(loaded)
		return &loader.Failure{Name: loaded[0].Path, Reason: "undefined symbol: x"}
	}
	if o, err := p.OpenIf("libcusparse.so.12", nil, refuse); o != nil || err == nil || err.Error() != "/lib64/libcusparse.so.12: undefined symbol: x" {
		t.Errorf("got %v, %v", o, err)
	}
	if seen != 3 || len(p.Objects) != before || len(p.Edges) != 0 {
		t.Errorf("%d objects were shown; %d are left, %d edges", seen, len(p.Objects)-before, len(p.Edges))
	}
	if o, err := p.OpenIf("libcusparse.so.12", nil, func([]*loader.Object) *loader.Failure { return nil }); err != nil || o.Path != "/lib64/libcusparse.so.12" || len(p.Objects) != before+3 {
		t.Errorf("got %v, %v", o, err)
	}
	// What is there already is not asked about again.
	if _, err := p.OpenIf("libnvJitLink.so.12", nil, refuse); err != nil {
		t.Error(err)
	}
}
