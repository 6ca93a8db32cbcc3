package proof

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/probe"
	"strata/internal/report"
)

// line is a run's line of the ladder as it is where nothing failed.
func (b *builder) line(r *probe.Run) Line {
	l := Line{Rung: r.Rung, Part: r.Part, Device: r.Device, Name: partName(r.Part), Status: report.LayerOK, Micros: r.End.Micros}
	if r.Device != nil {
		l.Name = fmt.Sprintf("kernels GPU %d", *r.Device)
	}
	values := map[string]string{}
	var right, skipped []string
	for _, s := range r.Steps {
		if s.State == probe.Skipped && s.Detail != "" {
			skipped = append(skipped, s.Detail)
		}
		if s.Name == "compare" && s.State == probe.OK && !slices.Contains(right, s.Subject) {
			right = append(right, s.Subject)
		}
		for k, v := range s.Values {
			if values[k] == "" {
				values[k] = v
			}
		}
	}
	l.Source = values["path"]
	var parts []string
	add := func(format, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	switch r.Part {
	case "cuda":
		add("CUDA %s", values["cuda"])
		add("%s", gpus(b.shown()))
	case "nvml":
		add("driver %s", values["driver"])
		add("CUDA %s", values["cuda"])
	default:
		add("%s", values["version"])
		if len(right) > 0 {
			add("%s: right", strings.Join(right, ", "))
		} else if len(skipped) > 0 {
			l.Status = report.LayerAbsent
			add("%s", skipped[len(skipped)-1])
		}
	}
	if r.End.Stopped {
		l.Status = report.LayerUnknown
		parts = append(parts, ending(&r.End))
	}
	l.Summary = strings.Join(parts, " · ")
	return l
}
