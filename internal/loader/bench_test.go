package loader_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"strata/internal/loader"
	"strata/internal/machine"
)

// programs are up to 200 of this machine's, in the order of their names.
func programs(b *testing.B, linker *loader.Linker) (list []string) {
	b.Helper()
	all, err := filepath.Glob("/usr/bin/*")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range all {
		if s := linker.Start(p, loader.Environment{Dir: "/"}); len(s.Failures) == 0 && len(s.Objects) > 1 && len(list) < 200 {
			list = append(list, p)
		}
	}
	if len(list) < 20 {
		b.Skipf("%d programs on this machine", len(list))
	}
	return list
}

// BenchmarkStart follows the linker for each program. The budget is 0.5 ms a file, of which the first of a run reads each library;
// BenchmarkTrace is what the linker itself takes.
func BenchmarkStart(b *testing.B) {
	host := machine.OpenHost()
	opts := loader.Options{CPU: loader.ReadCPU(host)}
	linker, err := loader.New(host, opts)
	if err != nil {
		b.Fatal(err)
	}
	list := programs(b, linker)
	for b.Loop() {
		l, err := loader.New(machine.OpenHost(), opts) // remembers nothing
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range list {
			l.Start(p, loader.Environment{Dir: "/"})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(list)), "µs/file")
}

// BenchmarkTrace has the linker list the same programs' libraries, as ldd does, without ldd's shell.
func BenchmarkTrace(b *testing.B) {
	linker, err := loader.New(machine.OpenHost(), loader.Options{})
	if err != nil {
		b.Fatal(err)
	}
	list := programs(b, linker)
	for b.Loop() {
		for _, p := range list {
			cmd := exec.Command(linker.Path, p)
			cmd.Env = []string{"LD_TRACE_LOADED_OBJECTS=1"}
			if err := cmd.Run(); err != nil {
				b.Fatalf("%s: %v", p, err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(list)), "µs/file")
}
