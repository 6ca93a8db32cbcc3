package kb

import (
	"fmt"
	"slices"

	"strata/internal/version"
)

// The checks in this file compare tables about drivers with each other: a fact that stands in two of them must be the same. They are
// added here and not where the tables are defined, since tables that check one another would be an initialization cycle.
func init() {
	driverBranches.checks = append(driverBranches.checks, checkBranches, checkDropped)
	driverCUDA.checks = append(driverCUDA.checks, checkDriverCUDA)
	forwardCompat.checks = append(forwardCompat.checks, checkForward)
}

// checkBranches reports branches out of order, drivers that belong to another branch, dates that run backwards, flavours that come
// back after they were dropped, and branches that driver_cuda.csv does not know.
func checkBranches(b *Base, t *Table[DriverBranch]) (problems []Problem) {
	report := func(r DriverBranch, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	flavours := []KernelModules{ProprietaryModules, BothModules, OpenModules}
	known := linuxBranches(b)
	for i, r := range t.Rows {
		if i > 0 && t.Rows[i-1].Branch >= r.Branch {
			report(r, "is not newer than the row before")
		}
		for _, d := range []version.Driver{r.First, r.Latest} {
			if !d.IsZero() && d.Branch() != r.Branch {
				report(r, "driver %s is of another branch", d)
			}
		}
		if !r.First.IsZero() && !r.Latest.IsZero() && r.Latest.Less(r.First) {
			report(r, "the latest driver is older than the first")
		}
		if later(r.FirstDate, r.LatestDate) || later(r.FirstDate, r.EOL) {
			report(r, "dates run backwards")
		}
		if i > 0 && slices.Index(flavours, r.Modules) < slices.Index(flavours, t.Rows[i-1].Modules) {
			report(r, "ships a flavour of the kernel modules that the branch before did not")
		}
		if !known[r.Branch] {
			report(r, "driver_cuda.csv does not know R%d on Linux", r.Branch)
		}
	}
	return problems
}

// linuxBranches are the driver branches that driver_cuda.csv has for Linux.
func linuxBranches(b *Base) map[int]bool {
	known := map[int]bool{}
	for _, r := range driverCUDA.in(b).Rows {
		if r.Platform == Linux {
			known[r.Branch] = true
		}
	}
	return known
}

// checkDropped reports architectures that a branch drops and architectures.csv ends elsewhere, or the other way round.
func checkDropped(b *Base, t *Table[DriverBranch]) (problems []Problem) {
	archs := architectures.in(b).Rows
	for i, r := range t.Rows {
		for _, name := range append(slices.Clone(r.Dropped), r.Oldest) {
			if !slices.ContainsFunc(archs, func(a Architecture) bool { return a.Name == name }) {
				problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("architectures.csv has no %s", name)})
			}
		}
		for _, a := range archs {
			ended := i > 0 && a.LastBranch == t.Rows[i-1].Branch
			if dropped := slices.Contains(r.Dropped, a.Name); !a.Tegra && dropped != ended {
				problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("R%d drops %s, or compute capability %s, and the other table does not say so", r.Branch, a.Name, a.ComputeCapability)})
			}
		}
	}
	return problems
}

// checkDriverCUDA reports ranges of another branch or an unknown CUDA, and a CUDA that goes down from one range to the next without a
// note that says why.
func checkDriverCUDA(b *Base, t *Table[DriverRange]) (problems []Problem) {
	report := func(r DriverRange, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	for i, r := range t.Rows {
		if r.Platform == Linux && r.From.Branch() != r.Branch {
			report(r, "from is not of branch %d", r.Branch)
		}
		if r.Platform == Linux && !b.Branch(r.Branch).Known {
			report(r, "driver_branches.csv does not know R%d", r.Branch)
		}
		// The releases of toolkits before 7.0 are not in the table.
		if r.MaxCUDA.Major() >= 7 && !b.CUDARelease(r.MaxCUDA).Known {
			report(r, "cuda_releases.csv does not know CUDA %s", r.MaxCUDA)
		}
		if i > 0 && t.Rows[i-1].Platform == r.Platform && r.MaxCUDA.Less(t.Rows[i-1].MaxCUDA) && r.Note == "" {
			report(r, "reports an older CUDA than the range before, and no note says why")
		}
	}
	return problems
}

// checkForward reports cells that contradict what the base driver reports by itself, and packages with two drivers inside.
func checkForward(b *Base, t *Table[ForwardCompat]) (problems []Problem) {
	inside := map[string]version.Driver{}
	for _, r := range t.Rows {
		report := func(format string, args ...any) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
		}
		branch := b.Branch(r.BaseBranch)
		if !branch.Known {
			report("driver_branches.csv does not know R%d", r.BaseBranch)
		}
		if r.CUDA.IsZero() {
			continue
		}
		addFirst(inside, r.CUDA.String(), r.DriverInside)
		if inside[r.CUDA.String()].Compare(r.DriverInside) != 0 {
			report("cuda-compat %s has another driver inside above", r.CUDA)
		}
		if reports := b.DriverCUDA(r.DriverInside); !sameMinor(reports.Value, r.CUDA) {
			report("driver %s is not of CUDA %s", r.DriverInside, r.CUDA)
		}
		native := b.DriverCUDA(branch.Value.First)
		if want := statusOver(native.Value, r.CUDA); native.Known && r.Status != want {
			report("R%d reports CUDA %s, so that cuda-compat %s is %s there", r.BaseBranch, native.Value, r.CUDA, want)
		}
	}
	return problems
}

// statusOver is what a package of CUDA compat is over a driver of CUDA native.
func statusOver(native, compat version.CUDA) CompatStatus {
	switch {
	case sameMinor(native, compat):
		return Native
	case native.Less(compat):
		return Supported
	}
	return Unsupported
}

// later reports whether day a is after day b, as far as both are known: of "2024-07" and "2024-07-04" neither is.
func later(a, b string) bool {
	n := min(len(a), len(b))
	return n > 0 && a[:n] > b[:n]
}
