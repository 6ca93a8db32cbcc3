package corpus

import (
	"strings"
	"testing"

	"strata/internal/report"
)

// TestParseWant refuses what would let a machine pass by a slip of the pen.
func TestParseWant(t *testing.T) {
	for text, why := range map[string]string{
		"exit 0":                            "lacks verdict",
		"verdict ok":                        "lacks verdict or exit",
		"verdict ok\nexit 0\nmention x":     "reading want line",
		"verdict ok\nexit 0\npending nay x": "reading want line",
		"verdict ok\nexit 0\nworkload x":    "reading want line",
	} {
		if _, err := parseWant(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("parseWant(%q) = %v; want an error with %q", text, err, why)
		}
	}
}

// TestJudge holds one report to wants that it does not fulfil.
func TestJudge(t *testing.T) {
	d := &report.Document{
		Verdict:     report.Verdict{Status: report.Broken, Layer: "driver", Finding: "DRV002", Summary: "driver 470 is too old"},
		Findings:    []report.Finding{{ID: "DRV002", Severity: "broken", Cause: "CUDA 12 starts on 525.60.13"}, {ID: "CUL006", Severity: "at-risk"}},
		Workloads:   []report.Workload{{Name: "pytorch", Environment: "/opt/a", Verdict: report.Verdict{Status: report.OK}}},
		Environment: report.Environment{DriverVersion: "470.256.02"},
	}
	const good = "verdict broken driver DRV002\nexit 1\nworkload pytorch@/opt/a ok\nmentions 525.60.13\nfinding CUL006\nno DRV001\nrecord driver_version 470.256.02\nrecord toolkit -\n"
	w, err := parseWant(good)
	if wrong := w.judge(d); err != nil || len(wrong) > 0 {
		t.Fatalf("a want that is fulfilled: %v %v", wrong, err)
	}
	for _, line := range []string{
		"verdict ok", "verdict broken cudnn", "exit 0", "workload jax ok", "workload pytorch@/opt/b ok", "workload pytorch broken",
		"finding DRV001", "no CUL006", "only DRV002", "mentions 580", "record driver_version 470", "record toolkit 12.4", "unknowns gave up",
	} {
		w, err := parseLines(line)
		if wrong := w.judge(d); err != nil || len(wrong) == 0 {
			t.Errorf("%q passes for a report that does not fulfil it (%v)", line, err)
		}
	}
}
