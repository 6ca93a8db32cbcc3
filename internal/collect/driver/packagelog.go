package driver

import (
	"strings"

	"strata/internal/stack"
)

// driverPackages are the beginnings of the names under which distributions and
// NVIDIA package the driver.
var driverPackages = []string{
	"cuda-drivers", "libcuda1", "libnvidia-", "nvidia-driver", "nvidia-dkms", "nvidia-kernel", "nvidia-kmod",
	"nvidia-open", "nvidia-utils", "nvidia-compute", "nvidia-headless", "nvidia-firmware", "nvidia-gl", "nvidia-video",
	"nvidia-fabricmanager", "nvidia-fabric-manager", "nvidia-imex", "nvidia-smi", "nvidia-legacy", "nvidia-tesla",
	"nvidia-current", "nvidia-alternative", "nvidia-persistenced", "nvidia-lts", "nvidia-l4t-", "nvidia-gfxG",
	"linux-modules-nvidia", "linux-objects-nvidia", "linux-signatures-nvidia",
	"kmod-nvidia", "akmod-nvidia", "xorg-x11-drv-nvidia", "xserver-xorg-video-nvidia",
}

// isDriver tells whether a package is part of the driver; the container
// toolkit's libraries have similar names.
func isDriver(name string) bool {
	if strings.HasPrefix(name, "libnvidia-container") {
		return false
	}
	if name == "nvidia" { // Arch
		return true
	}
	if rest, ok := strings.CutPrefix(name, "nvidia-"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return true // nvidia-580xx-dkms of Arch's users, nvidia-340 of Ubuntu until 20.04
	}
	for _, p := range driverPackages {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func event(when, action, name, old, new string) []stack.PackageEvent {
	name, _, _ = strings.Cut(name, ":") // dpkg's architecture
	if !isDriver(name) {
		return nil
	}
	return []stack.PackageEvent{{When: when, Action: action, Package: name, Old: none(old), New: none(new)}}
}

func none(version string) string {
	if version == "<none>" {
		return ""
	}
	return version
}

// dpkgLine reads
// "2024-05-01 06:12:33 upgrade libnvidia-compute-535:amd64 535.161.07-0ubuntu0.22.04.1 535.171.04-0ubuntu0.22.04.1".
func dpkgLine(line string, _ *string) []stack.PackageEvent {
	f := strings.Fields(line)
	if len(f) != 6 {
		return nil
	}
	switch action := f[2]; action {
	case "install", "upgrade", "remove":
		return event(f[0]+" "+f[1], action, f[3], f[4], f[5])
	case "purge":
		return event(f[0]+" "+f[1], "remove", f[3], f[4], f[5])
	}
	return nil
}

// aptLine reads a stanza of apt's history: Start-Date, then lines such as
// "Upgrade: libnvidia-compute-535:amd64 (535.161.07-0ubuntu1, 535.171.04-0ubuntu1), …".
func aptLine(line string, date *string) []stack.PackageEvent {
	key, rest, ok := strings.Cut(line, ": ")
	if !ok {
		return nil
	}
	if key == "Start-Date" {
		*date = strings.Join(strings.Fields(rest), " ")
		return nil
	}
	action, ok := map[string]string{"Install": "install", "Upgrade": "upgrade", "Downgrade": "upgrade", "Reinstall": "upgrade", "Remove": "remove", "Purge": "remove"}[key]
	if !ok {
		return nil
	}
	var events []stack.PackageEvent
	for item := range strings.SplitSeq(rest, "), ") {
		name, versions, _ := strings.Cut(strings.TrimSuffix(item, ")"), " (")
		old, new, _ := strings.Cut(strings.TrimSuffix(versions, ", automatic"), ", ")
		if action == "install" || key == "Reinstall" {
			old, new = "", old
		}
		events = append(events, event(*date, action, name, old, new)...)
	}
	return events
}

// yumLine reads "May 01 06:12:33 Updated: 3:nvidia-driver-latest-dkms-460.32.03-1.el7.x86_64".
func yumLine(line string, _ *string) []stack.PackageEvent {
	f := strings.Fields(line)
	if len(f) < 5 {
		return nil
	}
	return rpmEvent(strings.Join(f[:3], " "), f[3], f[4])
}

// dnfLine reads "2024-05-01T06:12:33+0000 SUBDEBUG Upgrade: nvidia-driver-3:550.54.15-1.el9.x86_64".
// dnf writes a second line, "Upgraded:", for the package that went.
func dnfLine(line string, _ *string) []stack.PackageEvent {
	f := strings.Fields(line)
	if len(f) < 4 || f[2] == "Upgraded:" {
		return nil
	}
	return rpmEvent(f[0], f[2], f[3])
}

func rpmEvent(when, word, nevra string) []stack.PackageEvent {
	action := ""
	switch strings.TrimSuffix(word, ":") {
	case "Installed", "Dep-Installed":
		action = "install"
	case "Updated", "Upgrade", "Upgraded", "Downgrade", "Reinstall", "Reinstalled":
		action = "upgrade"
	case "Erased", "Erase", "Removed":
		action = "remove"
	default:
		return nil
	}
	name, version := splitNEVRA(nevra)
	if action == "remove" {
		return event(when, action, name, version, "")
	}
	return event(when, action, name, "", version)
}

// splitNEVRA splits "nvidia-driver-3:550.54.15-1.el9.x86_64" into name and
// [epoch:]version-release. yum 3 writes the epoch in front of the name.
func splitNEVRA(s string) (name, version string) {
	if epoch, rest, ok := strings.Cut(s, ":"); ok && strings.Trim(epoch, "0123456789") == "" {
		s = rest
	}
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		s = s[:i] // architecture
	}
	release := strings.LastIndexByte(s, '-')
	if release < 0 {
		return s, ""
	}
	at := strings.LastIndexByte(s[:release], '-')
	if at < 0 {
		return s[:release], s[release+1:]
	}
	return s[:at], s[at+1:]
}

// zyppLine reads "2024-05-01 06:12:33|install|nvidia-compute-G06|550.54.14-1|x86_64|root@host|…".
// zypper writes "install" for an upgrade too.
func zyppLine(line string, _ *string) []stack.PackageEvent {
	f := strings.SplitN(line, "|", 5)
	if len(f) < 4 {
		return nil
	}
	switch strings.TrimSpace(f[1]) {
	case "install":
		return event(f[0], "install", f[2], "", f[3])
	case "remove":
		return event(f[0], "remove", f[2], f[3], "")
	}
	return nil
}

// pacmanLine reads "[2024-05-01T06:12:33+0200] [ALPM] upgraded nvidia-utils (550.54.14-1 -> 550.67-1)".
func pacmanLine(line string, _ *string) []stack.PackageEvent {
	f := strings.Fields(line)
	if len(f) < 5 || f[1] != "[ALPM]" {
		return nil
	}
	when := strings.Trim(f[0], "[]")
	_, versions, ok := strings.Cut(strings.TrimSuffix(line, ")"), " (")
	if !ok {
		return nil
	}
	switch f[2] {
	case "installed":
		return event(when, "install", f[3], "", versions)
	case "removed":
		return event(when, "remove", f[3], versions, "")
	case "upgraded", "downgraded", "reinstalled":
		old, new, ok := strings.Cut(versions, " -> ")
		if !ok {
			new = old
		}
		return event(when, "upgrade", f[3], old, new)
	}
	return nil
}

// installerLine reads the log of NVIDIA's .run installer, which is about one
// run: its date, then that it is complete or has failed.
func installerLine(line string, state *string) []stack.PackageEvent {
	const run = "NVIDIA .run installer"
	if when, ok := strings.CutPrefix(line, "creation time: "); ok {
		*state = when
		return nil
	}
	if strings.HasPrefix(line, "ERROR: Installation has failed") {
		return []stack.PackageEvent{{When: *state, Action: "failed", Package: run}}
	}
	if _, rest, ok := strings.Cut(line, "(version: "); ok && strings.Contains(line, "Installation of the ") {
		version, after, _ := strings.Cut(rest, ")")
		if strings.Contains(after, "is now complete") {
			return []stack.PackageEvent{{When: *state, Action: "install", Package: run, New: version}}
		}
	}
	return nil
}
