package elftest_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"strata/internal/elfx/elftest"
)

func write(t *testing.T, dir, name string, s elftest.Spec) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, elftest.Build(s), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// full uses every part of a Spec.
var full = elftest.Spec{
	Soname: "libnvJitLink.so.12", Runpath: "$ORIGIN/../lib:/opt/lib", Rpath: "/old", NoDefaultLib: true,
	Needed:    []elftest.Need{{Library: "libc.so.6", Versions: []string{"GLIBC_2.2.5", "GLIBC_2.34"}, Weak: []string{"GLIBC_9.9"}}, {Library: "libdl.so.2"}},
	Undefined: []elftest.Symbol{{Name: "dlopen", Version: "GLIBC_2.34"}, {Name: "maybe", Weak: true}},
	Defines:   []string{"libnvJitLink.so.12.base", "V12_4"},
	Defined:   []elftest.Symbol{{Name: "nvJitLinkCreate", Version: "V12_4"}, {Name: "plain"}},
	BuildID:   []byte{0xab, 0xcd, 0xef, 0x01}, Compat: `{"format":1,"CUDA version":"12.9","driver":[535,550],"device":[1]}`,
	Interp: "/lib64/ld-linux-x86-64.so.2", Fatbin: make([]byte, 40), RelFatbin: make([]byte, 8), Pad: 100,
}

func TestBuildParsesWithDebugELF(t *testing.T) {
	for _, class := range []string{"ELF64", "ELF32"} {
		for _, machine := range []string{"x86_64", "aarch64", "s390x"} {
			s := full
			s.Class, s.Machine = class, machine
			f, err := elf.NewFile(bytes.NewReader(elftest.Build(s)))
			if err != nil {
				t.Fatalf("%s %s: %v", class, machine, err)
			}
			libs, err := f.ImportedLibraries()
			if err != nil || !slices.Equal(libs, []string{"libc.so.6", "libdl.so.2"}) {
				t.Errorf("%s %s: libraries %q, %v", class, machine, libs, err)
			}
			needs, err := f.DynamicVersionNeeds()
			if err != nil || len(needs) != 1 || len(needs[0].Needs) != 3 || needs[0].Needs[1].Dep != "GLIBC_2.34" {
				t.Errorf("%s %s: version needs %v, %v", class, machine, needs, err)
			}
			defs, err := f.DynamicVersions()
			if err != nil || len(defs) != 3 || defs[2].Name != "V12_4" {
				t.Errorf("%s %s: versions %v, %v", class, machine, defs, err)
			}
			syms, err := f.DynamicSymbols()
			if err != nil || len(syms) != 4 || syms[0].Version != "GLIBC_2.34" || syms[2].Version != "V12_4" {
				t.Errorf("%s %s: symbols %v, %v", class, machine, syms, err)
			}
			if s := f.Section(".nv_fatbin"); s == nil || s.Size != 40 {
				t.Errorf("%s %s: .nv_fatbin %v", class, machine, s)
			}
		}
	}
}

func TestBuildPleasesReadelf(t *testing.T) {
	tool, err := exec.LookPath("readelf")
	if err != nil {
		t.Skip("no readelf")
	}
	p := write(t, t.TempDir(), "lib.so", full)
	out, err := exec.Command(tool, "-aW", p).CombinedOutput()
	if err != nil {
		t.Fatalf("readelf: %v\n%s", err, out)
	}
	for _, bad := range []string{"Warning", "Error"} {
		if i := strings.Index(string(out), bad); i >= 0 {
			t.Errorf("readelf complains: %.200s", out[i:])
		}
	}
	for _, want := range []string{"dlopen@GLIBC_2.34", "nvJitLinkCreate@@V12_4", "Library runpath: [$ORIGIN/../lib:/opt/lib]", "Flags: NODEFLIB", "cdef01"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("readelf does not print %q", want)
		}
	}
}

// TestBuildPleasesTheLoader lets the real loader resolve synthetic files: it
// must find one, miss one, and notice a missing version.
func TestBuildPleasesTheLoader(t *testing.T) {
	ldd, err := exec.LookPath("ldd")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no ldd for x86-64")
	}
	dir := t.TempDir()
	write(t, dir, "libb.so.1", elftest.Spec{Soname: "libb.so.1", Defines: []string{"V1"}, Defined: []elftest.Symbol{{Name: "f", Version: "V1"}}})
	p := write(t, dir, "liba.so.1", elftest.Spec{
		Soname: "liba.so.1", Runpath: "$ORIGIN",
		Needed:    []elftest.Need{{Library: "libb.so.1", Versions: []string{"V1", "V2"}}, {Library: "libmissing.so.9"}},
		Undefined: []elftest.Symbol{{Name: "f", Version: "V1"}},
	})
	out, _ := exec.Command(ldd, p).CombinedOutput()
	if strings.Contains(string(out), "not a dynamic executable") {
		t.Skipf("this ldd cannot load x86-64 glibc files: %s", out)
	}
	for _, want := range []string{"libb.so.1 => " + dir + "/libb.so.1", "libmissing.so.9 => not found", "version `V2' not found"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("ldd does not print %q:\n%s", want, out)
		}
	}
}
