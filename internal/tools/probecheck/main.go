// Command probecheck holds the fourth rung of `strata probe` and `strata run` against real frameworks: in each root that realroots/build made it
// runs strata itself, which starts the root's own interpreter, and compares what happened with what `strata libs` had predicted from files.
//
//	probecheck [-ci] [-v] [-part probe|run|server|settings] [NAME…]
//
// There is no GPU here, and none in the roots: what a framework can show is that it starts, computes rightly on the CPU, and which library it
// misses when it is asked for CUDA. The part settings takes the libraries of some roots away in several ways (none, of another major release, no cuDNN,
// one missing) and wants strata libs and strata run to name the same one first. It takes root, and leaves the roots as they are: all mounts are in
// a name space of its own. Exit status 1 where an answer differs.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"strata/internal/loader/loadertest"
)

func main() {
	ci := flag.Bool("ci", false, "only the cases that CI runs")
	verbose := flag.Bool("v", false, "print what strata said")
	part := flag.String("part", "", "only this `part`: probe, run, server or settings")
	flag.Parse()
	if code, again, err := loadertest.Private(); again || err != nil {
		if err != nil {
			fmt.Fprintln(os.Stderr, "probecheck:", err)
		}
		os.Exit(code)
	}
	c := &checker{verbose: *verbose, ci: *ci}
	cases, err := load(flag.Args(), *ci)
	if err == nil {
		err = c.build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probecheck:", err)
		os.Exit(1)
	}
	for _, t := range cases {
		if err := c.root(t, *part); err != nil {
			c.report(t.Name, "", []string{err.Error()})
		}
	}
	os.RemoveAll(c.dir)
	fmt.Printf("%d answers as expected, %d not\n", c.good, c.bad)
	if c.bad > 0 || c.good == 0 {
		os.Exit(1)
	}
}

// testCase is one realroots/cases/NAME.yaml, as far as it matters here.
type testCase struct {
	Name string `yaml:"name"`
	CI   bool   `yaml:"ci"`
	Arch string `yaml:"arch"`
	// Environment are the variables of the root's /etc/environment.
	Environment map[string]string `yaml:"environment"`
}

// crashes are the roots whose framework ends with a fatal signal when it looks for a GPU: a plugin of another version than jaxlib.
var crashes = []string{"jax-plugin-mismatch"}

type checker struct {
	verbose, ci bool
	dir         string // of the program
	good, bad   int
	furnished   map[string]bool
}

// build makes the program that is run in the roots, without a C library's help.
func (c *checker) build() (err error) {
	if c.dir, err = os.MkdirTemp("", "probecheck-"); err != nil {
		return err
	}
	c.furnished = map[string]bool{}
	cmd := exec.Command("go", "build", "-o", filepath.Join(c.dir, "strata"), "./cmd/strata")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building strata: %w\n%s", err, out)
	}
	return nil
}

func (c *checker) root(t testCase, part string) error {
	root, err := filepath.Abs(filepath.Join(".realroots", "roots", t.Name))
	if err != nil {
		return err
	}
	if _, err := os.Stat(root); err != nil {
		return fmt.Errorf("the root is not built: run realroots/build %s", t.Name)
	}
	if t.Arch != "" && t.Arch != "x86_64" {
		return nil // it does not run here
	}
	r, err := c.furnish(t, root)
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		do   func(*furnished) error
	}{{"probe", c.probe}, {"run", c.run}, {"server", c.server}, {"settings", c.settings}} {
		if part != "" && part != p.name {
			continue
		}
		if err := p.do(r); err != nil {
			return err
		}
	}
	if t.Name != "ort-cu12-ok" {
		return nil
	}
	// The same once more without one library that another one needs.
	var m mounts
	defer m.undo()
	if err := m.take(filepath.Join(r.root, packages), "cublas/lib/libcublasLt.so.12"); err != nil {
		return err
	}
	r.Name += "-cublasLt"
	if part == "" || part == "probe" {
		if err := c.probe(r); err != nil {
			return err
		}
	}
	if part == "" || part == "server" {
		return c.server(r)
	}
	return nil
}

// report counts and prints one comparison.
func (c *checker) report(name, what string, problems []string) {
	if len(problems) == 0 {
		c.good++
		fmt.Printf("ok    %-24s %s\n", name, what)
		return
	}
	c.bad++
	fmt.Printf("DIFF  %-24s %s\n", name, what)
	for _, p := range problems {
		fmt.Printf("      %s\n", p)
	}
}

func load(names []string, ci bool) (list []testCase, err error) {
	files, err := filepath.Glob("realroots/cases/*.yaml")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no cases found; run it in the root of the repository")
	}
	for _, f := range files {
		var t testCase
		data, err := os.ReadFile(f)
		if err == nil {
			err = yaml.Unmarshal(data, &t)
		}
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", f, err)
		}
		if (len(names) == 0 || slices.Contains(names, t.Name)) && (!ci || t.CI) {
			list = append(list, t)
		}
	}
	return list, nil
}
