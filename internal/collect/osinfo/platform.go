package osinfo

import (
	"errors"
	"io/fs"
	"strings"

	"strata/internal/elfx"
	"strata/internal/machine"
	"strata/internal/stack"
)

// readArch reads the machine of the C library or, in an image without one, of
// the usual first programs. The kernel's word is last: a 64-bit kernel can run
// a 32-bit system.
func readArch(m *machine.Machine, libcPath string) stack.Fact[string] {
	var broken error
	for _, name := range []string{libcPath, "/bin/sh", "/bin/busybox", "/sbin/init", "/usr/bin/python3"} {
		if name == "" {
			continue
		}
		machine, err := elfMachine(m, name)
		if err == nil {
			return stack.Know(machine, stack.From("elf", name, 0, machine))
		}
		if broken == nil && !errors.Is(err, fs.ErrNotExist) {
			broken = err
		}
	}
	const proc = "/proc/sys/kernel/arch" // since Linux 6.1
	if data, err := m.ReadFile(proc, 256); err == nil {
		if text := strings.TrimSpace(string(data)); text != "" {
			return stack.Know(text, stack.Line(proc, 1, text))
		}
	}
	if broken != nil {
		return stack.Miss[string](broken, "/bin/sh")
	}
	return stack.None[string](stack.File("/bin/sh"))
}

func elfMachine(m *machine.Machine, name string) (string, error) {
	f, err := m.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	e, err := elfx.Read(f, info.Size())
	if e == nil {
		return "", err
	}
	return e.Machine, nil // the header suffices, whatever is wrong behind it
}

// readWSL tells whether this is a guest of the Windows Subsystem for Linux. A
// custom kernel need not have Microsoft in its name, so the interoperability
// entry and the mounted driver count too. Without procfs only the positive
// answer can be known.
func readWSL(m *machine.Machine) stack.Fact[bool] {
	const version, interop, lib = "/proc/version", "/proc/sys/fs/binfmt_misc/WSLInterop", "/usr/lib/wsl/lib"
	data, err := m.ReadFile(version, 4096)
	if err == nil && strings.Contains(strings.ToLower(string(data)), "microsoft") {
		return stack.Know(true, stack.Line(version, 1, string(data)))
	}
	for _, p := range []string{interop, interop + "-late", lib} {
		if m.Exists(p) {
			return stack.Know(true, stack.File(p))
		}
	}
	switch {
	case err == nil:
		return stack.Know(false, stack.Line(version, 1, string(data)))
	case errors.Is(err, fs.ErrNotExist):
		return stack.Fact[bool]{}
	}
	return stack.Miss[bool](err, version)
}

// readJetson reads the board's name from the device tree of a Tegra system.
func readJetson(m *machine.Machine) stack.Fact[string] {
	const model, compatible = "/proc/device-tree/model", "/proc/device-tree/compatible"
	data, err := m.ReadFile(model, 4096)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return stack.Miss[string](err, model)
		}
		if _, err := m.Lstat("/proc/device-tree"); err == nil {
			// The link leads into /sys/firmware, which container engines mask.
			return stack.Refused[string]("/proc/device-tree leads nowhere: /sys/firmware is masked", "run on the host instead of in a container", stack.File(model))
		}
		if m.Exists("/proc/version") {
			return stack.None[string](stack.File(model)) // a PC: no device tree
		}
		return stack.Fact[string]{}
	}
	name := strings.Trim(string(data), "\x00\n ")
	kinds, _ := m.ReadFile(compatible, 4096) // its absence leaves the name to decide
	if strings.Contains(string(kinds), "nvidia,tegra") || strings.Contains(name, "Jetson") {
		return stack.Know(name, stack.Line(model, 1, name))
	}
	return stack.None[string](stack.Line(model, 1, name))
}

func readL4T(m *machine.Machine) stack.Fact[string] {
	const name = "/etc/nv_tegra_release"
	data, err := m.ReadFile(name, 64<<10)
	if err != nil {
		return stack.Miss[string](err, name)
	}
	v := parseL4T(string(data))
	if v == "" {
		return stack.Broken[string]("its first line names no release", stack.Line(name, 1, string(data)))
	}
	return stack.Know(v, stack.Line(name, 1, v))
}

// parseL4T turns "# R35 (release), REVISION: 4.1, GCID: 33958178, …" into R35.4.1.
func parseL4T(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	major, rest, ok := strings.Cut(strings.TrimLeft(line, "# "), " ")
	_, revision, ok2 := strings.Cut(rest, "REVISION: ")
	if !ok || !ok2 || !strings.HasPrefix(major, "R") {
		return ""
	}
	revision, _, _ = strings.Cut(revision, ",")
	if revision = strings.TrimSpace(revision); revision == "" || strings.Trim(major[1:]+revision, "0123456789.") != "" {
		return ""
	}
	return major + "." + revision
}
