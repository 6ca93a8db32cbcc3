package python

import (
	"context"
	"fmt"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// defaultPath is searched where the environment is not known: what login
// shells of the common distributions start from.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// maxPath bounds the directories of PATH; real ones have some ten.
const maxPath = 128

// interpreterNames are what an interpreter on PATH may be called. Python 3.6
// is the oldest that a GPU framework of the last years runs on.
var interpreterNames = func() []string {
	names := []string{"python3", "python"}
	for minor := 6; minor <= 15; minor++ {
		names = append(names, fmt.Sprintf("python3.%d", minor))
	}
	return names
}()

func fromPath(ctx context.Context, m *machine.Machine) ([]candidate, error) {
	list, known := m.Getenv("PATH")
	if !known {
		list = defaultPath
	}
	var out []candidate
	n := 0
	for dir := range strings.SplitSeq(list, ":") {
		if !path.IsAbs(dir) {
			continue // a relative entry means another directory for everybody
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if n++; n > maxPath {
			return out, fmt.Errorf("PATH has more than %d directories", maxPath)
		}
		for _, name := range interpreterNames {
			p := path.Join(dir, name)
			if c, ok := ofInterpreter(m, p); ok {
				c.from = stack.From("env", "PATH", 0, p)
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// ofInterpreter finds the environment an interpreter belongs to, as Python
// itself does: pyvenv.cfg one directory up, before links are followed;
// otherwise two up from where the links end.
func ofInterpreter(m *machine.Machine, p string) (candidate, bool) {
	if _, err := m.Lstat(p); err != nil {
		return candidate{}, false
	}
	if prefix := path.Dir(path.Dir(p)); m.Exists(path.Join(prefix, "pyvenv.cfg")) {
		return candidate{prefix: prefix, interpreter: p}, true
	}
	real, err := m.Real(p)
	if err != nil {
		return candidate{}, false
	}
	// A shim (pyenv, asdf) is a shell script: its prefix has no lib/python3.*
	// and look will pass it over.
	c := candidate{prefix: path.Dir(path.Dir(real)), interpreter: real}
	if c.prefix == "/usr" || c.prefix == "/usr/local" {
		c.kind = "system"
	}
	return c, true
}

// named finds what --python means: an interpreter's path, a name on PATH, or
// the directory of an environment.
func named(ctx context.Context, m *machine.Machine, opts Options) (candidate, error) {
	p := opts.Interpreter
	from := stack.From("flag", "--python", 0, p)
	if !strings.Contains(p, "/") {
		found, err := fromPath(ctx, m)
		for _, c := range found {
			if path.Base(c.from.Text) == p {
				c.from, c.sure = from, true
				return c, nil
			}
		}
		if err != nil || !m.Exists(path.Join("/", opts.Dir, p)) {
			return candidate{}, fmt.Errorf("finding Python %q: no such interpreter on PATH; give its path", p)
		}
	}
	if !path.IsAbs(p) {
		p = path.Join("/", opts.Dir, p)
	}
	p = path.Clean(p)
	if info, err := m.Stat(p); err == nil && info.IsDir() {
		c := candidate{prefix: p, sure: true, from: from}
		if p == "/usr" || p == "/usr/local" {
			c.kind = "system"
		}
		return c, nil
	}
	c, ok := ofInterpreter(m, p)
	if !ok {
		return candidate{}, fmt.Errorf("finding Python %q: no such file; give the path of an interpreter or of an environment's directory", opts.Interpreter)
	}
	c.from, c.sure = from, true
	return c, nil
}

// choose picks, of several Pythons in one prefix, the one an interpreter's name means.
func choose(envs []stack.Environment, interpreter string) []stack.Environment {
	minor := strings.TrimPrefix(path.Base(interpreter), "python")
	for _, e := range envs {
		for _, site := range e.Site {
			if strings.Contains(minor, ".") && strings.Contains(site, "/python"+minor+"/") {
				return []stack.Environment{e}
			}
		}
	}
	return envs[:1]
}
