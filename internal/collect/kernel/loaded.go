package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

const (
	procModules = "/proc/modules"
	procBanner  = "/proc/driver/nvidia/version"
	sysModule   = "/sys/module"
)

// isGPUModule selects the modules that serve NVIDIA GPUs or take them: NVIDIA's
// own, nouveau, its successor nova, Tegra's nvgpu, and those for RDMA.
func isGPUModule(name string) bool {
	switch name {
	case "nouveau", "nvgpu", "nv_peer_mem", "gdrdrv", "nova":
		return true
	case "nvidiafb":
		return true // the old frame buffer driver also claims the device
	}
	return name == "nvidia" || strings.HasPrefix(name, "nvidia_") || strings.HasPrefix(name, "nova_")
}

func readLoaded(m *machine.Machine) stack.Fact[[]stack.LoadedModule] {
	data, err := m.ReadFile(procModules, maxProcFile)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			if mods := loadedFromSys(m); len(mods) > 0 {
				return stack.Know(mods, stack.Source{Kind: "directory", Locator: sysModule})
			}
		}
		return miss[[]stack.LoadedModule](m, err, procModules)
	}
	mods := parseModules(string(data))
	for i := range mods {
		mods[i].Version, _ = sysVersion(m, mods[i].Name)
	}
	return stack.Know(mods, stack.File(procModules))
}

// parseModules reads lines of
// "nvidia_uvm 1511424 0 - Live 0x0000000000000000 (POE)"; the last field is
// only there for a module that taints the kernel.
func parseModules(text string) []stack.LoadedModule {
	mods := []stack.LoadedModule{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !isGPUModule(name) {
			continue
		}
		mod := stack.LoadedModule{Name: name, From: stack.Line(procModules, n, line)}
		if i := strings.LastIndexByte(rest, '('); i >= 0 && strings.HasSuffix(rest, ")") {
			mod.Taints = strings.TrimRight(rest[i+1:], ")")
		}
		mods = append(mods, mod)
	}
	return mods
}

// loadedFromSys serves a root that captured /sys but not /proc. A loaded
// module has initstate; one built into the kernel has not.
func loadedFromSys(m *machine.Machine) []stack.LoadedModule {
	var mods []stack.LoadedModule
	entries, _ := m.ReadDir(sysModule) // its absence is the caller's answer
	for _, e := range entries {
		dir := path.Join(sysModule, e.Name())
		if !isGPUModule(e.Name()) || !m.Exists(dir+"/initstate") && !m.Exists(dir+"/version") {
			continue
		}
		mod := stack.LoadedModule{Name: e.Name(), From: stack.Source{Kind: "directory", Locator: dir}}
		mod.Version, _ = sysVersion(m, mod.Name)
		if data, err := m.ReadFile(dir+"/taint", maxProcFile); err == nil {
			mod.Taints = strings.TrimSpace(string(data))
		}
		mods = append(mods, mod)
	}
	return mods
}

// sysVersion reads /sys/module/NAME/version. Modules with a version of another
// scheme (nouveau) have no driver version.
func sysVersion(m *machine.Machine, name string) (version.Driver, stack.Source) {
	file := path.Join(sysModule, name, "version")
	data, err := m.ReadFile(file, maxProcFile)
	if err != nil {
		return version.Driver{}, stack.Source{}
	}
	v, err := version.ParseDriver(string(data))
	if err != nil {
		return version.Driver{}, stack.Source{}
	}
	return v, stack.Line(file, 1, string(data))
}

// readDriver finds the version and flavour of the loaded nvidia module in its
// own banner and in sysfs. Where both speak, the banner counts and both are
// sources.
func readDriver(m *machine.Machine, loaded stack.Fact[[]stack.LoadedModule]) (stack.Fact[version.Driver], stack.Fact[string]) {
	sys, sysSource := sysVersion(m, "nvidia")
	data, err := m.ReadFile(procBanner, maxProcFile)
	if err == nil {
		b, err := parseBanner(string(data))
		if err != nil {
			why := stack.Line(procBanner, 1, string(data))
			flavor := flavorFromTaints(loaded, stack.Broken[string](err.Error(), why))
			if b.flavor != "" {
				flavor = stack.Know(b.flavor, why)
			}
			if sys.IsZero() {
				return stack.Broken[version.Driver](err.Error(), why), flavor
			}
			return stack.Know(sys, sysSource, why), flavor
		}
		src := stack.Line(procBanner, b.line, b.text)
		v, flavor := stack.Know(b.version, src), stack.Know(b.flavor, src)
		if !sys.IsZero() {
			v.Sources = append(v.Sources, sysSource)
			if sys != b.version {
				v.Why = fmt.Sprintf("/sys/module/nvidia/version says %s", sys)
			}
		}
		return v, flavor
	}
	if !sys.IsZero() {
		return stack.Know(sys, sysSource), flavorFromTaints(loaded, stack.Fact[string]{})
	}
	v, flavor := miss[version.Driver](m, err, procBanner), miss[string](m, err, procBanner)
	if v.State == stack.Absent {
		for _, mod := range loaded.Value {
			if mod.Name == "nvidia" {
				// Some sandboxes show the host's /proc/modules and nothing else.
				why := "the nvidia module is loaded, but " + procBanner + " is not visible here"
				return stack.Refused[version.Driver](why, "run on the host itself", mod.From),
					flavorFromTaints(loaded, stack.Refused[string](why, "run on the host itself", mod.From))
			}
		}
	}
	return v, flavor
}

// flavorFromTaints tells the flavour from the taint flags: P is set for a
// module whose license is not compatible with the GPL. What else is returned
// where the flags are not known.
func flavorFromTaints(loaded stack.Fact[[]stack.LoadedModule], otherwise stack.Fact[string]) stack.Fact[string] {
	for _, mod := range loaded.Value {
		if mod.Name == "nvidia" && mod.Taints != "" {
			if strings.Contains(mod.Taints, "P") {
				return stack.Know("proprietary", mod.From)
			}
			return stack.Know("open", mod.From)
		}
	}
	return otherwise
}

// banner is what /proc/driver/nvidia/version says.
type banner struct {
	version version.Driver
	flavor  string // open or proprietary
	line    int
	text    string
}

// parseBanner reads the line of the resource manager. Its forms:
//
//	NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023
//	NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release Build  (…)
//	NVRM version: NVIDIA UNIX aarch64 Kernel Module  470.199.02  Thu May 11 11:48:17 UTC 2023
//	NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  35.3.1  Release Build  (…)
//
// The last is JetPack 5's, where the number is that of Linux for Tegra; it is
// an error with the flavour known.
// The second line, "GCC version: …", is the module's compiler.
func parseBanner(text string) (banner, error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "NVRM version:")
		if !ok {
			continue
		}
		head, tail, ok := strings.Cut(rest, "Kernel Module")
		if !ok {
			return banner{}, fmt.Errorf("reading %s: the NVRM line names no kernel module", procBanner)
		}
		b := banner{flavor: "proprietary", line: n, text: strings.TrimSpace(line)}
		if strings.Contains(head, "Open") {
			b.flavor = "open"
		}
		fields := strings.Fields(tail)
		if len(fields) > 2 && fields[0] == "for" {
			fields = fields[2:] // for x86_64
		}
		if len(fields) == 0 {
			return b, fmt.Errorf("reading %s: the NVRM line ends before the version", procBanner)
		}
		var err error
		if b.version, err = version.ParseDriver(fields[0]); err != nil {
			return b, fmt.Errorf("reading %s: %w", procBanner, err)
		}
		return b, nil
	}
	return banner{}, fmt.Errorf("reading %s: no line starts with %q", procBanner, "NVRM version:")
}
