package proof

import (
	"fmt"

	"strata/internal/report"
	"strata/internal/rule"
)

// health is what the counters of GPUs that work say.
func (b *builder) health() []report.Finding {
	var out []report.Finding
	add := func(d Device, severity rule.Severity, layer rule.Layer, summary, cause, command string) {
		out = append(out, report.Finding{
			ID: kindHealth.ID, Layer: layer, Severity: severity.String(), Confidence: rule.Certain.String(), Title: kindHealth.Title,
			Summary: fmt.Sprintf("%s: %s", d.title(), summary), Cause: cause, Workloads: []string{},
			Evidence: []report.Evidence{{Source: "probe", Locator: "NVML", Text: d.UUID}},
			Remedies: []report.Remedy{remedy(layer, "see NVIDIA's own words of it", command)}, References: []report.Reference{}, Blocks: []rule.Layer{},
		})
	}
	for _, d := range b.devices {
		if d.RowsFailed == "on" {
			add(d, rule.AtRisk, rule.Hardware, "a row of its memory is broken and could not be replaced",
				"The card has spare rows for broken ones; replacing one failed, so that errors will come again. It is a case for the vendor.", "nvidia-smi -q -d ROW_REMAPPER")
		}
		if n := d.UncorrectedErrors; n != nil && *n > 0 {
			add(d, rule.AtRisk, rule.Hardware, fmt.Sprintf("%d uncorrectable ECC errors since the driver was loaded", *n),
				"Programs that used the memory were ended with error 214. A reset of the GPU replaces the row where it can.", "nvidia-smi -q -d ECC")
		}
		if d.ComputeMode == "prohibited" {
			add(d, rule.AtRisk, rule.DeviceExposure, "its compute mode is prohibited", "No process may compute on it until the mode is changed.", "nvidia-smi -q -d COMPUTE")
		}
	}
	return out
}

// title names a GPU.
func (d Device) title() string {
	switch {
	case d.Ordinal != nil:
		return fmt.Sprintf("GPU %d (%s)", *d.Ordinal, d.Name)
	case d.Index != nil:
		return fmt.Sprintf("GPU %d of NVML (%s)", *d.Index, d.Name)
	}
	return d.Name
}
