// Package loader collects the configuration of the dynamic linker (ld.so): its
// cache, its directories and what it preloads. What those files mean and how a
// library is searched is known to strata/internal/loader, the linker in words.
package loader

import (
	"context"
	"errors"
	"io/fs"

	"strata/internal/collect"
	ld "strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads /etc/ld.so.cache, /etc/ld.so.conf, /etc/ld.so.preload and
// the directories built into the loader.
var Collector = collect.Collector{Name: "loader", Read: read}

const (
	cachePath = "/etc/ld.so.cache"
	// maxCache bounds the cache; a full workstation's has 300 KB.
	maxCache = 32 << 20
)

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	l := stack.Loader{
		Cache:    cache(m),
		Conf:     confFact(ctx, m),
		Defaults: Defaults(m),
		Preload:  preload(m),
	}
	return func(s *stack.Stack) { s.Loader = l }, ctx.Err()
}

func cache(m *machine.Machine) stack.Fact[[]stack.CacheEntry] {
	data, err := m.ReadFile(cachePath, maxCache)
	if err != nil {
		return stack.Miss[[]stack.CacheEntry](err, cachePath)
	}
	entries, err := ld.ParseCache(data)
	if err != nil {
		return stack.Broken[[]stack.CacheEntry](cachePath+": "+err.Error(), stack.File(cachePath))
	}
	list := make([]stack.CacheEntry, len(entries))
	for i, e := range entries {
		list[i] = stack.CacheEntry{Name: e.Name, Path: e.Path, Flags: e.Flags}
	}
	return stack.Know(list, stack.File(cachePath))
}

func confFact(ctx context.Context, m *machine.Machine) stack.Fact[[]stack.ConfDir] {
	dirs, err := Conf(ctx, m)
	if err != nil && len(dirs) == 0 {
		return stack.Miss[[]stack.ConfDir](err, confPath)
	}
	f := stack.Know(dirs, stack.File(confPath))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Why = err.Error()
	}
	return f
}

func preload(m *machine.Machine) stack.Fact[[]string] {
	data, err := m.ReadFile(preloadPath, maxConf)
	if err != nil {
		return stack.Miss[[]string](err, preloadPath)
	}
	return stack.Know(ld.ParsePreload(data), stack.File(preloadPath))
}
