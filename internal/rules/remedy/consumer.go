package remedy

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/version"
)

// OtherConsumer offers the nearest newer release of a package without a table
// of its own (bitsandbytes, CTranslate2) that has code for every GPU and, where
// it extends PyTorch, for PyTorch's CUDA.
func OtherConsumer(in *rule.Input, layer rule.Layer) []rule.Remedy {
	w := in.Workload
	if w == nil || w.Env == nil {
		return nil
	}
	have, err := version.ParsePEP440(w.Framework.Version)
	if err != nil {
		return nil
	}
	cuda := version.CUDA{}
	if w.On != nil {
		cuda = in.BuildCUDA(w.On)
	}
	var best *kb.Consumer
	for _, row := range in.KB.ConsumerReleases(w.Framework.Package) {
		if have.Less(row.Below) && !have.Less(row.From) || have.Compare(row.From) > 0 {
			continue // what is there, or older
		}
		built := cuda
		if built.IsZero() && len(row.CUDA) > 0 {
			built = row.CUDA[0]
		}
		if !row.Uses(cuda) || !fits(in, built, row.Code) || !pythonFits(w.Env, row.PythonMin, row.PythonMax) {
			continue
		}
		if best == nil || row.From.Less(best.From) {
			best = &row
		}
	}
	if best == nil {
		return nil
	}
	spec := fmt.Sprintf("%s>=%s,<%s", w.Framework.Package, best.From, best.Below)
	r := Install(w.Env, layer, w.Framework.Package+"=="+best.From.String(), "")
	r.Summary = fmt.Sprintf("install %s in %s", spec, w.Env.Prefix)
	r.Commands = Pip(w.Env, "install "+quote(spec))
	return []rule.Remedy{r}
}
