package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// checkConsumers finds rows of one package that answer the same question, and cells of a row that do not go together.
func checkConsumers(b *Base, t *Table[Consumer]) (problems []Problem) {
	report := func(r Consumer, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	for i, r := range t.Rows {
		if r.From.Compare(r.Below) >= 0 {
			report(r, "from is not below below")
		}
		for _, o := range t.Rows[:i] {
			if o.Package == r.Package && o.span().Overlaps(r.span()) && sharesCUDA(o, r) {
				report(r, "overlaps line %d", o.Line)
			}
		}
		if pythonBackwards(r.PythonMin, r.PythonMax) {
			report(r, "python_max %s is below python_min", r.PythonMax)
		}
		if (r.CUDNN == NeedNone) && r.CUDNNMajor != 0 {
			report(r, "cudnn is none, yet cudnn_major is %d", r.CUDNNMajor)
		}
		for _, cuda := range r.CUDA {
			floor := b.MinDriverForMajor(cuda.Major())
			if !r.MinDriver.IsZero() && floor.Known && r.MinDriver.Less(floor.Value.Linux) && len(r.CUDA) == 1 {
				report(r, "min_driver %s does not start CUDA %s", r.MinDriver, cuda)
			}
		}
		if pin, ok := exactPin(r.Torch.String()); ok && len(b.TorchBuilds(pin).Value) == 0 && !b.TorchBuilds(pin).Beyond {
			report(r, "torch %s is not in pytorch.csv", pin)
		}
	}
	return problems
}

// sharesCUDA reports whether both rows hold for some CUDA release. A row without any holds for every one.
func sharesCUDA(a, b Consumer) bool {
	if len(a.CUDA) == 0 || len(b.CUDA) == 0 {
		return true
	}
	for _, v := range a.CUDA {
		if b.Uses(v) {
			return true
		}
	}
	for _, v := range b.CUDA {
		if a.Uses(v) {
			return true
		}
	}
	return false
}

// exactPin returns the version in "==2.9.1"; false for anything wider.
func exactPin(specifier string) (version.PEP440, bool) {
	text, ok := strings.CutPrefix(specifier, "==")
	if !ok || strings.ContainsAny(text, "*,") {
		return version.PEP440{}, false
	}
	v, err := version.ParsePEP440(text)
	return v, err == nil
}

// pythonBackwards reports whether a range of Python releases ends before it begins. A bound that is not known does not count.
func pythonBackwards(from, last version.PEP440) bool {
	return !from.IsZero() && !last.IsZero() && last.Less(from)
}
