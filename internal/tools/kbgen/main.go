// Command kbgen fills the measured tables of the knowledge base from the Python
// package index and from the wheels themselves.
//
//	kbgen [-only pins|components|measure] [-package NAME] [-again] [-jobs N] [-tmp DIR] [FILE.whl…]
//
// It writes data/measured/{artefacts,libraries,pins}.csv and
// data/nvidia/cuda_components.csv, keeps the rows it has already (a published
// file never changes), and prints what could not be read. Files named on the
// command line are measured from disk. Strata itself never runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kbgen:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		only = flag.String("only", "", "do one `part`: pins, components or measure")
		name = flag.String("package", "", "only this `package` of the plan")
		anew = flag.Bool("again", false, "measure what the tables have already, too")
		jobs = flag.Int("jobs", 2, "wheels to measure at the same time; each takes up to 3 GB of disk")
		tmp  = flag.String("tmp", os.TempDir(), "`directory` for the wheel at hand")
		data = flag.String("data", filepath.Join("internal", "kb", "data"), "the knowledge base")
		url  = flag.String("index", "", "`address` of the package index; the one of pip if empty")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	g := &generator{data: *data, tmp: *tmp, jobs: *jobs, pkg: *name, again: *anew, today: time.Now().UTC().Format(time.DateOnly)}
	if flag.NArg() > 0 {
		return g.measureFiles(flag.Args())
	}
	if *url == "" {
		var err error
		if *url, err = pipIndex(); err != nil {
			return err
		}
	}
	g.index = newIndex(*url)
	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{{"components", g.components}, {"pins", g.pins}, {"measure", g.measure}} {
		if *only != "" && *only != part.name {
			continue
		}
		if err := part.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// generator holds what all parts share.
type generator struct {
	index     *index
	data, tmp string
	jobs      int
	pkg       string // only this package, "" for all
	again     bool   // known files too
	today     string // YYYY-MM-DD
}

// warn prints something that could not be read. The row is then missing, which the coverage page shows.
func warn(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "kbgen: "+format+"\n", args...)
}
