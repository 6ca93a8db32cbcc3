package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/libs"
	"strata/internal/machine"
	"strata/internal/report"
)

// differences are the CUDA libraries on which check and libs do not say the
// same about a root and nothing explains it. Those that are explained are printed.
func differences(root string, c Case) (problems []string) {
	m, closer, err := machine.OpenRoot(root)
	if err != nil {
		return []string{err.Error()}
	}
	defer closer.Close()
	var items []string
	for _, key := range slices.Sorted(maps.Keys(c.Assume)) {
		items = append(items, key+"="+c.Assume[key])
	}
	put, err := assume.Parse(items)
	if err != nil {
		return []string{err.Error()}
	}
	v := derive.New(all.Run(context.Background(), m, all.Options{Assume: put}), kb.Default())
	d, err := libs.Build(m, v, report.Tool{}, libs.Options{})
	if err != nil {
		return []string{err.Error()}
	}
	for _, x := range libs.Differences(d, v) {
		if x.Explained == "" {
			problems = append(problems, x.String())
		} else {
			fmt.Printf("      check and libs differ: %s\n", x)
		}
	}
	return problems
}
