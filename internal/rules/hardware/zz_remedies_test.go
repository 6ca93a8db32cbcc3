package hardware_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/collect"
	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/plan"
	"strata/internal/rule"
	"strata/internal/rules"
)

func TestZZ(t *testing.T) {
	files, _ := filepath.Glob("../*/testdata/*/*.txtar")
	for _, f := range files {
		id := filepath.Base(filepath.Dir(f))
		if p := id[:3]; p != "HWR" && p != "KRN" && p != "DRV" && p != "DEV" {
			continue
		}
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(f, only) {
			continue
		}
		m, err := machine.OpenArchive(os.DirFS(filepath.Dir(f)), filepath.Base(f))
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		s := collect.Run(context.Background(), m.Machine, all.Collectors(all.Options{}))
		put, _ := assume.Parse(m.Assumptions())
		put(s)
		m.Close()
		res := diagnose.Run(s, kb.Default(), rules.All(), diagnose.Options{})
		fmt.Println("==", f)
		for _, a := range res.Findings() {
			if a.Rule.ID != id {
				fmt.Println("   also", a.Rule.ID, a.Severity(), a.Finding.Summary)
				continue
			}
			fmt.Println("  ", a.Severity(), a.Confidence(), a.Finding.Summary)
			fmt.Println("      ", a.Finding.Cause)
			p := &plan.Planner{Base: kb.Default(), Rules: rules.All()}
			kept := p.Remedies(res, a)
			for _, r := range a.Finding.Remedies {
				how := "DROPPED"
				for _, k := range kept {
					if k.Summary == r.Summary {
						how = fmt.Sprint("kept checked=", k.Checked)
					}
				}
				fmt.Println("     ->", how, r.Summary)
				for _, c := range r.Commands {
					fmt.Println("          ", c.For, c.Run)
				}
			}
		}
		if strings.HasPrefix(filepath.Base(f), "unknown") {
			for _, a := range res.Unknowns() {
				if a.Rule.ID == id {
					fmt.Println("   unknown:", a.Why, "|", a.Allow)
				}
			}
		}
		_ = rule.Broken
	}
}
