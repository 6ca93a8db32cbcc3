// Command runbench measures what `strata run` costs a program that it watches: PyTorch of the root torch-cu12-ok, which is imported and then
// multiplies matrices, alone and under `strata run`, in pairs that alternate which of the two comes first.
//
//	go run ./internal/tools/runbench [-pairs N] [-long 20s] [-short 3s]
//
// The work is fixed and not the time: how many products fill the time is found once, at the start. It takes root, for chroot, and leaves the
// root as it is. Wall time of a busy machine says little, so that processor time stands beside it: of strata's own process, as the kernel
// counts it when the process has ended, and of all processes together, in which what the dynamic linker writes is the command's own.
//
// Exit status 1 where the wall time is above 1.02 of that alone, both by the median of the pairs' ratios and by the fastest run of each kind, since
// other programs move the one or the other; or where strata's own process took more than 40 MB.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"strata/internal/loader/loadertest"
)

const (
	// maxRatio and maxPeak are what a watched program may cost: nobody leaves a watcher on that is felt.
	maxRatio = 1.02
	maxPeak  = 40 << 10 // KiB
	rootName = "torch-cu12-ok"
)

func main() {
	pairs := flag.Int("pairs", 5, "pairs of runs of each form")
	long := flag.Duration("long", 20*time.Second, "how long the long form works; 0 leaves it out")
	short := flag.Duration("short", 3*time.Second, "how long the short form works; 0 leaves it out")
	flag.Parse()
	if code, again, err := loadertest.Private(); again || err != nil {
		if err != nil {
			fmt.Fprintln(os.Stderr, "runbench:", err)
		}
		os.Exit(code)
	}
	if err := run(*pairs, *short, *long); err != nil {
		fmt.Fprintln(os.Stderr, "runbench:", err)
		os.Exit(1)
	}
}

func run(pairs int, forms ...time.Duration) error {
	root, err := prepare()
	if err != nil {
		return err
	}
	b := &bench{root: root}
	perSecond, err := b.calibrate()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %.0f products a second; %d pairs of each form, medians (least to most)\n\n", rootName, perSecond, pairs)
	fmt.Printf("%-6s %22s %8s %10s %10s %22s %15s %11s\n", "work", "wall, ratio", "fastest", "alone", "watched", "all processors' time", "strata's own", "its peak")
	var bad []error
	for _, form := range forms {
		if form <= 0 {
			continue
		}
		f, err := b.pairs(pairs, max(1, int(perSecond*form.Seconds())))
		if err != nil {
			return err
		}
		fmt.Printf("%-6s %22s %8.3f %8.2f s %8.2f s %22s %6.3f s %4.1f %% %8.1f MB\n", form, f.ratios(f.wall), f.fastest, f.alone.wall, f.watched.wall, f.ratios(f.cpu), f.watched.own, 100*f.watched.own/f.watched.wall, float64(f.watched.peak)/1024)
		if m := min(middle(f.wall), f.fastest); m > maxRatio {
			bad = append(bad, fmt.Errorf("the work of %s takes %.3f of its time alone, more than %.2f", form, m, maxRatio))
		}
		if f.watched.peak > maxPeak {
			bad = append(bad, fmt.Errorf("strata takes %d KiB, more than %d", f.watched.peak, maxPeak))
		}
	}
	return errors.Join(bad...)
}

// prepare builds the programs and furnishes the root.
func prepare() (string, error) {
	root, err := filepath.Abs(filepath.Join(".realroots", "roots", rootName))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(root, "opt/venv")); err != nil {
		return "", fmt.Errorf("the root %s is not built: run realroots/build %s", rootName, rootName)
	}
	if err := loadertest.Furnish(root); err != nil {
		return "", err
	}
	// What samples the GPU's utilisation is part of the cost, and lies beside strata.
	for _, name := range []string{"strata", "strata-probe"} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(root, "tmp", name), "./cmd/"+name)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	return root, nil
}

// figures are those of one form: the medians, and the ratios pair by pair.
type figures struct {
	alone, watched usage
	wall, cpu      []float64
	fastest        float64 // the fastest watched run by the fastest alone
}

func (f figures) ratios(list []float64) string {
	return fmt.Sprintf("%.3f (%.3f to %.3f)", middle(list), slices.Min(list), slices.Max(list))
}

// pairs runs the work alone and watched; which is first alternates, so that a drift of the machine's speed meets both.
func (b *bench) pairs(n, products int) (f figures, err error) {
	var all [2][]usage
	for i := range n {
		for _, watched := range []bool{i%2 == 1, i%2 == 0} {
			u, err := b.once(products, watched)
			if err != nil {
				return f, err
			}
			k := 0
			if watched {
				k = 1
			}
			all[k] = append(all[k], u)
		}
		a, w := all[0][i], all[1][i]
		f.wall, f.cpu = append(f.wall, w.wall/a.wall), append(f.cpu, w.cpu/a.cpu)
	}
	f.alone, f.watched = medians(all[0]), medians(all[1])
	quickest := func(list []usage) float64 {
		return slices.MinFunc(list, func(a, b usage) int { return cmp.Compare(a.wall, b.wall) }).wall
	}
	f.fastest = quickest(all[1]) / quickest(all[0])
	return f, nil
}

// medians are those of each figure by itself, but for the peak, which is the highest.
func medians(list []usage) (m usage) {
	of := func(get func(usage) float64) float64 {
		var v []float64
		for _, u := range list {
			v = append(v, get(u))
		}
		return middle(v)
	}
	m.wall, m.cpu, m.own = of(func(u usage) float64 { return u.wall }), of(func(u usage) float64 { return u.cpu }), of(func(u usage) float64 { return u.own })
	for _, u := range list {
		m.peak = max(m.peak, u.peak)
	}
	return m
}

func middle(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
