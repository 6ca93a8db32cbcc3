package triage

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/signature"
)

// symptoms are the findings of the signatures, one for each signature and what
// it says, in order of appearance.
func (j *judge) symptoms() []*candidate {
	var out []*candidate
	for _, o := range j.scan.occurrences {
		if j.opts.Workload != "" && aboutAnother(o.Product, j.opts.Workload) {
			continue
		}
		c := j.symptom(o)
		if c == nil {
			continue
		}
		if i := slices.IndexFunc(out, func(x *candidate) bool { return x.ID == c.ID && x.Summary == c.Summary }); i >= 0 {
			if len(out[i].Evidence) < maxEvidence {
				out[i].Evidence = append(out[i].Evidence, c.Evidence...)
			}
			continue
		}
		out = append(out, c)
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(c *candidate) bool {
		return slices.ContainsFunc(all, func(o *candidate) bool { return o != c && saysMore(o, c) })
	})
}

// saysMore tells whether one finding covers another: both read one line as a
// failure in one layer, and a product's own words tell more than the linker's,
// which stand last in the catalogue.
func saysMore(o, c *candidate) bool {
	a, b := o.Evidence[0], c.Evidence[0]
	return a.Locator == b.Locator && a.Line == b.Line && o.Layer == c.Layer && o.role == c.role && len(c.Evidence) == 1 &&
		(o.strength.Order() > c.strength.Order() || o.strength == c.strength && o.order < c.order)
}

// aboutAnother tells whether a product's words are those of a framework that was
// not asked about. What drivers, containers and the linker say concerns all.
func aboutAnother(product, workload string) bool {
	return product != workload && slices.Contains(frameworks, product) && extends[product] != workload && extends[workload] != product
}

// frameworks are the products that are a workload of their own.
var frameworks = []string{
	"pytorch", "tensorflow", "jax", "onnxruntime", "cupy", "numba", "paddle", "ctranslate2", "mxnet", "ollama", "llama.cpp", "vllm", "sglang",
	"xformers", "flash-attn", "bitsandbytes", "deepspeed", "triton", "torchvision", "torchaudio", "transformer-engine", "julia", "rapids",
}

// extends are frameworks that live inside another one.
var extends = map[string]string{
	"vllm": "pytorch", "sglang": "pytorch", "xformers": "pytorch", "flash-attn": "pytorch", "bitsandbytes": "pytorch", "deepspeed": "pytorch",
	"triton": "pytorch", "torchvision": "pytorch", "torchaudio": "pytorch", "transformer-engine": "pytorch", "faster-whisper": "ctranslate2",
}

// maxEvidence bounds the lines quoted for one finding.
const maxEvidence = 8

// symptom is what one occurrence means here; nil where it means nothing here, or
// its library is none that the knowledge base knows.
func (j *judge) symptom(o *Occurrence) *candidate {
	c := &signature.Case{View: j.res.View, Record: j.record, Groups: o.Groups, Words: j.scan.words, IDs: j.scan.ids}
	if !holds(o.Where, c) {
		return nil
	}
	cause := choose(o.Signature, c)
	if cause == nil {
		return nil
	}
	layer := cause.Layer
	if layer == "" {
		layer = o.Layer
	}
	if layer == "" {
		known := j.opts.Base.Component(signature.Soname(o.Groups["lib"]))
		if !known.Known {
			return nil
		}
		layer = rule.Layer(known.Value.Layer)
	}
	title, ok := c.Expand(cause.Title)
	if !ok {
		return nil
	}
	text, _ := c.Expand(cause.Text)
	if ask, ok := c.Expand(cause.Ask); ok && ask != "" {
		text += asking + ask
	}
	source := o.at()
	said := source.Text
	if o.Count > 1 {
		said += fmt.Sprintf(" (%d times, the last in line %d)", o.Count, o.Last)
	}
	f := report.Finding{
		ID: o.ID, Layer: layer, Severity: rule.Broken.String(), Confidence: max(cause.Confidence, rule.Possible).String(),
		Title: redact.Foreign(title), Summary: redact.Line(title), Cause: redact.Line(text),
		Workloads: []string{}, Evidence: []report.Evidence{{Source: source.Kind, Locator: source.Locator, Line: source.Line, Text: said}},
		Remedies: []report.Remedy{}, References: []report.Reference{{Title: o.Product, URL: o.Source}}, Blocks: []rule.Layer{},
	}
	if cause.Confidence == 0 {
		f.Confidence = rule.Likely.String()
	}
	for _, r := range cause.Remedies {
		if x, ok := remedy(c, r, layer); ok {
			f.Remedies = append(f.Remedies, x)
		}
	}
	role := o.Role
	if role == signature.Context { // a circumstance that its conditions make a failure
		role = signature.Failure
	}
	return &candidate{Finding: f, role: role, strength: o.Strength, order: o.order}
}

// asking stands before the question that would decide between causes.
const asking = " What would decide it: "

// choose is the first cause whose conditions hold.
func choose(s *signature.Signature, c *signature.Case) *signature.Cause {
	for i := range s.Causes {
		if holds(s.Causes[i].When, c) {
			return &s.Causes[i]
		}
	}
	return nil
}

func holds(list []signature.Condition, c *signature.Case) bool {
	for _, x := range list {
		if !x.Holds(c) {
			return false
		}
	}
	return true
}

func remedy(c *signature.Case, r signature.Remedy, layer rule.Layer) (report.Remedy, bool) {
	summary, ok := c.Expand(r.Summary)
	if !ok || !holds(r.When, c) {
		return report.Remedy{}, false
	}
	out := report.Remedy{Summary: redact.Foreign(strings.TrimPrefix(summary, "or ")), Layer: layer, Commands: []rule.Command{}}
	if r.Layer != "" {
		out.Layer = r.Layer
	}
	for _, cmd := range r.Commands {
		if run, ok := c.ExpandCommand(cmd.Run); ok && !unfit(c, run) {
			out.Commands = append(out.Commands, rule.Command{For: cmd.For, Run: run})
		}
	}
	return out, true
}
