package osinfo

import (
	"errors"
	"io/fs"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// maxRelease bounds os-release; real ones are below 1 KiB.
const maxRelease = 64 << 10

// readRelease reads os-release(5).
func readRelease(m *machine.Machine) (id, version, name stack.Fact[string]) {
	file := "/etc/os-release"
	data, err := m.ReadFile(file, maxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		if other, err2 := m.ReadFile("/usr/lib/os-release", maxRelease); err2 == nil {
			file, data, err = "/usr/lib/os-release", other, nil
		}
	}
	if err != nil {
		f := stack.Miss[string](err, file)
		return f, f, f
	}
	fields := parseRelease(string(data))
	fact := func(key string) stack.Fact[string] {
		f, ok := fields[key]
		if !ok || f.value == "" {
			return stack.None[string](stack.File(file))
		}
		return stack.Know(f.value, stack.Line(file, f.line, f.text))
	}
	return fact("ID"), fact("VERSION_ID"), fact("PRETTY_NAME")
}

type field struct {
	value, text string
	line        int
}

// parseRelease reads shell-like assignments. A later one wins, as in a shell.
func parseRelease(text string) map[string]field {
	fields := map[string]field{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		fields[key] = field{unquote(value), line, n}
	}
	return fields
}

// unquote undoes the quoting that os-release(5) allows.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || s[len(s)-1] != s[0] {
		return s
	}
	quote := s[0]
	s = s[1 : len(s)-1]
	if quote == '\'' || !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
