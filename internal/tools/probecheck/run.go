package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/outcome"
	"strata/internal/report"
)

// interpreter is where realroots/build puts that of a root.
const interpreter = "/opt/venv/bin/python3"

// programs use a framework as a program does: they ask for the GPU, and go on without it.
var programs = map[string]string{
	"pytorch":    "import torch\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\nprint('on', d, (torch.ones(3, device=d) * 2).sum().item())",
	"tensorflow": "import tensorflow as tf\nprint('on', tf.config.list_physical_devices('GPU') or 'cpu', float(tf.reduce_sum(tf.ones(3))))",
	"jax":        "import jax\nprint('on', jax.devices()[0].platform, float(jax.numpy.ones(3).sum()))",
	"cupy":       "import cupy\ntry: print('on the GPU', cupy.ones(3).sum())\nexcept Exception as e: print('on the CPU:', e)",
}

// run watches a program of each framework of the root by strata run.
func (c *checker) run(r *furnished) error {
	predicted, err := r.predict()
	if err != nil {
		return err
	}
	for _, p := range predicted {
		script, ok := programs[p.framework]
		if !ok {
			continue
		}
		d, said, err := r.watch(nil, interpreter, "-c", script)
		if err != nil {
			return err
		}
		first := need(d)
		var problems []string
		name := ""
		if first != nil {
			name = path.Base(first.Name)
		}
		switch {
		case slices.Contains(crashes, r.Name):
			if d.Signal == "" && d.Exit < 128 {
				problems = append(problems, fmt.Sprintf("want a crash, got exit status %d", d.Exit))
			}
		case name != "" && !slices.Contains(p.all, name), name != "" && p.library == "" && d.Verdict.Status == report.Broken && strings.Contains(d.Verdict.Summary, name):
			problems = append(problems, fmt.Sprintf("the linker missed %s, which strata libs does not predict (it says %q)", name, p.library))
		case name != "" && name == p.library && d.Verdict.Layer != first.Layer:
			problems = append(problems, fmt.Sprintf("the verdict is %s, and %s was missed first", d.Verdict.Layer, name))
		case p.need == "must" && name != p.library:
			problems = append(problems, fmt.Sprintf("strata libs says that it does not start without %s, and %q was missed", p.library, name))
		}
		c.report(r.Name, fmt.Sprintf("run %s: %s %s: %s", p.framework, d.Verdict.Status, d.Verdict.Layer, d.Verdict.Summary), problems)
		if c.verbose {
			fmt.Println(said)
		}
	}
	return nil
}

// watch is strata run -- ARGV in the root, and what both of them printed.
func (r *furnished) watch(env []string, argv ...string) (*outcome.Document, string, error) {
	const record = "/tmp/record.json"
	file := filepath.Join(r.root, record)
	defer os.Remove(file)
	out, errs, status, err := r.run(env, append([]string{"/tmp/strata", "run", "--record", record, "--"}, argv...)...)
	if err != nil {
		return nil, "", fmt.Errorf("strata run: %w\n%s", err, errs)
	}
	said := string(out) + string(errs)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, said, fmt.Errorf("strata run left no record (status %d): %s", status, said)
	}
	var d outcome.Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, said, fmt.Errorf("reading the record: %w", err)
	}
	if d.Exit != status && d.Signal == "" {
		return nil, said, fmt.Errorf("the command exited with %d, strata run with %d", d.Exit, status)
	}
	return &d, said, nil
}

// need is the first library that another one could not be loaded without.
func need(d *outcome.Document) *outcome.Missing {
	for i := range d.Missing {
		if d.Missing[i].Needed {
			return &d.Missing[i]
		}
	}
	return nil
}

// broken tells whether a verdict names the layer of a library, and its summary the library.
func broken(v report.Verdict, p prediction) (problems []string) {
	if v.Status != report.Broken || v.Layer != p.layer {
		problems = append(problems, fmt.Sprintf("want broken %s, got %s %s", p.layer, v.Status, v.Layer))
	}
	if !strings.Contains(v.Summary, p.library) {
		problems = append(problems, fmt.Sprintf("%s is not named first: %s", p.library, v.Summary))
	}
	return problems
}
