package signature

import (
	"testing"

	"strata/internal/dump"
)

// TestExpandAlternatives puts a space before a later alternative where the first one has it.
func TestExpandAlternatives(t *testing.T) {
	c := caseOf(t, func(*dump.Record) {})
	c.Groups = map[string]string{"b": "2"}
	for template, want := range map[string]string{
		"GPU[ ({a}) || ({b})] is":  "GPU (2) is",
		"GPU[ {a} || the {b}] is":  "GPU the 2 is",
		"GPU[ {a} || , {b}] is":    "GPU, 2 is",
		"GPU[ ({a}) ||  ({b})] is": "GPU (2) is",
		"GPU [{a} || {b}] is":      "GPU 2 is",
		"GPU[ ({a})] is":           "GPU is",
	} {
		if got, ok := c.Expand(template); !ok || got != want {
			t.Errorf("%q: got %q, want %q", template, got, want)
		}
	}
}
