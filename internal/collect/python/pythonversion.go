package python

import (
	"path"
	"regexp"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// pythonVersion finds the version of the Python X.Y in a prefix: to the patch
// where the C header is installed, otherwise X.Y from the library's directory.
func pythonVersion(m *machine.Machine, prefix, minor string) stack.Fact[string] {
	// Up to 3.7 the directory carries the ABI flag for pymalloc.
	for _, dir := range []string{"include/python" + minor, "include/python" + minor + "m"} {
		header := path.Join(prefix, dir, "patchlevel.h")
		if data, _, err := m.ReadHead(header, maxPatchlevel); err == nil {
			if v, line := parsePatchlevel(string(data)); minorOf(v) == strings.TrimSuffix(minor, "t") {
				return stack.Know(v, stack.Line(header, line, `#define PY_VERSION "`+v+`"`))
			}
		}
	}
	return stack.Know(strings.TrimSuffix(minor, "t"), stack.From("directory", path.Join(prefix, "lib/python"+minor), 0, ""))
}

// maxPatchlevel: the header has about 1 KB.
const maxPatchlevel = 16 << 10

var pyVersion = regexp.MustCompile(`^#define[ \t]+PY_VERSION[ \t]+"([^"]*)"`)

// parsePatchlevel reads PY_VERSION out of CPython's Include/patchlevel.h.
func parsePatchlevel(text string) (version string, line int) {
	n := 0
	for l := range strings.Lines(text) {
		n++
		if g := pyVersion.FindStringSubmatch(l); g != nil {
			return release(g[1]), n
		}
	}
	return "", 0
}

// release cuts "3.11.7.final.0" and "3.13.0rc1" to the dotted numbers in
// front, at most three; empty for what does not start so.
func release(v string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimSpace(v), ".") {
		digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
		if digits == "" || len(digits) > 4 {
			break
		}
		parts = append(parts, digits)
		if len(parts) == 3 || digits != part {
			break
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, ".")
}

// minorOf returns 3.11 for 3.11.7.
func minorOf(v string) string {
	parts := strings.SplitN(v, ".", 3)
	if len(parts) < 2 {
		return ""
	}
	return parts[0] + "." + parts[1]
}
