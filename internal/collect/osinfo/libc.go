package osinfo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"strata/internal/elfx"
	"strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// usualDirs are where most distributions keep their own C and C++ libraries.
var usualDirs = []string{
	"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
	"/lib64", "/usr/lib64", "/lib", "/usr/lib",
}

// systemDirs are the usual ones and, for a distribution that has none of them
// (NixOS, Guix), the one that holds the loader of its programs.
func systemDirs(m *machine.Machine) []string {
	if name := loader.Interpreter(m); name != "" {
		return append(usualDirs[:len(usualDirs):len(usualDirs)], path.Dir(name))
	}
	return usualDirs
}

// libc is the system's C library.
type libc struct {
	path          string // of the file, empty where none was found
	kind, version stack.Fact[string]
}

// findLibc finds the system's C library. Debian can have musl installed beside
// glibc, and Alpine's libc6-compat brings a libc.so.6 that is a link to musl;
// so glibc is a libc.so.6 that is not musl.
func findLibc(m *machine.Machine) libc {
	var refused error
	for _, dir := range systemDirs(m) {
		name := path.Join(dir, "libc.so.6")
		real, err := m.Real(name)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				refused = err
			}
			continue
		}
		if strings.Contains(path.Base(real), "musl") {
			continue
		}
		return libc{path: name, kind: stack.Know("glibc", stack.File(name)), version: glibcVersion(m, name, real)}
	}
	loaders, _ := m.Glob("/lib/ld-musl-*.so.1") // a failure shows in the libc.so.6 look-ups
	if len(loaders) > 0 {
		return libc{loaders[0], stack.Know("musl", stack.File(loaders[0])), stack.None[string](stack.File(loaders[0]))}
	}
	f := stack.None[string](stack.Source{Kind: "directory", Locator: "/lib"}, stack.Source{Kind: "directory", Locator: "/usr/lib"})
	if refused != nil {
		f = stack.Miss[string](refused, "/lib")
	}
	return libc{kind: f, version: f}
}

// glibcVersion tries the name of the real file (libc-2.31.so, until 2.33), the
// banner that libc.so.6 prints when it is run, and at last the newest symbol
// version, which can be older than the release: not every release adds one.
func glibcVersion(m *machine.Machine, name, real string) stack.Fact[string] {
	if v, ok := strings.CutPrefix(path.Base(real), "libc-"); ok {
		v, _ = strings.CutSuffix(v, ".so")
		if _, err := version.ParseGlibc(v); err == nil {
			return stack.Know(v, stack.From("link", name, 0, real))
		}
	}
	if text, err := scanBanner(m, name); err == nil {
		if v := parseBanner(text); v != "" {
			return stack.Know(v, stack.From("elf", name, 0, text))
		}
	}
	v, err := newestSymbol(m, name, "GLIBC_")
	if err != nil {
		return stack.Miss[string](err, name)
	}
	if v == "" {
		return stack.Broken[string]("it defines no GLIBC_ symbol version", stack.File(name))
	}
	return stack.Know(v, stack.From("elf", name, 0, "newest symbol version GLIBC_"+v))
}

const (
	bannerMark = "GNU C Library "
	// maxLibc bounds the scan; libc.so.6 has 2 MiB.
	maxLibc   = 16 << 20
	scanBlock = 128 << 10
	maxBanner = 200
)

// scanBanner finds "GNU C Library (Debian GLIBC 2.36-9+deb12u4) stable release
// version 2.36." in the library, a block at a time.
func scanBanner(m *machine.Machine, name string) (string, error) {
	f, err := m.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	buf := make([]byte, scanBlock)
	// Blocks overlap by what the banner can need.
	for off := int64(0); off < maxLibc; off += int64(len(buf) - maxBanner) {
		n, err := f.ReadAt(buf, off)
		if i := bytes.Index(buf[:n], []byte(bannerMark)); i >= 0 && (i+maxBanner <= n || err != nil) {
			text, _, _ := bytes.Cut(buf[i:min(n, i+maxBanner)], []byte("\n"))
			return string(text), nil
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("reading %q: %w", name, err)
		}
	}
	return "", fmt.Errorf("reading %q: it has no banner", name)
}

// parseBanner returns "" where the banner names no release.
func parseBanner(text string) string {
	_, after, ok := strings.Cut(text, "release version ")
	if !ok {
		return ""
	}
	end := 0
	for end < len(after) && (after[end] == '.' || after[end] >= '0' && after[end] <= '9') {
		end++
	}
	v := strings.TrimRight(after[:end], ".")
	if _, err := version.ParseGlibc(v); err != nil {
		return ""
	}
	return v
}

func readLibstdcxx(m *machine.Machine) stack.Fact[string] {
	for _, dir := range systemDirs(m) {
		name := path.Join(dir, "libstdc++.so.6")
		_, err := m.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return stack.Miss[string](err, name)
		}
		v, err := newestSymbol(m, name, "GLIBCXX_")
		if err != nil {
			return stack.Miss[string](err, name)
		}
		if v == "" {
			return stack.Broken[string]("it defines no GLIBCXX_ symbol version", stack.File(name))
		}
		return stack.Know(v, stack.From("elf", name, 0, "newest symbol version GLIBCXX_"+v))
	}
	return stack.None[string](stack.Source{Kind: "directory", Locator: "/usr/lib"})
}

// newestSymbol returns the highest PREFIX_x.y.z that a library defines, without
// the prefix; "" where there is none.
func newestSymbol(m *machine.Machine, name, prefix string) (string, error) {
	f, err := m.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("reading %q: %w", name, err)
	}
	e, err := elfx.Read(f, info.Size())
	if err != nil {
		return "", fmt.Errorf("reading %q: %w", name, err)
	}
	var newest version.Glibc
	for _, d := range e.Defines {
		// GLIBC_PRIVATE and GLIBC_ABI_DT_RELR are no releases and do not parse.
		v, err := version.ParseGlibc(strings.TrimPrefix(d, prefix))
		if err == nil && strings.HasPrefix(d, prefix) && newest.Less(v) {
			newest = v
		}
	}
	return newest.String(), nil
}
