package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"strata/internal/cli"
	"strata/internal/kb"
	"strata/internal/libs"
	"strata/internal/loader/loadertest"
	"strata/internal/rule"
)

// furnished is a root that programs can be run in.
type furnished struct {
	testCase
	root string
	env  []string
}

// furnish shows the root without any GPU, and puts the program into its /tmp.
func (c *checker) furnish(t testCase, root string) (*furnished, error) {
	// JAX does not even look for a GPU where there are no device nodes; these are plain files.
	if err := loadertest.Furnish(root, "nvidia0", "nvidiactl", "nvidia-uvm"); err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", filepath.Join(root, "sys"), "tmpfs", 0, ""); err != nil {
		return nil, fmt.Errorf("mounting /sys in %q: %w", root, err)
	}
	if err := os.MkdirAll(filepath.Join(root, "sys/bus/pci/devices"), 0o755); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(c.dir, "strata"))
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "tmp", "strata"), data, 0o755)
	}
	if err != nil {
		return nil, err
	}
	r := &furnished{testCase: t, root: root, env: []string{"PATH=/usr/bin:/bin", "HOME=/tmp/home", "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"}}
	for k, v := range t.Environment {
		r.env = append(r.env, k+"="+v)
	}
	return r, os.Mkdir(filepath.Join(root, "tmp", "home"), 0o755)
}

// timeout bounds one program. On a machine with nothing else to do, TensorFlow takes some 15 s.
const timeout = 8 * time.Minute

// run starts a program in the root and returns what it printed and its status.
func (r *furnished) run(env []string, argv ...string) (stdout, stderr []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(slices.Clone(r.env), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.root, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	in, w, err := os.Pipe()
	if err != nil {
		return nil, nil, 0, err
	}
	defer w.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &errs
	err = cmd.Run()
	in.Close()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return out.Bytes(), errs.Bytes(), exit.ExitCode(), nil
	}
	return out.Bytes(), errs.Bytes(), 0, err
}

// prediction is what strata libs says of a workload: the library that stops it from using the GPU, and its layer. Empty where it finds all.
type prediction struct {
	workload, framework string
	library             string
	layer               rule.Layer
	need                string
	all                 []string // every missing name
}

// predict asks strata libs about the root, from outside.
func (r *furnished) predict(env ...string) ([]prediction, error) {
	args := []string{"libs", "--root", r.root, "--format", "json"}
	for _, e := range env {
		args = append(args, "--env", e)
	}
	var out, errs bytes.Buffer
	cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, args)
	var d libs.Document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return nil, fmt.Errorf("strata libs gave no report: %w %s", err, errs.String())
	}
	var list []prediction
	for _, w := range d.Workloads {
		p := prediction{workload: w.ID, framework: w.Framework}
		for _, m := range w.Missing {
			name := path.Base(m.Name)
			p.all = append(p.all, name)
			if p.library == "" && w.Status == libs.Broken && m.Need != "optional" {
				p.library, p.need = name, m.Need
				p.layer = rule.Layer(kb.Default().Component(name).Value.Layer)
			}
		}
		list = append(list, p)
	}
	return list, nil
}
