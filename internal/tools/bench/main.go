// Command bench measures Strata against what people use today for the same, in
// one run and on the same files, and prints ratios.
//
//	go run ./internal/tools/bench [-n RUNS] [check] [libs] [code] [linker]
//
// It needs the root torch-cu12-ok (realroots/build torch-cu12-ok), and takes
//
//   - check: `strata check` of five environments against `python -m
//     torch.utils.collect_env` and `env-doctor check`, each run for ONE of them,
//     which is in their favour. It needs the network once, for env-doctor;
//   - libs: `strata libs` of the environment against the dynamic linker's own
//     trace mode, as ldd runs it, for each file that the first lists;
//   - code: finding the GPU code of three libraries by their headers against reading them;
//   - linker: package loader for each ELF file of the root against the trace mode.
//
// libs and linker take root, for chroot.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	n := flag.Int("n", 5, "counted runs of each command, after one warm-up")
	dir := flag.String("dir", ".realroots", "where the roots are")
	flag.Parse()
	if err := run(*dir, *n, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type part struct {
	name string
	run  func(dir string, n int) error
}

// parts are what can be measured, in the order in which they are.
var parts = []part{{"check", checks}, {"libs", libraries}, {"code", codes}, {"linker", linkers}}

func run(dir string, n int, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
			return fmt.Errorf("unknown part %q; there are check, libs, code and linker", name)
		}
	}
	for _, p := range parts {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		if err := p.run(dir, n); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Println()
	}
	return nil
}

// checks measures strata check.
func checks(dir string, n int) error {
	b, err := prepare(dir)
	if err != nil {
		return err
	}
	fmt.Printf("%d environments, %d packages in all; %d runs of each command in turn after one warm-up; medians\n\n", envs, envs*packagesEach, n)
	strata := command{name: "strata check, 5 environments", argv: []string{b.strata, "check", "--root", b.root}}
	peers := []command{
		{name: "torch.utils.collect_env, 1 environment", argv: []string{b.python, "-m", "torch.utils.collect_env"}, env: b.pythonEnv},
		{name: "env-doctor check, 1 environment", argv: []string{b.python, "-m", "env_doctor.cli", "check"}, env: b.pythonEnv},
	}
	all := append([]command{strata}, peers...)
	results := measure(all, n)
	fmt.Printf("%-42s %10s %10s %8s\n", "", "wall", "peak", "ratio")
	for i, c := range all {
		r := results[i]
		ratio := ""
		if i > 0 {
			ratio = fmt.Sprintf("%.0f x", float64(r.wall)/float64(results[0].wall))
		}
		fmt.Printf("%-42s %7.1f ms %7.1f MB %8s\n", c.name, ms(r.wall), float64(r.peak)/1024, ratio)
	}
	fmt.Printf("\ngrowth, same packages in each environment\n%-14s %10s %10s %14s\n", "environments", "wall", "peak", "ms/environment")
	for _, k := range []int{1, 2, 5, 10, 20, 50} {
		root, err := b.scaled(k)
		if err != nil {
			return err
		}
		r := measure([]command{{argv: []string{b.strata, "check", "--root", root}}}, n)[0]
		fmt.Printf("%-14d %7.1f ms %7.1f MB %11.2f ms\n", k, ms(r.wall), float64(r.peak)/1024, ms(r.wall)/float64(k))
	}
	return nil
}

// medians runs each function once to warm up and then all in turn, n times, so that a drift of the machine's speed meets all of them. It
// returns the middle of the times that each took.
func medians(n int, list ...func() error) ([]time.Duration, error) {
	times, out := make([][]time.Duration, len(list)), make([]time.Duration, len(list))
	for round := range n + 1 {
		for i, f := range list {
			start := time.Now()
			if err := f(); err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], time.Since(start))
			}
		}
	}
	for i := range list {
		slices.Sort(times[i])
		out[i] = times[i][n/2]
	}
	return out, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

type command struct {
	name string
	argv []string
	env  []string
}

// result holds medians.
type result struct {
	wall time.Duration
	peak int64 // KiB, of the largest single process
}

// measure runs the commands in turn, A B C A B C, so that a drift of the
// machine's speed meets all of them.
func measure(commands []command, n int) []result {
	walls, peaks := make([][]time.Duration, len(commands)), make([][]int64, len(commands))
	for round := range n + 1 {
		for i, c := range commands {
			wall, peak, err := once(c)
			if err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s: %v\n", strings.Join(c.argv, " "), err)
			}
			if round > 0 {
				walls[i], peaks[i] = append(walls[i], wall), append(peaks[i], peak)
			}
		}
	}
	out := make([]result, len(commands))
	for i := range commands {
		slices.Sort(walls[i])
		slices.Sort(peaks[i])
		out[i] = result{walls[i][n/2], peaks[i][n/2]}
	}
	return out
}

func once(c command) (time.Duration, int64, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Env = append(os.Environ(), c.env...)
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return wall, 0, err
	}
	if _, exited := err.(*exec.ExitError); exited {
		err = nil // findings are no failure of the measurement
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if usage == nil {
		return wall, 0, err
	}
	return wall, usage.Maxrss, err
}

func abs(path string) string {
	p, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return p
}
