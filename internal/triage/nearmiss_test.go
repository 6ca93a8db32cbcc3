package triage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/report"
)

// TestNearMisses reads lines that hold the words of signatures and tell of no failure.
func TestNearMisses(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "nearmisses.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "# Lines") {
			continue
		}
		n++
		doc := read(t, strings.NewReader(line)).Report("line", options())
		for _, f := range doc.Findings {
			if f.Severity != "note" {
				t.Errorf("%q\n\tyields %s: %s", strings.TrimSpace(line), f.ID, f.Summary)
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d lines", n)
	}
}

// TestHealthy reads whole texts in which nothing is wrong: those here, and
// those that the readers of facts have.
func TestHealthy(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/healthy/*", "../dump/testdata/healthy-*.txt"} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 20 {
		t.Errorf("only %d healthy texts", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := read(t, strings.NewReader(string(data))).Report(file, options())
		for _, f := range doc.Findings {
			if f.Severity == "broken" {
				t.Errorf("%s yields %s: %s (%v)", file, f.ID, f.Summary, f.Evidence)
			}
		}
		if doc.Verdict.Status == report.Broken || doc.Verdict.Status == report.NotStack {
			t.Errorf("%s: %s", file, doc.Verdict.Summary)
		}
	}
}
