package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	confPath    = "/etc/ld.so.conf"
	preloadPath = "/etc/ld.so.preload"

	maxConf      = 256 << 10 // one file; real ones have a few lines
	maxConfDepth = 16        // includes in includes; real ones have one level
	maxConfFiles = 1000
	maxConfDirs  = 4096
)

// Conf reads ld.so.conf and what it includes: the directories in the order
// ldconfig takes them. Directories read before an error are returned with it.
// The file's absence is fs.ErrNotExist.
func Conf(ctx context.Context, m *machine.Machine) ([]stack.ConfDir, error) {
	c := conf{ctx: ctx, m: m}
	err := c.read(confPath, 0)
	return c.dirs, errors.Join(append([]error{err}, c.problems...)...)
}

type conf struct {
	ctx      context.Context
	m        *machine.Machine
	dirs     []stack.ConfDir
	files    int
	problems []error // of included files, which do not stop the rest
}

func (c *conf) read(name string, depth int) error {
	if depth > maxConfDepth {
		return fmt.Errorf("reading %q: includes nest deeper than %d", name, maxConfDepth)
	}
	if c.files++; c.files > maxConfFiles {
		return fmt.Errorf("reading %q: more than %d included files", name, maxConfFiles)
	}
	if err := c.ctx.Err(); err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	data, err := c.m.ReadFile(name, maxConf)
	if err != nil {
		return err
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		switch {
		case line == "", word == "hwcap": // hwcap lines name no directory
		case word == "include":
			for pattern := range strings.FieldsSeq(rest) {
				c.include(name, pattern, depth)
			}
		case len(c.dirs) == maxConfDirs:
			return fmt.Errorf("reading %q: more than %d directories", name, maxConfDirs)
		default:
			dir, _, _ := strings.Cut(line, "=") // DIR=TYPE is libc5's
			if path.IsAbs(dir) {                // ldconfig passes over relative paths with a warning
				c.dirs = append(c.dirs, stack.ConfDir{Dir: path.Clean(dir), From: stack.Line(name, number, line)})
			}
		}
	}
	return nil
}

// include reads the files that match a pattern. One that is missing or
// unreadable does not stop ldconfig either.
func (c *conf) include(from, pattern string, depth int) {
	if !path.IsAbs(pattern) {
		pattern = path.Join(path.Dir(from), pattern)
	}
	names, err := c.m.Glob(pattern)
	if err != nil {
		c.problem(err)
	}
	for _, name := range names {
		if err := c.read(name, depth+1); err != nil {
			c.problem(err)
		}
		if c.files > maxConfFiles {
			return
		}
	}
}

func (c *conf) problem(err error) {
	// The first ones tell enough; a directory of broken files must not fill the report.
	if len(c.problems) < 8 && !errors.Is(err, fs.ErrNotExist) {
		c.problems = append(c.problems, err)
	}
}
