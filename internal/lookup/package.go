package lookup

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// packages are the distributions that have no subject of their own and are no component of CUDA: those of the table of consumers and those whose releases were read.
func packages(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.Consumer](base) {
		names = append(names, r.Package)
	}
	last := ""
	for _, r := range kb.Rows[kb.Release](base) {
		if r.Package != last {
			last = r.Package
			names = append(names, last)
		}
	}
	names = append(names, base.MeasuredPackages()...)
	slices.Sort(names)
	names = slices.Compact(names)
	own, components := static(), componentNames(base)
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(components, name) || slices.ContainsFunc(own, func(s Subject) bool { return s.Name == name || slices.Contains(s.aliases, name) })
	})
}

func packageSubject(base *kb.Base, name string) Subject {
	names := func(base *kb.Base) []string { return packageReleases(base, name) }
	s := Subject{Name: name, About: "Releases of " + name, names: names, Examples: []string{"1.0"}}
	if known := names(base); len(known) > 0 {
		s.Examples = known[len(known)-1:]
	}
	s.find = func(b *builder, release string) error {
		v, err := version.ParsePEP440(release)
		if err != nil {
			return b.missing(names)
		}
		b.Title = name + " " + v.String()
		known := b.consumer(name, v)
		known = b.release(name, v) || known
		known = b.measured(v, name) || known
		if !known {
			return b.noRelease(name, v, names)
		}
		b.commands(name, v, "")
		b.advisoriesOf(v, name)
		return nil
	}
	return s
}

// noRelease says that a release is not known: newer than all tables, or between their rows.
func (b *builder) noRelease(name string, v version.PEP440, names func(*kb.Base) []string) error {
	rows, pins := b.ConsumerRows(name, v), b.Release(name, v)
	switch {
	case pins.Beyond:
		return b.beyond(b.Title, pins.Why, pins.Ref, names)
	case rows.Beyond && len(b.Releases(name)) == 0:
		return b.beyond(b.Title, rows.Why, rows.Ref, names)
	}
	return b.missing(names)
}

// packageReleases are the versions that something is known about, oldest first; of a range its first.
func packageReleases(base *kb.Base, name string) (names []string) {
	var list []version.PEP440
	for _, r := range base.Releases(name) {
		list = append(list, r.Version)
	}
	if list == nil {
		for _, r := range base.ConsumerReleases(name) {
			list = append(list, r.From)
		}
	}
	for _, r := range base.Artefacts(name, version.PEP440{}) {
		list = append(list, r.Version)
	}
	slices.SortStableFunc(list, version.PEP440.Compare)
	for _, v := range list {
		if n := len(names); n == 0 || names[n-1] != v.String() {
			names = append(names, v.String())
		}
	}
	return names
}

// consumer adds what the table of consumers says; it reports whether that is anything.
func (b *builder) consumer(name string, v version.PEP440) bool {
	a := b.ConsumerRows(name, v)
	if !a.Known {
		return false
	}
	first := a.Value[0]
	b.field("torch", "Torch", first.Torch.String())
	b.field("goes_with", "Goes with", first.Requires)
	b.field("compute_capability_min", "GPUs from", first.CCMin)
	b.field("python_min", "Python from", first.PythonMin)
	b.field("python_max", "Python up to", first.PythonMax)
	b.field("glibc", "glibc from", first.Glibc)
	t := b.table("builds", "Builds", "cuda", "CUDA", "cudnn", "cuDNN", "min_driver", "Driver from", "architectures", "Code for", "ptx", "PTX", "architectures_arm", "On Arm", "sonames", "Opens by name")
	for _, r := range a.Value {
		cudnn := string(r.CUDNN)
		if r.CUDNNMajor != 0 {
			cudnn = fmt.Sprintf("%s, %d", cudnn, r.CUDNNMajor)
		}
		driver := any(r.MinDriver)
		if r.MinDriver.IsZero() && len(r.CUDA) > 0 {
			driver = b.floor(r.CUDA[0]) // the oldest CUDA that it has code for
		}
		t.row(r.CUDA, cudnn, driver, r.Archs, ptx(r.PTX), r.ArchsARM, r.Sonames)
		b.cite(kb.RefTo(b.Base, r))
	}
	return true
}

// release adds what the metadata of a release asks for; it reports whether that was read.
func (b *builder) release(name string, v version.PEP440) bool {
	r, ok := b.releaseOf(name, v)
	if !ok {
		return false
	}
	b.field("uploaded", "Uploaded", r.Uploaded)
	b.field("requires_python", "Requires Python", r.Python)
	extras, requires := pins(r)
	t := b.table("extras", "Extras", "extra", "Extra", "requires", "Requires")
	for _, extra := range extras {
		if extra == "" {
			b.field("requires", "Requires", requires[extra])
		} else {
			t.row(extra, requires[extra])
		}
	}
	return true
}

// releases is release for several packages of one version, in a table.
func (b *builder) releases(v version.PEP440, names ...string) {
	t := b.table("requirements", "What their metadata asks for", "package", "Package", "uploaded", "Uploaded", "extra", "Extra", "requires", "Requires")
	for _, name := range names {
		r, ok := b.releaseOf(name, v)
		if !ok {
			continue
		}
		extras, requires := pins(r)
		for _, extra := range extras {
			t.row(name, r.Uploaded, extra, requires[extra])
		}
	}
}

// releaseOf cites and returns the metadata of exactly v, a post-release too, else that of the release that v belongs to.
func (b *builder) releaseOf(name string, v version.PEP440) (kb.Release, bool) {
	for _, r := range b.Releases(name) {
		if r.Version.Compare(v) == 0 {
			b.cite(kb.RefTo(b.Base, r))
			return r, true
		}
	}
	a := b.Release(name, v)
	if a.Known {
		b.cite(a.Ref)
	}
	return a.Value, a.Known
}

// pins are the requirements of a release by extra, those that always hold under "", in the order of the metadata.
func pins(r kb.Release) (extras []string, requires map[string][]string) {
	requires = map[string][]string{}
	for _, pin := range r.Requires.List() {
		if requires[pin.Extra] == nil {
			extras = append(extras, pin.Extra)
		}
		requires[pin.Extra] = append(requires[pin.Extra], pin.Package+pin.Clauses)
	}
	return extras, requires
}

// measured adds what was read from the files of a release; it reports whether there is one.
func (b *builder) measured(v version.PEP440, names ...string) bool {
	var list []kb.Artefact
	for _, name := range names {
		list = append(list, b.Artefacts(name, v)...)
	}
	if len(list) == 0 {
		return false
	}
	t := b.table("measured", "Measured from the file", "file", "File", "cuda", "CUDA", "cudnn", "cuDNN", "glibc", "glibc from", "glibcxx", "GLIBCXX from", "size_mb", "MB")
	for _, r := range list {
		glibcxx := r.GLIBCXX.String()
		t.row(r.File, r.CUDA, r.CUDNN, r.Glibc, glibcxx, r.Size/1_000_000)
		b.cite(kb.RefTo(b.Base, r))
	}
	code := b.table("measured_libraries", "GPU code found in its libraries", "library", "Library", "architectures", "Code for", "ptx", "PTX", "compression", "Compression")
	for _, r := range list {
		for _, l := range b.MeasuredLibraries(r.File) {
			if len(l.Codes) > 0 {
				cubins, ptx, packed := codesOf(l)
				code.row(l.Path[strings.LastIndexByte(l.Path, '/')+1:], cubins, ptx, packed)
				b.cite(kb.RefTo(b.Base, l))
			}
		}
	}
	return true
}

// codesOf are the targets that some fat binary of a library has code for, and how it is packed.
func codesOf(l kb.MeasuredLibrary) (cubins, ptx, packed []string) {
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	cubins, ptx = []string{}, []string{}
	for _, c := range l.Codes.List() {
		if c.PTX {
			add(&ptx, "compute_"+strings.TrimPrefix(c.Target.SM(), "sm_"))
		} else {
			add(&cubins, c.Target.SM())
		}
		add(&packed, string(c.Compression))
	}
	return cubins, ptx, packed
}

// commands adds how the makers of a framework say that a release is installed on Linux.
func (b *builder) commands(framework string, v version.PEP440, variant string) {
	if !slices.Contains(b.InstallFrameworks(), framework) {
		return
	}
	list, ok := take(b, "How it is installed", b.Install(framework, v, variant))
	if !ok {
		return
	}
	for _, in := range list {
		if !slices.Contains(in.OS, "linux") {
			continue
		}
		if !slices.ContainsFunc(b.Commands, func(c Command) bool { return c.Run == in.Command }) {
			b.Commands = append(b.Commands, Command{string(in.Manager), in.Variant, in.OS, in.Command, in.Check, in.Note})
		}
	}
}

// advisoriesOf adds the known defects of a release, under any condition, by the first of names that has some.
func (b *builder) advisoriesOf(v version.PEP440, names ...string) {
	t := b.table("advisories", "Known problems", "id", "Advisory", "severity", "Severity", "title", "What is wrong")
	for _, name := range names {
		for _, m := range b.AdvisoriesFor(name, v, kb.Circumstances{}) {
			t.row(m.ID, m.Severity, m.Title)
			b.cite(b.Cite(m.Advisory))
		}
	}
}
