// Package rules is the registry of all rules. A rule is one file in the folder
// of its layer, named by its ID; registry.go is generated from those names.
package rules

import (
	"slices"
	"strings"

	"strata/internal/rule"
)

// The second run is compiled with the registry that the first one wrote, and so
// knows the page of a rule that was just added.
//go:generate go run strata/internal/tools/gen -root ../..
//go:generate go run strata/internal/tools/gen -root ../..

// All lists every rule by layer, bottom to top, then by ID.
func All() []*rule.Rule {
	var all []*rule.Rule
	for _, f := range families {
		all = append(all, f...)
	}
	slices.SortFunc(all, func(a, b *rule.Rule) int {
		if h := a.Layer.Height() - b.Layer.Height(); h != 0 {
			return h
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

// Find returns the rule with an ID; case does not matter.
func Find(id string) (*rule.Rule, bool) {
	for _, f := range families {
		for _, r := range f {
			if strings.EqualFold(r.ID, id) {
				return r, true
			}
		}
	}
	return nil, false
}
