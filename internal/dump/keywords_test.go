package dump

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestKeysMayMean asks for every key that is known, in the ways that programs write it.
func TestKeysMayMean(t *testing.T) {
	known := slices.Concat(slices.Collect(maps.Keys(keys)), slices.Collect(maps.Keys(headed)), slices.Collect(maps.Keys(spelled)), slices.Collect(maps.Keys(plain)))
	for _, k := range known {
		words := strings.Fields(k)
		var camel strings.Builder
		for _, w := range words {
			camel.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
		forms := []string{k, strings.ToUpper(k), strings.Join(words, "_"), "GPU0 " + k + " (loss)", "x/y." + strings.Join(words, ".")}
		if camelKey(camel.String()) == k {
			forms = append(forms, camel.String())
		}
		for _, form := range forms {
			if !mayMean(form) {
				t.Errorf("%q of %q is not looked up", form, k)
			}
		}
	}
	for _, k := range []string{"loss", "grad_norm", "step 12", "epochLoss", ""} {
		if mayMean(k) {
			t.Errorf("%q is looked up", k)
		}
	}
}

// TestKeysAreWrittenSo finds keys that no text can have, since keyOf writes them otherwise.
func TestKeysAreWrittenSo(t *testing.T) {
	for k := range keys {
		if k = strings.ReplaceAll(k, " > ", " "); keyOf(k) != k {
			t.Errorf("%q is written %q", k, keyOf(k))
		}
	}
	for k := range spelled {
		if keyOf(k) != k {
			t.Errorf("%q is written %q", k, keyOf(k))
		}
	}
}
