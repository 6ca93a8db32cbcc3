package probe

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Ladder is what of NVIDIA's ladder is to be climbed, and how.
type Ladder struct {
	Program *Program
	// Rungs are those to climb; empty means all that strata-probe knows.
	Rungs []Rung
	// GPU keeps to one device: its number among those that CUDA shows, or its UUID. Empty means each.
	GPU string
	// All goes on behind a rung that failed.
	All bool
	// Args are further arguments of strata-probe, such as --libcuda.
	Args   []string
	Env    []string // nil for this process's
	Limit  time.Duration
	Memory int64
	Saw    func(Step)
}

// Rungs are those that strata-probe climbs, from the ground up.
func Rungs() []Rung { return []Rung{Driver, Compute, Libraries} }

// Climb starts a child for each part of each rung, so that a crash in one hides
// nothing of another, and ends behind the first rung that failed.
func (l Ladder) Climb(ctx context.Context) ([]Run, error) {
	if len(l.Rungs) == 0 {
		l.Rungs = Rungs()
	}
	if l.Env == nil {
		l.Env = os.Environ()
	}
	visible, err := l.Visible()
	if err != nil {
		return nil, err
	}
	l.Env = append(l.Env[:len(l.Env):len(l.Env)], visible...)
	var runs []Run
	for _, rung := range Rungs() {
		if !slices.Contains(l.Rungs, rung) || ctx.Err() != nil {
			continue
		}
		more, err := l.rung(ctx, rung, runs)
		runs = append(runs, more...)
		if err != nil {
			return runs, err
		}
		if !l.All && slices.ContainsFunc(more, func(r Run) bool { return r.Part != "nvml" && r.Failed() }) {
			break // without NVML there is less to tell, but CUDA works
		}
	}
	return runs, nil
}

// Visible are the variables that keep CUDA to the GPU that was asked for.
func (l Ladder) Visible() ([]string, error) {
	if l.GPU == "" {
		return nil, nil
	}
	const name = "CUDA_VISIBLE_DEVICES"
	gpu := l.GPU
	if n, err := strconv.Atoi(gpu); err == nil {
		env := l.Env
		if env == nil {
			env = os.Environ()
		}
		// A number means what CUDA would call so here: an entry of the list that is set already.
		for _, v := range env {
			list, ok := strings.CutPrefix(v, name+"=")
			if !ok {
				continue
			}
			entries := strings.Split(list, ",")
			if n < 0 || n >= len(entries) {
				return nil, fmt.Errorf("there is no GPU %d here: %s shows %d, counted from 0", n, v, len(entries))
			}
			gpu = strings.TrimSpace(entries[n])
		}
	}
	return []string{name + "=" + gpu}, nil
}

func (l Ladder) rung(ctx context.Context, rung Rung, before []Run) ([]Run, error) {
	switch rung {
	case Driver:
		return l.beside(ctx, rung, "nvml", "cuda")
	case Compute:
		var out []Run
		for i := range devices(before) {
			r, err := l.part(ctx, rung, "compute", &i)
			if err != nil {
				return out, err
			}
			out = append(out, r)
		}
		return out, nil
	}
	var out []Run
	for _, part := range libraryParts {
		r, err := l.part(ctx, rung, part, nil)
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

// libraryParts are the libraries of the third rung, those that others need first.
var libraryParts = []string{"cudart", "cublas", "cufft", "cudnn", "nccl"}

// devices is how many devices CUDA has shown; one where it was not asked or did not say.
func devices(runs []Run) int {
	for _, r := range runs {
		for _, s := range r.Steps {
			if n, err := strconv.Atoi(s.Values["count"]); err == nil && r.Part == "cuda" {
				return n
			}
		}
	}
	return 1
}

// beside runs parts at the same time.
func (l Ladder) beside(ctx context.Context, rung Rung, parts ...string) ([]Run, error) {
	runs, errs := make([]Run, len(parts)), make([]error, len(parts))
	var wg sync.WaitGroup
	var mu sync.Mutex
	if saw := l.Saw; saw != nil {
		l.Saw = func(s Step) { mu.Lock(); defer mu.Unlock(); saw(s) }
	}
	for i, part := range parts {
		wg.Go(func() { runs[i], errs[i] = l.part(ctx, rung, part, nil) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func (l Ladder) part(ctx context.Context, rung Rung, part string, device *int) (Run, error) {
	argv := append([]string{ProgramName}, l.Args...)
	if device != nil {
		argv = append(argv, "--device", strconv.Itoa(*device))
	}
	c := Child{
		Rung: rung, Part: part, Device: device, Path: l.Program.Path, Argv: append(argv, part),
		Env: l.Env, Limit: l.Limit, Memory: l.Memory, Saw: l.Saw,
	}
	r, err := c.Exec(ctx)
	if err == nil && r.End.Exit == exitUsage && len(r.Steps) == 0 {
		err = fmt.Errorf("%s is of another version than strata (%s): it says %q; build both from one source", ProgramName, l.Program.Found, r.End.Stderr)
	}
	return r, err
}

// exitUsage is strata-probe's status for a part or flag that it does not know.
const exitUsage = 3
