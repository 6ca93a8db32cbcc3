// Command bench measures `strata check` against two tools that people use
// today, in one run and on the same environments, and prints ratios.
//
//	go run ./internal/tools/bench [-n RUNS]
//
// It needs the root torch-cu12-ok (realroots/build torch-cu12-ok) and the
// network once, for env-doctor. The baselines are `python -m
// torch.utils.collect_env` and `env-doctor check`, each run for ONE of the five
// environments that Strata reads all of; that is in their favour.
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
	if err := run(*dir, *n); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(dir string, n int) error {
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
