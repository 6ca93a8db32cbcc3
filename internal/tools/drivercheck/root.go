package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"strata/internal/probe"
	"strata/internal/proof"
	"strata/internal/report"
	"strata/internal/rule"
)

// root is one with a driver for this processor.
type root struct {
	name      string
	libraries []string // directories for LD_LIBRARY_PATH
	cuda      []string // parts of the third rung that are in them
}

// parts of the third rung, with the files that they load.
var parts = map[string]string{"cudart": "libcudart.so.*", "cublas": "libcublas.so.*", "cufft": "libcufft.so.*", "cudnn": "libcudnn.so.*", "nccl": "libnccl.so.*"}

func roots(names []string) []root {
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	dirs, _ := filepath.Glob(filepath.Join(".realroots", "roots", "*"))
	var out []root
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		r := root{name: filepath.Base(dir)}
		driver := filepath.Join(abs, "usr", "lib", triplet, "nvidia", "current")
		if _, e := os.Stat(filepath.Join(driver, "libcuda.so.1")); err != nil || e != nil || len(names) > 0 && !slices.Contains(names, r.name) {
			continue
		}
		r.libraries = append(r.libraries, driver)
		wheels, _ := filepath.Glob(filepath.Join(abs, "opt", "venv", "lib", "python*", "site-packages", "nvidia", "*", "lib"))
		r.libraries = append(r.libraries, wheels...)
		for part, pattern := range parts {
			if slices.ContainsFunc(wheels, func(w string) bool { m, _ := filepath.Glob(filepath.Join(w, pattern)); return len(m) > 0 }) {
				r.cuda = append(r.cuda, part)
			}
		}
		slices.Sort(r.cuda)
		out = append(out, r)
	}
	return out
}

// problems are where a report is not what a machine without a GPU must get.
func (r root) problems(d *proof.Document) (out []string) {
	if v := d.Verdict; v.Status != report.NotStack || v.Layer != rule.Hardware || v.Finding != "probe-no-gpu" {
		out = append(out, fmt.Sprintf("the verdict is %s %s %s: %s", v.Status, v.Layer, v.Finding, v.Summary))
	}
	for _, run := range d.Runs {
		if !run.InOrder() || len(run.Steps) == 0 {
			out = append(out, fmt.Sprintf("%s did not end in order: %+v", run.Part, run.End))
			continue
		}
		load := run.Steps[0]
		driver := run.Rung != probe.Libraries
		switch {
		case (driver || slices.Contains(r.cuda, run.Part)) && load.State != probe.OK:
			out = append(out, fmt.Sprintf("%s is %s: %s", run.Part, load.State, load.Detail))
		case load.State == probe.OK && !strings.Contains(load.Values["path"], ".realroots"):
			out = append(out, fmt.Sprintf("%s was loaded from %s", run.Part, load.Values["path"]))
		case slices.Contains(r.cuda, run.Part) && version(run) == "":
			out = append(out, run.Part+" told no version")
		}
		// A driver older than the runtime's major release is an error with or without a GPU, and the runtime says so first.
		if run.Part == "cudart" {
			said := slices.ContainsFunc(run.Steps, func(s probe.Step) bool { return s.Name == "cudaGetDeviceCount" && s.Code == 35 })
			found := slices.ContainsFunc(d.Findings, func(f report.Finding) bool { return f.ID == "probe-library-error" && f.Layer == rule.Driver })
			if said != found {
				out = append(out, fmt.Sprintf("cudart says that the driver is too old: %v; there is a finding of that: %v", said, found))
			}
		}
	}
	return out
}
