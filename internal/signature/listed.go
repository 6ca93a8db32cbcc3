package signature

import (
	"slices"
	"strings"

	"strata/internal/dump"
)

// Lists holds where the text tells of every one of these packages, in a list of
// packages or as a framework.
func Lists(packages ...string) Condition {
	return Condition{"the text lists " + strings.Join(packages, " and "), nil, func(c *Case) bool {
		for _, p := range packages {
			if !c.Record.Frameworks[p].Known() && !slices.ContainsFunc(c.Record.Packages, func(x dump.Package) bool { return x.Name == p }) {
				return false
			}
		}
		return true
	}}
}

// Differ holds where two variables are known and not the same: Differ("need", "cudnn|major").
func Differ(a, b string) Condition {
	return Condition{a + " and " + b + " differ", nil, func(c *Case) bool {
		x, ok := c.Variable(a)
		y, known := c.Variable(b)
		return ok && known && x != y
	}}
}
