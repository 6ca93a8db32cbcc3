// Command loadtrace holds package recipe against the frameworks themselves: in
// each root that realroots/build made it imports the real framework, asks it for
// CUDA, reads what the linker says (LD_DEBUG) and compares that with the recipe.
//
//	loadtrace [-ci] [-v] [-keep DIR] [-setting NAME] [-packages DIR] [NAME…]
//
// Each root is looked at with several settings of LD_LIBRARY_PATH; see settings.
// It takes root, and leaves the roots as they are: all mounts are in a name space
// of its own. Exit status 1 where an answer differs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"strata/internal/lddebug"
	"strata/internal/loader"
	"strata/internal/loader/loadertest"
	"strata/internal/machine"
	"strata/internal/recipe"
)

func main() {
	ci := flag.Bool("ci", false, "only the cases that CI runs")
	verbose := flag.Bool("v", false, "print each library")
	keep := flag.String("keep", "", "keep what the linker said in `DIR`, and use what is there already")
	only := flag.String("setting", "", "only this setting of LD_LIBRARY_PATH")
	extra := flag.String("packages", "", "show the Python packages of `DIR` to each root, for frameworks that no root has, and look at those alone")
	flag.Parse()
	if code, again, err := loadertest.Private(); again || err != nil {
		if err != nil {
			fmt.Fprintln(os.Stderr, "loadtrace:", err)
		}
		os.Exit(code)
	}
	c := checker{keep: *keep, only: *only, extra: *extra, verbose: *verbose, built: cases(nil, *ci)}
	for _, name := range cases(flag.Args(), *ci) {
		if err := c.root(name); err != nil {
			fmt.Printf("FAIL  %-24s %v\n", name, err)
			c.failed++
		}
	}
	fmt.Printf("%d roots, %d runs, %d without a difference; %d libraries and %d missing names compared, %d differences, %d not run\n",
		c.roots, c.runs, c.same, c.libraries, c.misses, c.differences, c.failed)
	fmt.Printf("%d steps come after a GPU was found and were not compared; %d settings borrow from a root that -ci does not build and were left out\n", c.later, c.leftOut)
	if c.differences > 0 || c.failed > 0 || c.runs == 0 {
		os.Exit(1)
	}
}

type checker struct {
	keep, only, extra string
	verbose           bool
	built             []string // the roots that settings may borrow from

	roots, runs, same, libraries, misses, differences, failed, later, leftOut int
}

// timeout bounds one import. On a machine with nothing else to do, TensorFlow takes some 15 s.
const timeout = 5 * time.Minute

func (c *checker) root(name string) error {
	root, err := filepath.Abs(filepath.Join(".realroots", "roots", name))
	if err != nil {
		return err
	}
	if _, err := os.Stat(root); err != nil {
		return fmt.Errorf("the root is not built: run realroots/build %s", name)
	}
	if err := loadertest.Furnish(root, "nvidia0", "nvidiactl", "nvidia-uvm"); err != nil {
		return err
	}
	if c.extra != "" {
		if err := show(c.extra, filepath.Join(root, packages)); err != nil {
			return err
		}
	}
	m, closer, err := machine.OpenRoot(root)
	if err != nil {
		return err
	}
	defer closer.Close()
	programs := programsOf(m, c.extra != "")
	if len(programs) == 0 {
		fmt.Printf("none  %-24s has no framework with a recipe\n", name)
		return nil
	}
	linker, err := loader.New(m, loader.Options{CPU: loader.ReadCPU(machine.OpenHost())})
	if err != nil {
		return err
	}
	if linker.Machine != "x86_64" {
		fmt.Printf("none  %-24s is for %s and does not run here\n", name, linker.Machine)
		return nil
	}
	c.roots++
	for _, s := range settings(m, root) {
		if c.only != "" && s.name != c.only {
			continue
		}
		if s.from != "" && !slices.Contains(c.built, s.from) {
			c.leftOut++ // CI builds few roots
			continue
		}
		if s.make != nil {
			if err := s.make(); err != nil {
				return fmt.Errorf("setting %s: %w", s.name, err)
			}
		}
		// What a setting adds to the root was not there when a linker looked before.
		if linker, err = loader.New(m, loader.Options{CPU: loader.ReadCPU(machine.OpenHost())}); err != nil {
			return err
		}
		for _, p := range programs {
			if err := c.run(name, root, m, linker, s, p); err != nil {
				fmt.Printf("FAIL  %-24s %-8s %-18s %v\n", name, s.name, p.name, err)
				c.failed++
			}
		}
	}
	return nil
}

func (c *checker) run(name, root string, m *machine.Machine, linker *loader.Linker, s setting, p program) error {
	start := time.Now()
	out := recipe.Run(m, linker, loader.Environment{LibraryPath: s.path, Dir: "/"}, p.workload)
	took := time.Since(start)
	t, said, err := c.trace(name, root, m, s, p)
	if err != nil {
		return err
	}
	d := compare(t, out, p.forced)
	c.runs++
	c.libraries += d.libraries
	c.misses += d.misses
	c.differences += len(d.only)
	c.later += d.later
	word := "ok"
	if len(d.only) > 0 {
		word = "DIFF"
	} else {
		c.same++
	}
	first := "nothing missing"
	if d.first != "" {
		first = "first missing: " + d.first
	}
	fmt.Printf("%-5s %-24s %-8s %-18s %3d libraries %2d missing  %s (%d ms)\n", word, name, s.name, p.name, d.libraries, d.misses, first, took.Milliseconds())
	for _, o := range d.only {
		fmt.Printf("      %s\n", o)
	}
	if c.verbose {
		explain(out, said)
	}
	return nil
}

// trace runs the program, or reads what was kept of an earlier run.
func (c *checker) trace(name, root string, m *machine.Machine, s setting, p program) (*lddebug.Trace, string, error) {
	type kept struct {
		Trace *lddebug.Trace
		Said  string
	}
	file := filepath.Join(c.keep, name+"."+s.name+"."+p.name+".json")
	if c.keep != "" {
		if data, err := os.ReadFile(file); err == nil {
			var k kept
			if err := json.Unmarshal(data, &k); err == nil {
				return k.Trace, k.Said, nil
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	env := []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "PYTHONDONTWRITEBYTECODE=1"}
	if c.extra != "" {
		env = append(env, "PYTHONPATH="+packages)
	}
	if s.path != "" {
		env = append(env, "LD_LIBRARY_PATH="+s.path)
	}
	t, said, err := loadertest.Debug(ctx, m, root, []string{p.workload.Python, "-c", p.script}, env)
	if err != nil {
		return nil, said, err
	}
	if c.keep != "" {
		data, err := json.Marshal(kept{t, said})
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		if err != nil {
			return nil, said, err
		}
	}
	return t, said, nil
}

// explain prints a recipe step by step, and the end of what the program said.
func explain(out *recipe.Outcome, said string) {
	for _, r := range out.Results {
		word := "+"
		switch {
		case r.Failure != nil:
			word = "-"
		case len(r.Loaded) == 0:
			word = "="
		}
		if r.Later {
			word += " later"
		}
		fmt.Printf("        %s %s (%s) by %s: %s\n", word, r.Open, r.Need, filepath.Base(r.By.Path), r.Why)
		if r.Failure != nil {
			fmt.Printf("            %v\n", r.Failure)
		}
		for _, o := range r.Loaded {
			if recipe.IsCUDA(o.Path) {
				fmt.Printf("            %s => %s (%s)\n", o.Name, o.Path, o.Via)
			}
		}
	}
	if out.First != nil {
		fmt.Printf("        first: %v\n", out.First)
	}
	if out.Stopped != "" {
		fmt.Printf("        stopped: %s\n", out.Stopped)
	}
	if n := len(said); n > 0 {
		fmt.Printf("        said: %s\n", said[max(0, n-400):])
	}
}

// cases are the names in realroots/cases, sorted.
func cases(names []string, ci bool) []string {
	all, err := readCases()
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadtrace:", err)
		os.Exit(1)
	}
	var list []string
	for _, c := range all {
		if (len(names) == 0 || slices.Contains(names, c.Name)) && (!ci || c.CI) {
			list = append(list, c.Name)
		}
	}
	return list
}
