package kb

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/version"
)

// Consumer is a package that uses CUDA and has no table of its own, for a range of its releases. Where the code depends on the CUDA
// that is found at run time, as with bitsandbytes, each set of CUDA releases has its row.
type Consumer struct {
	Row
	releases[version.PEP440]
	Package    string                    `kb:"package,key"`
	CUDA       []version.CUDA            `kb:"cuda,key"` // releases it holds code for; a major alone means any minor of it
	CUDNN      Need                      `kb:"cudnn"`
	CUDNNMajor int                       `kb:"cudnn_major"`
	Torch      Requirement               `kb:"torch"`
	Requires   []Dependency              `kb:"requires"`   // other packages that it goes with, torch apart
	MinDriver  version.Driver            `kb:"min_driver"` // Linux driver that it asks for, where that is above the floor of its CUDA
	CCMin      version.ComputeCapability `kb:"cc_min"`
	Code                                 // Linux x86_64
	ArchsARM   Targets                   `kb:"archs_aarch64"` // cubins of the wheel for Linux on aarch64
	Sonames    []string                  `kb:"sonames"`       // opened by name when it first uses the GPU
	PythonMin  version.PEP440            `kb:"python_min"`
	PythonMax  version.PEP440            `kb:"python_max"`
	Glibc      version.Glibc             `kb:"glibc"` // floor by the tag of the wheel for Linux x86_64; zero where that says less than the truth
}

// Requirement is a version specifier as a table cell.
type Requirement struct{ version.Specifier }

// UnmarshalText reads the clauses of a Requires-Dist field: "==2.9.*".
func (r *Requirement) UnmarshalText(text []byte) (err error) {
	r.Specifier, err = version.ParseSpecifier(string(text))
	return err
}

// Dependency is a package in the releases that another one goes with, as a table cell.
type Dependency struct {
	Package string // normalised name
	version.Specifier
}

// UnmarshalText reads a name with clauses: "ctranslate2>=4.0,<5".
func (d *Dependency) UnmarshalText(text []byte) (err error) {
	name, clauses := string(text), ""
	if i := strings.IndexAny(name, "=<>!~"); i >= 0 {
		name, clauses = name[:i], name[i:]
	}
	if d.Package = version.NormalName(name); d.Package != name || name == "" {
		return fmt.Errorf("want a normalised package name before the clauses, not %q", name)
	}
	d.Specifier, err = version.ParseSpecifier(clauses)
	return err
}

func (d Dependency) String() string { return d.Package + d.Specifier.String() }

var consumers = csvFile("frameworks/consumers.csv", checkConsumers)

// Consumer returns what release v of pkg, a distribution name such as "ctranslate2", needs when it uses CUDA release cuda. A zero cuda
// stands for any, which answers with the first row of that release.
func (b *Base) Consumer(pkg string, v version.PEP440, cuda version.CUDA) Answer[Consumer] {
	asked := pkg + " " + v.String()
	if !cuda.IsZero() {
		asked += " for CUDA " + cuda.String()
	}
	a := lookup(b, consumersNamed(b, pkg), asked, released(v), func(r Consumer) bool { return r.Uses(cuda) })
	if a.Known {
		b.measured(&a.Value.Code, pkg, v)
	}
	return a
}

// ConsumerRows returns all rows of release v of pkg.
func (b *Base) ConsumerRows(pkg string, v version.PEP440) Answer[[]Consumer] {
	return lookupAll(b, consumersNamed(b, pkg), pkg+" "+v.String(), released(v), func(Consumer) bool { return true })
}

// ConsumerReleases returns all rows of pkg, to choose a release from.
func (b *Base) ConsumerReleases(pkg string) []Consumer { return consumersNamed(b, pkg).Rows }

// ConsumerNames returns the packages of the table in its order.
func (b *Base) ConsumerNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range consumers.in(b).Rows {
		if !seen[r.Package] {
			seen[r.Package] = true
			names = append(names, r.Package)
		}
	}
	return names
}

// consumersNamed returns the part of the table that is about pkg: each package has its own horizon, where its last row ends.
func consumersNamed(b *Base, pkg string) *Table[Consumer] {
	pkg = version.NormalName(pkg)
	part := consumers.beginning(b, pkg)
	if other := func(r Consumer) bool { return r.Package != pkg }; slices.ContainsFunc(part.Rows, other) { // the whole table
		own := *part
		own.Rows = slices.DeleteFunc(slices.Clone(part.Rows), other)
		return &own
	}
	return part
}

// Uses reports whether r holds code for CUDA release cuda; any, where cuda is zero.
func (r Consumer) Uses(cuda version.CUDA) bool {
	if cuda.IsZero() {
		return true
	}
	for _, v := range r.CUDA {
		major := !strings.Contains(v.String(), ".")
		if v.Major() == cuda.Major() && (major || v.Minor() == cuda.Minor()) {
			return true
		}
	}
	return false
}
