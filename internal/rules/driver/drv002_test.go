package driver_test

import (
	"strings"
	"testing"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rules/driver"
	"strata/internal/stack"
)

// TestRemediesFitTheGPU: on a V100 a driver for CUDA 13 exists, but a CUDA 13
// build has no code for it, and branches above 580 do not drive it.
func TestRemediesFitTheGPU(t *testing.T) {
	s := collected(t, "DRV002/bad-v100.txtar")
	tried := 0
	for _, a := range diagnose.Run(s, kb.Default(), driver.Rules, diagnose.Options{Only: []string{"DRV002"}}).Findings() {
		for _, r := range a.Finding.Remedies {
			for _, c := range r.Changes {
				switch c := c.(type) {
				case stack.Install:
					tried++
					if strings.Contains(c.Version, "+cu13") {
						t.Errorf("%s: CUDA 13 has no code for a V100", r.Summary)
					}
				case stack.SetDriver:
					tried++
					if c.Version.Branch() > 580 || c.Flavor != "proprietary" {
						t.Errorf("%s: wants branch 580 or older, proprietary", r.Summary)
					}
				}
			}
		}
	}
	if tried < 2 {
		t.Errorf("only %d changes were offered, want a build and a driver", tried)
	}
}
