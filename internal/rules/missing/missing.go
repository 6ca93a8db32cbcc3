// Package missing words the findings about libraries that a workload needs and
// the dynamic linker does not find. The layers' rules differ in what they ask
// for and in what follows from it; the search and its evidence are the same.
package missing

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

// Kind is what is asked about.
type Kind int

const (
	Nowhere    Kind = iota // there is no copy of any release
	OtherMajor             // there are copies, but of another major release
	Either
)

// Check finds the libraries of one layer that a workload does not get. effect
// says what its user will see.
func Check(in *rule.Input, layer rule.Layer, kind Kind, effect func(*rule.Input, []derive.Gap) string) rule.Verdict {
	gaps, ok := in.Gaps(in.Workload, string(layer))
	if !ok {
		return rule.Cannot("none of the framework's native libraries could be read", "")
	}
	if !asks(in, layer) {
		return rule.NA()
	}
	if len(gaps) == 0 {
		return rule.Clean()
	}
	if v, unsure := unsure(in); unsure {
		return v
	}
	other := others(gaps)
	if kind == Nowhere && len(other) > 0 || kind == OtherMajor && len(other) == 0 {
		return rule.Clean()
	}
	f := in.Framework()
	names := sonames(gaps)
	finding := rule.Finding{
		Summary:  fmt.Sprintf("%s needs %s%s: searched %s", strings.TrimSpace(f.Package+" "+f.Version), join(names), consequence(in.Workload, gaps[0].Need), directories(gaps[0])),
		Cause:    cause(gaps) + " " + effect(in, gaps),
		Evidence: evidence(gaps, other),
		Refs:     refs(in, gaps),
		Remedies: remedies(in, layer, kind, names),
	}
	if more := above(in, layer); len(more) > 0 {
		finding.Cause += " Not found either: " + join(more) + "."
	}
	if in.Workload.Name == "cupy" && layer != rule.CUDARuntime {
		finding.Severity = rule.AtRisk // only what uses it fails
	}
	if gaps[0].Need == "part" { // the worst comes first
		finding.Severity = rule.AtRisk
	}
	if l := in.Uncached(names[0]); l != nil {
		finding.Summary += fmt.Sprintf("; it is in %s, and ldconfig was not run since it came there", path.Dir(l.Path))
		finding.Evidence = append(finding.Evidence, l.From, stack.From("file", "/etc/ld.so.cache", 0, "no entry for "+names[0]))
	} else if dirs := inWheels(in, names); len(dirs) > 0 {
		finding.Summary += "; it is in " + dirs[0] + ", where the dynamic linker does not look"
	} else if copies := in.Anywhere(in.Workload, names[0]); len(copies) > 0 {
		finding.Summary += "; " + elsewhere(names, copies)
		finding.Evidence = append(finding.Evidence, stack.From("elf", copies[0].Path, 0, strings.TrimSpace(names[0]+" "+copies[0].Version)))
	} else if len(other) > 0 {
		finding.Summary += fmt.Sprintf("; there is %s", nearest(names[0], other))
	} else {
		finding.Summary += "; no copy was found on this machine"
	}
	return rule.Found(finding)
}

// remedies are the packages that bring the libraries, and where only another
// major release is there, releases of the framework that use that one.
func remedies(in *rule.Input, layer rule.Layer, kind Kind, names []string) []rule.Remedy {
	var out []rule.Remedy
	if kind == OtherMajor && in.Workload.Name == "ctranslate2" {
		// Its releases differ in the cuDNN they want, and the one of torch stays.
		out = append(out, remedy.OtherConsumer(in, layer)...)
	}
	if in.Workload.Name == "cupy" {
		// One wheel for each CUDA major: the one for what is here is less than another CUDA.
		if major := majorHere(in, layer); major > 0 {
			out = append(out, remedy.CuPyFor(in, layer, major)...)
		}
	}
	if in.Uncached(names[0]) != nil {
		out = append(out, rule.Remedy{
			Summary:  "run ldconfig, so that the dynamic linker learns of the library",
			Layer:    layer,
			Changes:  []stack.Change{stack.RenewCache{}},
			Commands: []rule.Command{{For: "shell", Run: "sudo ldconfig"}},
		})
	}
	all := append(slices.Clone(names), above(in, layer)...)
	if dirs := inWheels(in, all); len(dirs) > 0 {
		out = append(out, remedy.OnSearchPath(in, layer, dirs))
	}
	return append(out, remedy.Libraries(in, layer, all)...)
}

// majorHere is the CUDA major of the copies that are there; 0 where they do not tell.
func majorHere(in *rule.Input, layer rule.Layer) int {
	gaps, _ := in.Gaps(in.Workload, string(layer))
	for _, l := range others(gaps) {
		if rows := in.KB.Sonames(l.Soname).Value; len(rows) == 1 && rows[0].CUDA > 0 {
			return rows[0].CUDA
		}
	}
	return 0
}

// inWheels are the directories of the environment that hold all of the
// libraries; none where one of them is not there.
func inWheels(in *rule.Input, names []string) []string {
	var dirs []string
	for _, n := range names {
		lib := derive.InWheel(in.Workload, n)
		if lib == nil {
			return nil
		}
		if d := path.Dir(lib.Path); !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// above are the libraries that are missing in the layers above as well: a
// framework without its CUDA packages lacks all of them, and one command brings
// them. The rules of those layers come after the lowest one.
func above(in *rule.Input, layer rule.Layer) []string {
	var out []string
	for _, l := range []rule.Layer{rule.CUDARuntime, rule.CUDALibraries, rule.CUDNN, rule.NCCL} {
		if l.Height() <= layer.Height() {
			continue
		}
		gaps, _ := in.Gaps(in.Workload, string(l))
		out = append(out, sonames(gaps)...)
	}
	return out
}

// asks tells whether the workload needs anything of the layer.
func asks(in *rule.Input, layer rule.Layer) bool {
	wants, _ := in.Wants(in.Workload)
	for _, w := range wants {
		if w.Layer == string(layer) && !derive.Optional(in.Workload, w) {
			return true
		}
	}
	return false
}

// unsure is the answer where places that may hold the libraries were not read.
func unsure(in *rule.Input) (rule.Verdict, bool) {
	seen := []stack.Seen{in.Stack.CUDA.Libraries.Seen()}
	if in.Workload.Env != nil {
		seen = append(seen, in.Workload.Env.Libraries.Seen())
	}
	for _, s := range seen {
		switch s.State {
		case stack.Known, stack.Absent:
			if s.Why == "" {
				continue
			}
			return rule.Cannot("a directory that may hold the library could not be read: "+s.Why, "run as a user who may read it"), true
		}
		why := s.Why
		if why == "" {
			why = "nobody looked"
		}
		return rule.Cannot("the libraries on this machine are not known: "+why, s.Allow), true
	}
	return rule.Verdict{}, false
}

func cause(gaps []derive.Gap) string {
	g := gaps[0]
	who := "It opens " + g.Soname + " by name"
	if g.By != nil {
		how := "needs"
		if len(g.By.Needed) > 0 && !slices.Contains(g.By.Needed, g.Soname) {
			how = "opens"
		}
		who = fmt.Sprintf("%s %s %s", path.Base(g.By.Path), how, g.Soname)
	}
	return who + "."
}

// searched are the directories in their order, with what makes the linker look there.
func searched(g derive.Gap) string {
	var dirs []string
	for _, d := range g.Searched {
		dirs = append(dirs, fmt.Sprintf("%s (%s)", d.Dir, d.Why))
	}
	if len(dirs) == 0 {
		return "no directory at all"
	}
	return fmt.Sprintf("%d directories: %s", len(dirs), strings.Join(dirs, ", "))
}

func directories(g derive.Gap) string {
	if n := len(g.Searched); n != 1 {
		return fmt.Sprintf("%d directories", n)
	}
	return "1 directory"
}

// elsewhere names the copies that no search reaches.
func elsewhere(names []string, copies []*stack.Library) string {
	what := "copy"
	if len(names) > 1 {
		what = "copy of " + names[0]
	}
	if len(copies) == 1 {
		return fmt.Sprintf("the only %s on this machine is in %s", what, path.Dir(copies[0].Path))
	}
	return fmt.Sprintf("the nearest %s on this machine is in %s, and there are %d more", what, path.Dir(copies[0].Path), len(copies)-1)
}

// consequence is what becomes of a workload without its libraries, as an end
// of "X needs Y". need is what was seen to hang on them; "" where it was not.
func consequence(w *derive.Workload, need string) string {
	const falls, fails = " and will fall back to the CPU", " and cannot be imported"
	switch {
	case need == "part":
		return " for some of its functions"
	case w.Program != nil && need == "":
		return ""
	case w.Program != nil && need == "must":
		return " and will not start"
	case need == "gpu" && w.Name != "cupy":
		return falls
	case w.Name == "cupy":
		return ""
	case need == "" && (w.Name == "onnxruntime" || w.Name == "tensorflow" || w.Name == "jax"):
		return falls
	}
	return fails
}

func evidence(gaps []derive.Gap, other []*stack.Library) []stack.Source {
	var out []stack.Source
	for _, g := range gaps {
		if g.By != nil {
			how := "NEEDED "
			if len(g.By.Needed) > 0 && !slices.Contains(g.By.Needed, g.Soname) {
				how = "opens "
			}
			out = append(out, stack.From("elf", g.By.Path, 0, how+g.Soname))
		}
	}
	if len(other) > 0 {
		out = append(out, stack.From("elf", nearest(gaps[0].Soname, other), 0, ""))
	}
	return append(out, stack.From("loader", "search path", 0, searched(gaps[0])))
}

func refs(in *rule.Input, gaps []derive.Gap) []kb.Ref {
	var out []kb.Ref
	for _, g := range gaps {
		if len(g.Ref.Sources) > 0 {
			out = append(out, g.Ref)
		}
		if a := in.KB.Sonames(g.Soname); a.Known {
			out = append(out, a.Ref)
		}
	}
	return out
}

func others(gaps []derive.Gap) []*stack.Library {
	var out []*stack.Library
	seen := map[string]bool{}
	for _, g := range gaps {
		for _, l := range g.Other {
			if !seen[l.Path] {
				seen[l.Path] = true
				out = append(out, l)
			}
		}
	}
	return out
}

func sonames(gaps []derive.Gap) []string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.Soname)
	}
	return out
}

// nearest is the copy of another release that has most to do with what is missing.
func nearest(soname string, other []*stack.Library) string {
	stem, _, _ := strings.Cut(soname, ".so")
	for _, l := range other {
		if s, _, _ := strings.Cut(l.Soname, ".so"); s == stem {
			return l.Path
		}
	}
	return other[0].Path
}

func join(items []string) string {
	switch len(items) {
	case 0:
		return ""
	case 1:
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// Effect is what a user sees of libraries that are not found, by framework.
func Effect(in *rule.Input, gaps []derive.Gap) string {
	first := gaps[0].Soname
	switch in.Workload.Name {
	case "onnxruntime":
		return fmt.Sprintf(`ONNX Runtime warns once, "Failed to load library libonnxruntime_providers_cuda.so with error: %s: cannot open shared object file", and answers from the CPU; get_available_providers() still lists CUDA.`, first)
	case "tensorflow":
		return `TensorFlow says "Cannot dlopen some GPU libraries … Skipping registering GPU devices" without naming the file, and computes on the CPU.`
	case "cupy":
		return fmt.Sprintf(`What needs it fails with "%s: cannot open shared object file" the first time it is used.`, first)
	}
	return fmt.Sprintf(`Importing it fails with "%s: cannot open shared object file: No such file or directory".`, first)
}
