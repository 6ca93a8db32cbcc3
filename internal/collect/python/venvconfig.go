package python

import (
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// venvConfig is pyvenv.cfg (https://docs.python.org/3/library/venv.html,
// PEP 405) as venv, virtualenv and uv write it.
type venvConfig struct {
	home        string // the directory of the base interpreter
	prefix      string // base-prefix, which virtualenv writes
	version     string // 3.11.7
	versionFrom stack.Source
	systemSite  bool
}

// maxVenvConfig: real files have a few hundred bytes.
const maxVenvConfig = 64 << 10

func readVenvConfig(m *machine.Machine, name string) (venvConfig, error) {
	data, err := m.ReadFile(name, maxVenvConfig)
	if err != nil {
		return venvConfig{}, err
	}
	return parseVenvConfig(name, string(data)), nil
}

// parseVenvConfig reads "key = value" lines; keys in any case, as site.py does.
func parseVenvConfig(name, text string) venvConfig {
	var c venvConfig
	n := 0
	for line := range strings.Lines(text) {
		n++
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		value = strings.ToValidUTF8(strings.TrimSpace(value), "\uFFFD")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "home":
			c.home = value
		case "base-prefix":
			c.prefix = value
		case "include-system-site-packages":
			c.systemSite = strings.EqualFold(value, "true")
		case "version", "version_info":
			// virtualenv writes 3.11.7.final.0 as version_info and its own
			// "version = 3.11.7"; older ones only the first.
			if v := release(value); v != "" && c.version == "" {
				c.version, c.versionFrom = v, stack.Line(name, n, strings.TrimSpace(line))
			}
		}
	}
	return c
}

// base is the prefix of the interpreter the environment was made from.
func (c venvConfig) base() string {
	switch {
	case path.IsAbs(c.prefix):
		return path.Clean(c.prefix)
	case path.IsAbs(c.home):
		if prefix := path.Dir(path.Clean(c.home)); prefix != "/" {
			return prefix
		}
		return "/usr" // made by /bin/python3, where /bin is a link to usr/bin
	}
	return ""
}
