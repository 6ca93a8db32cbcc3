package rules_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"strings"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules"
)

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("*/testdata/*/*.txtar")
	for _, f := range files {
		res := diagnose.Run(collected(t, f), kb.Default(), rules.All(), diagnose.Options{})
		for _, a := range res.Findings() {
			for _, p := range []string{"FRM","ARC","PKG","PYE","APP"} {
				if strings.HasPrefix(a.Rule.ID, p) && !strings.Contains(f, a.Rule.ID) {
					fmt.Println("FIND", f, a.Rule.ID, a.Severity(), a.Finding.Summary)
				}
			}
		}
		for _, a := range res.Unknowns() {
			for _, p := range []string{"FRM","ARC","PKG","PYE","APP"} {
				if strings.HasPrefix(a.Rule.ID, p) && !strings.Contains(f, a.Rule.ID) && strings.Contains(f,"good") && a.Rule.Severity==rule.Broken {
					fmt.Println("UNK", f, a.Rule.ID, a.Why)
				}
			}
		}
	}
}
