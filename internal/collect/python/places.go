package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// candidate is a directory that may be an environment.
type candidate struct {
	prefix      string
	kind        string // what the place says it is; empty where the directory must tell
	interpreter string
	// depth is how many levels below are looked at when the directory is none itself.
	depth int
	// sure is set where somebody named the directory: then it is reported even when it cannot be read.
	sure bool
	from stack.Source
}

// place is one source of candidates. Each has a deadline of its own.
type place struct {
	name string
	find func(context.Context, *machine.Machine) ([]candidate, error)
}

// inHome are directories of a user whose children are environments.
var inHome = []struct{ dir, kind string }{
	{".local/share/uv/python", "uv"},
	{".local/share/uv/tools", "uv"},
	{".local/share/virtualenvs", "venv"}, // pipenv
	{".local/share/pdm/venvs", "venv"},
	{".local/share/mise/installs/python", ""},
	{".asdf/installs/python", ""},
	{".rye/py", ""},
	{".pixi/envs", "conda"},
	{".cache/pypoetry/virtualenvs", "poetry"},
	{".local/share/pipx/venvs", "pipx"},
	{".local/pipx/venvs", "pipx"},
	{".pyenv/versions", "pyenv"},
	{".virtualenvs", "venv"},
	{".conda/envs", "conda"},
	{".local/share/mamba/envs", "conda"},
	{"micromamba/envs", "conda"},
}

// condaRoots are the default directories of conda's installers, in a home and in /opt.
var condaRoots = []string{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", "miniconda", "anaconda", "conda"}

// anywhere are directories of servers and images, with how deep to look below them.
var anywhere = []struct {
	dir   string
	depth int
}{
	{"/opt", 2}, {"/opt/pipx/venvs", 1}, {"/srv", 1}, {"/app", 1}, {"/usr/src/app", 1}, {"/workspace", 1}, {"/venv", 1}, {"/env", 0}, {"/usr/local/conda", 0},
	{"/usr/local/share/uv/python", 1}, {"/usr/local/pyenv/versions", 1}, {"/data", 1},
	{"/databricks/python3", 0}, {"/home/jovyan", 0},
}

// candidates asks all places, most specific first: who finds an environment
// first says how it was found.
// Homes that may not be listed are returned as denied: to an ordinary user all
// others' are, which is no failure but has to be known.
func candidates(ctx context.Context, m *machine.Machine, opts Options) (found []candidate, denied []string, err error) {
	places := []place{
		{"the environment variables", fromEnv},
		{"the working directory", func(_ context.Context, _ *machine.Machine) ([]candidate, error) { return fromDir(opts.Dir), nil }},
		{"PATH", fromPath},
	}
	for _, d := range anywhere {
		places = append(places, place{d.dir, func(_ context.Context, m *machine.Machine) ([]candidate, error) {
			return below(m, d.dir, "", d.depth)
		}})
	}
	homes, homeErr := collect.Homes(ctx, m, placeShare)
	for _, home := range homes {
		places = append(places, place{home, func(_ context.Context, m *machine.Machine) ([]candidate, error) {
			return fromHome(m, home)
		}})
	}
	type answer struct {
		list []candidate
		err  error
	}
	answers := collect.Each(ctx, places, placeShare, func(ctx context.Context, p place) answer {
		list, err := p.find(ctx, m)
		if err != nil {
			err = fmt.Errorf("looking for Python environments in %s: %w", p.name, err)
		}
		return answer{list, err}
	}, func(p place) answer {
		return answer{nil, fmt.Errorf("looking for Python environments in %s: gave up after %s", p.name, placeShare)}
	})
	all := []candidate{{prefix: "/usr", kind: "system", from: stack.From("directory", "/usr", 0, "")}}
	all = append(all, candidate{prefix: "/usr/local", kind: "system", from: stack.From("directory", "/usr/local", 0, "")})
	err = homeErr
	seen := map[string]bool{"/usr": true, "/usr/local": true}
	for i, a := range answers {
		if errors.Is(a.err, fs.ErrPermission) {
			denied = append(denied, places[i].name)
		} else {
			err = errors.Join(err, a.err)
		}
		for _, c := range a.list {
			if key := c.prefix + "\x00" + userKind(c.kind); !seen[key] && !seen[c.prefix] {
				seen[key] = true
				all = append(all, c)
			}
		}
	}
	return all, denied, err
}

// userKind keeps ~/.local as a user site apart from ~/.local as anything else.
func userKind(kind string) string {
	if kind == "user" {
		return kind
	}
	return ""
}

// fromEnv takes what an activated environment sets.
func fromEnv(_ context.Context, m *machine.Machine) ([]candidate, error) {
	var list []candidate
	for _, v := range []struct{ name, kind string }{{"VIRTUAL_ENV", ""}, {"CONDA_PREFIX", "conda"}, {"UV_PROJECT_ENVIRONMENT", ""}} {
		if dir, ok := m.Getenv(v.name); ok && path.IsAbs(dir) {
			list = append(list, candidate{prefix: path.Clean(dir), kind: v.kind, sure: true, from: stack.From("env", v.name, 0, dir)})
		}
	}
	return list, nil
}

// fromDir takes the names that python -m venv, uv, poetry, pixi and VS Code
// (.conda) give to the environments of a project.
func fromDir(dir string) []candidate {
	if dir == "" {
		return nil
	}
	var list []candidate
	for _, name := range []string{".venv", "venv", "env", ".conda", ".pixi/envs"} {
		p := path.Join("/", dir, name)
		depth := 0
		if name == ".pixi/envs" {
			depth = 1
		}
		list = append(list, candidate{prefix: p, depth: depth, from: stack.From("directory", p, 0, "")})
	}
	return list
}

func fromHome(m *machine.Machine, home string) ([]candidate, error) {
	if _, err := m.ReadDir(home); errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	list, err := condaList(m, path.Join(home, ".conda/environments.txt"))
	for _, name := range condaRoots {
		p := path.Join(home, name)
		list = append(list, candidate{prefix: p, kind: "conda", from: stack.From("directory", p, 0, "")})
	}
	for _, d := range inHome {
		more, derr := below(m, path.Join(home, d.dir), d.kind, 1)
		list = append(list, more...)
		err = errors.Join(err, derr)
	}
	for _, name := range []string{".venv", "venv"} {
		p := path.Join(home, name)
		list = append(list, candidate{prefix: p, from: stack.From("directory", p, 0, "")})
	}
	user := path.Join(home, ".local")
	return append(list, candidate{prefix: user, kind: "user", from: stack.From("directory", user, 0, "")}), err
}

// below makes candidates of a directory and its children.
func below(m *machine.Machine, dir, kind string, depth int) ([]candidate, error) {
	list := []candidate{{prefix: dir, kind: kind, from: stack.From("directory", dir, 0, "")}}
	if depth == 0 {
		return list, nil
	}
	dirs, err := collect.Subdirectories(m, dir, maxChildren)
	for _, d := range dirs {
		list = append(list, candidate{prefix: d, kind: kind, depth: depth - 1, from: stack.From("directory", d, 0, "")})
	}
	return list, err
}

// maxChildren bounds how many directories of one place are looked at.
const maxChildren = 512
