package derive

import (
	"regexp"
	"strings"

	"strata/internal/version"
)

// requirement is name, extras, version clauses of a Requires-Dist field, with
// or without the brackets of older metadata.
var requirement = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]]*\])?[ \t]*\(?([^;)]*)\)?`)

// Requirement takes a Requires-Dist field apart: the distribution in its normal
// form and the version clauses without blanks ("==9.1.0.70", ">=12.5,<13").
// Markers are passed over. Both are empty where it cannot be read.
func Requirement(field string) (name, spec string) {
	g := requirement.FindStringSubmatch(strings.TrimSpace(field))
	if g == nil {
		return "", ""
	}
	name = version.NormalName(g[1])
	spec = strings.Join(strings.Fields(g[2]), "")
	if spec != "" && !strings.ContainsAny(spec[:1], "=<>!~") {
		spec = "" // "name @ https://…"
	}
	return name, spec
}
