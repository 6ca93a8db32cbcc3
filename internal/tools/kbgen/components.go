package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/version"
)

var componentsHeader = []string{"package", "version", "cuda", "src", "confidence"}

var componentsComments = []string{
	"Which CUDA release a version of a component package belongs to, from the requirements of the cuda-toolkit packages.",
	"A component that did not change between two releases has a row for each. Made by internal/tools/kbgen.",
}

// components reads which component versions each CUDA release consists of: the wheels named cuda-toolkit pin them.
func (g *generator) components(ctx context.Context) error {
	list, err := g.index.releases(ctx, "cuda-toolkit")
	if err != nil {
		return err
	}
	newest := list[len(list)-1].version
	t, err := openTable(filepath.Join(g.data, "nvidia", "cuda_components.csv"), 3, "cuda "+newest.Public(), componentsHeader, componentsComments,
		func(a, b []string) int {
			c, _ := version.ParsePEP440(a[2])
			d, _ := version.ParsePEP440(b[2])
			return cmp.Or(cmp.Compare(a[0], b[0]), c.Compare(d), slices.Compare(a, b))
		})
	if err != nil {
		return err
	}
	for _, r := range list {
		pins, err := g.toolkit(ctx, r)
		if err != nil {
			warn("cuda-toolkit %s: %v", r.version, err)
			continue
		}
		// 13.4.1.0 is a second packaging of 13.4.1.
		cuda := strings.Join(strings.SplitN(r.version.Public(), ".", 4)[:3], ".")
		for name, v := range pins {
			t.put([]string{name, v, cuda, toolkitSource, "high"})
		}
	}
	return t.write(g.today)
}

// toolkit returns the component versions that one cuda-toolkit release pins, by package.
func (g *generator) toolkit(ctx context.Context, r release) (map[string]string, error) {
	f, ok := choose(r.files, "x86_64")
	if !ok {
		f = r.files[0]
	}
	text, err := g.metadata(ctx, f)
	if err != nil {
		return nil, err
	}
	pins := map[string]string{}
	for line := range strings.Lines(string(text)) {
		field, ok := strings.CutPrefix(line, "Requires-Dist:")
		if !ok {
			continue
		}
		name, spec := derive.Requirement(field)
		// nvJitLink is the one component with a range, ">=13.4.92,<14": its lower bound is the release's own version.
		for clause := range strings.SplitSeq(spec, ",") {
			v := strings.TrimSuffix(strings.TrimLeft(clause, "=>"), ".*")
			if _, err := version.ParseLib(v); err == nil && clause[0] != '<' && clause[0] != '!' {
				pins[name] = v
			}
		}
	}
	return pins, nil
}
