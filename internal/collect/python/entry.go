package python

import (
	"strings"

	"strata/internal/stack"
	"strata/internal/version"
)

// parseEntry reads a package out of the name of its metadata directory or
// file: NAME-VERSION.dist-info (https://packaging.python.org/en/latest/specifications/recording-installed-packages/),
// NAME-VERSION[-pyX.Y[-PLATFORM]].egg-info or .egg.
func parseEntry(entry string) (stack.Package, bool) {
	stem, ok := strings.CutSuffix(entry, ".dist-info")
	manager := "pip"
	if !ok {
		manager = "egg"
		if stem, ok = strings.CutSuffix(entry, ".egg-info"); !ok {
			if stem, ok = strings.CutSuffix(entry, ".egg"); !ok {
				return stack.Package{}, false
			}
		}
		if i := strings.LastIndex(stem, "-py"); i > 0 && i+3 < len(stem) && isDigit(stem[i+3]) {
			stem = stem[:i]
		}
	}
	name, release := splitVersion(strings.ToValidUTF8(stem, "\uFFFD"))
	if name == "" {
		return stack.Package{}, false
	}
	return stack.Package{Name: version.NormalName(version.Token(name)), Version: version.Token(release), Manager: manager}, true
}

// splitVersion splits at the first hyphen before a digit: names written by old
// tools hold hyphens themselves, and so do a few versions.
func splitVersion(stem string) (name, version string) {
	for i := 0; i+1 < len(stem); i++ {
		if stem[i] == '-' && isDigit(stem[i+1]) {
			return stem[:i], stem[i+1:]
		}
	}
	name, version, _ = strings.Cut(stem, "-")
	return name, version
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
