// Package container reads both sides of GPU containers: whether this machine
// is the inside of one, and how a host's engines, the NVIDIA container toolkit
// and CDI specifications are set up.
package container

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/BurntSushi/toml"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads the marks of a container and the configuration of
// container engines, without asking any of them.
var Collector = collect.Collector{Name: "container", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	c := stack.Container{Inside: inside(m), Kubernetes: kubernetes(m)}
	var hooks []found
	c.Toolkit, hooks = toolkit(ctx, m)
	c.Engines = engines(ctx, m)
	var more []found
	c.CDI, more = specs(ctx, m)
	c.Hook = hook(append(more, hooks...), c)
	return func(s *stack.Stack) { s.Container = c }, ctx.Err()
}

// found is a configured way of handling forward-compatibility libraries.
type found struct {
	what string
	from stack.Source
}

// hook reports how compatibility libraries of an image get into use, where
// a CDI specification or the toolkit's configuration says it.
func hook(list []found, c stack.Container) stack.Fact[string] {
	if len(list) > 0 {
		f := stack.Know(list[0].what)
		for _, h := range list {
			f.Sources = append(f.Sources, h.from)
		}
		return f
	}
	if c.Toolkit.Known() || c.CDI.Known() {
		return stack.None[string](append(c.Toolkit.Sources, c.CDI.Sources...)...)
	}
	return stack.Fact[string]{}
}

// maxConfig bounds every configuration file read here; none has more than
// some tens of kilobytes.
const maxConfig = 1 << 20

// readTOML reads a TOML file into a tree of maps. An absent file is
// fs.ErrNotExist.
func readTOML(m *machine.Machine, name string) (tree, error) {
	data, err := m.ReadFile(name, maxConfig)
	if err != nil {
		return nil, err
	}
	t, err := parseTOML(data)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	return t, nil
}

func parseTOML(data []byte) (t tree, err error) {
	// A configuration that makes the decoder panic is one that could not be read.
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("decoding TOML: %v", r)
		}
	}()
	if depth(data) > maxDepth {
		return nil, fmt.Errorf("decoding TOML: brackets nest deeper than %d", maxDepth)
	}
	if dots(data) > maxDots {
		return nil, fmt.Errorf("decoding TOML: a key of more than %d parts", maxDots)
	}
	raw := map[string]any{}
	if err := toml.Unmarshal(data, &raw); err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			return nil, fmt.Errorf("line %d: %s", pe.Position.Line, pe.Message)
		}
		return nil, err
	}
	return raw, nil
}

// maxDepth keeps a file of nothing but brackets from growing the stack of a
// decoder that recurses. Real configurations nest three deep inside values.
const maxDepth = 200

// depth is how deep brackets are open at most, strings not told apart: an
// upper bound is all that is needed.
func depth(data []byte) int {
	now, most := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			now++
			most = max(most, now)
		case ']', '}':
			now = max(0, now-1)
		}
	}
	return most
}

// maxDots bounds the parts of a dotted key, for which the decoder takes time by
// their square: 32 KB of "a.a.a" keep it busy for ten seconds. Real keys have seven.
const maxDots = 64

// dots is how many dots stand at most where one key could be, strings not told apart.
func dots(data []byte) int {
	now, most := 0, 0
	for _, c := range data {
		switch c {
		case '.':
			now++
			most = max(most, now)
		case ',', '=', '\n', '[', ']', '{', '}':
			now = 0
		}
	}
	return most
}

// tree is a decoded TOML or JSON document.
type tree map[string]any

// at descends by keys; nil where one is missing or no table.
func (t tree) at(keys ...string) tree {
	for _, k := range keys {
		next, ok := t[k].(map[string]any)
		if !ok {
			return nil
		}
		t = next
	}
	return t
}

// text and truth return a value, and zero where it is missing or of another type.
func (t tree) text(key string) string { s, _ := t[key].(string); return s }
func (t tree) truth(key string) bool  { b, _ := t[key].(bool); return b }

// texts returns a list of strings; a lone string counts as one.
func (t tree) texts(key string) []string {
	var out []string
	switch v := t[key].(type) {
	case string:
		out = []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// fault words why a configuration file could not be used; "" when it is not there.
func fault(err error) string {
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return ""
	case errors.Is(err, fs.ErrPermission):
		return "permission denied; run as root to read it"
	}
	return err.Error()
}
