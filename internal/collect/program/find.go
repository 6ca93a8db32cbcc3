package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// mark is a file whose name shows that a program is there.
type mark struct{ dir, name string }

func (k mark) path() string { return path.Join(k.dir, k.name) }

// tops are the directories walked, with how deep. Programs lie in the
// distribution's directories, or are unpacked under a few customary ones.
var tops = []struct {
	dir   string
	depth int
}{
	{"/usr/bin", 0}, {"/usr/local/bin", 0}, {"/usr/lib", 0}, {"/usr/lib64", 0}, {"/usr/lib/x86_64-linux-gnu", 0}, {"/usr/lib/aarch64-linux-gnu", 0},
	{"/usr/lib/ollama", 1}, {"/usr/local/lib", 0}, {"/usr/local/lib64", 0}, {"/usr/local/lib/ollama", 1}, {"/usr/share/ollama/lib", 2},
	{"/opt", 4}, {"/srv", 3}, {"/app", 3}, {"/bareun", 2}, {"/usr/local/onnxruntime", 2}, {"/bin", 0}, {"/trt_libs", 0},
}

const (
	// topShare is one directory's share of the deadline.
	topShare = 2 * time.Second
	// maxDirs bounds the directories walked below one top: a tree with more is
	// data or a checkout, not an installation.
	maxDirs = 600
	// maxMarks bounds what is kept of one top.
	maxMarks = 200
	// maxDenied bounds the directories that are named as not allowed.
	maxDenied = 5
)

// sight is what the walk of all tops saw.
type sight struct {
	marks  []mark         // each file once
	places []stack.Source // that were there to be looked at
	denied []string       // directories that may not be listed
}

// find walks all tops. The error says what could not be read.
func find(ctx context.Context, m *machine.Machine) (sight, error) {
	dirs := tops
	for _, name := range []string{"LD_LIBRARY_PATH", "BAREUN_ROOT"} {
		value, _ := m.Getenv(name)
		for dir := range strings.SplitSeq(value, ":") {
			if path.IsAbs(dir) && len(dirs) < len(tops)+64 {
				depth := 0
				if name == "BAREUN_ROOT" {
					depth = 2
				}
				dirs = append(dirs[:len(dirs):len(dirs)], struct {
					dir   string
					depth int
				}{path.Clean(dir), depth})
			}
		}
	}
	type answer struct {
		marks  []mark
		denied []string
		there  bool
		err    error
	}
	type top = struct {
		dir   string
		depth int
	}
	answers := collect.Each(ctx, dirs, topShare, func(ctx context.Context, t top) answer {
		w := &walk{ctx: ctx, m: m}
		real, err := m.Real(t.dir)
		if err != nil {
			switch {
			case machine.IsMissing(err):
				return answer{}
			case errors.Is(err, fs.ErrPermission):
				return answer{denied: []string{t.dir}}
			}
			return answer{err: err}
		}
		err = w.visit(real, t.depth)
		return answer{w.marks, w.denied, true, err}
	}, func(t top) answer {
		return answer{err: fmt.Errorf("looking for programs in %q: gave up after %s", t.dir, topShare)}
	})
	var all sight
	var err error
	seen := map[string]bool{}
	for i, a := range answers {
		err = errors.Join(err, a.err)
		for _, d := range a.denied {
			if !slices.Contains(all.denied, d) && len(all.denied) < maxDenied {
				all.denied = append(all.denied, d)
			}
		}
		if a.there {
			all.places = append(all.places, stack.From("directory", dirs[i].dir, 0, ""))
		}
		for _, k := range a.marks {
			if !seen[k.path()] {
				seen[k.path()] = true
				all.marks = append(all.marks, k)
			}
		}
	}
	return all, err
}

type walk struct {
	ctx    context.Context
	m      *machine.Machine
	dirs   int
	marks  []mark
	denied []string
}

func (w *walk) visit(dir string, depth int) error {
	if w.ctx.Err() != nil {
		return fmt.Errorf("looking for programs in %q: %w", dir, w.ctx.Err())
	}
	entries, err := w.m.ReadDir(dir)
	if errors.Is(err, fs.ErrPermission) {
		w.denied = append(w.denied, dir)
		return nil
	}
	if machine.IsMissing(err) {
		return nil
	}
	var below []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir():
			below = append(below, name)
			if name == "conda-meta" {
				depth = 0 // an environment; its packages are read as Python's
			}
		case name == "pyvenv.cfg":
			depth = 0
		case marks(name) && len(w.marks) < maxMarks:
			w.marks = append(w.marks, mark{dir, name})
		}
	}
	if depth == 0 {
		return err
	}
	for _, name := range below {
		if passOver[name] || strings.HasPrefix(name, "python3") {
			continue
		}
		if w.dirs++; w.dirs > maxDirs {
			return errors.Join(err, fmt.Errorf("looking for programs below %q: more than %d directories; the rest was not looked at", dir, maxDirs))
		}
		if verr := w.visit(path.Join(dir, name), depth-1); verr != nil {
			return errors.Join(err, verr)
		}
	}
	return err
}

// passOver are directories that hold no program of interest, only very many files.
var passOver = map[string]bool{
	"site-packages": true, "dist-packages": true, "node_modules": true, ".git": true, "include": true, "share": true, "doc": true,
	"docs": true, "models": true, "pkgs": true, "envs": true, "__pycache__": true, "src": true, "samples": true, "nsight-compute": true,
	"nsight-systems": true, "targets": true, "cache": true, ".cache": true,
}

// marks tells whether a file name shows that one of our programs is there.
func marks(name string) bool {
	switch name {
	case "ollama", "llama-server", "llama-cli", "llama-bench", "tritonserver", "bareun", "bareun.json", "bareun.conf":
		return true
	}
	for _, lib := range []string{"libonnxruntime", "libggml-cuda", "libggml-hip", "libbareun"} {
		if rest, ok := strings.CutPrefix(name, lib); ok && strings.Contains(rest, ".so") {
			return true
		}
	}
	return false
}
