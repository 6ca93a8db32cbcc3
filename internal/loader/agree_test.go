package loader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"strata/internal/elfx/elftest"
	"strata/internal/loader"
	"strata/internal/loader/loadertest"
	"strata/internal/machine"
)

// trap is one file of the adversarial set: where it lies and what it is.
type trap struct {
	path string
	elftest.Spec
	raw  string // contents of a file that is no ELF file
	link string // target of a symbolic link
	hard string // another name of this file
}

func needs(names ...string) (list []elftest.Need) {
	for _, n := range names {
		list = append(list, elftest.Need{Library: n})
	}
	return list
}

func lib(path, soname string, needed ...string) trap {
	return trap{path: path, Spec: elftest.Spec{Soname: soname, Needed: needs(needed...)}}
}

func (t trap) rpath(p string) trap   { t.Rpath = p; return t }
func (t trap) runpath(p string) trap { t.Runpath = p; return t }

// traps are laid out below one directory. Those in "prog" are looked at; the others are what they meet.
var traps = []trap{
	// Inheritance of RPATH, which RUNPATH ends.
	lib("prog/rpath.so", "", "libone.so").rpath("$ORIGIN/../rp"),
	lib("prog/runpath.so", "", "libone.so").runpath("$ORIGIN/../rp"),
	lib("rp/libone.so", "libone.so", "libtwo.so"),
	lib("rp/libtwo.so", "libtwo.so"),
	lib("prog/middle.so", "", "libmid.so").rpath("$ORIGIN/../rp:$ORIGIN/../m"),
	lib("m/libmid.so", "libmid.so", "libtwo.so").runpath("$ORIGIN/nowhere"),
	lib("prog/both.so", "", "libtwo.so").rpath("$ORIGIN/../rp").runpath("$ORIGIN/../m"),
	// A RUNPATH below a RPATH, whose own needs go to the program's RPATH again.
	lib("prog/below.so", "", "libbelow.so").rpath("$ORIGIN/../below:$ORIGIN/../rp"),
	lib("below/libbelow.so", "libbelow.so", "libthird.so").runpath("$ORIGIN"),
	lib("below/libthird.so", "libthird.so", "libtwo.so"),
	// Tokens.
	lib("prog/tokens.so", "", "libtok.so", "libtok2.so").rpath("${ORIGIN}/../t/$LIB:$ORIGIN/../t/$PLATFORM:$ORIGINAL/x:$ORIGIN/../t/${LIB}x"),
	lib("t/LIB/libtok.so", "libtok.so"),
	lib("t/PLATFORM/libtok2.so", "libtok2.so"),
	// $ORIGIN of a library that was found through a link is the link's directory.
	lib("prog/origin.so", "", "libhere.so").rpath("$ORIGIN/../link"),
	{path: "link", link: "real"},
	lib("real/libhere.so", "libhere.so", "libbeside.so").runpath("$ORIGIN/../linked-only"),
	lib("linked-only/libbeside.so", "libbeside.so"),
	{path: "prog/link.so", link: "../far/prog.so"},
	lib("far/prog.so", "", "libnear.so").rpath("$ORIGIN"),
	lib("far/libnear.so", "libnear.so"),
	// What is loaded under a soname, a link, a second name of the same file.
	lib("prog/sonames.so", "", "liba.so.1", "libb.so.1", "liba.so.1.2", "libhard.so", "libhard2.so").rpath("$ORIGIN/../s"),
	lib("s/liba.so.1", "libb.so.1"),
	{path: "s/liba.so.1.2", link: "liba.so.1"},
	lib("s/libhard.so", "libhard.so"),
	{path: "s/libhard2.so", hard: "s/libhard.so"},
	// Circles and diamonds, breadth first.
	lib("prog/circle.so", "circle.so", "libc1.so", "libc2.so").rpath("$ORIGIN/../c:$ORIGIN"),
	lib("c/libc1.so", "libc1.so", "libc2.so", "libc3.so", "circle.so"),
	lib("c/libc2.so", "libc2.so", "libc1.so", "libc3.so"),
	lib("c/libc3.so", "libc3.so", "libc3.so"),
	// Names with a slash.
	lib("prog/slash.so", "", "$ORIGIN/../s/libhard.so", "../s/liba.so.1"),
	// The same name in several places.
	lib("prog/pick.so", "", "libpick.so"),
	lib("prog/pickpath.so", "", "libpick.so").rpath("$ORIGIN/../p1"),
	lib("prog/pickrun.so", "", "libpick.so").runpath("$ORIGIN/../p1"),
	lib("p1/libpick.so", "libpick.so"), lib("p2/libpick.so", "libpick.so"), lib("p3/libpick.so", "libpick.so"),
	// Subdirectories for the processor.
	lib("prog/hwcaps.so", "", "libhw.so", "libhw2.so", "libhw9.so").rpath("$ORIGIN/../hw"),
	lib("hw/libhw.so", "libhw.so"), lib("hw/glibc-hwcaps/x86-64-v2/libhw.so", "libhw.so"), lib("hw/glibc-hwcaps/x86-64-v3/libhw.so", "libhw.so"),
	lib("hw/glibc-hwcaps/x86-64-v4/libhw.so", "libhw.so"), lib("hw/glibc-hwcaps/x86-64-v2/libhw2.so", "libhw2.so"), lib("hw/libhw2.so", "libhw2.so"),
	lib("hw/glibc-hwcaps/x86-64-v9/libhw9.so", "libhw9.so"), lib("hw/tls/libhw9.so", "libhw9.so"),
	// Files that do not fit are passed over, files that are none end the load.
	lib("prog/wrong.so", "", "libwrong.so").rpath("$ORIGIN/../w1:$ORIGIN/../w2:$ORIGIN/../w3"),
	{path: "w1/libwrong.so", Spec: elftest.Spec{Machine: "aarch64"}}, {path: "w2/libwrong.so", Spec: elftest.Spec{Class: "ELF32", Machine: "i686"}}, lib("w3/libwrong.so", "libwrong.so"),
	lib("prog/garbage.so", "", "libgarbage.so").rpath("$ORIGIN/../g1:$ORIGIN/../g2"),
	{path: "g1/libgarbage.so", raw: "INPUT ( -lgarbage )\n" + strings.Repeat("x", 100)}, lib("g2/libgarbage.so", "libgarbage.so"),
	lib("prog/empty.so", "", "libempty.so").rpath("$ORIGIN/../g1:$ORIGIN/../g2"),
	{path: "g1/libempty.so", raw: ""}, lib("g2/libempty.so", "libempty.so"),
	lib("prog/short.so", "", "libshort.so").rpath("$ORIGIN/../g1"),
	{path: "g1/libshort.so", raw: "\x7fELF\x02\x01\x01"},
	lib("prog/directory.so", "", "libdir.so").rpath("$ORIGIN/../g1:$ORIGIN/../g2"),
	lib("g1/libdir.so/inner.so", ""), lib("g2/libdir.so", "libdir.so"),
	lib("prog/dangling.so", "", "libdangling.so").rpath("$ORIGIN/../g1:$ORIGIN/../g2"),
	{path: "g1/libdangling.so", link: "nothing"}, lib("g2/libdangling.so", "libdangling.so"),
	// Missing, once and twice; odd paths; the linker itself; without defaults.
	lib("prog/missing.so", "", "libno.so", "libone.so", "libno.so").rpath("$ORIGIN/../rp:$ORIGIN/../miss"),
	lib("prog/missing2.so", "", "libm1.so", "libno.so").rpath("$ORIGIN/../miss"),
	lib("miss/libm1.so", "libm1.so", "libno.so", "libalso.so"),
	lib("prog/odd.so", "", "libtwo.so").rpath("::$ORIGIN/../rp//:$ORIGIN/../rp/"),
	lib("prog/self.so", "", linkerName(), "libc.so.6"),
	{path: "prog/nodefault.so", Spec: elftest.Spec{Needed: needs("libc.so.6", "libm.so.6"), NoDefaultLib: true}},
	lib("prog/libc.so", "", "libc.so.6", "libm.so.6", "libdl.so.2"),
	// Names that are musl's own library whatever follows the dot, and names that are not though it holds what they stand for.
	lib("prog/names.so", "", "libcrypt.so.1", "libresolv.so.2", "libm.so.7", "libm.so.8", "libmm.so.1", "libcrypt.so.9").rpath("$ORIGIN/../n"),
	lib("n/libcrypt.so.1", "libcrypt.so.1"), lib("n/libresolv.so.2", "libresolv.so.2"), lib("n/libmm.so.1", "libmm.so.1"),
	// Symbol versions and symbols: there, missing, weak, of a library without any; the pair of cuSPARSE and nvJitLink.
	{path: "prog/versions.so", Spec: elftest.Spec{Rpath: "$ORIGIN/../v", Needed: []elftest.Need{
		{Library: "libv.so", Versions: []string{"V1", "V2"}, Weak: []string{"V3"}}, {Library: "libbare.so", Versions: []string{"B1"}}},
		Undefined: []elftest.Symbol{{Name: "one", Version: "V1"}, {Name: "two", Version: "V2"}, {Name: "bare", Version: "B1"}, {Name: "nowhere"}, {Name: "weak", Weak: true}}}},
	{path: "v/libv.so", Spec: elftest.Spec{Soname: "libv.so", Defines: []string{"V1"}, Defined: []elftest.Symbol{{Name: "one", Version: "V1"}}}},
	{path: "v/libbare.so", Spec: elftest.Spec{Soname: "libbare.so", Defined: []elftest.Symbol{{Name: "bare"}}}},
	// A preloaded library brings its own needs; see settings.
	lib("pre/libpre.so", "libpre.so", "libpick.so").rpath("$ORIGIN/../p3"),
}

func linkerName() string {
	if runtime.GOARCH == "arm64" {
		return "ld-linux-aarch64.so.1"
	}
	return "ld-linux-x86-64.so.2"
}

// settings are the environments that each program is tried in, BASE for the directory of the traps.
var settings = []loader.Environment{
	{},
	{LibraryPath: "BASE/p2"},
	{LibraryPath: "BASE/p2:BASE/p1"},
	{LibraryPath: "BASE/nowhere;BASE/p3;BASE/rp"},
	{LibraryPath: ":BASE/p2"},
	{LibraryPath: "BASE/w1:BASE/w2:BASE/g2"},
	{LibraryPath: "BASE/g1:BASE/p2"},
	{LibraryPath: "$ORIGIN/../p1:${ORIGIN}/../hw"},
	{LibraryPath: "../p3:p1"},
	{LibraryPath: "BASE/hw:BASE/s:BASE/m:BASE/miss:BASE/below"},
	{LibraryPath: "/"},
	{Preload: "BASE/pre/libpre.so"},
	{Preload: "BASE/pre/libpre.so BASE/p1/libpick.so:BASE/nowhere.so"},
	{Preload: "libpre.so:libhw.so", LibraryPath: "BASE/pre:BASE/hw"},
}

// TestAgreesWithTheLinker lays the traps out on disk and asks this machine's own linker about each.
func TestAgreesWithTheLinker(t *testing.T) {
	for _, name := range []string{"", "/lib/ld-musl-x86_64.so.1"} {
		host := machine.OpenHost()
		if name != "" && !host.Exists(name) {
			continue // Debian's package musl brings it
		}
		linker, err := loader.New(host, loader.Options{Linker: name, CPU: loader.ReadCPU(host)})
		if err != nil {
			t.Fatalf("this test needs a machine with a dynamic linker: %v", err)
		}
		t.Run(linker.Libc, func(t *testing.T) { agree(t, linker) })
	}
}

func agree(t *testing.T, linker *loader.Linker) {
	base := layOut(t, linker)
	programs, err := filepath.Glob(filepath.Join(base, "prog", "*"))
	if err != nil || len(programs) < 25 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	edges, ended := 0, 0
	for _, program := range programs {
		if linker.Libc == "musl" && filepath.Base(program) == "wrong.so" {
			continue // musl maps a file of another machine, and what follows is anybody's guess; here it is an error
		}
		for _, env := range settings {
			env.LibraryPath = strings.ReplaceAll(env.LibraryPath, "BASE", base)
			env.Preload = strings.ReplaceAll(env.Preload, "BASE", base)
			env.Dir = filepath.Join(base, "p1")
			d := loadertest.Compare(linker, "/", program, env, loadertest.Versions)
			if len(d.Only) > 0 {
				t.Errorf("%s with %+v:\n  %s", strings.TrimPrefix(program, base), env, strings.ReplaceAll(strings.Join(d.Only, "\n  "), base, ""))
			}
			edges += d.Edges
			if d.Ended {
				ended++
			}
		}
	}
	t.Logf("%d programs, %d settings, %d edges, %d loads that end", len(programs), len(settings), edges, ended)
	if edges < 500 || ended < 20 && linker.Libc == "glibc" {
		t.Errorf("%d edges and %d loads that end: the traps were not looked at", edges, ended)
	}
}

// layOut writes the traps and returns their directory.
func layOut(t *testing.T, linker *loader.Linker) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("LIB", strings.TrimPrefix(linker.Defaults[0], "/"), "PLATFORM", linker.Machine)
	for _, tr := range traps {
		p := filepath.Join(base, names.Replace(tr.path))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case tr.link != "":
			err = os.Symlink(tr.link, p)
		case tr.hard != "":
			err = os.Link(filepath.Join(base, tr.hard), p)
		case tr.Spec.Machine == "" && fmt.Sprint(tr.Spec) == fmt.Sprint(elftest.Spec{}):
			err = os.WriteFile(p, []byte(tr.raw), 0o755)
		default:
			if tr.Spec.Machine == "" {
				tr.Spec.Machine = linker.Machine
			}
			err = os.WriteFile(p, elftest.Build(tr.Spec), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return base
}

// TestPlacesAgreeWithTheSearch holds the list of places to what is loaded: its winner is the object that the name got.
func TestPlacesAgreeWithTheSearch(t *testing.T) {
	host := machine.OpenHost()
	linker, err := loader.New(host, loader.Options{CPU: loader.ReadCPU(host)})
	if err != nil {
		t.Fatal(err)
	}
	base := layOut(t, linker)
	programs, err := filepath.Glob(filepath.Join(base, "prog", "*"))
	if err != nil {
		t.Fatal(err)
	}
	compared, hidden := 0, 0
	for _, program := range programs {
		for _, env := range settings {
			env.LibraryPath, env.Dir = strings.ReplaceAll(env.LibraryPath, "BASE", base), filepath.Join(base, "p1")
			p := linker.Start(program, loader.Environment{LibraryPath: env.LibraryPath, Dir: env.Dir})
			for _, e := range p.Edges {
				if e.Via == loader.ViaLoaded || strings.Contains(e.Name, "/") || e.From == nil {
					continue
				}
				winner, rest := "", 0
				for _, place := range p.Places(e.Name, e.From) {
					if place.Why != "" {
						continue
					}
					if winner == "" {
						winner = place.Path
					} else {
						rest++
					}
				}
				hidden += rest
				if e.To == nil && winner != "" || e.To != nil && winner == "" {
					t.Errorf("%s: %s from %s: winner %q, loaded %v", program, e.Name, e.From.Path, winner, e.To)
				}
				if e.To != nil && e.To.Name == e.Name && winner != e.To.Path {
					t.Errorf("%s: %s from %s: winner %q, loaded %q", program, e.Name, e.From.Path, winner, e.To.Path)
				}
				compared++
			}
		}
	}
	if compared < 300 || hidden < 20 {
		t.Errorf("%d names compared, %d hidden copies seen", compared, hidden)
	}
}
