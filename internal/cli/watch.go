package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"strata/internal/kb"
	"strata/internal/outcome"
	"strata/internal/redact"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/rules"
	"strata/internal/triage"
	"strata/internal/witness"
)

type watchOptions struct {
	log, format, kb string
	limit, sample   time.Duration
}

func newWatch(s Streams) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch PID",
		Short: "Look at a running process: its CUDA libraries, its GPU",
		Long: `Watch looks at a running process and its children without stopping or tracing
them: which libraries of CUDA they have mapped, which GPU they have open, and,
with --log, what their log file says from now on. It ends with the process, with
--limit, or with Ctrl-C, and then says whether the GPU is used.

Exit status: 0; 2 where the process cannot be looked at.`,
		Example: `  strata watch 4711
  strata watch 4711 --log /var/log/server.log --limit 5m`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil || pid <= 0 {
				return fmt.Errorf("%q is no process; give its number, as ps shows it", args[0])
			}
			return runWatch(cmd.Context(), s, o, pid)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.log, "log", "", "also read this log `file` from its present end on")
	f.StringVar(&o.format, "format", "term", "`form` of the report: term or json")
	f.DurationVar(&o.limit, "limit", 0, "end after this `time`, such as 5m")
	sampleFlag(f, &o.sample)
	kbFlag(f, &o.kb)
	return cmd
}

func runWatch(ctx context.Context, s Streams, o watchOptions, pid int) error {
	if err := (checkOptions{format: o.format, failOn: "broken"}).validate(); err != nil {
		return err
	}
	if err := validSample(o.sample); err != nil {
		return err
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if o.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.limit)
		defer cancel()
	}
	say := func(line string) { fmt.Fprintf(s.Out, "%s  %s\n", time.Now().Format(time.TimeOnly), redact.Line(line)) }
	if o.format == "json" {
		say = func(string) {}
	}
	began := time.Now()
	watch := outcome.NewWatch(triage.Options{Tool: tool, Base: base, Rules: rules.All()}, say)
	read := make(chan error, 1)
	read <- nil
	if o.log != "" {
		f, err := os.Open(o.log)
		if err != nil {
			return fmt.Errorf("opening --log %q: %w", o.log, err)
		}
		defer f.Close()
		if _, err := f.Seek(0, io.SeekEnd); err != nil {
			return fmt.Errorf("reading --log %q from its end: %w", o.log, err)
		}
		<-read
		go func() { read <- watch.Scan.Stream(o.log, &growing{ctx: ctx, f: f}, true) }()
	}
	gpus := newSampling(watch, o.sample, "")
	gpus.started(pid)
	seen, ended, err := witness.Attach(ctx, pid, 0, func(x witness.Seen) { tell(base, say, x); gpus.saw(x) })
	gpus.stop()
	if err != nil {
		return err
	}
	stop()
	if err := <-read; err != nil {
		fmt.Fprintf(s.Err, "strata: %v\n", err)
	}
	doc := watch.Document(&witness.Record{Argv: []string{fmt.Sprintf("process %d", pid)}, Start: began, Wall: time.Since(began), Processes: seen})
	if ended {
		doc.Notes = append(doc.Notes, fmt.Sprintf("process %d has ended; its exit status is not for others to see", pid))
	}
	if o.format == "json" {
		return jsonout.Run(s.Out, doc)
	}
	return term.RenderRun(s.Out, doc, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Title: "strata watch"})
}

// tell says what is new where it belongs to CUDA or the driver.
func tell(base *kb.Base, say func(string), x witness.Seen) {
	if x.Kind == "opened" {
		say("has " + x.Path + " open")
		return
	}
	if base.Component(path.Base(x.Path)).Known {
		say("has mapped " + x.Path)
	}
}

// growing reads a file that is written to, until ctx ends.
type growing struct {
	ctx context.Context
	f   *os.File
}

// pollLog is the time between two looks at a log that has nothing new.
const pollLog = 200 * time.Millisecond

func (g *growing) Read(p []byte) (int, error) {
	for {
		n, err := g.f.Read(p)
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		select {
		case <-g.ctx.Done():
			return 0, io.EOF
		case <-time.After(pollLog):
		}
	}
}
