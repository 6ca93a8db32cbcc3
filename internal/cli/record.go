package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"strata/internal/outcome"
	"strata/internal/report"
	"strata/internal/transcript"
	"strata/internal/triage"
)

// recorded is a record of strata run that an input of triage is, or has pasted into it.
type recorded struct {
	doc   *outcome.Document
	name  string
	alone bool // there is no other text around it
}

// records are those of all inputs.
type records []recorded

// stream scans an input. What strata run has written down is taken out of it and counts as what happened.
func (r *records) stream(scan *triage.Scan, name string, in io.Reader, follow bool) error {
	if follow {
		return scan.Stream(name, in, true)
	}
	plain, err := transcript.Open(in)
	if err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	defer plain.Close()
	const near = 1 << 20 // of a text in which somebody may have pasted a record; all of it would have to be kept
	b := bufio.NewReaderSize(plain, near)
	head, _ := b.Peek(near) // an error comes again where it is read
	if !bytes.Contains(head, []byte(`"strata.run`)) {
		return scan.Stream(name, b, false)
	}
	data, err := io.ReadAll(io.LimitReader(b, outcome.MaxRecord))
	if err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	doc, from, to, ok := outcome.FindRecord(data)
	if !ok {
		return scan.Stream(name, io.MultiReader(bytes.NewReader(data), b), false)
	}
	x := recorded{doc: doc, name: name}
	x.alone = len(bytes.TrimSpace(data[:from])) == 0 && len(bytes.TrimSpace(data[to:])) == 0 && len(data) < outcome.MaxRecord
	*r = append(*r, x)
	if !x.alone {
		lines := strings.NewReader(strings.Repeat("\n", bytes.Count(data[from:to], []byte{'\n'}))) // those behind keep their numbers
		if err := scan.Stream(name, io.MultiReader(bytes.NewReader(data[:from]), lines, bytes.NewReader(data[to:]), b), false); err != nil {
			return err
		}
	}
	return doc.Recall(scan, x.label())
}

// label is a name for what the record itself says.
func (x recorded) label() string {
	if x.alone {
		return x.name
	}
	return x.name + ", the record in it"
}

// judge puts what happened into the report.
func (r records) judge(doc *report.Document, inputs int, opts triage.Options) {
	for _, x := range r {
		x.doc.Judge(doc, x.label(), x.alone && inputs == 1, opts)
	}
}

// openRecord reads a record of strata run from a file.
func openRecord(name string) (*outcome.Document, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening --run %q: %w", name, errors.Unwrap(err))
	}
	defer f.Close()
	plain, err := transcript.Open(f)
	if err != nil {
		return nil, fmt.Errorf("reading --run %q: %w", name, err)
	}
	defer plain.Close()
	data, err := io.ReadAll(io.LimitReader(plain, outcome.MaxRecord))
	if err != nil {
		return nil, fmt.Errorf("reading --run %q: %w", name, err)
	}
	doc, _, _, ok := outcome.FindRecord(data)
	if !ok {
		return nil, fmt.Errorf("reading --run %q: it is no record of strata run; make one with strata run --record FILE -- COMMAND", name)
	}
	return doc, nil
}
