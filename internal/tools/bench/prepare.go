package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	envs         = 5
	packagesEach = 400
	site         = "lib/python3.11/site-packages"
	peer         = "env-doctor==0.3.5"
)

// bench is what the measurements run on.
type bench struct {
	dir, root, strata, python string
	pythonEnv                 []string
	model                     string // the environment that the others are copies of
}

func prepare(dir string) (*bench, error) {
	source, err := torchRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &bench{dir: abs(filepath.Join(dir, "bench"))}
	b.model = filepath.Join(b.dir, "model")
	if b.strata, err = program(b.dir); err != nil {
		return nil, err
	}
	if err := b.makeModel(filepath.Join(source, "opt/venv")); err != nil {
		return nil, err
	}
	if b.root, err = b.scaled(envs); err != nil {
		return nil, err
	}
	if b.python, err = exec.LookPath("python3.11"); err != nil {
		return nil, fmt.Errorf("the baselines need python3.11, the version the wheels are for: %w", err)
	}
	tools := filepath.Join(b.dir, "env-doctor")
	if _, err := os.Stat(tools); err != nil {
		pip := exec.Command(b.python, "-m", "pip", "install", "--quiet", "--target", tools, peer)
		if out, err := pip.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("installing %s: %w\n%s", peer, err, out)
		}
	}
	b.pythonEnv = []string{"PYTHONPATH=" + abs(filepath.Join(source, "opt/venv", site)) + ":" + tools}
	return b, nil
}

// torchRoot is the root that everything is measured on.
func torchRoot(dir string) (string, error) {
	root := filepath.Join(dir, "roots/torch-cu12-ok")
	if _, err := os.Stat(filepath.Join(root, "opt/venv")); err != nil {
		return "", errors.New("the root torch-cu12-ok is not built; run realroots/build torch-cu12-ok")
	}
	return abs(root), nil
}

// program builds Strata as it is released.
func program(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "strata")
	build := exec.Command("go", "build", "-trimpath", "-o", path, "./cmd/strata")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building strata: %w\n%s", err, out)
	}
	return path, nil
}

// makeModel links what any reader of the environment could want to look at,
// and fills it up with distributions.
func (b *bench) makeModel(venv string) error {
	if _, err := os.Stat(b.model); err == nil {
		return nil
	}
	tmp := b.model + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	err := filepath.WalkDir(venv, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(venv, p)
		if err != nil {
			return err
		}
		to := filepath.Join(tmp, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			return os.Symlink(target, to)
		case wanted(rel):
			return os.Link(p, to)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("copying the environment: %w", err)
	}
	have, err := filepath.Glob(filepath.Join(tmp, site, "*.dist-info"))
	if err != nil {
		return err
	}
	for i := len(have); i < packagesEach; i++ {
		name := fmt.Sprintf("filler%03d", i)
		d := filepath.Join(tmp, site, name+"-1.0.0.dist-info")
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
		meta := "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0.0\nRequires-Python: >=3.8\n\n" + strings.Repeat("A package that does nothing.\n", 60)
		if err := os.WriteFile(filepath.Join(d, "METADATA"), []byte(meta), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(d, "RECORD"), []byte(name+"/__init__.py,,\n"), 0o644); err != nil {
			return err
		}
	}
	return os.Rename(tmp, b.model)
}

// wanted leaves out Python sources and headers, which no tool looks at and
// which make fifty copies slow to lay out; torch's own says what it loads.
func wanted(rel string) bool {
	return strings.Contains(rel, ".dist-info/") || strings.Contains(filepath.Base(rel), ".so") ||
		strings.HasSuffix(rel, "version.py") || strings.HasSuffix(rel, "packages/torch/__init__.py") || strings.HasSuffix(rel, "pyvenv.cfg") || strings.HasSuffix(rel, ".json")
}

// scaled is a root with k environments: the host facts of the source and k
// copies of the model by hard links.
func (b *bench) scaled(k int) (string, error) {
	root := filepath.Join(b.dir, fmt.Sprintf("root-%d", k))
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	tmp := root + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	source := filepath.Join(filepath.Dir(b.dir), "roots/torch-cu12-ok")
	for _, part := range []string{"etc", "usr", "lib", "lib64", "proc", "sys", "dev", "var"} {
		from := filepath.Join(source, part)
		if _, err := os.Lstat(from); err != nil {
			continue
		}
		if err := link(from, filepath.Join(tmp, part)); err != nil {
			return "", err
		}
	}
	for i := range k {
		if err := link(b.model, filepath.Join(tmp, fmt.Sprintf("opt/env%02d", i+1))); err != nil {
			return "", err
		}
	}
	return root, os.Rename(tmp, root)
}

// link copies a tree by hard links.
func link(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-al", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copying %q: %w\n%s", from, err, out)
	}
	return nil
}
