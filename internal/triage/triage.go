// Package triage reads text, a log, a traceback, a bug report or a mix of them,
// and names the first failing layer. Text is one more source of facts: the same
// rules judge them as judge a machine. What a program says went wrong is a
// symptom; package signatures knows what it can mean.
package triage

import (
	"strings"

	"strata/internal/diagnose"
	"strata/internal/dump"
	"strata/internal/kb"
	"strata/internal/plan"
	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/transcript"
)

// Options narrow and name what is judged.
type Options struct {
	// Workload keeps the findings about one framework: pytorch, onnxruntime, …
	Workload string
	Tool     report.Tool
	Base     *kb.Base
	Rules    []*rule.Rule
}

// Report judges what a scan found.
func (s *Scan) Report(name string, opts Options) *report.Document {
	j := s.judge(name, opts)
	j.doc = report.Build(j.res, &plan.Planner{Base: opts.Base, Rules: opts.Rules, Opts: diagnose.Options{Workload: opts.Workload}}, opts.Tool)
	j.doc.Environment = environment(j.record)
	j.decide()
	return j.doc
}

// Say judges one message by what is known so far, while the text goes on. ok is
// false for one that means nothing here.
func (s *Scan) Say(o *Occurrence, opts Options) (f report.Finding, ok bool) {
	c := s.judge(o.File, opts).symptom(o)
	if c == nil {
		return f, false
	}
	return c.Finding, true
}

// judge reads the facts of what was kept so far and asks the rules about them.
func (s *Scan) judge(name string, opts Options) *judge {
	facts, texts := dump.NewFacts(name), s.texts
	if s.early != nil {
		facts, texts = <-s.early, texts[1:]
		s.early = nil // they are changed from here on, and read anew the next time
	}
	for _, t := range texts {
		dump.ReadInto(t, facts)
	}
	s.feed(facts)
	record := facts.Record()
	for i := range record.Variables {
		record.Variables[i].Value = redact.Foreign(record.Variables[i].Value)
	}

	res := diagnose.Run(record.Stack(name), opts.Base, opts.Rules, diagnose.Options{Workload: opts.Workload})
	return &judge{scan: s, record: record, res: res, opts: opts}
}

// readEarly reads the facts of a text beside the search for messages. They are judged there as far as they are
// known, for the tables that this decodes are those that the report needs.
func readEarly(t *transcript.Text, ahead *Options) chan *dump.Facts {
	done := make(chan *dump.Facts, 1)
	go func() {
		f := dump.NewFacts(t.Name)
		dump.ReadInto(t, f)
		outline := f.Outline()
		done <- f
		if ahead != nil {
			diagnose.Run(outline.Stack(""), ahead.Base, ahead.Rules, diagnose.Options{})
		}
	}()
	return done
}

// Warm makes the lookout, while the input is still being opened.
func Warm() { the() }

// Text judges one text in memory.
func Text(name, text string, opts Options) (*report.Document, error) {
	s := New()
	if err := s.Stream(name, strings.NewReader(text), false); err != nil {
		return nil, err
	}
	return s.Report(name, opts), nil
}
