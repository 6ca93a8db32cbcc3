package container

import (
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// maxProc bounds files of /proc; a mountinfo of a busy node has some 500 KB.
const maxProc = 4 << 20

const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// inside tells in what kind of container the machine is. It is Absent only on
// a running machine without any mark: an unpacked image without one may be
// anything.
func inside(m *machine.Machine) stack.Fact[string] {
	var marks []found
	mark := func(engine, kind, locator, text string) {
		if engine != "" {
			marks = append(marks, found{engine, stack.From(kind, locator, 0, text)})
		}
	}
	head := func(name string) string {
		data, _, err := m.ReadHead(name, maxProc)
		if err != nil {
			return ""
		}
		return string(data)
	}
	// From the most to the least telling: what the engine wrote for this
	// purpose, then what its paths betray.
	if s := strings.TrimSpace(head("/run/systemd/container")); s != "" {
		mark(engineWord(s), "file", "/run/systemd/container", s)
	}
	if v, ok := m.Getenv("container"); ok {
		mark(engineWord(v), "env", "container", "container="+v)
	}
	for kv := range strings.SplitSeq(head("/proc/1/environ"), "\x00") {
		if v, ok := strings.CutPrefix(kv, "container="); ok {
			mark(engineWord(v), "file", "/proc/1/environ", kv)
		}
	}
	for _, p := range []string{"/.singularity.d", "/singularity"} {
		if m.Exists(p) {
			mark("singularity", "file", p, "")
		}
	}
	if m.Exists("/run/.containerenv") {
		text := head("/run/.containerenv")
		engine := "podman"
		if strings.Contains(text, `engine="buildah`) {
			engine = "unknown"
		}
		mark(engine, "file", "/run/.containerenv", strings.ReplaceAll(text, "\n", " "))
	}
	for _, p := range []string{"/proc/1/cgroup", "/proc/self/cgroup"} {
		engine, line := CgroupEngine(head(p))
		mark(engine, "file", p, line)
	}
	engine, line := MountEngine(head("/proc/self/mountinfo"))
	mark(engine, "file", "/proc/self/mountinfo", line)
	if m.Exists("/.dockerenv") {
		mark("docker", "file", "/.dockerenv", "")
	}
	if m.Exists("/dev/lxd") {
		mark("lxc", "file", "/dev/lxd", "")
	}
	if m.Exists(serviceAccount) {
		mark("kubernetes", "directory", serviceAccount, "")
	}
	if len(marks) == 0 {
		if m.Live() {
			return stack.None[string](stack.File("/.dockerenv"), stack.File("/proc/1/cgroup"), stack.File("/proc/self/mountinfo"))
		}
		return stack.Fact[string]{}
	}
	return settle(marks)
}

// settle takes the first mark, but one that names the engine before one that
// only says container.
func settle(marks []found) stack.Fact[string] {
	best := marks[0]
	for _, k := range marks {
		if best.what == "unknown" {
			best = k
		}
	}
	f := stack.Know(best.what, best.from)
	for _, k := range marks {
		if k.from != best.from && len(f.Sources) < 4 {
			f.Sources = append(f.Sources, k.from)
		}
	}
	return f
}

// engineWord translates what systemd and the engines write
// (https://systemd.io/CONTAINER_INTERFACE/).
func engineWord(s string) string {
	switch s {
	case "":
		return ""
	case "docker", "podman", "lxc", "systemd-nspawn", "containerd":
		return s
	case "lxc-libvirt":
		return "lxc"
	case "crio", "cri-o":
		return "cri-o"
	case "singularity", "apptainer":
		return "singularity"
	case "wsl":
		return "" // systemd's word for WSL, which is no container in our sense
	}
	return "unknown"
}

// CgroupEngine finds the engine in the text of /proc/PID/cgroup, with the line
// that tells. In a cgroup namespace, the default with cgroup v2, nothing does.
func CgroupEngine(text string) (engine, line string) {
	for line := range strings.Lines(text) {
		_, p, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		_, p, _ = strings.Cut(strings.TrimSpace(p), ":")
		switch {
		case strings.Contains(p, "cri-containerd"):
			return "containerd", strings.TrimSpace(line)
		case strings.Contains(p, "crio-"):
			return "cri-o", strings.TrimSpace(line)
		case strings.Contains(p, "libpod-"):
			return "podman", strings.TrimSpace(line)
		case strings.Contains(p, "/docker/"), strings.Contains(p, "docker-") && strings.Contains(p, ".scope"):
			return "docker", strings.TrimSpace(line)
		case strings.Contains(p, "/kubepods"):
			return "kubernetes", strings.TrimSpace(line)
		case strings.HasPrefix(p, "/lxc/"), strings.HasPrefix(p, "/lxc.payload"):
			return "lxc", strings.TrimSpace(line)
		}
	}
	return "", ""
}

// MountEngine finds the engine in the text of /proc/self/mountinfo (proc(5)):
// in the layers of an overlay root, or in the host's path of a file that the
// engine mounts over /etc/hosts, /etc/hostname or /etc/resolv.conf.
func MountEngine(text string) (engine, line string) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 7 {
			continue
		}
		var where string
		switch root, point := f[3], f[4]; point {
		case "/":
			if !strings.Contains(line, " - overlay ") && !strings.Contains(line, " - fuse.fuse-overlayfs ") {
				continue
			}
			where = f[len(f)-1]
		case "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev/termination-log":
			where = root
		default:
			continue
		}
		switch line := strings.TrimSpace(line); {
		case strings.Contains(where, "/kubelet/pods/"):
			return "kubernetes", line
		case strings.Contains(where, "/docker/"):
			return "docker", line
		case strings.Contains(where, "io.containerd."):
			return "containerd", line
		case strings.Contains(where, "/containers/storage/"), strings.Contains(where, "/overlay-containers/"):
			return "unknown", line // podman and CRI-O share this store
		}
	}
	return "", ""
}

// kubernetes tells whether the machine is a pod.
func kubernetes(m *machine.Machine) stack.Fact[bool] {
	if m.Exists(serviceAccount) {
		return stack.Know(true, stack.From("directory", serviceAccount, 0, ""))
	}
	if v, ok := m.Getenv("KUBERNETES_SERVICE_HOST"); ok {
		return stack.Know(true, stack.From("env", "KUBERNETES_SERVICE_HOST", 0, "KUBERNETES_SERVICE_HOST="+v))
	}
	const cgroup = "/proc/self/cgroup"
	if data, _, err := m.ReadHead(cgroup, maxProc); err == nil && strings.Contains(string(data), "/kubepods") {
		return stack.Know(true, stack.File(cgroup))
	}
	if m.Live() {
		return stack.None[bool](stack.From("directory", path.Clean(serviceAccount), 0, ""))
	}
	return stack.Fact[bool]{}
}
