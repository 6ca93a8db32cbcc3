package version

import "strings"

// NormalName is PEP 503's normal form of the name of a Python distribution:
// lower case, and a single hyphen for each run of hyphens, underscores and dots.
func NormalName(name string) string {
	plain := true
	for i := range len(name) {
		if c := name[i]; 'A' <= c && c <= 'Z' || c == '_' || c == '.' || c == '-' || c >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	run := false
	for _, r := range strings.ToLower(name) {
		if r == '-' || r == '_' || r == '.' {
			run = true
			continue
		}
		if run {
			b.WriteByte('-')
			run = false
		}
		b.WriteRune(r)
	}
	if run {
		b.WriteByte('-')
	}
	return b.String()
}
