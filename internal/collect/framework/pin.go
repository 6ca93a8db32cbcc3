package framework

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
	"strata/internal/version"
)

// pinned is a Requires-Dist that asks for one exact version:
// "nvidia-cudnn-cu12==9.1.0.70; platform_system == …", "torch (==2.4.0)".
var pinned = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*(?:\[[^\]]*\])?[ \t]*\(?==[ \t]*([0-9][0-9A-Za-z.+]*)`)

// parsePin takes name and version out of such a requirement.
func parsePin(requirement string) (name, exact string, ok bool) {
	g := pinned.FindStringSubmatch(requirement)
	if g == nil {
		return "", "", false
	}
	return version.NormalName(g[1]), g[2], true
}

// pin finds the exact version of a distribution that the framework asks for,
// whatever CUDA major its name ends in: torch is not torchvision,
// nvidia-cudnn is nvidia-cudnn-cu12.
func (in *install) pin(want string) (string, stack.Source, bool) {
	for _, r := range in.pkg.Requires {
		if name, v, ok := parsePin(r); ok && (name == want || strings.HasPrefix(name, want+"-cu")) {
			return v, stack.From("file", in.pkg.From.Locator, 0, "Requires-Dist: "+r), true
		}
	}
	return "", stack.Source{}, false
}
