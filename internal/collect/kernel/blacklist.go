package kernel

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// modprobeDirs are modprobe.d(5)'s, strongest first: a file hides those of the
// same name in later directories.
var modprobeDirs = []string{"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d"}

// maxModprobeConf bounds one file; the largest in a distribution has 10 KiB.
const maxModprobeConf = 1 << 20

// readBlacklist lists what keeps a GPU module from loading: in modprobe.d and
// on the kernel command line. From quotes the directive, since "blacklist X"
// only stops automatic loading while "install X /bin/false" stops any.
func readBlacklist(m *machine.Machine, cmdline stack.Fact[string]) stack.Fact[[]stack.Blacklisted] {
	list := []stack.Blacklisted{}
	var sources []stack.Source
	var problem error
	seen := map[string]bool{}
	for _, dir := range modprobeDirs {
		entries, err := m.ReadDir(dir)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				problem = err
			}
			continue
		}
		sources = append(sources, stack.Source{Kind: "directory", Locator: dir})
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".conf") || seen[e.Name()] {
				continue
			}
			seen[e.Name()] = true
			name := path.Join(dir, e.Name())
			data, err := m.ReadFile(name, maxModprobeConf)
			if err != nil {
				problem = err
				continue
			}
			list = append(list, parseModprobe(name, string(data))...)
		}
	}
	if cmdline.Known() {
		list = append(list, parseBootBlacklist(cmdline.Value)...)
		sources = append(sources, cmdline.Sources...)
	}
	if len(sources) == 0 {
		if problem != nil {
			return stack.Miss[[]stack.Blacklisted](problem, modprobeDirs[0])
		}
		return stack.None[[]stack.Blacklisted](stack.Source{Kind: "directory", Locator: modprobeDirs[0]})
	}
	f := stack.Know(list, sources...)
	if problem != nil {
		f.Why = "not all of it could be read: " + problem.Error()
	}
	return f
}

// parseModprobe reads one modprobe.d file and keeps GPU modules.
func parseModprobe(name, text string) []stack.Blacklisted {
	var list []stack.Blacklisted
	n, start := 0, 0
	var joined strings.Builder // of continued lines
	for line := range strings.Lines(text) {
		n++
		if joined.Len() == 0 {
			start = n
		}
		line = strings.TrimRight(line, "\r\n")
		if cont, ok := strings.CutSuffix(line, `\`); ok {
			joined.WriteString(cont + " ")
			continue
		}
		if joined.Len() > 0 {
			line = joined.String() + line
			joined.Reset()
		}
		f := strings.Fields(line)
		if len(f) < 2 || !blocks(f) {
			continue
		}
		if mod := underscored(f[1]); isGPUModule(mod) {
			list = append(list, stack.Blacklisted{Module: mod, From: stack.Line(name, start, line)})
		}
	}
	return list
}

// blocks tells whether a directive keeps its module from loading.
func blocks(f []string) bool {
	switch f[0] {
	case "blacklist":
		return true
	case "alias":
		return len(f) == 3 && f[2] == "off"
	case "install":
		if len(f) == 2 {
			return false
		}
		switch path.Base(f[2]) {
		case "false", "true", ":":
			return len(f) == 3
		}
	}
	return false
}

// underscored is the kernel's spelling: modprobe takes "-" and "_" alike.
func underscored(module string) string { return strings.ReplaceAll(module, "-", "_") }

// parseBootBlacklist reads the parameters of kmod (modprobe.blacklist), the
// kernel (module_blacklist), dracut (rd.driver.blacklist, rdblacklist) and
// nouveau's own switch.
func parseBootBlacklist(cmdline string) []stack.Blacklisted {
	var list []stack.Blacklisted
	for param := range strings.FieldsSeq(cmdline) {
		key, value, _ := strings.Cut(param, "=")
		switch underscored(key) {
		case "modprobe.blacklist", "module_blacklist", "rd.driver.blacklist", "rdblacklist":
		case "nouveau.modeset":
			if value != "0" {
				continue
			}
			value = "nouveau"
		default:
			continue
		}
		for mod := range strings.SplitSeq(value, ",") {
			if mod = underscored(mod); isGPUModule(mod) {
				list = append(list, stack.Blacklisted{Module: mod, From: stack.Line("/proc/cmdline", 1, param)})
			}
		}
	}
	return list
}
