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

// TestNoDriverBeyondTheLastBranch: a Tesla K80's last branch is 470, so a build for CUDA 12 is answered with an older
// build and never with a driver.
func TestNoDriverBeyondTheLastBranch(t *testing.T) {
	s := collected(t, "DRV002/bad-k80.txtar")
	found := diagnose.Run(s, kb.Default(), driver.Rules, diagnose.Options{Only: []string{"DRV002"}}).Findings()
	if len(found) != 1 {
		t.Fatalf("%d findings, want 1", len(found))
	}
	f := found[0].Finding
	if !strings.Contains(f.Cause, "branch 470 is the last for Tesla K80") {
		t.Errorf("the cause does not name the last branch: %s", f.Cause)
	}
	older := false
	for _, r := range f.Remedies {
		older = older || strings.Contains(r.Summary, "driver branch 470")
		for _, c := range r.Changes {
			if c, ok := c.(stack.SetDriver); ok && c.Version.Branch() > 470 {
				t.Errorf("%s: branch 470 is the last one", r.Summary)
			}
		}
		if strings.Contains(r.Summary, "cuda-compat") {
			t.Errorf("%s: there is no forward compatibility over branch 470 for CUDA 12 on Kepler", r.Summary)
		}
	}
	if !older {
		t.Errorf("no remedy offers an older build: %v", f.Remedies)
	}
}
