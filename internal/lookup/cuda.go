package lookup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var cudaSubject = Subject{
	Name: "cuda", About: "CUDA releases", Examples: []string{"12.4", "12.4.1"},
	aliases: []string{"toolkit", "cuda-toolkit"}, find: findCUDA, names: cudaNames,
}

func cudaNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.CUDARelease](base) {
		if minor := fmt.Sprintf("%d.%d", r.Version.Major(), r.Version.Minor()); !slices.Contains(names, minor) {
			names = append(names, minor)
		}
	}
	return names
}

func findCUDA(b *builder, name string) error {
	name = strings.TrimPrefix(strings.ToLower(name), "cuda ")
	v, err := version.ParseCUDA(name)
	if tag, ok := version.ParseCUDATag(name); ok {
		v, err = tag, nil
	}
	if err != nil {
		return b.missing(cudaNames)
	}
	title := "CUDA " + v.String()
	if !strings.Contains(v.String(), ".") {
		return b.cudaMajor(v)
	}
	a := b.CUDARelease(v)
	switch {
	case a.Beyond:
		return b.beyond(title, a.Why, a.Ref, cudaNames)
	case !a.Known:
		return b.missing(cudaNames)
	}
	if strings.Count(v.String(), ".") == 2 && a.Value.Version.Compare(v) != 0 {
		b.note("No release %s is known; what follows is about CUDA %d.%d", v, v.Major(), v.Minor())
		v = minorOf(v)
	}
	one := strings.Count(v.String(), ".") == 2
	b.Title = "CUDA " + v.String()
	if one {
		b.Title = a.Value.Label + " (" + a.Value.Version.String() + ")"
	}
	keep := func(r kb.CUDARelease) bool {
		return r.Version.Major() == v.Major() && r.Version.Minor() == v.Minor() && (!one || r.Version.Compare(v) == 0)
	}
	b.cudaDrivers(v)
	if a.Value.Kind == kb.NeverReleased {
		b.Summary = "no toolkit of this version was released; drivers report it"
	} else {
		b.cudaTools(v)
	}
	b.releaseTable(keep)
	var releases []version.CUDA
	for _, r := range kb.Rows[kb.CUDARelease](b.Base) {
		if keep(r) {
			releases = append(releases, r.Version)
		}
	}
	b.components(releases)
	return nil
}

// minorOf is v without its update.
func minorOf(v version.CUDA) version.CUDA {
	minor, err := version.ParseCUDA(fmt.Sprintf("%d.%d", v.Major(), v.Minor()))
	if err != nil { // two numbers are a CUDA version
		return v
	}
	return minor
}

// releaseTable adds the releases that keep accepts.
func (b *builder) releaseTable(keep func(kb.CUDARelease) bool) *Table {
	t := b.table("releases", "Releases", "version", "Version", "label", "Name", "date", "Date", "bundled_linux", "Driver inside (Linux)", "bundled_windows", "(Windows)")
	for _, r := range kb.Rows[kb.CUDARelease](b.Base) {
		if keep(r) {
			t.row(r.Version, r.Label, r.Date, r.BundledLinux, r.BundledWindows)
			if r.Note != "" {
				b.note("%v: %s", r.Version, r.Note)
			}
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	return t
}

// cudaDrivers adds the drivers of a minor release, which all its updates share.
func (b *builder) cudaDrivers(v version.CUDA) {
	if floor, ok := take(b, "The oldest driver", b.MinDriverFor(v)); ok {
		b.field("min_driver_linux", "Starts from driver", floor.Linux)
		b.field("min_driver_windows", "On Windows from", floor.Windows)
		b.say("min_driver_basis", "By", floor.Basis, map[kb.Basis]string{
			kb.MinorVersion: "minor-version compatibility; PTX that a driver must compile, and newer GPUs, need more", kb.Toolkit: "the release notes of this toolkit",
		}[floor.Basis])
		b.branch("feature_branch", "New features need", floor.FeatureBranch, "")
		b.note("%s", sentence(floor.Note))
	}
	var native branches
	for _, r := range kb.Rows[kb.DriverRange](b.Base) {
		if r.Platform == kb.Linux && r.MaxCUDA.Major() == v.Major() && r.MaxCUDA.Minor() == v.Minor() {
			native = append(native, r.Branch)
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	native.add(b, "native_drivers", "Reported by driver")
	var over branches
	for _, r := range kb.Rows[kb.ForwardCompat](b.Base) {
		if r.CUDA.IsZero() || r.CUDA.Major() != v.Major() || r.CUDA.Minor() != v.Minor() || r.Status != kb.Supported {
			continue
		}
		over = append(over, r.BaseBranch)
		b.cite(kb.RefTo(b.Base, r))
	}
	over.add(b, "forward_compat", "cuda-compat works over")
}

// cudaTools adds what the compiler of a minor release does.
func (b *builder) cudaTools(v version.CUDA) {
	if ptx, ok := take(b, "PTX ISA", b.PTXForCUDA(v)); ok {
		b.field("ptx_isa", "Writes PTX ISA", ptx)
	}
	if list, ok := take(b, "What nvcc compiles for", b.NVCCTargets(v)); ok {
		names := make([]string, len(list))
		for i, cc := range list {
			names[i] = cc.SM()
		}
		b.field("architectures", "nvcc compiles for", names)
	}
	if host, ok := take(b, "Host compilers", b.HostCompiler(v)); ok {
		b.field("gcc_min", "GCC from", number(host.GCCMin))
		b.field("gcc_max", "GCC up to", number(host.GCCMax))
		b.field("clang_max", "Clang up to", number(host.ClangMax))
		b.note("%s", sentence(host.Note))
	}
}

// branches are driver branches, R550 for people and 550 for programs.
type branches []int

func (list branches) add(b *builder, name, label string) {
	var numbers, names []string
	for _, n := range list {
		numbers, names = append(numbers, strconv.Itoa(n)), append(names, branchName(n))
	}
	if list != nil {
		b.say(name, label, numbers, strings.Join(names, " "))
	}
}

// cudaMajor lists a major release.
func (b *builder) cudaMajor(v version.CUDA) error {
	if a := b.CUDARelease(v); a.Beyond {
		return b.beyond("CUDA "+v.String(), a.Why, a.Ref, cudaNames)
	}
	b.Title = "CUDA " + strconv.Itoa(v.Major())
	if floor := b.MinDriverForMajor(v.Major()); floor.Known {
		b.cite(floor.Ref)
		b.field("min_driver_linux", "Starts from driver", floor.Value.Linux)
		b.field("min_driver_windows", "On Windows from", floor.Value.Windows)
		b.say("min_driver_basis", "By", kb.MinorVersion, "minor-version compatibility")
	}
	if t := b.releaseTable(func(r kb.CUDARelease) bool { return r.Version.Major() == v.Major() }); len(t.Rows) == 0 {
		return b.missing(cudaNames)
	}
	return nil
}
