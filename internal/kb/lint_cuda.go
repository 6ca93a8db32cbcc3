package kb

import (
	"fmt"
	"strconv"

	"strata/internal/version"
)

// The checks in this file hold tables about CUDA to their own order and to what the driver tables say; see lint_driver.go for why they
// are added here.
func init() {
	cudaReleases.checks = append(cudaReleases.checks, checkCUDAReleases)
	minorCompat.checks = append(minorCompat.checks, checkMinDrivers)
	architectures.checks = append(architectures.checks, checkArchitectures)
	hostCompilers.checks = append(hostCompilers.checks, checkHostCompilers)
	jetPackCompat.checks = append(jetPackCompat.checks, checkJetPackCompat)
	xids.checks = append(xids.checks, checkXids)
	cudaErrors.checks = append(cudaErrors.checks, checkErrors)
}

// checkCUDAReleases reports releases out of order, dates that run backwards within a minor release, and drivers whose CUDA is older than
// the toolkit that comes with them.
func checkCUDAReleases(b *Base, t *Table[CUDARelease]) (problems []Problem) {
	for i, r := range t.Rows {
		report := func(format string, args ...any) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
		}
		if i > 0 {
			before := t.Rows[i-1]
			if !before.Version.Less(r.Version) {
				report("is not newer than the row before")
			}
			if sameMinor(before.Version, r.Version) && later(before.Date, r.Date) {
				report("was released before the row before")
			}
		}
		for _, d := range []version.Driver{r.BundledLinux, r.TableLinux} {
			if a := b.DriverCUDA(d); a.Known && a.Value.Less(r.Version) && !sameMinor(a.Value, r.Version) {
				report("driver %s reports CUDA %s only", d, a.Value)
			}
		}
		if r.Branch != 0 && !b.Branch(r.Branch).Known {
			report("driver_branches.csv does not know R%d", r.Branch)
		}
	}
	return problems
}

// checkMinDrivers reports floors that are older than the major release, and a range that ends before the horizon.
func checkMinDrivers(b *Base, t *Table[MinorCompat]) (problems []Problem) {
	for i, r := range t.Rows {
		if a := b.DriverCUDA(r.Linux); !a.Known || a.Value.Major() != r.Major {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("driver %s is not one of CUDA %d", r.Linux, r.Major)})
		}
		if r.FeatureBranch != 0 && !b.Branch(r.FeatureBranch).Known {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("driver_branches.csv does not know R%d", r.FeatureBranch)})
		}
		limit, err := version.ParseCUDA(t.limit("cuda"))
		if i == len(t.Rows)-1 && (err != nil || !limit.Less(r.Below)) {
			problems = append(problems, Problem{t.Name, r.Line, "ends before the horizon"})
		}
	}
	return problems
}

// checkArchitectures reports architectures out of order, that end before they begin, whose special targets come before the plain one, or
// whose driver branches do not exist.
func checkArchitectures(b *Base, t *Table[Architecture]) (problems []Problem) {
	for i, a := range t.Rows {
		report := func(format string, args ...any) {
			problems = append(problems, Problem{t.Name, a.Line, fmt.Sprintf(format, args...)})
		}
		if i > 0 && !t.Rows[i-1].ComputeCapability.Less(a.ComputeCapability) {
			report("is not newer than the row before")
		}
		if !a.LastCUDA.IsZero() && a.LastCUDA.Less(a.FirstCUDA) {
			report("the last toolkit is older than the first")
		}
		if !a.ArchSpecific.IsZero() && a.ArchSpecific.Less(a.FirstCUDA) || !a.FamilySpecific.IsZero() && a.FamilySpecific.Less(a.ArchSpecific) {
			report("first_cuda, a_since and f_since are not in this order")
		}
		if a.LastBranch != 0 && a.LastBranch < a.FirstBranch {
			report("the last driver branch is older than the first")
		}
		for _, n := range []int{a.FirstBranch, a.LastBranch} {
			if n != 0 && !b.Branch(n).Known {
				report("driver_branches.csv does not know R%d", n)
			}
		}
		if a.Tegra && (a.OpenModule != "" || a.LastBranch != 0) {
			report("the driver of a Tegra comes with JetPack and has no branch and no flavour")
		}
	}
	return problems
}

// checkHostCompilers reports rows out of order, empty ranges, and a newest compiler that is older than for the toolkit before.
func checkHostCompilers(_ *Base, t *Table[HostCompiler]) (problems []Problem) {
	for i, r := range t.Rows {
		if r.GCCMin > r.GCCMax {
			problems = append(problems, Problem{t.Name, r.Line, "gcc_min is above gcc_max"})
		}
		if i == 0 {
			continue
		}
		before := t.Rows[i-1]
		if !before.CUDA.Less(r.CUDA) {
			problems = append(problems, Problem{t.Name, r.Line, "is not newer than the row before"})
		}
		if r.GCCMax < before.GCCMax || r.ClangMax != 0 && r.ClangMax < before.ClangMax {
			problems = append(problems, Problem{t.Name, r.Line, "accepts less than the toolkit before"})
		}
	}
	return problems
}

// checkJetPackCompat reports a JetPack with no CUDA or several of its own, and rows that a "later" row of the same JetPack contradicts.
func checkJetPackCompat(_ *Base, t *Table[JetPackCompat]) (problems []Problem) {
	native := map[string]int{}
	last := map[string]int{}
	for _, r := range t.Rows {
		last[r.JetPack] = r.Line
		if r.Status == Native {
			native[r.JetPack]++
		}
		for _, o := range t.Rows {
			if r.Later && o.JetPack == r.JetPack && r.CUDA.Less(o.CUDA) {
				problems = append(problems, Problem{t.Name, o.Line, fmt.Sprintf("line %d is about this CUDA too", r.Line)})
			}
		}
	}
	for name, line := range last {
		if native[name] != 1 {
			problems = append(problems, Problem{t.Name, line, fmt.Sprintf("JetPack %s has %d CUDA releases of its own, want one", name, native[name])})
		}
	}
	return problems
}

// checkXids reports codes out of order and a horizon that is not the last of them.
func checkXids(_ *Base, t *Table[Xid]) (problems []Problem) {
	for i, r := range t.Rows {
		if i > 0 && t.Rows[i-1].Code >= r.Code {
			problems = append(problems, Problem{t.Name, r.Line, "is not behind the code before"})
		}
	}
	if n := len(t.Rows); n > 0 && strconv.Itoa(t.Rows[n-1].Code) != t.limit("xid") {
		problems = append(problems, Problem{t.Name, 1, "the horizon is not the last code"})
	}
	return problems
}

// checkErrors reports a code that runtime and driver API, which share their numbers, give two messages to.
func checkErrors(b *Base, t *Table[CUDAError]) (problems []Problem) {
	for _, r := range t.Rows {
		if r.API != RuntimeAPI || r.Message == "" {
			continue
		}
		if d := b.CUDAError(DriverAPI, r.Code); d.Known && d.Value.Message != "" && d.Value.Message != r.Message {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("the driver API says %q to %d", d.Value.Message, r.Code)})
		}
	}
	return problems
}
