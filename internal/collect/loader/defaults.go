package loader

import (
	"fmt"
	"strings"

	ld "strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/stack"
)

// maxLoader bounds how much of a loader is searched. It has 150 to 250 KB;
// with its debugging information, some 1.5 MB.
const maxLoader = 4 << 20

// Defaults returns the directories built into the machine's own dynamic
// loader, in search order and without trailing slashes. glibc keeps them as a
// list of NUL-terminated strings, so no table of distributions is needed.
// Where no loader can be read they are guessed from the distribution, and the
// source says derived.
func Defaults(m *machine.Machine) stack.Fact[[]string] {
	for _, name := range ld.Candidates(m) {
		data, _, err := m.ReadHead(name, maxLoader)
		if err != nil {
			continue
		}
		if dirs := ld.ParseDefaults(data); len(dirs) > 0 {
			return stack.Know(dirs, stack.From("elf", name, 0, strings.Join(dirs, ":")))
		}
	}
	for _, arch := range []string{"x86_64", "aarch64"} {
		if name := "/lib/ld-musl-" + arch + ".so.1"; m.Exists(name) {
			return stack.Know([]string{"/lib", "/usr/local/lib", "/usr/lib"}, stack.From("derived", name, 0, "musl's built-in path"))
		}
	}
	return guess(m)
}

// guess stands in for a loader that is missing or unreadable.
func guess(m *machine.Machine) stack.Fact[[]string] {
	const osRelease = "/etc/os-release"
	data, _, err := m.ReadHead(osRelease, 64<<10)
	ids := ""
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && (k == "ID" || k == "ID_LIKE") {
			ids += " " + strings.ToLower(strings.Trim(v, `"'`))
		}
	}
	var dirs []string
	switch has := func(id string) bool { return strings.Contains(ids+" ", " "+id+" ") }; {
	case has("debian"), has("ubuntu"):
		triplet := "x86_64-linux-gnu"
		if m.Exists("/usr/lib/aarch64-linux-gnu") && !m.Exists("/usr/lib/x86_64-linux-gnu") {
			triplet = "aarch64-linux-gnu"
		}
		dirs = []string{"/lib/" + triplet, "/usr/lib/" + triplet, "/lib", "/usr/lib"}
	case has("fedora"), has("rhel"), has("centos"), has("suse"), has("sles"), has("amzn"):
		dirs = []string{"/lib64", "/usr/lib64"}
	case err == nil:
		dirs = []string{"/lib", "/usr/lib"}
	default:
		why := "no glibc loader was found and the distribution is not known"
		if m.Exists("/lib") || m.Exists("/usr/lib") || m.Exists("/lib64") {
			return stack.Broken[[]string](why, stack.File(osRelease))
		}
		return stack.None[[]string](stack.File("/lib"), stack.File("/lib64"), stack.File("/usr/lib"))
	}
	return stack.Know(dirs, stack.From("derived", osRelease, 0, fmt.Sprintf("usual for%s; no loader could be read", ids)))
}
