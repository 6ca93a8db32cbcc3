package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/probe/framework"
	"strata/internal/proof"
	"strata/internal/report"
	"strata/internal/rule"
)

// probe runs the fourth rung in the root and compares it with the prediction.
func (c *checker) probe(r *furnished) error {
	predicted, err := r.predict()
	if err != nil {
		return err
	}
	out, errs, _, err := r.run(nil, "/tmp/strata", "probe", "--rung", "framework", "--timeout", "4m", "--format", "json")
	if err != nil {
		return fmt.Errorf("strata probe: %w\n%s", err, errs)
	}
	var d proof.Document
	if err := json.Unmarshal(out, &d); err != nil {
		return fmt.Errorf("strata probe gave no report: %w\n%s", err, errs)
	}
	left, err := filepath.Glob(r.root + "/tmp/strata-probe-*")
	if err != nil || len(left) > 0 {
		c.report(r.Name, "probe", []string{fmt.Sprint("left in /tmp: ", left, err)})
	}
	if left, err := os.ReadDir(r.root + "/tmp/home"); err != nil || len(left) != 0 {
		c.report(r.Name, "probe", []string{fmt.Sprint("left in HOME: ", left, err)})
	}
	for _, p := range predicted {
		if !framework.Known(p.framework) {
			continue
		}
		i := slices.IndexFunc(d.Workloads, func(w proof.Workload) bool { return w.ID == p.workload })
		if i < 0 {
			c.report(r.Name, "probe "+p.workload, []string{"it was not tried"})
			continue
		}
		w := d.Workloads[i]
		c.report(r.Name, fmt.Sprintf("probe %s: %s %s: %s", w.Framework, w.Verdict.Status, w.Verdict.Layer, w.Verdict.Summary), r.compare(p, w, &d))
		if c.verbose {
			fmt.Println(string(out))
		}
	}
	return nil
}

// compare holds what happened against what files had shown.
func (r *furnished) compare(p prediction, w proof.Workload, d *proof.Document) (problems []string) {
	bad := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	if w.Version == "" {
		bad("its version is not known")
	}
	crashed := w.Verdict.Finding == "probe-crash"
	if w.CPU != nil && !*w.CPU || w.CPU == nil && w.Framework != "cupy" && w.Framework != "ctranslate2" && p.need != "must" && !crashed {
		bad("it did not compute rightly on the CPU")
	}
	if w.Agrees == "no" {
		bad("strata check had predicted %s %s", w.Predicted.Status, w.Predicted.Layer)
	}
	noGPU := w.Verdict.Status == report.NotStack && w.Verdict.Layer == rule.Hardware
	switch {
	case slices.Contains(crashes, r.Name):
		if !crashed {
			bad("want a crash")
		}
	case w.GPU == "not-built": // then there is nothing to miss
	case noGPU && w.Framework == "tensorflow": // it opens CUDA's libraries once the driver has shown it a GPU
	case p.library == "" || p.layer.Shared(): // a driver that is missing has as its reason that there is no GPU
		if !noGPU {
			bad("strata libs finds every library, so that only a GPU is missing")
		}
	default:
		if w.Verdict.Status != report.Broken || w.Verdict.Layer != p.layer {
			bad("strata libs says that %s is missing (%s)", p.library, p.layer)
		}
		if !strings.Contains(mentioned(d, w.ID), p.library) {
			bad("%s, which strata libs says is missing, is not named", p.library)
		}
	}
	return problems
}

// mentioned is what the user is told of a workload.
func mentioned(d *proof.Document, id string) string {
	var b strings.Builder
	for _, f := range d.Findings {
		if slices.Contains(f.Workloads, id) {
			fmt.Fprintln(&b, f.Summary, f.Cause)
		}
	}
	return b.String()
}
