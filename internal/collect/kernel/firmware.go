package kernel

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// firmwareDirs are where the kernel looks for a driver's GSP firmware, one
// folder per driver version (NVIDIA's README, chapter "GSP Firmware").
var firmwareDirs = []string{"/lib/firmware/nvidia", "/usr/lib/firmware/nvidia", "/lib/firmware/updates/nvidia"}

// readFirmware lists the driver versions whose GSP firmware is installed.
// Other folders there belong to nouveau and are named after chips.
func readFirmware(m *machine.Machine) stack.Fact[[]stack.Firmware] {
	var all []stack.Firmware
	var looked []stack.Source
	seen := map[string]bool{}
	for _, dir := range firmwareDirs {
		real, err := m.Real(dir)
		if errors.Is(err, fs.ErrNotExist) || seen[real] {
			continue
		}
		if err != nil {
			return stack.Miss[[]stack.Firmware](err, dir)
		}
		seen[real] = true
		looked = append(looked, stack.File(dir))
		entries, err := m.ReadDir(dir)
		if err != nil {
			return stack.Miss[[]stack.Firmware](err, dir)
		}
		for _, e := range entries {
			v, err := version.ParseDriver(e.Name())
			if err != nil || !strings.Contains(e.Name(), ".") {
				continue
			}
			p := path.Join(dir, e.Name())
			files, err := m.Glob(path.Join(p, "gsp*.bin*")) // .xz or .zst where the distribution compresses firmware
			if err != nil {
				return stack.Miss[[]stack.Firmware](err, p)
			}
			if len(files) > 0 {
				all = append(all, stack.Firmware{Version: v, Files: files, From: stack.File(p)})
			}
		}
	}
	if len(looked) == 0 && !m.Exists("/lib/firmware") {
		// A container or a captured tree without firmware says nothing about the host.
		return stack.Fact[[]stack.Firmware]{}
	}
	return stack.Know(all, looked...)
}
