package lookup

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
)

var advisorySubject = Subject{
	Name: "advisory", About: "Known-bad combinations", Examples: []string{"jax-cudnn-9.10.0"}, aliases: []string{"advisories"}, find: findAdvisory, names: advisoryNames,
}

func advisoryNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.Advisory](base) {
		names = append(names, r.ID)
	}
	return names
}

func findAdvisory(b *builder, name string) error {
	list := kb.Rows[kb.Advisory](b.Base)
	i := slices.IndexFunc(list, func(r kb.Advisory) bool { return strings.EqualFold(r.ID, name) })
	if i < 0 {
		return b.missing(advisoryNames)
	}
	r := list[i]
	b.cite(b.Cite(r))
	b.Title = r.ID
	b.Summary = r.Title
	b.field("package", "Package", r.Package)
	b.field("versions", "Versions", r.Versions.String())
	b.field("conditions", "When", conditions(r.When))
	b.field("layer", "Layer", r.Layer)
	b.field("severity", "Severity", r.Severity)
	b.field("effect", "What happens", strings.TrimSpace(r.Effect))
	b.field("fix", "What to do", strings.TrimSpace(r.Fix))
	b.field("fixed_in", "Fixed in", r.FixedIn)
	b.field("date", "Public since", r.Date)
	return nil
}

// conditions are those of an advisory besides the version, as a person says them. All of them must hold.
func conditions(w kb.AdvisoryWhen) string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	switch {
	case !w.CCFrom.IsZero() && !w.CCBelow.IsZero():
		add("a GPU of compute capability %s or newer, below %s", w.CCFrom, w.CCBelow)
	case !w.CCFrom.IsZero():
		add("a GPU of compute capability %s or newer", w.CCFrom)
	case !w.CCBelow.IsZero():
		add("a GPU of compute capability below %s", w.CCBelow)
	}
	if w.CUDAMajors != nil {
		add("built for CUDA %s", strings.Trim(strings.ReplaceAll(fmt.Sprint(w.CUDAMajors), " ", " or "), "[]"))
	}
	if w.Variants != nil {
		add("as %s", strings.Join(w.Variants, " or "))
	}
	if w.MinGPUs != 0 {
		add("at least %d GPUs", w.MinGPUs)
	}
	if w.With != nil {
		var others []string
		for _, o := range w.With {
			others = append(others, strings.TrimSpace(o.Package+" "+o.Versions.String()))
		}
		add("with %s", strings.Join(others, " or "))
	}
	if w.SecondCopy != nil {
		add("with a second copy of %s on the loader's path", strings.TrimSpace(w.SecondCopy.Package+" "+w.SecondCopy.Versions.String()))
	}
	return strings.Join(list, "; ")
}
