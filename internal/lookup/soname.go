package lookup

import (
	"slices"
	"strings"

	"strata/internal/kb"
)

var sonameSubject = Subject{
	Name: "soname", About: "Libraries and their packages", Examples: []string{"libcublasLt.so.12"},
	aliases: []string{"library", "lib"}, find: findSoname, names: sonameNames,
}

func sonameNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.Soname](base) {
		names = append(names, r.Soname)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func findSoname(b *builder, name string) error {
	name = name[strings.LastIndexByte(name, '/')+1:]
	var rows []kb.Soname
	a := b.Sonames(name)
	if a.Known {
		rows = a.Value
	} else {
		// libcublas, libcublas.so: every soname of that library
		stem, rest, _ := strings.Cut(name, ".so")
		for _, r := range kb.Rows[kb.Soname](b.Base) {
			if rest == "" && strings.HasPrefix(r.Soname, stem+".so") {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 {
		e := b.missing(sonameNames)
		if c := b.Component(name); c.Known {
			e.(*NotFoundError).Why = "no soname \"" + name + "\" is known, but its library belongs to " + c.Value.Name
		}
		return e
	}
	b.Title = name
	b.field("component", "Component", rows[0].Component)
	b.field("layer", "Layer", rows[0].Layer)
	t := b.table("packages", "Packages that bring it", "soname", "Soname", "cuda_major", "CUDA", "toolkit", "In toolkits", "pip", "pip", "debian", "Debian, Ubuntu", "apt", "NVIDIA's apt", "rpm", "NVIDIA's rpm", "conda", "conda")
	for _, r := range rows {
		pip := r.Pip
		if pip != "" {
			pip += r.PipSpec
		}
		soname := r.Soname
		if a.Known {
			soname = "" // the title says it
		}
		t.row(soname, number(r.CUDA), r.Toolkit, pip, r.Debian, r.APT, r.RPM, r.Conda)
		b.note("%s", sentence(r.Note))
		b.cite(kb.RefTo(b.Base, r))
	}
	if len(rows) > 1 && a.Known {
		b.note("The soname alone does not tell which CUDA it belongs to")
	}
	return nil
}
