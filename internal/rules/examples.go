package rules

import "embed"

// Examples are the rules' own test machines: what `strata explain` shows as a
// machine that fails and one that passes.
//
//go:embed */testdata/*/bad.txtar */testdata/*/good.txtar
var Examples embed.FS
