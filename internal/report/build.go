package report

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/diagnose"
	"strata/internal/plan"
	"strata/internal/rule"
	"strata/internal/stack"
)

// Build makes the document of one diagnosis. planner may be nil, which leaves
// remedies out.
func Build(r *diagnose.Result, planner *plan.Planner, tool Tool) *Document {
	b := &builder{r: r, planner: planner}
	d := &Document{
		Schema: Schema, Tool: tool, Subject: r.View.Stack.Subject, Stack: r.View.Stack,
		Workloads: []Workload{}, Findings: b.findings(), Environment: environment(r.View), Unknowns: b.unknowns(),
	}
	d.Layers = b.ladder(nil)
	for _, w := range r.View.Workloads {
		d.Workloads = append(d.Workloads, b.workload(w))
	}
	d.Verdict = b.whole(d)
	return d
}

type builder struct {
	r       *diagnose.Result
	planner *plan.Planner
}

// findings merges what one rule found for several workloads for the same reason.
func (b *builder) findings() []Finding {
	out := []Finding{}
	index := map[string]int{}
	for _, a := range b.r.Findings() {
		key := a.Rule.ID + "\x00" + a.Finding.Summary
		if i, ok := index[key]; ok {
			out[i].Workloads = append(out[i].Workloads, a.Workload.ID())
			continue
		}
		index[key] = len(out)
		out = append(out, b.finding(a))
	}
	return out
}

func (b *builder) finding(a *diagnose.Answer) Finding {
	f := Finding{
		ID: a.Rule.ID, Layer: a.Rule.Layer, Severity: a.Severity().String(), Confidence: a.Confidence().String(),
		Title: a.Rule.Title, Summary: a.Finding.Summary, Cause: a.Finding.Cause,
		Workloads: []string{}, Evidence: []Evidence{}, Remedies: []Remedy{}, References: []Reference{}, Blocks: []rule.Layer{},
	}
	if a.Workload != nil {
		f.Workloads = append(f.Workloads, a.Workload.ID())
	}
	seen := map[stack.Source]bool{}
	for _, s := range a.Finding.Evidence {
		if s == (stack.Source{}) || seen[s] {
			continue
		}
		seen[s] = true
		f.Evidence = append(f.Evidence, Evidence{Source: s.Kind, Locator: s.Locator, Line: s.Line, Text: b.caption(s)})
	}
	if b.planner != nil {
		for _, c := range b.planner.Remedies(b.r, a) {
			f.Remedies = append(f.Remedies, Remedy{Summary: c.Summary, Layer: c.Layer, Commands: orEmpty(c.Commands), Checked: c.Checked})
		}
	}
	f.References = references(a)
	if a.Severity() == rule.Broken {
		f.Blocks = b.blocked(a)
	}
	return f
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// references are the rows used and the sources of the rule, each once.
func references(a *diagnose.Answer) []Reference {
	out := []Reference{}
	add := func(r Reference) {
		if r.URL != "" && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, c := range a.Rule.Cites {
		add(Reference{c.Title, c.URL})
	}
	for _, ref := range a.Finding.Refs {
		for _, s := range ref.Sources {
			add(Reference{s.Title, s.URL})
		}
	}
	return out
}

// blocked are the layers of a workload's ladder above the broken one.
func (b *builder) blocked(a *diagnose.Answer) []rule.Layer {
	out := []rule.Layer{}
	for _, l := range rule.Layers() {
		if waits(l, a.Rule.Layer) {
			out = append(out, l)
		}
	}
	return out
}

// waits tells whether a layer cannot work while a lower one is broken. Having
// packages and an interpreter does not depend on a GPU, and nothing that runs
// depends on a toolkit.
func waits(l, broken rule.Layer) bool {
	switch l {
	case rule.Toolkit, rule.PackageConflict, rule.PythonEnv, rule.Application:
		return false
	}
	return l.Height() > broken.Height()
}

// unknowns merges what could not be judged for the same reason.
func (b *builder) unknowns() []Unknown {
	out := []Unknown{}
	index := map[string]int{}
	for _, a := range b.r.Unknowns() {
		key := string(a.Rule.Layer) + "\x00" + a.Why
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, Unknown{Layer: a.Rule.Layer, What: a.Rule.Title, Why: a.Why, HowToAllow: a.Allow, Rules: []string{}})
		}
		u := &out[i]
		if !slices.Contains(u.Rules, a.Rule.ID) {
			u.Rules = append(u.Rules, a.Rule.ID)
		}
		if a.Workload != nil && !slices.Contains(u.Workloads, a.Workload.ID()) {
			u.Workloads = append(u.Workloads, a.Workload.ID())
		}
	}
	out = append(out, b.unreadable()...)
	if python := b.r.View.Stack.Python; python.Why != "" {
		out = append(out, Unknown{Layer: rule.PythonEnv, What: "Python environments", Why: python.Why, HowToAllow: python.Allow, Rules: []string{}})
	}
	for _, c := range b.r.View.Stack.Collection {
		if c.State != stack.Known {
			out = append(out, Unknown{What: "what the " + c.Name + " collector reads", Why: c.Why, Rules: []string{}})
		}
	}
	slices.SortStableFunc(out, func(x, y Unknown) int { return x.Layer.Height() - y.Layer.Height() })
	return out
}

// unreadable are Python environments that are there and could not be read:
// what runs in them is not judged, so the machine cannot be called well.
func (b *builder) unreadable() []Unknown {
	var out []Unknown
	for _, e := range b.r.View.Stack.Python.Value {
		state := "not known"
		switch {
		case e.Packages.Known() && e.Packages.Why != "":
			state = "known only in part"
		case e.Packages.State != stack.Denied && e.Packages.State != stack.Failed:
			continue
		}
		what := "the packages in " + e.Prefix
		out = append(out, Unknown{Layer: rule.PythonEnv, What: what, Why: what + " are " + state + ": " + e.Packages.Why, HowToAllow: e.Packages.Allow, Rules: []string{}})
	}
	return out
}

func (b *builder) workload(w *derive.Workload) Workload {
	out := Workload{Name: w.Name, Environment: w.Place(), Framework: w.Framework.Package, Version: w.Framework.Version}
	if w.Env != nil {
		out.Python = w.Env.Python.Or("")
	}
	if w.On != nil {
		out.Extends = w.On.Name
	}
	out.Layers = b.ladder(w)
	out.Verdict = b.verdict(w)
	return out
}

// verdict is that of one workload.
func (b *builder) verdict(w *derive.Workload) Verdict {
	if a := b.r.First(w); a != nil {
		return verdictOf(a)
	}
	if b.noGPU() {
		return noGPU
	}
	if b.r.View.Unasked() {
		return unasked
	}
	name := strings.TrimSpace(w.Framework.Package+" "+w.Framework.Version) + " in " + w.Place()
	if why := b.hostUnknown(); why != "" {
		return Verdict{Status: Unsure, Summary: fmt.Sprintf("nothing broken was found for %s, but %s", name, why), Confidence: "possible"}
	}
	if u := b.decisiveUnknown(w); u != nil {
		return Verdict{Status: Unsure, Summary: fmt.Sprintf("nothing broken was found for %s; %s", name, u.Why), Confidence: "possible"}
	}
	if b.r.Narrowed {
		return Verdict{Status: OK, Summary: "the rules that were asked find nothing wrong with " + name, Confidence: "possible"}
	}
	if why := w.Without(); why != "" {
		return Verdict{Status: OK, Summary: fmt.Sprintf("%s %s and does not use the GPU", name, why), Confidence: "certain"}
	}
	return Verdict{Status: OK, Summary: name + " can use the GPU", Confidence: "certain"}
}

// noGPU is the verdict where somebody looked and there is none.
var noGPU = Verdict{Status: NotStack, Layer: rule.Hardware, Summary: "this machine has no NVIDIA GPU", Confidence: "certain"}

// unasked is the verdict in a container that was given no GPU and needs none.
var unasked = Verdict{Status: NotStack, Layer: rule.Hardware, Summary: "this container was given no GPU, and nothing in it is built for one", Confidence: "certain"}

func (b *builder) noGPU() bool {
	return b.r.View.GPUsSeen.State == stack.Known && len(b.r.View.GPUs) == 0
}

// hostUnknown says what of the host must be known before anything may be
// called well and is not: a GPU, and a driver whose CUDA the tables know.
func (b *builder) hostUnknown() string {
	v := b.r.View
	switch {
	case v.GPUsSeen.State != stack.Known:
		return "the GPU is not known: " + v.GPUsSeen.Why
	case !v.Driver.Known():
		return "the driver is not known: " + v.Driver.Why
	case !v.DriverCUDA.Known && !v.Stack.OS.Jetson.Known(): // JetPack numbers its drivers in a series of its own
		return "what the driver runs is not known: " + v.DriverCUDA.Why
	}
	return ""
}

// decisiveUnknown is an unanswered rule whose bad outcome would have broken
// the workload, in a layer of its own or in one that all share. Of the shared
// ones it counts what was refused: the facts of a running system are not in an
// image, the kernel's log is closed to most users, and JetPack's module does
// not tell what the others tell.
func (b *builder) decisiveUnknown(w *derive.Workload) *diagnose.Answer {
	for _, a := range b.r.Unknowns() {
		if a.Rule.Severity != rule.Broken {
			continue
		}
		shared := a.Workload == nil && a.Refused && a.Rule.Layer != rule.Hardware && !b.r.View.Stack.OS.Jetson.Known()
		if shared || w != nil && a.Workload == w {
			return a
		}
	}
	return nil
}

func verdictOf(a *diagnose.Answer) Verdict {
	v := Verdict{Status: Broken, Layer: a.Rule.Layer, Finding: a.Rule.ID, Summary: a.Finding.Summary, Confidence: a.Confidence().String()}
	switch {
	case a.Rule.Layer == rule.Hardware || a.Rule.Layer == rule.Application:
		v.Status = NotStack
	case a.Severity() == rule.AtRisk:
		v.Status = AtRisk
	}
	return v
}

// whole is the verdict over everything: the worst of the machine and of the workloads.
func (b *builder) whole(d *Document) Verdict {
	if a := b.r.First(nil); a != nil {
		return verdictOf(a)
	}
	if b.noGPU() {
		return noGPU
	}
	if b.r.View.Unasked() {
		return unasked
	}
	if why := b.hostUnknown(); why != "" {
		return Verdict{Status: Unsure, Summary: "nothing broken was found, but " + why, Confidence: "possible"}
	}
	if u := b.decisiveUnknown(nil); u != nil {
		return Verdict{Status: Unsure, Summary: "nothing broken was found; " + u.Why, Confidence: "possible"}
	}
	for _, w := range d.Workloads {
		if w.Verdict.Status == Unsure {
			return w.Verdict
		}
	}
	if u := b.unreadable(); len(u) > 0 {
		return Verdict{Status: Unsure, Summary: "nothing broken was found, but " + u[0].Why, Confidence: "possible"}
	}
	if b.r.Narrowed {
		return Verdict{Status: OK, Summary: "the rules that were asked find nothing wrong; others were left out", Confidence: "possible"}
	}
	if len(d.Workloads) == 0 {
		return Verdict{Status: OK, Summary: "nothing is broken; no GPU framework was found that could use it", Confidence: "certain"}
	}
	return Verdict{Status: OK, Summary: "every workload found here can use the GPU", Confidence: "certain"}
}
