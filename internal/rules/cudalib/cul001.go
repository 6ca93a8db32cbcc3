package cudalib

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var cul001 = &rule.Rule{
	ID:       "CUL001",
	Slug:     "older-cuda-library-shadows",
	Layer:    rule.CUDALibraries,
	Severity: rule.Broken,
	Title:    "An older copy of a CUDA library is loaded instead of the framework's own",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ld.so(8): how shared libraries are found", URL: "https://man7.org/linux/man-pages/man8/ld.so.8.html", Date: "2026-11-30"},
		{Title: "PyTorch issue 111469: undefined symbol __nvJitLinkAddData_12_1", URL: "https://github.com/pytorch/pytorch/issues/111469", Date: "2026-11-30"},
		{Title: "PyTorch issue 134929: undefined symbol __nvJitLinkComplete_12_4", URL: "https://github.com/pytorch/pytorch/issues/134929", Date: "2026-11-30"},
	},
	Doc: `A framework's wheel brings the CUDA libraries it was built and tested with. LD_LIBRARY_PATH comes before
the paths that these libraries carry (RUNPATH), so a toolkit or an HPC module on it puts its own copies in front. Inside
one CUDA major release the soname is the same, and an older copy lacks functions of the newer one.

The best-known case is nvJitLink, which exports one set of functions per minor release: libcusparse of CUDA 12.4 then
fails with "undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12". A copy that is as new as the
framework's own, or newer, does no harm and is not reported. PyTorch 2.6 and newer load their own nvJitLink first and
are not affected.

Take the directory off LD_LIBRARY_PATH for this program. Wheels need no toolkit on the path.`,
	Check: func(in *rule.Input) rule.Verdict {
		wants, _ := in.Wants(in.Workload)
		asked := false
		var unsure *rule.Verdict
		for _, w := range wants {
			if w.Layer != string(rule.CUDALibraries) && w.Layer != string(rule.CUDARuntime) || derive.Optional(in.Workload, w) {
				continue
			}
			asked = true
			if w.Winner == nil || w.Winner.Fault != "" {
				continue
			}
			if v, ok := lacksVersion(in, w); ok {
				return v
			}
			own := ownCopy(in, w)
			if own == nil {
				continue
			}
			win, err := version.ParseLib(w.Winner.Version)
			ours, err2 := version.ParseLib(own.Version)
			switch {
			case err != nil || err2 != nil:
				v := rule.Cannot(fmt.Sprintf("%s is loaded instead of %s, and the release of one of them is not known", w.Winner.Path, own.Path), "")
				unsure = &v
			case olderMinor(win, ours) && !enough(in, w, win):
				return rule.Found(shadowed(in, w, own))
			}
		}
		if unsure != nil {
			return *unsure
		}
		if !asked {
			return rule.NA()
		}
		return rule.Clean()
	},
}

// ownCopy is the environment's own copy of a library where a copy from outside
// the environment is loaded.
func ownCopy(in *rule.Input, w derive.Want) *stack.Library {
	if in.Workload.Env == nil || belongs(in, w.Winner) {
		return nil
	}
	for _, l := range in.Copies(in.Workload, w.Soname) {
		if belongs(in, l) {
			return l
		}
	}
	return nil
}

// belongs tells whether a library lies in the workload's environment.
func belongs(in *rule.Input, l *stack.Library) bool {
	switch l.Place {
	case "wheel", "framework", "conda":
		return slices.ContainsFunc(in.Workload.Env.Libraries.Value, func(x stack.Library) bool { return x.Path == l.Path })
	}
	return false
}

// olderMinor compares releases by major and minor: patch releases of NVIDIA's
// libraries add no functions.
func olderMinor(a, b version.Lib) bool {
	return a.Major() < b.Major() || a.Major() == b.Major() && a.Minor() < b.Minor()
}

// enough tells whether an older nvJitLink has all that is called: the libraries
// that the framework was built with call the functions of their own minor
// release, and pip may have put a newer nvJitLink beside them.
func enough(in *rule.Input, w derive.Want, win version.Lib) bool {
	built := in.BuildCUDA(in.Workload)
	return w.Component == "nvjitlink" && strings.Contains(built.String(), ".") &&
		built.Major() == win.Major() && built.Minor() <= win.Minor()
}

func shadowed(in *rule.Input, w derive.Want, own *stack.Library) rule.Finding {
	f := in.Framework()
	finding := rule.Finding{
		Severity:   rule.AtRisk,
		Confidence: rule.Likely,
		Summary:    fmt.Sprintf("%s %s gets %s %s from %s instead of its own %s", f.Package, f.Version, w.Soname, w.Winner.Version, path.Dir(w.Winner.Path), own.Version),
		Cause: fmt.Sprintf("%s is searched (%s) before %s. Functions that came after %s are missing in the copy that is loaded; what needs one fails with an undefined symbol.",
			path.Dir(w.Winner.Path), w.Why, path.Dir(own.Path), w.Winner.Version),
		Evidence: evidence(in, w, own),
	}
	if w.Component == "nvjitlink" {
		finding.Severity, finding.Confidence = rule.Broken, rule.Certain
		v, _ := version.ParseLib(own.Version)
		finding.Cause = fmt.Sprintf("%s is searched (%s) before %s. nvJitLink exports one set of functions per minor release up to its own: "+
			`this copy lacks those of %d.%d, and loading the framework fails with "undefined symbol: __nvJitLink…_%d_%d, version %s".`,
			path.Dir(w.Winner.Path), w.Why, path.Dir(own.Path), v.Major(), v.Minor(), v.Major(), v.Minor(), w.Soname)
	}
	if r, ok := remedy.Unshadow(in, rule.CUDALibraries, w.Winner, w.Why); ok {
		finding.Remedies = append(finding.Remedies, r)
	}
	return finding
}

// lacksVersion finds a symbol version that the asking library needs and the
// copy that is loaded does not define; the dynamic linker then gives up.
func lacksVersion(in *rule.Input, w derive.Want) (rule.Verdict, bool) {
	if w.By == nil || len(w.Winner.Defines) == 0 {
		return rule.Verdict{}, false
	}
	for _, need := range w.By.Needs {
		if need.Library != w.Soname || slices.Contains(w.Winner.Defines, need.Version) {
			continue
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary: fmt.Sprintf("%s %s gets %s, which lacks the symbol version %s that %s needs", f.Package, f.Version, w.Winner.Path, need.Version, path.Base(w.By.Path)),
			Cause: fmt.Sprintf("%s was linked against a newer %s than the one that is loaded (%s). The dynamic linker refuses: \"version `%s' not found (required by %s)\".",
				path.Base(w.By.Path), w.Soname, w.Why, need.Version, w.By.Path),
			Evidence: []stack.Source{stack.From("elf", w.By.Path, 0, need.Library+" "+need.Version), w.Winner.From},
		}
		if r, ok := remedy.Unshadow(in, rule.CUDALibraries, w.Winner, w.Why); ok {
			finding.Remedies = append(finding.Remedies, r)
		}
		return rule.Found(finding), true
	}
	return rule.Verdict{}, false
}

func evidence(in *rule.Input, w derive.Want, own *stack.Library) []stack.Source {
	out := []stack.Source{
		stack.From("elf", w.Winner.Path, 0, w.Soname+" "+w.Winner.Version),
		stack.From("elf", own.Path, 0, w.Soname+" "+own.Version),
	}
	if w.By != nil {
		out = append(out, stack.From("elf", w.By.Path, 0, "NEEDED "+w.Soname))
	}
	if v, ok := in.Stack.Getenv("LD_LIBRARY_PATH"); ok && w.Why == "LD_LIBRARY_PATH" {
		out = append(out, v.From)
	}
	return out
}
