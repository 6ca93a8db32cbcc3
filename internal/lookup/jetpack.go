package lookup

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var jetpackSubject = Subject{
	Name: "jetpack", About: "JetPack releases", Examples: []string{"6.0"}, find: findJetPack, names: jetpackNames,
}

func jetpackNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.JetPackCompat](base) {
		if !slices.Contains(names, r.JetPack) {
			names = append(names, r.JetPack)
		}
	}
	for _, r := range kb.Rows[kb.JetPackRelease](base) {
		names = append(names, r.JetPack)
	}
	return sortVersions(names)
}

func findJetPack(b *builder, name string) error {
	asked, err := version.ParseLib(strings.TrimLeft(name, "rR"))
	if err != nil {
		return b.missing(jetpackNames)
	}
	if asked.Major() >= firstL4T {
		return b.jetsonLinux(asked)
	}
	b.Title = "JetPack " + name
	releases := b.table("releases", "Releases", "jetpack", "JetPack", "l4t", "Jetson Linux", "cuda", "CUDA", "sbsa", "Arm server builds")
	for _, r := range kb.Rows[kb.JetPackRelease](b.Base) {
		if v, err := version.ParseLib(r.JetPack); err == nil && v.HasPrefix(asked) {
			releases.row(r.JetPack, r.L4T, r.CUDA, r.SBSA)
			b.note("%s", sentence(r.Note))
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	t := b.table("cuda", "CUDA on it", "cuda", "CUDA", "status", "Status", "package", "Package", "note", "Note")
	var last version.CUDA
	for _, r := range kb.Rows[kb.JetPackCompat](b.Base) {
		if name != r.JetPack && !strings.HasPrefix(name, r.JetPack+".") {
			continue
		}
		cuda := r.CUDA.String()
		if r.Later {
			cuda += " and newer"
		}
		if last.Less(r.CUDA) {
			last = r.CUDA
		}
		t.row(cuda, map[kb.CompatStatus]string{kb.Native: "comes with it", kb.Supported: "by a package", kb.Unsupported: "not supported"}[r.Status], r.Package, r.Note)
		b.cite(kb.RefTo(b.Base, r))
	}
	if len(t.Rows) == 0 && len(releases.Rows) == 0 {
		if a := b.JetPackCompat(asked.String(), cudaOne); a.Beyond {
			return b.beyond(b.Title, a.Why, a.Ref, jetpackNames)
		}
		return b.missing(jetpackNames)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	b.note("Of the packages only one may be installed at a time")
	return nil
}

// cudaOne is a CUDA release that no horizon is before, to ask about a JetPack alone.
var cudaOne, _ = version.ParseCUDA("1.0")

// firstL4T is the oldest major release of Jetson Linux that is asked for by its own number; no JetPack has such a high one.
const firstL4T = 28

// jetsonLinux is the card of a release of Jetson Linux (L4T).
func (b *builder) jetsonLinux(l4t version.Lib) error {
	title := fmt.Sprintf("Jetson Linux %s", l4t)
	a := b.JetPackOfL4T(l4t.String())
	switch {
	case a.Beyond:
		return b.beyond(title, a.Why, a.Ref, l4tNames)
	case !a.Known:
		return b.missing(l4tNames)
	}
	b.cite(a.Ref)
	b.Title = title
	b.note("%s", a.Why)
	b.field("jetpack", "JetPack", a.Value.JetPack)
	b.field("l4t", "Listed as", a.Value.L4T)
	b.field("cuda", "CUDA", a.Value.CUDA)
	b.field("sbsa", "Arm server builds", a.Value.SBSA)
	b.note("%s", sentence(a.Value.Note))
	return nil
}

func l4tNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.JetPackRelease](base) {
		names = append(names, r.L4T.String())
	}
	return names
}
