// Command probebench measures what probing the driver costs, on a fake driver
// that answers at once, and prints ratios to what it is held against:
//
//   - a bare child: the start of a program that does nothing;
//   - a program in C that asks the same two libraries for the same things in one
//     process, without limits, steps or protection against a crash.
//
// The driver itself takes seconds on a real machine; this is what Strata adds.
//
//	go run ./internal/tools/probebench [-n RUNS]
//
// It needs a C compiler. Exit status 1 where the driver rung takes more than 15 ms.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"strata/internal/probe"
)

//go:embed testdata/walk.c
var walk []byte

// most is what the whole driver rung may take on the fake.
const most = 15 * time.Millisecond

func main() {
	n := flag.Int("n", 100, "counted runs of each, in turn, after five to warm up")
	flag.Parse()
	if err := run(*n); err != nil {
		fmt.Fprintln(os.Stderr, "probebench:", err)
		os.Exit(1)
	}
}

func run(n int) error {
	dir, err := os.MkdirTemp("", "probebench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return err
	}
	env := append(os.Environ(), "LD_LIBRARY_PATH="+dir, "FAKE_DEVICES=2")
	command := func(name string, args ...string) func() error {
		return func() error {
			cmd := exec.Command(name, args...)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", name, err, out)
			}
			return nil
		}
	}
	climb := func(rungs ...probe.Rung) func() error {
		return func() error {
			path := filepath.Join(dir, probe.ProgramName)
			runs, err := probe.Ladder{Program: &probe.Program{Path: path, Found: path}, Rungs: rungs, Env: env}.Climb(context.Background())
			if err == nil && slices.ContainsFunc(runs, func(r probe.Run) bool { return r.Failed() }) {
				err = fmt.Errorf("a run failed: %+v", runs)
			}
			return err
		}
	}
	parts := []struct {
		name string
		do   func() error
		took []time.Duration
	}{
		{name: "a bare child: /bin/true", do: command("/bin/true")},
		{name: "a program in C, no protection", do: command(filepath.Join(dir, "walk"))},
		{name: "strata's driver rung: NVML and CUDA", do: climb(probe.Driver)},
		{name: "driver and compute rungs, 2 GPUs", do: climb(probe.Driver, probe.Compute)},
		{name: "strata probe --rung driver, whole command", do: command(filepath.Join(dir, "strata"), "probe", "--rung", "driver")},
	}
	for i := -5; i < n; i++ {
		for p := range parts {
			begin := time.Now()
			if err := parts[p].do(); err != nil {
				return err
			}
			if i >= 0 {
				parts[p].took = append(parts[p].took, time.Since(begin))
			}
		}
	}
	fmt.Printf("2 fake GPUs; %d runs of each in turn; milliseconds\n\n%-44s %8s %8s %8s %8s\n", n, "", "median", "least", "most", "ratio")
	median := func(p int) time.Duration {
		slices.Sort(parts[p].took)
		return parts[p].took[n/2]
	}
	base := median(0)
	for p := range parts {
		m := median(p)
		fmt.Printf("%-44s %8.2f %8.2f %8.2f %7.1fx\n", parts[p].name, ms(m), ms(parts[p].took[0]), ms(parts[p].took[n-1]), float64(m)/float64(base))
	}
	fmt.Printf("\nthe driver rung against the program in C: %.1fx\n", float64(median(2))/float64(median(1)))
	if m := median(2); m > most {
		return fmt.Errorf("the driver rung takes %.2f ms, more than %s", ms(m), most)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// build makes the programs and the fakes.
func build(dir string) error {
	src := filepath.Join("internal", "probe", "probetest", "testdata", "fakedriver")
	if err := os.WriteFile(filepath.Join(dir, "walk.c"), walk, 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"cc", "-shared", "-fPIC", "-O1", "-o", filepath.Join(dir, "libcuda.so.1"), filepath.Join(src, "cuda.c"), "-lm"},
		{"cc", "-shared", "-fPIC", "-O1", "-o", filepath.Join(dir, "libnvidia-ml.so.1"), filepath.Join(src, "nvml.c")},
		{"cc", "-O1", "-o", filepath.Join(dir, "walk"), filepath.Join(dir, "walk.c"), "-ldl"},
		{"go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, probe.ProgramName), "./cmd/strata-probe"},
		{"go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "strata"), "./cmd/strata"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	return nil
}
