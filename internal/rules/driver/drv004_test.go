package driver_test

import (
	"strings"
	"testing"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rules/driver"
)

// TestRemovalNamesWhatIsThere: 'libnvidia-*' as a pattern for apt would remove
// libnvidia-container too, and with it the container toolkit.
func TestRemovalNamesWhatIsThere(t *testing.T) {
	s := collected(t, "DRV004/bad.txtar")
	seen := 0
	for _, a := range diagnose.Run(s, kb.Default(), driver.Rules, diagnose.Options{Only: []string{"DRV004"}}).Findings() {
		for _, r := range a.Finding.Remedies {
			for _, c := range r.Commands {
				seen++
				if strings.ContainsRune(c.Run, '*') {
					t.Errorf("%q removes by a pattern", c.Run)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no command is offered")
	}
}
