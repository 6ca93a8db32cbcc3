// Package kernel reads the running kernel, the nvidia kernel modules (loaded,
// on disk, built by DKMS) and what keeps modules from loading.
//
// In the lists a place that was looked at and holds nothing of interest is
// Known and empty; a place that does not exist is Absent; procfs or sysfs that
// is not there (an image root) leaves the fact NotCollected.
package kernel

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/redact"
	"strata/internal/stack"
	"strata/internal/version"
)

// Collector fills stack.Kernel. FabricManager.Version stays empty: the program
// does not say it without being run, its package does.
var Collector = collect.Collector{Name: "kernel", Read: read}

// maxProcFile bounds one file of procfs or sysfs. /proc/modules is the largest
// with 20 KiB on a busy server.
const maxProcFile = 1 << 20

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	var k stack.Kernel
	k.Release = readRelease(m)
	k.CommandLine = readCommandLine(m)
	k.Loaded = readLoaded(m)
	k.Version, k.Flavor = readDriver(m, k.Loaded)
	k.SecureBoot = readSecureBoot(m)
	k.Blacklist = readBlacklist(m, k.CommandLine)
	trees, err := moduleTrees(m)
	k.Installed = installed(m, trees, err)
	k.Files = readFiles(ctx, m, trees, err)
	k.DKMS = readDKMS(m, k.Files.Value)
	versionsFromDKMS(k.Files.Value, k.DKMS.Value)
	k.Firmware = readFirmware(m, k.Release.Or(""))
	k.FabricManager = readFabricManager(m)
	k.Log = readLog(m)
	return func(s *stack.Stack) { s.Kernel = k }, ctx.Err()
}

// procfs tells whether the machine has a procfs, so that a file missing from
// it means something. A captured tree that has nothing but NVIDIA's part does
// not count: who took it did not look at the rest.
func procfs(m *machine.Machine) bool {
	return m.Exists("/proc/version") || m.Exists("/proc/modules") || m.Exists("/proc/self/status")
}

// miss is stack.Miss for a file of procfs.
func miss[T any](m *machine.Machine, err error, name string) stack.Fact[T] {
	if errors.Is(err, fs.ErrNotExist) && !procfs(m) {
		return stack.Fact[T]{}
	}
	return stack.Miss[T](err, name)
}

func readRelease(m *machine.Machine) stack.Fact[string] {
	const osrelease, procVersion = "/proc/sys/kernel/osrelease", "/proc/version"
	data, err := m.ReadFile(osrelease, maxProcFile)
	if text := strings.TrimSpace(string(data)); err == nil && text != "" {
		return stack.Know(text, stack.Line(osrelease, 1, text))
	}
	data, err = m.ReadFile(procVersion, maxProcFile)
	if err != nil {
		return miss[string](m, err, procVersion)
	}
	// "Linux version 6.8.0-45-generic (buildd@…) …"
	after, ok := strings.CutPrefix(string(data), "Linux version ")
	release, _, _ := strings.Cut(after, " ")
	if !ok || strings.TrimSpace(release) == "" {
		return stack.Broken[string]("no kernel release in /proc/version", stack.Line(procVersion, 1, string(data)))
	}
	release = strings.TrimSpace(release)
	return stack.Know(release, stack.Line(procVersion, 1, string(data)))
}

func readCommandLine(m *machine.Machine) stack.Fact[string] {
	const name = "/proc/cmdline"
	data, err := m.ReadFile(name, maxProcFile)
	if err != nil {
		return miss[string](m, err, name)
	}
	// Boot parameters can hold passwords (installers, ignition URLs).
	text := redact.Line(string(data))
	return stack.Know(text, stack.Line(name, 1, text))
}

// tree is one directory of /lib/modules.
type tree struct{ release, dir string }

// moduleRoots hold the module trees: the first that exists does. The second
// serves a root that was copied without its top-level links, the last two NixOS.
var moduleRoots = []string{
	"/lib/modules", "/usr/lib/modules",
	"/run/booted-system/kernel-modules/lib/modules", "/run/current-system/kernel-modules/lib/modules",
}

// moduleTrees lists the kernels that have a module tree, oldest first.
func moduleTrees(m *machine.Machine) ([]tree, error) {
	from := moduleRoots[0]
	entries, err := m.ReadDir(from)
	for _, other := range moduleRoots[1:] {
		if !machine.IsMissing(err) {
			break
		}
		if more, merr := m.ReadDir(other); !machine.IsMissing(merr) {
			from, entries, err = other, more, merr
		}
	}
	var trees []tree
	for _, e := range entries {
		t := tree{e.Name(), from + "/" + e.Name()}
		// What a removed kernel leaves behind (only updates/dkms) is no kernel.
		if m.Exists(t.dir+"/modules.dep") || m.Exists(t.dir+"/kernel") {
			trees = append(trees, t)
		}
	}
	slices.SortStableFunc(trees, func(a, b tree) int {
		// An unreadable release is the zero version and sorts first.
		va, _ := version.ParseKernel(a.release)
		vb, _ := version.ParseKernel(b.release)
		return va.Compare(vb)
	})
	return trees, err
}

func installed(m *machine.Machine, trees []tree, err error) stack.Fact[[]string] {
	if err != nil && len(trees) == 0 {
		return stack.Miss[[]string](err, "/lib/modules")
	}
	releases := make([]string, 0, len(trees))
	for _, t := range trees {
		releases = append(releases, t.release)
	}
	return stack.Know(releases, stack.Source{Kind: "directory", Locator: "/lib/modules"})
}
