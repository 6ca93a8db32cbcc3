// Package assume turns what a user vouches for (--assume) into facts, for what
// files cannot hold: the host of an image, a GPU that is elsewhere.
package assume

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/collect"
	"strata/internal/stack"
	"strata/internal/version"
)

// maxGPUs bounds "Nx…": the largest machines have 16 GPUs on one host.
const maxGPUs = 64

// Usage lists the forms, for help texts and errors.
const Usage = "driver=535.129.03, gpu=NAME, gpu=sm_80, gpu=8.0, gpu=2xNAME, module=open|proprietary, env.NAME=VALUE"

// Parse reads assumptions. Several gpu= add up. The error names the one that
// cannot be read and what can be said.
func Parse(items []string) (collect.Put, error) {
	var puts []collect.Put
	var gpus []stack.AssumedGPU
	for _, item := range items {
		key, value, ok := strings.Cut(item, "=")
		value = strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, fmt.Errorf("reading assumption %q: want one of %s", item, Usage)
		}
		from := stack.From("flag", "--assume", 0, item)
		switch key = strings.TrimSpace(key); {
		case key == "driver":
			v, err := version.ParseDriver(value)
			if err != nil {
				return nil, fmt.Errorf("reading assumption %q: %w", item, err)
			}
			puts = append(puts, func(s *stack.Stack) { s.Driver.Assumed = stack.Know(v, from) })
		case key == "gpu":
			list, err := gpu(value, from)
			if err != nil {
				return nil, fmt.Errorf("reading assumption %q: %w", item, err)
			}
			gpus = append(gpus, list...)
		case key == "module" && (value == "open" || value == "proprietary"):
			puts = append(puts, func(s *stack.Stack) { s.Kernel.Flavor = stack.Know(value, from) })
		case strings.HasPrefix(key, "env."):
			name := strings.TrimPrefix(key, "env.")
			puts = append(puts, func(s *stack.Stack) { setEnv(s, name, value, from) })
		default:
			return nil, fmt.Errorf("reading assumption %q: want one of %s", item, Usage)
		}
	}
	return func(s *stack.Stack) {
		for _, p := range puts {
			p(s)
		}
		if len(gpus) > 0 {
			s.Hardware.Assumed = stack.Know(gpus, gpus[0].From)
		}
	}, nil
}

// gpu reads "NAME", "sm_80", "8.0" and "2xNAME".
func gpu(text string, from stack.Source) ([]stack.AssumedGPU, error) {
	n := 1
	if count, rest, ok := strings.Cut(text, "x"); ok {
		if c, err := strconv.Atoi(count); err == nil {
			if c < 1 || c > maxGPUs {
				return nil, fmt.Errorf("%d GPUs are not between 1 and %d", c, maxGPUs)
			}
			n, text = c, strings.TrimSpace(rest)
		}
	}
	g := stack.AssumedGPU{Name: text, From: from}
	if cc, err := version.ParseComputeCapability(text); err == nil {
		if cc.Suffix != "" {
			return nil, fmt.Errorf("%q is a compilation target, not a GPU: say sm_%d%d", text, cc.Major, cc.Minor)
		}
		g = stack.AssumedGPU{ComputeCapability: cc.String(), From: from}
	}
	list := make([]stack.AssumedGPU, n)
	for i := range list {
		list[i] = g
	}
	return list, nil
}

func setEnv(s *stack.Stack, name, value string, from stack.Source) {
	for i := range s.Environment.Value {
		if s.Environment.Value[i].Name == name {
			s.Environment.Value[i] = stack.Variable{Name: name, Value: value, From: from}
			return
		}
	}
	s.Environment.State = stack.Known
	s.Environment.Value = append(s.Environment.Value, stack.Variable{Name: name, Value: value, From: from})
}
