// Command gpucheck tries Strata on a machine with an NVIDIA GPU: what must work there, and what must be named where it is broken on purpose. What it
// expects was written before any GPU was seen.
//
//	go run ./internal/tools/gpucheck prepare [-dir bin/gpu]
//	bin/gpu/gpucheck run [-out DIR] [-limit 8m] [-only STEP,…] [-index=false]
//
// prepare builds all that is needed into one folder, which is then carried to the machine: run needs neither Go nor the network. Frameworks are
// those that the machine has; ONNX Runtime with CUDA is also asked of the package index where that answers. What cannot be tried is skipped and
// says why, and is never counted as passed.
//
// run leaves two files: table.txt, and results.txtar with every command's status, output and report, without UUIDs, serial numbers and the names of
// hosts and users, so that it can be committed as test data. Exit status 1 where a step failed, 3 where none passed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	code := 0
	switch {
	case len(os.Args) > 1 && os.Args[1] == "prepare":
		f := flag.NewFlagSet("prepare", flag.ExitOnError)
		dir := f.String("dir", "bin/gpu", "the `folder` to build into")
		_ = f.Parse(os.Args[2:])
		err = prepare(*dir)
	case len(os.Args) > 1 && os.Args[1] == "run":
		f := flag.NewFlagSet("run", flag.ExitOnError)
		out := f.String("out", "gpu-results", "the `folder` for the results")
		limit := f.Duration("limit", 8*time.Minute, "what is not begun by then is skipped")
		only := f.String("only", "", "only these `steps`, with commas")
		index := f.Bool("index", true, "ask the package index for what is missing")
		_ = f.Parse(os.Args[2:])
		var self string
		if self, err = os.Executable(); err == nil {
			code, err = run(ctx, filepath.Dir(self), *out, *limit, *only, *index)
		}
	default:
		err = fmt.Errorf("say prepare or run")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gpucheck:", err)
		code = 2
	}
	stop()
	os.Exit(code)
}

// result is one line of the table.
type result struct {
	name, want, got string
	state           string // passed, failed, skipped
	why             string
}

func run(ctx context.Context, dir, out string, limit time.Duration, only string, index bool) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s, err := open(ctx, dir, out, index)
	if err != nil {
		return 2, err
	}
	defer s.close()
	began := time.Now()
	for _, st := range steps() {
		if only != "" && !strings.Contains(","+only+",", ","+st.name+",") {
			continue
		}
		r := result{name: st.name, want: st.want}
		why := ""
		if ctx.Err() == nil && st.needs != nil {
			why = st.needs(s)
		}
		switch {
		case ctx.Err() != nil:
			r.state, r.why = "skipped", "no time is left"
		case why != "":
			r.state, r.why = "skipped", why
		default:
			bounded, cancel := context.WithTimeout(ctx, st.limit())
			s.step, s.seen = st.name, 0
			got, problem := st.do(bounded, s)
			if problem == "" && bounded.Err() != nil {
				problem = "it did not end in time"
			}
			cancel()
			r.got, r.state, r.why = got, "passed", problem
			if problem != "" {
				r.state = "failed"
			}
		}
		s.results = append(s.results, r)
		fmt.Printf("%6.1f s  %-7s  %s\n", time.Since(began).Seconds(), r.state, r.name)
	}
	text, passed, failed := table(s.results)
	fmt.Print("\n", text)
	if err := s.write(text); err != nil {
		return 2, err
	}
	switch {
	case failed > 0:
		return 1, nil
	case passed == 0:
		return 3, nil
	}
	return 0, nil
}

func table(results []result) (text string, passed, failed int) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %-24s %-32s %-7s %s\n", "step", "expected", "got", "", "why")
	for _, r := range results {
		fmt.Fprintf(&b, "%-22s %-24s %-32s %-7s %s\n", r.name, r.want, r.got, r.state, redacted(r.why))
		switch r.state {
		case "passed":
			passed++
		case "failed":
			failed++
		}
	}
	fmt.Fprintf(&b, "%d passed, %d failed, %d skipped\n", passed, failed, len(results)-passed-failed)
	return b.String(), passed, failed
}
