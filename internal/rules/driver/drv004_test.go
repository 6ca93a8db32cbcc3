package driver_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"strata/internal/collect"
	"strata/internal/collect/all"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/rules/driver"
)

// TestRemovalNamesWhatIsThere: 'libnvidia-*' as a pattern for apt would remove
// libnvidia-container too, and with it the container toolkit.
func TestRemovalNamesWhatIsThere(t *testing.T) {
	m, err := machine.OpenArchive(os.DirFS("testdata/DRV004"), "bad.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s := collect.Run(context.Background(), m.Machine, all.Collectors(all.Options{}))
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
