package outcome

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"strata/internal/redact"
	"strata/internal/rule"
	"strata/internal/witness"
)

// Record is what a second person needs beside the report to judge a run: only in files of --record. All of it is redacted.
type Record struct {
	Started time.Time `json:"started"`
	// Output are the lines of the command's output that tell something, with those around them, by their number; OutputCut tells that there were more.
	Output    []Line `json:"output"`
	OutputCut bool   `json:"output_cut,omitempty"`
	// Environment are the variables that decide what the GPU stack does, of those that strata check reads, too.
	Environment []Variable `json:"environment"`
	// Loads are all libraries that were loaded, Misses all names that were looked for in vain, of CUDA or not.
	Loads  []Load `json:"loads"`
	Misses []Miss `json:"misses"`
}

// Line is one line of the output.
type Line struct {
	Line int    `json:"line"` // from 1, over both streams as they came
	Text string `json:"text"`
}

// Variable is one of the environment.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Load is a library that was loaded, and who asked for it.
type Load struct {
	Name string `json:"name"`
	Path string `json:"path"`
	By   string `json:"by,omitempty"`
}

// Miss is a name that was looked for in vain.
type Miss struct {
	Name     string   `json:"name"`
	By       string   `json:"by,omitempty"`
	Needed   bool     `json:"needed"`
	Searched []string `json:"searched"`
}

// The bounds of a record, which is meant to be attached to a report.
const (
	maxOutput = 1 << 20 // bytes: trackers take some MB
	maxLoads  = 2000    // a process with three frameworks has some 600
	maxMisses = 500
)

// Record makes the part of a document that is for others. vars are the variables that matter.
func (w *Watch) Record(rec *witness.Record, vars []Variable) *Record {
	r := &Record{Started: rec.Start, Output: []Line{}, Environment: []Variable{}, Loads: []Load{}, Misses: []Miss{}}
	lines, cut := w.Scan.Telling(maxOutput)
	for _, l := range lines {
		r.Output = append(r.Output, Line{l.N, redact.Foreign(l.Text)})
	}
	r.OutputCut = cut
	for _, v := range vars {
		r.Environment = append(r.Environment, Variable{v.Name, redact.Foreign(v.Value)})
	}
	loaded := map[string]bool{}
	load := func(name, file, by string) {
		if len(r.Loads) < maxLoads && !loaded[file] {
			loaded[file] = true
			r.Loads = append(r.Loads, Load{redact.Foreign(name), redact.Foreign(file), redact.Foreign(by)})
		}
	}
	for _, l := range rec.Loads {
		load(l.Name, l.Path, l.By)
	}
	for _, m := range rec.Mapped {
		load(path.Base(m), m, "")
	}
	for _, n := range silent(rec) {
		load(n.Name, n.Found, n.By)
	}
	missed := map[string]bool{}
	miss := func(name, by string, needed bool, places []string) {
		if len(r.Misses) == maxMisses {
			return
		}
		missed[path.Base(name)] = true
		m := Miss{Name: redact.Foreign(name), By: redact.Foreign(by), Needed: needed, Searched: searched(places)}
		for i := range m.Searched {
			m.Searched[i] = redact.Foreign(m.Searched[i])
		}
		r.Misses = append(r.Misses, m)
	}
	for _, m := range rec.Misses {
		miss(m.Name, m.By, !m.Opened, m.Places)
	}
	for _, n := range rec.Opens.Names {
		if n.Lacks() && !missed[path.Base(n.Name)] && !elsewhere(rec, n.Name) {
			miss(n.Name, n.By, false, append(slices.Clone(n.Missing), n.Denied...))
		}
	}
	return r
}

// MaxRecord bounds the text in which a record is looked for, and so the record itself.
const MaxRecord = 4 << 20

// FindRecord finds a document of strata run in a text: the whole of it, or pasted into it. It is known by its
// structure alone; of a comparison it is the run with the GPU. from and to are where it stands; ok is false where there is none.
func FindRecord(text []byte) (d *Document, from, to int, ok bool) {
	text = text[:min(len(text), MaxRecord)]
	at := 0
	for range maxTries {
		i := bytes.Index(text[at:], []byte(`"strata.run`))
		if i < 0 {
			return nil, 0, 0, false
		}
		at += i
		// Its first brace: the last one before the schema, or, where another tool has sorted its keys, the first one in the text.
		for _, start := range []int{bytes.LastIndexByte(text[:at], '{'), bytes.IndexByte(text, '{')} {
			if start < 0 || start > at {
				continue
			}
			if d, n := decodeRecord(text[start:]); d != nil && start+n > at {
				return d, start, start + n, true
			}
		}
		at++
	}
	return nil, 0, 0, false
}

// maxTries bounds how often the schema's name is followed in a text that has it in other places.
const maxTries = 16

// decodeRecord reads a document at the beginning of a text, and how long it is.
func decodeRecord(text []byte) (*Document, int) {
	var any struct {
		Document
		GPU *Document `json:"gpu"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if dec.Decode(&any) != nil {
		return nil, 0
	}
	d := &any.Document
	if any.Schema == CompareSchema && any.GPU != nil {
		d = any.GPU
	}
	if d.Schema != Schema {
		return nil, 0
	}
	d.clean()
	return d, int(dec.InputOffset())
}

// clean makes a document of somebody else's fit to be shown and bounded.
func (d *Document) clean() {
	d.Command = d.Command[:min(len(d.Command), maxLoads)]
	d.Missing = d.Missing[:min(len(d.Missing), maxMisses)]
	d.Libraries = d.Libraries[:min(len(d.Libraries), maxLoads)]
	d.GPUs = d.GPUs[:min(len(d.GPUs), maxGPUs)]
	d.Verdict.Summary = redact.Foreign(d.Verdict.Summary)
	if !slices.Contains(rule.Layers(), d.Verdict.Layer) {
		d.Verdict.Layer = ""
	}
	for i := range d.Missing {
		m := &d.Missing[i]
		m.Name, m.By = redact.Foreign(m.Name), redact.Foreign(m.By)
		for j := range m.Denied {
			m.Denied[j] = redact.Foreign(m.Denied[j])
		}
		if !slices.Contains(rule.Layers(), m.Layer) {
			m.Layer = rule.Application
		}
	}
	for i := range d.Libraries {
		l := &d.Libraries[i]
		l.Name, l.Path, l.By = redact.Foreign(l.Name), redact.Foreign(l.Path), redact.Foreign(l.By)
	}
	if d.Record != nil {
		d.Record.Output = slices.DeleteFunc(d.Record.Output, func(l Line) bool { return strings.TrimSpace(l.Text) == "" })
	}
}
