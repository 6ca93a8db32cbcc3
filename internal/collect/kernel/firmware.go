package kernel

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// firmwareClassPath is the module parameter that puts a directory before the
// kernel's own. NVIDIA's driver container sets it.
const firmwareClassPath = "/sys/module/firmware_class/parameters/path"

// firmwareDirs are where the kernel looks for a driver's GSP firmware, one
// folder per driver version (fw_path in drivers/base/firmware_loader/main.c;
// NVIDIA's README, chapter "GSP Firmware"). The rest are where distributions
// without a /lib/firmware of their own keep it: NixOS, and a driver container.
func firmwareDirs(m *machine.Machine, release string) []string {
	var dirs []string
	if data, err := m.ReadFile(firmwareClassPath, maxProcFile); err == nil {
		if dir := strings.TrimSpace(string(data)); path.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	if release != "" && !strings.Contains(release, "/") {
		dirs = append(dirs, "/lib/firmware/updates/"+release, "/lib/firmware/"+release)
	}
	dirs = append(dirs, "/lib/firmware/updates", "/lib/firmware", "/usr/lib/firmware",
		"/run/current-system/firmware", "/run/booted-system/firmware", "/run/nvidia/driver/lib/firmware")
	for i := range dirs {
		dirs[i] = path.Join(dirs[i], "nvidia")
	}
	return dirs
}

// readFirmware lists the driver versions whose GSP firmware is installed.
// Other folders there belong to nouveau and are named after chips. release is
// the running kernel's.
func readFirmware(m *machine.Machine, release string) stack.Fact[[]stack.Firmware] {
	var all []stack.Firmware
	var looked []stack.Source
	var problem error
	seen := map[string]bool{}
	for _, dir := range firmwareDirs(m, release) {
		real, err := m.Real(dir)
		if machine.IsMissing(err) || seen[real] {
			continue
		}
		if err == nil {
			seen[real] = true
			looked = append(looked, stack.File(dir))
			err = firmwareIn(m, dir, &all)
		}
		problem = cmp.Or(problem, err)
	}
	switch {
	case problem != nil:
		// What is wanted may be where we may not look, so the list is no answer.
		f := stack.Miss[[]stack.Firmware](problem, firmwareClassPath)
		var pe *fs.PathError
		if errors.As(problem, &pe) {
			f = stack.Miss[[]stack.Firmware](problem, pe.Path)
		}
		f.Value = all
		return f
	case len(looked) == 0 && !m.Exists("/lib/firmware"):
		// A container or a captured tree without firmware says nothing about the host.
		return stack.Fact[[]stack.Firmware]{}
	}
	return stack.Know(all, looked...)
}

// firmwareIn adds the driver versions of one directory.
func firmwareIn(m *machine.Machine, dir string, all *[]stack.Firmware) error {
	entries, err := m.ReadDir(dir)
	for _, e := range entries {
		v, verr := version.ParseDriver(e.Name())
		if verr != nil || !strings.Contains(e.Name(), ".") {
			continue
		}
		p := path.Join(dir, e.Name())
		files, gerr := m.Glob(path.Join(p, "gsp*.bin*")) // .xz or .zst where the distribution compresses firmware
		err = cmp.Or(err, gerr)
		if len(files) > 0 {
			*all = append(*all, stack.Firmware{Version: v, Files: files, From: stack.File(p)})
		}
	}
	return err
}
