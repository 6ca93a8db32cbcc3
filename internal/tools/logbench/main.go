// Command logbench measures `strata triage` against ripgrep with the same
// literals on the same log, in one run, and prints ratios.
//
//	go run ./internal/tools/logbench [-n RUNS] [-dir DIR]
//
// It needs rg on PATH (Debian: apt-get install ripgrep) and 1.2 GB in -dir. The
// log is made up: ordinary lines of a training job and of a server, one in
// 200,000 with a failure that the catalogue knows. The first row is a report
// instead: what a machine's own commands say of it (texts of internal/dump's
// testdata), and the log behind. ripgrep only counts lines; Strata also matches
// its patterns, reads the facts and judges them. To be run at the repository's root.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"strata/internal/triage"
)

func main() {
	n := flag.Int("n", 5, "counted runs of each command, after one warm-up")
	dir := flag.String("dir", os.TempDir(), "where the logs are written, and removed from at the end")
	flag.Parse()
	if err := run(*dir, *n); err != nil {
		fmt.Fprintln(os.Stderr, "logbench:", err)
		os.Exit(1)
	}
}

// sizes are those of the logs in bytes; memory has to be the same for all.
var sizes = []int64{200 << 10, 10 << 20, 100 << 20, 1 << 30}

func run(dir string, n int) error {
	if _, err := exec.LookPath("rg"); err != nil {
		return fmt.Errorf("looking for rg, the baseline: %w; install ripgrep", err)
	}
	dir, err := os.MkdirTemp(dir, "logbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	strata := filepath.Join(dir, "strata")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", strata, "./cmd/strata").CombinedOutput(); err != nil {
		return fmt.Errorf("building strata: %w\n%s", err, out)
	}
	literals := filepath.Join(dir, "literals")
	list := triage.Literals()
	if err := os.WriteFile(literals, []byte(strings.Join(list, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	fmt.Printf("%d literals; %d runs of each command in turn after one warm-up; medians\n\n", len(list), n)
	fmt.Printf("%-10s %22s %22s %22s %8s\n", "log", "strata triage", "rg -c -i -F -f", "rg -c -F -f", "ratio")
	for i, size := range append([]int64{sizes[0]}, sizes...) {
		log, label, said := filepath.Join(dir, fmt.Sprint(size)+".log"), human(size), []byte(nil)
		if i == 0 {
			label = "report"
			if said, err = machine(); err != nil {
				return err
			}
		}
		if err := write(log, size, said); err != nil {
			return err
		}
		r := measure(n, []string{strata, "triage", "--format", "json", log}, []string{"rg", "-c", "-i", "-F", "-f", literals, log}, []string{"rg", "-c", "-F", "-f", literals, log})
		fmt.Printf("%-10s", label)
		for _, x := range r {
			fmt.Printf(" %9.1f ms %6.0f MB", float64(x.wall.Microseconds())/1000, float64(x.peak)/1024)
		}
		// The ratio is against the faster of the two ways to ask ripgrep.
		fmt.Printf(" %6.2f x\n", float64(min(r[1].wall, r[2].wall))/float64(r[0].wall))
		if err := os.Remove(log); err != nil {
			return err
		}
	}
	return nil
}

func human(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

type result struct {
	wall time.Duration
	peak int64 // KiB
}

// measure runs commands in turn, so that a drift of the machine's speed meets all of them.
func measure(n int, commands ...[]string) []result {
	walls, peaks := make([][]time.Duration, len(commands)), make([][]int64, len(commands))
	for round := range n + 1 {
		for i, argv := range commands {
			cmd := exec.Command(argv[0], argv[1:]...)
			start := time.Now()
			_ = cmd.Run() // 1 is the status of both for what they find or do not find
			wall := time.Since(start)
			usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if round > 0 && ok {
				walls[i], peaks[i] = append(walls[i], wall), append(peaks[i], usage.Maxrss)
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

var (
	words = strings.Fields(`the model layer epoch step loss learning rate batch samples seconds worker request GET POST /v1/completions 200 OK latency ms tokens
		throughput cache hit miss connection pool retry queue backend scheduler allocated tensor shape float16 checkpoint saved loading shard optimizer
		warmup iteration grad norm`)
	failures = []string{
		"libcublasLt.so.12: cannot open shared object file: No such file or directory",
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
		"NVRM: Xid (PCI:0000:65:00): 79, pid=1234, GPU has fallen off the bus.",
	}
)

// machine is what the commands of one machine say that a report is asked for.
func machine() (said []byte, err error) {
	for _, name := range []string{"collectenv-h100", "kernel-log", "dpkg", "container-cli", "vllm-log"} {
		text, err := os.ReadFile(filepath.Join("internal", "dump", "testdata", "healthy-"+name+".txt"))
		if err != nil {
			return nil, fmt.Errorf("reading a text for the report: %w; run logbench at the repository's root", err)
		}
		said = append(append(said, text...), '\n')
	}
	return said, nil
}

// write makes a log of a size behind a beginning, the same one each time.
func write(name string, size int64, beginning []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := w.Write(beginning); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(7, 7))
	for written, line := int64(len(beginning)), 0; written < size; line++ {
		message := failures[r.IntN(len(failures))]
		if line%200_000 != 700 {
			var b strings.Builder
			for range 6 + r.IntN(10) {
				b.WriteString(words[r.IntN(len(words))])
				b.WriteByte(' ')
			}
			message = b.String()
		}
		n, err := fmt.Fprintf(w, "2026-11-%02d %02d:%02d:%02d,%03d INFO [worker-%d] %s=%d %s\n",
			1+r.IntN(30), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1000), r.IntN(64), words[r.IntN(len(words))], r.IntN(100_000), message)
		if err != nil {
			return err
		}
		written += int64(n)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
