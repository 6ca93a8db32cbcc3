package kb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"strata/internal/version"
)

// Soname is one shared library of the stack, as one CUDA major release ships it.
type Soname struct {
	Row
	Soname    string `kb:"soname,required,key"` // "libcublas.so.12"; an x stands for any number
	Component string `kb:"component,required"`
	Layer     Layer  `kb:"layer,required"`
	CUDA      int    `kb:"cuda,key"` // CUDA major release; 0 for libraries that do not depend on it
	Toolkit   string `kb:"toolkit"`  // toolkits that ship it, "11.1-11.8"; "" for libraries outside the toolkit
	// Packages that bring the library, "" where there is none. Driver libraries come from the display driver alone, whatever
	// packages of that name exist.
	Pip     string `kb:"pip"`
	PipSpec string `kb:"pip_spec"` // what pip must be told besides the name to get this soname: "==9.*"
	Debian  string `kb:"debian"`
	APT     string `kb:"apt"` // in NVIDIA's repository of Debian packages
	RPM     string `kb:"rpm"` // in NVIDIA's repository of RPM packages
	Conda   string `kb:"conda"`
	Note    string `kb:"note"`
}

// Component is a library as a product: cuBLAS, with libcublas, libcublasLt and libnvblas.
type Component struct {
	Name  string // as in the packages: "cublas"
	Layer Layer
}

var sonames = csvFile("nvidia/sonames.csv", reaches[Soname]("cuda"), checkSonames)

type sonameIndex struct {
	bySoname map[string][]*Soname
	byStem   map[string]*Soname
}

var sonamesIndex = &index[sonameIndex]{func(b *Base) sonameIndex {
	rows := sonames.in(b).Rows
	x := sonameIndex{make(map[string][]*Soname, len(rows)), map[string]*Soname{}}
	for i := range rows {
		r := &rows[i]
		x.bySoname[r.Soname] = append(x.bySoname[r.Soname], r)
		addFirst(x.byStem, stem(r.Soname), r)
	}
	return x
}}

// Sonames returns the rows of soname, one for each CUDA major release that has a library of that name. More than one row
// means that the soname does not tell the CUDA: libcurand.so.10 is in CUDA 10 to 13. A library that the table has under smaller
// numbers only (libcublas.so.14) is Beyond.
func (b *Base) Sonames(soname string) Answer[[]Soname] {
	t := sonames.in(b)
	rows := sonamesIndex.in(b).bySoname[soname]
	if rows == nil {
		rows = sonamesIndex.in(b).bySoname[anyMinor(soname)]
	}
	if rows == nil {
		if newerSoname(t, soname) {
			return beyond[[]Soname](t, soname)
		}
		return notFound[[]Soname](t, "the soname %q is not known", soname)
	}
	list := make([]Soname, len(rows))
	for i, r := range rows {
		list[i] = *r
	}
	return found(b, t, rows[0].Row, list)
}

// Soname returns the row of soname for a CUDA major release, for example to name the package that brings it.
func (b *Base) Soname(soname string, cudaMajor int) Answer[Soname] {
	t := sonames.in(b)
	all := b.Sonames(soname)
	for _, r := range all.Value {
		if r.CUDA == cudaMajor || r.CUDA == 0 {
			return found(b, t, r.Row, r)
		}
	}
	switch {
	case all.Known && majorBeyond(t, cudaMajor):
		return beyond[Soname](t, fmt.Sprintf("%s of CUDA %d", soname, cudaMajor))
	case all.Known:
		return notFound[Soname](t, "CUDA %d has no %s", cudaMajor, soname)
	}
	return Answer[Soname]{Beyond: all.Beyond, Why: all.Why, Ref: all.Ref}
}

// SonamesOf returns the libraries of a component for a CUDA major release, to tell which soname a program should have
// asked for.
func (b *Base) SonamesOf(component string, cudaMajor int) Answer[[]Soname] {
	t := sonames.in(b)
	var list []Soname
	for _, r := range t.Rows {
		if r.Component == component && (r.CUDA == cudaMajor || r.CUDA == 0) {
			list = append(list, r)
		}
	}
	switch {
	case list == nil && majorBeyond(t, cudaMajor):
		return beyond[[]Soname](t, fmt.Sprintf("%s of CUDA %d", component, cudaMajor))
	case list == nil:
		return notFound[[]Soname](t, "no library of %q is known for CUDA %d", component, cudaMajor)
	}
	return found(b, t, list[0].Row, list)
}

// Component returns the component that soname belongs to. It looks at the name before ".so" alone, so it knows the component of
// libcublas.so.14, of libcublas.so.12.4.5.8 and of libcublas.so too.
func (b *Base) Component(soname string) Answer[Component] {
	t := sonames.in(b)
	r := sonamesIndex.in(b).byStem[stem(soname)]
	if r == nil {
		return notFound[Component](t, "the library %q is not known", soname)
	}
	return found(b, t, r.Row, Component{r.Component, r.Layer})
}

// newerSoname reports whether t has the library of soname, but only under smaller numbers.
func newerSoname(t *Table[Soname], soname string) bool {
	_, number, ok := strings.Cut(soname, ".so.")
	asked, err := version.ParseLib(number)
	if !ok || err != nil {
		return false
	}
	known := false
	for _, r := range t.Rows {
		if stem(r.Soname) != stem(soname) {
			continue
		}
		_, number, _ := strings.Cut(r.Soname, ".so.")
		v, err := version.ParseLib(strings.TrimSuffix(number, ".x"))
		if err != nil || !v.Less(asked) || asked.HasPrefix(v) {
			return false
		}
		known = true
	}
	return known
}

// majorBeyond reports whether the CUDA major release is newer than t knows.
func majorBeyond[T any](t *Table[T], major int) bool {
	limit, err := version.ParseCUDA(t.limit("cuda"))
	return err != nil || major > limit.Major()
}

// stem returns the name of a library without directory and version: "libcublas".
func stem(soname string) string {
	name := soname[strings.LastIndexByte(soname, '/')+1:]
	name, _, _ = strings.Cut(name, ".so")
	return name
}

var lastNumber = regexp.MustCompile(`\.\d+$`)

// anyMinor returns soname as the table writes it when its last number may be any.
func anyMinor(soname string) string { return lastNumber.ReplaceAllString(soname, ".x") }

// checkSonames reports names that are no sonames, stems that stand for two components and pairs of soname and CUDA that
// appear twice.
func checkSonames(_ *Base, t *Table[Soname]) (problems []Problem) {
	component := map[string]string{}
	seen := map[string][]int{}
	for _, r := range t.Rows {
		s := stem(r.Soname)
		if s == r.Soname {
			problems = append(problems, Problem{t.Name, r.Line, r.Soname + " is not the name of a shared library"})
		}
		addFirst(component, s, r.Component)
		if component[s] != r.Component {
			problems = append(problems, Problem{t.Name, r.Line, s + " belongs to another component above"})
		}
		if slices.Contains(seen[r.Soname], r.CUDA) {
			problems = append(problems, Problem{t.Name, r.Line, r.Soname + " appears twice for the same CUDA"})
		}
		seen[r.Soname] = append(seen[r.Soname], r.CUDA)
	}
	return problems
}

// SonamesOfPip returns the libraries that a package of the Python index brings, nil where it brings none that is known.
func (b *Base) SonamesOfPip(name string) []Soname {
	var list []Soname
	for _, r := range sonames.in(b).Rows {
		if r.Pip == name {
			list = append(list, r)
		}
	}
	return list
}
