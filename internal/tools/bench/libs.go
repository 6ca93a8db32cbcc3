package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"strata/internal/elfx"
	"strata/internal/libs"
	"strata/internal/loader"
	"strata/internal/machine"
)

// libraries measures strata libs for the one environment of the root, with all that the command reads besides, against ldd for every file
// that it lists, and against the linker's trace mode alone, which is what ldd's shell runs. ldd is this machine's and is given the files
// from outside, since the root has no shell.
func libraries(dir string, n int) error {
	root, err := torchRoot(dir)
	if err != nil {
		return err
	}
	strata, err := program(abs(filepath.Join(dir, "bench")))
	if err != nil {
		return err
	}
	argv := []string{"libs", "--root", root, "--workload", "pytorch", "-v", "--format", "json"}
	out, err := exec.Command(strata, argv...).Output()
	if err != nil {
		return fmt.Errorf("running strata libs: %w", err)
	}
	var d libs.Document
	if err := json.Unmarshal(out, &d); err != nil {
		return fmt.Errorf("reading what strata libs says: %w", err)
	}
	if len(d.Workloads) != 1 || len(d.Workloads[0].Libraries) < 20 {
		return fmt.Errorf("strata libs does not list the libraries of PyTorch: %d workloads", len(d.Workloads))
	}
	var files []string
	for _, l := range d.Workloads[0].Libraries {
		files = append(files, l.Path)
	}
	traced := func() error { return trace(root, d.Linker.Path, files) }
	ours := func() error { return exec.Command(strata, argv...).Run() }
	ldd := func() error {
		for _, f := range files {
			var exit *exec.ExitError
			if err := exec.Command("ldd", filepath.Join(root, f)).Run(); err != nil && !errors.As(err, &exit) {
				return fmt.Errorf("running ldd: %w", err)
			}
		}
		return nil
	}
	times, err := medians(n, ours, ldd, traced)
	if err != nil {
		return err
	}
	fmt.Printf("libraries of PyTorch in torch-cu12-ok, %d files; %d runs in turn after one warm-up; medians\n", len(files), n)
	fmt.Printf("%-60s %7.1f ms\n", "strata libs", ms(times[0]))
	for i, name := range []string{"ldd for each file", "the linker's trace mode for each file, without ldd's shell"} {
		fmt.Printf("%-60s %7.1f ms %8.1f x\n", name, ms(times[i+1]), float64(times[i+1])/float64(times[0]))
	}
	return nil
}

// trace has the linker of a root list what each file loads. It takes the right to chroot. What is missing is no failure.
func trace(root, linker string, files []string) error {
	for _, f := range files {
		cmd := exec.Command(linker, f)
		cmd.Dir = "/"
		cmd.Env = []string{"LD_TRACE_LOADED_OBJECTS=1"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			return fmt.Errorf("asking the linker of %q about %q: %w", root, f, err)
		}
	}
	return nil
}

// linkers measures package loader over every ELF file of the root: from nothing, as one command does it, and again with what it has read,
// against the linker's trace mode.
func linkers(dir string, n int) error {
	root, err := torchRoot(dir)
	if err != nil {
		return err
	}
	opts := loader.Options{CPU: loader.ReadCPU(machine.OpenHost())}
	var files []string
	var linker *loader.Linker
	fresh := func() error {
		m, c, err := machine.OpenRoot(root)
		if err != nil {
			return err
		}
		defer c.Close()
		if linker, err = loader.New(m, opts); err != nil {
			return err
		}
		return follow(linker, files)
	}
	if err := fresh(); err != nil {
		return err
	}
	if files, err = loadable(root, linker); err != nil {
		return err
	}
	m, c, err := machine.OpenRoot(root)
	if err != nil {
		return err
	}
	defer c.Close()
	known, err := loader.New(m, opts)
	if err != nil {
		return err
	}
	times, err := medians(n, fresh, func() error { return follow(known, files) }, func() error { return trace(root, known.Path, files) })
	if err != nil {
		return err
	}
	cold, warm, traced := times[0], times[1], times[2]
	each := func(d time.Duration) float64 { return ms(d) / float64(len(files)) }
	fmt.Printf("what a file loads, each of the %d ELF files of torch-cu12-ok; medians of %d runs, page cache warm\n", len(files), n)
	fmt.Printf("%-56s %10.3f ms/file\n", "package loader, nothing read before", each(cold))
	fmt.Printf("%-56s %10.3f ms/file\n", "package loader, every file read before", each(warm))
	fmt.Printf("%-56s %10.3f ms/file %8.1f x, %.1f x\n", "the linker's trace mode", each(traced), float64(traced)/float64(cold), float64(traced)/float64(warm))
	return nil
}

func follow(l *loader.Linker, files []string) error {
	for _, f := range files {
		if p := l.Start(f, loader.Environment{Dir: "/"}); len(p.Objects) == 0 {
			return fmt.Errorf("following %q: %v", f, p.Failures)
		}
	}
	return nil
}

// loadable are the ELF files of a root that its linker loads.
func loadable(root string, l *loader.Linker) (list []string, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		e, err := elfx.Read(f, info.Size())
		if err != nil || e.Static || e.DebugOnly || e.Machine != l.Machine || e.Class != l.Class || e.Type != "dyn" && e.Type != "exec" {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		list = append(list, "/"+rel)
		return err
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no ELF file below %q", root)
	}
	return list, err
}
