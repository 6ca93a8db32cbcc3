package outcome

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"strata/internal/kb"
	"strata/internal/lddebug"
	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/signature"
	"strata/internal/triage"
	"strata/internal/witness"
)

// Watch collects what is known while a command runs.
type Watch struct {
	Scan  *triage.Scan
	Opts  triage.Options
	began time.Time
	// fallback is the first message that says so, failure the first that names a layer.
	fallback, failure *triage.Occurrence
	fellBack          time.Duration
	// Limited is set where --limit ended the command.
	Limited bool

	say   func(string)
	mu    sync.Mutex
	usage usage
}

// NewWatch begins to watch. say, where not nil, gets a line at the moment that something is known.
func NewWatch(opts triage.Options, say func(string)) *Watch {
	w := &Watch{Scan: triage.New(), Opts: opts, began: time.Now(), say: say}
	w.Scan.Found = func(o *triage.Occurrence) {
		f, ok := w.Scan.Say(o, opts)
		if !ok {
			return
		}
		at := time.Since(w.began)
		switch {
		case o.Role == signature.Consequence && w.fallback == nil:
			w.fallback = o
		case o.Role != signature.Consequence && w.failure == nil:
			w.failure = o
		default:
			return
		}
		if w.fellBack == 0 {
			w.fellBack = at
		}
		if say != nil {
			say(fmt.Sprintf("%.1f s: %s (%s)", at.Seconds(), f.Summary, f.Layer.Name()))
		}
	}
	return w
}

// Document judges a command that has ended.
func (w *Watch) Document(rec *witness.Record) *Document {
	base := w.Opts.Base
	d := &Document{
		Schema: Schema, Tool: w.Opts.Tool, Command: command(rec.Argv), Exit: rec.Exit, Signal: rec.Signal, Limited: w.Limited, WallMillis: rec.Wall.Milliseconds(),
		Devices: rec.Devices, Libraries: libraries(base, rec), Missing: missing(base, rec), Opens: opened(rec), Findings: []report.Finding{},
	}
	w.mu.Lock()
	w.usage.fill(d, rec.Contained)
	w.mu.Unlock()
	said := w.Scan.Report("the command's output", w.Opts)
	d.Findings = append(d.Findings, said.Findings...)
	d.Verdict = w.verdict(d, rec, said)
	d.Notes = append(d.Notes, unseen(rec)...)
	d.Notes = append(d.Notes, d.sampled()...)
	return d
}

// verdict puts together what was said and what was seen.
func (w *Watch) verdict(d *Document, rec *witness.Record, said *report.Document) report.Verdict {
	opened := slices.ContainsFunc(rec.Devices, witness.IsGPU)
	on := d.on()
	used := len(on) > 0 || opened
	need := cause(d, said)
	if w.fallback != nil || need != nil && !used || w.failure != nil && d.Worked() && said.Verdict.Status == report.Broken {
		return w.fell(d, need, said.Verdict)
	}
	v := func(status report.Status, layer rule.Layer, confidence rule.Confidence, summary string) report.Verdict {
		return report.Verdict{Status: status, Layer: layer, Confidence: confidence.String(), Summary: summary}
	}
	switch {
	case said.Verdict.Finding != "":
		return said.Verdict
	case len(on) > 0: // NVML lists those alone that have a context: as good as the device's file, which WSL and some containers do not show
		return v(report.OK, "", rule.Certain, ranOn(on))
	case opened && d.idle():
		return v(report.AtRisk, rule.Application, rule.Likely, fmt.Sprintf("%s was opened, but no process of the command ever appeared on a GPU and utilisation stayed at 0 %%: it looked for a GPU and computed elsewhere", gpuNodes(rec.Devices)))
	case opened:
		return v(report.OK, "", rule.Certain, fmt.Sprintf("used the GPU: %s was open, first seen %.1f s after the start", gpuNodes(rec.Devices), rec.Touched.Seconds()))
	case d.barred() != nil && !used:
		return v(report.AtRisk, rule.DeviceExposure, rule.Certain, d.barred().Name+" is there, and this user may not open it")
	case len(d.Libraries) > 0 && rec.NoGPU && len(d.GPUs) == 0:
		return v(report.NotStack, rule.Hardware, rule.Certain, "no GPU was there to use: this machine, or this container, has no /dev/nvidiaN and no /dev/dxg")
	case slices.ContainsFunc(d.Libraries, func(l Library) bool { return l.Component == "cudart" }):
		return v(report.AtRisk, rule.Application, rule.Likely, "the GPU was never touched although the CUDA runtime was loaded: no /dev/nvidiaN was open at any look"+d.unlisted())
	case len(d.Libraries) > 0:
		return v(report.AtRisk, rule.Application, rule.Possible, "the GPU was never touched, although "+d.Libraries[0].Name+" was loaded"+d.unlisted())
	}
	return v(report.Unsure, "", rule.Possible, "nothing of CUDA was loaded, and no GPU was opened"+d.sought())
}

// fell is the verdict of a command that did without the GPU, or failed for want of it. What the linker
// missed is the cause; what the program said of it follows.
func (w *Watch) fell(d *Document, need *Missing, v report.Verdict) report.Verdict {
	d.FellBack = d.Worked()
	d.FellBackMillis = w.fellBack.Milliseconds()
	what := "failed"
	if d.FellBack {
		what = "fell back to the CPU"
	}
	if w.fellBack > 0 {
		what += fmt.Sprintf(" %.1f s after the start", w.fellBack.Seconds())
	}
	v.Status, v.Summary = report.Broken, what+": "+v.Summary
	if need == nil {
		return v
	}
	verb := "needs"
	if !need.Needed {
		verb = "opens"
	}
	v.Summary = fmt.Sprintf("%s: %s %s %s, which is not in %s", what, path.Base(need.By), verb, need.Name, directories(len(need.Searched)))
	v.Layer, v.Confidence, v.Finding = need.Layer, rule.Certain.String(), ""
	if f := about(d.Findings, need.Name); f != nil {
		v.Finding = f.ID
		i := slices.IndexFunc(d.Findings, func(x report.Finding) bool { return x.Summary == f.Summary })
		first := d.Findings[i] // several can have its ID: the first one is the verdict's
		d.Findings = slices.Insert(slices.Delete(d.Findings, i, i+1), 0, first)
	} else if f, ok := missed(need, w.Opts); ok { // the program said nothing of it
		d.Findings = append([]report.Finding{f}, d.Findings...)
		v.Finding = f.ID
	}
	return v
}

func directories(n int) string {
	if n == 1 {
		return "the one directory that was searched"
	}
	return fmt.Sprintf("any of the %d directories that were searched", n)
}

func gpuNodes(devices []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(devices), func(d string) bool { return !witness.IsGPU(d) }), ", ")
}

// libraries are the loaded ones of CUDA and the driver: as the linker said, and as they were mapped.
func libraries(base *kb.Base, rec *witness.Record) []Library {
	out := []Library{}
	add := func(name, file, by string) {
		c := base.Component(path.Base(name))
		if !c.Known {
			c = base.Component(path.Base(file))
		}
		if c.Known && !slices.ContainsFunc(out, func(l Library) bool { return l.Path == file }) {
			out = append(out, Library{path.Base(name), c.Value.Name, file, by})
		}
	}
	for _, l := range rec.Loads {
		add(l.Name, l.Path, l.By)
	}
	for _, m := range rec.Mapped {
		add(m, m, "")
	}
	for _, n := range silent(rec) {
		if !slices.ContainsFunc(out, func(l Library) bool { return l.Name == n.Name || l.Path == n.Real }) {
			add(n.Name, n.Found, n.By)
		}
	}
	return out
}

// missing are the names of CUDA that were looked for and that no other search found.
func missing(base *kb.Base, rec *witness.Record) []Missing {
	out := []Missing{}
	for _, m := range rec.Misses {
		c := base.Component(path.Base(m.Name))
		loaded := func(l lddebug.Load) bool { return path.Base(l.Name) == path.Base(m.Name) }
		if !c.Known || slices.ContainsFunc(rec.Loads, loaded) || slices.ContainsFunc(out, func(x Missing) bool { return x.Name == m.Name }) {
			continue
		}
		out = append(out, Missing{Name: m.Name, Component: c.Value.Name, Layer: rule.Layer(c.Value.Layer), By: m.By, Needed: !m.Opened, Searched: searched(m.Places), Source: fromLinker})
	}
	return append(out, unopened(base, rec, out)...)
}

// searched are the directories of places as a person would name them: what the
// linker looks for below each for other processors is left out.
func searched(places []string) []string {
	dirs := []string{}
	for _, p := range places {
		d := path.Dir(p)
		if i := strings.Index(d, "/glibc-hwcaps/"); i > 0 {
			d = d[:i]
		}
		for slices.Contains(forProcessors, path.Base(d)) {
			d = path.Dir(d)
		}
		if !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// forProcessors are the subdirectories that glibc looked into before 2.37, beside glibc-hwcaps.
var forProcessors = []string{"tls", "x86_64", "haswell", "avx512_1", "xeon_phi", "aarch64", "atomics"}

// command is what was run, without secrets.
func command(argv []string) []string {
	out := make([]string, len(argv))
	for i, a := range argv {
		out[i] = redact.Line(a)
	}
	return out
}
