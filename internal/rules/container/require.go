package container

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// truth is what came of trying a condition.
type truth int

const (
	no truth = iota
	perhaps
	yes
)

// A requirement is the value of an NVIDIA_REQUIRE_… variable: alternatives
// separated by blanks, each a list of conditions separated by commas.
type requirement [][]condition

type condition struct{ property, operator, value, text string }

var conditionForm = regexp.MustCompile(`^([A-Za-z_]+)(!=|<=|>=|=|<|>)(.+)$`)

// parseRequirement reads the grammar of libnvidia-container (src/cli/dsl.c).
func parseRequirement(text string) (requirement, error) {
	var r requirement
	for alternative := range strings.FieldsSeq(text) {
		var list []condition
		for _, c := range listed(alternative) {
			g := conditionForm.FindStringSubmatch(c)
			if g == nil {
				return nil, fmt.Errorf("reading requirement %q: %q is not property, operator, value", text, c)
			}
			list = append(list, condition{g[1], g[2], g[3], c})
		}
		r = append(r, list)
	}
	return r, nil
}

// holds tries the alternatives; the best counts. failed is a condition that
// does not hold, of the first alternative.
func (r requirement) holds(in *rule.Input) (best truth, failed condition) {
	if len(r) == 0 {
		return yes, failed
	}
	for i, alternative := range r {
		all := yes
		for _, c := range alternative {
			t := c.holds(in)
			if t == no && i == 0 && failed.text == "" {
				failed = c
			}
			all = min(all, t)
		}
		best = max(best, all)
	}
	return best, failed
}

func (c condition) holds(in *rule.Input) truth {
	switch c.property {
	case "cuda":
		want, err := version.ParseCUDA(c.value)
		if err != nil || !in.DriverCUDA.Known {
			return perhaps
		}
		return c.compare(in.DriverCUDA.Value.Compare(want))
	case "driver":
		want, err := version.ParseDriver(c.value)
		if err != nil || !in.Driver.Known() {
			return perhaps
		}
		return c.compare(in.Driver.Value.Compare(want))
	case "arch":
		want, err := version.ParseComputeCapability(c.value)
		return c.each(in, func(class string, cc version.ComputeCapability) truth {
			if err != nil || cc.IsZero() {
				return perhaps
			}
			return c.compare(cc.Compare(want))
		})
	case "brand":
		return c.each(in, func(class string, _ version.ComputeCapability) truth {
			names, ok := brands[kb.GPUClass(class)]
			if !ok {
				return perhaps
			}
			if slices.Contains(names, strings.ToLower(c.value)) == (c.operator == "=") {
				return yes
			}
			return no
		})
	}
	return yes // an unknown property is passed over
}

// each tries a condition on every GPU; all must satisfy it.
func (c condition) each(in *rule.Input, try func(class string, cc version.ComputeCapability) truth) truth {
	if in.GPUsSeen.State != stack.Known || len(in.GPUs) == 0 {
		return perhaps
	}
	all := yes
	for _, g := range in.GPUs {
		all = min(all, try(g.Class, g.Capability))
	}
	return all
}

func (c condition) compare(order int) truth {
	ok := false
	switch c.operator {
	case "=":
		ok = order == 0
	case "!=":
		ok = order != 0
	case "<":
		ok = order < 0
	case "<=":
		ok = order <= 0
	case ">":
		ok = order > 0
	case ">=":
		ok = order >= 0
	}
	if ok {
		return yes
	}
	return no
}

// brands are the words that NVML has for a class of GPUs. The class does not
// tell which of several it is, so each of them counts.
var brands = map[kb.GPUClass][]string{
	kb.DataCenter:  {"tesla", "nvidia", "unknown"},
	kb.GeForce:     {"geforce", "geforcertx", "titan", "titanrtx"},
	kb.Laptop:      {"geforce", "geforcertx"},
	kb.Workstation: {"quadro", "quadrortx", "nvidiartx", "nvidia"},
}

// lowest is the oldest CUDA that a requirement lets in by itself: the smallest
// cuda>=N that stands alone in an alternative.
func (r requirement) lowest() (version.CUDA, bool) {
	var out version.CUDA
	for _, alternative := range r {
		if len(alternative) != 1 || alternative[0].property != "cuda" || !strings.HasPrefix(alternative[0].operator, ">") {
			continue
		}
		if v, err := version.ParseCUDA(alternative[0].value); err == nil && (out.IsZero() || v.Less(out)) {
			out = v
		}
	}
	return out, !out.IsZero()
}
