package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/rules"
	"strata/internal/triage"
)

type triageOptions struct {
	format, failOn, kb, workload string
	verbose, follow              bool
}

func newTriage(s Streams) *cobra.Command {
	var o triageOptions
	cmd := &cobra.Command{
		Use:   "triage [FILE… | -]",
		Short: "Name the first failing layer in a log, a traceback or a bug report",
		Long: `Triage reads text: a service's log, a traceback, a bug report with its
environment, dmesg, kubectl's words, or a mix of them, and names the first
failing layer, the lines that prove it, what merely follows, and a remedy. Where
the software stack is not at fault, it says so.

Several files are one report; a directory stands for the files in it; files in
gzip or zstd are unpacked, and a record of strata run is taken as what happened.
Without a file, or with "-", it reads standard input.

Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or
unreadable input.`,
		Example: `  strata triage server.log
  kubectl logs my-pod 2>&1 | strata triage
  strata triage report.txt dmesg.txt --format json
  journalctl -fu my-service | strata triage --follow`,
		RunE: func(_ *cobra.Command, args []string) error { return runTriage(s, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	f.StringVar(&o.failOn, "fail-on", "broken", "exit with 1 from this `severity` on: broken, at-risk or note")
	f.StringVar(&o.workload, "for", "", "keep to this `framework`: pytorch, onnxruntime, tensorflow, jax, cupy, …")
	f.BoolVar(&o.follow, "follow", false, "print each finding as it appears, for a pipe that does not end; with json, one finding a line")
	kbFlag(f, &o.kb)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show every finding and every source")
	return cmd
}

// memoryGoal makes the collector work harder before the heap comes near the 64 MiB
// that triage is allowed as a process, program text and stacks included.
const memoryGoal = 34 << 20

func runTriage(s Streams, o triageOptions, args []string) error {
	if err := (checkOptions{format: o.format, failOn: o.failOn}).validate(); err != nil {
		return err
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	scan := triage.New()
	opts := triage.Options{Workload: o.workload, Tool: tool, Base: base, Rules: rules.All()}
	// A report is read once and little of it is kept: a small one is judged before any garbage is collected.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(memoryGoal)
	scan.Ahead = &opts
	go triage.Warm()
	if o.follow {
		scan.Found = func(x *triage.Occurrence) { follow(s, scan, x, opts, o.format) }
	}
	name, inputs := "standard input", 1
	var ran records
	if len(args) == 0 || slices.Equal(args, []string{"-"}) {
		if f, ok := s.In.(*os.File); ok && xterm.IsTerminal(int(f.Fd())) {
			fmt.Fprintln(s.Err, "strata: reading standard input; paste the text and end it with Ctrl-D, or say strata triage FILE")
		}
		if err := ran.stream(scan, name, s.In, o.follow); err != nil {
			return err
		}
	} else {
		files, err := textFiles(args)
		if err != nil {
			return err
		}
		name = args[0]
		if len(args) > 1 {
			name = fmt.Sprintf("%s and %d more", args[0], len(args)-1)
		}
		inputs = len(files)
		for _, file := range files {
			if err := streamFile(scan, s, file, &ran, o.follow); err != nil {
				return err
			}
		}
	}
	if o.follow && o.format == "json" {
		return nil // each finding was a line already
	}
	doc := scan.Report(name, opts)
	ran.judge(doc, inputs, opts)
	if o.format == "json" {
		err = jsonout.Render(s.Out, doc)
	} else {
		err = term.RenderTriage(s.Out, doc, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Verbose: o.verbose, Title: "strata triage"})
	}
	if err != nil {
		return err
	}
	return status(doc, checkOptions{failOn: o.failOn})
}

// follow prints a finding as soon as it is there: a line for a person, or a line of JSON.
func follow(s Streams, scan *triage.Scan, x *triage.Occurrence, opts triage.Options, format string) {
	f, ok := scan.Say(x, opts)
	if !ok {
		return
	}
	if format == "json" {
		line, err := json.Marshal(f)
		if err == nil {
			fmt.Fprintf(s.Out, "%s\n", line)
		}
		return
	}
	fmt.Fprintf(s.Out, "line %d  %s  %s: %s\n", x.Line, f.ID, f.Layer.Name(), f.Summary)
}

func streamFile(scan *triage.Scan, s Streams, file string, ran *records, follow bool) error {
	if file == "-" {
		return ran.stream(scan, "standard input", s.In, follow)
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening %q: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	return ran.stream(scan, file, f, follow)
}

// maxFiles bounds a directory: what is meant is one that holds a few logs.
const maxFiles = 1000

// textFiles are the files that arguments stand for: a directory for the regular files below it.
func textFiles(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case a == "-":
			out = append(out, a)
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("opening %q: no such file; give the path of a log or report, or - for standard input", a)
		case err != nil:
			return nil, fmt.Errorf("opening %q: %w", a, errors.Unwrap(err))
		case !info.IsDir():
			out = append(out, a)
			continue
		}
		err = filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != a && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.Type().IsRegular():
				out = append(out, path)
			}
			if len(out) > maxFiles {
				return fmt.Errorf("%q holds more than %d files; name those to read", a, maxFiles)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading the directory %q: %w", a, err)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no file in %s; name a log or report", strings.Join(args, ", "))
	}
	return out, nil
}
