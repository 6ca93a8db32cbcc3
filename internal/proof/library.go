package proof

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/probe"
	"strata/internal/rule"
)

// judgeLibrary knows failures of a CUDA library's own calls.
func judgeLibrary(b *builder, f *failure) (said, bool) {
	if f.step == nil || f.run.Rung != probe.Libraries || f.ofDriver() && f.run.Part != "cudart" {
		return said{}, false
	}
	s := said{kind: kindLibrary, layer: layerOf(f.run), confidence: rule.Likely, apart: true, summary: fmt.Sprintf("%s%s: %s", f.call(), f.on(), f.said())}
	s.cause = "The driver and kernels of our own work on this GPU; this call of the library does not."
	if f.run.Part == "cudart" {
		if row := b.Base.CUDAError(kb.RuntimeAPI, f.step.Code); row.Known && row.Value.Layer != "" {
			s.layer = rule.Layer(row.Value.Layer)
			s.cause += " Known reasons: " + row.Value.Causes + "."
		}
	}
	s.remedies = append(s.remedies, remedy(s.layer, "see which copies of CUDA's libraries are loaded, and whether they belong together", "strata libs"))
	return s, true
}
