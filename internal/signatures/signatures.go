// Package signatures is the catalogue of what logs say: one list for each
// product or subject. It is data; package signature says what the fields mean.
package signatures

import (
	"slices"

	"strata/internal/signature"
)

// lists are all parts of the catalogue. To add a signature: a value in the file
// of its product; to add a product: a file, and its list here.
var lists = [][]*signature.Signature{
	missingLibrary,
}

var all = slices.Concat(lists...)

// All are the signatures in the order of the catalogue.
func All() []*signature.Signature { return all }

// Find returns a signature by its ID.
func Find(id string) (*signature.Signature, bool) {
	for _, s := range all {
		if s.ID == id {
			return s, true
		}
	}
	return nil, false
}
