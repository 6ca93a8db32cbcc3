// Command realcheck runs `strata check` over the roots that realroots/build
// made of real parts and compares each verdict with what its case expects.
//
//	realcheck [-ci] [-v] [NAME…]
//
// Exit status 1 where one differs or a root is missing.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"strata/internal/cli"
	"strata/internal/report"
)

// Case is one realroots/cases/NAME.yaml, as far as the verdict goes.
type Case struct {
	Name    string            `yaml:"name"`
	What    string            `yaml:"what"`
	CI      bool              `yaml:"ci"`
	Assume  map[string]string `yaml:"assume"` // driver: 535.129.03
	Expect  map[string]string `yaml:"expect"` // distribution → ok, at-risk LAYER or LAYER
	Mention []string          `yaml:"mention"`
}

func main() {
	ci := flag.Bool("ci", false, "only the cases that CI runs")
	verbose := flag.Bool("v", false, "print the report of each root that differs")
	flag.Parse()
	good, bad := 0, 0
	for _, c := range load(flag.Args(), *ci) {
		problems, text := check(c)
		if len(problems) == 0 {
			good++
			fmt.Printf("ok    %-26s %s\n", c.Name, c.What)
			continue
		}
		bad++
		fmt.Printf("DIFF  %-26s %s\n", c.Name, c.What)
		for _, p := range problems {
			fmt.Printf("      %s\n", p)
		}
		if *verbose {
			fmt.Println(text)
		}
	}
	fmt.Printf("%d roots as expected, %d not\n", good, bad)
	if bad > 0 || good == 0 {
		os.Exit(1)
	}
}

func load(names []string, ci bool) []Case {
	files, err := filepath.Glob("realroots/cases/*.yaml")
	if err != nil || len(files) == 0 {
		fmt.Fprintln(os.Stderr, "realcheck: no cases found; run it in the root of the repository")
		os.Exit(1)
	}
	var cases []Case
	for _, f := range files {
		data, err := os.ReadFile(f)
		var c Case
		if err == nil {
			err = yaml.Unmarshal(data, &c)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "realcheck:", err)
			os.Exit(1)
		}
		if (len(names) == 0 || slices.Contains(names, c.Name)) && (!ci || c.CI) {
			cases = append(cases, c)
		}
	}
	return cases
}

// check runs the real command line on one root, as JSON and as text.
func check(c Case) (problems []string, text string) {
	root := filepath.Join(".realroots", "roots", c.Name)
	if _, err := os.Stat(root); err != nil {
		return []string{"the root is not built: run realroots/build " + c.Name}, ""
	}
	args := []string{"check", "--root", root}
	for _, key := range slices.Sorted(maps.Keys(c.Assume)) {
		args = append(args, "--assume", key+"="+c.Assume[key])
	}
	out, errs := run(append(args, "--format", "json")...)
	human, _ := run(args...)
	var doc report.Document
	if err := json.Unmarshal(out, &doc); err != nil {
		return []string{fmt.Sprintf("no report: %v %s", err, errs)}, ""
	}
	for _, dist := range slices.Sorted(maps.Keys(c.Expect)) {
		want := c.Expect[dist]
		// onnxruntime installed over onnxruntime-gpu is one workload under the name of the last writer.
		i := slices.IndexFunc(doc.Workloads, func(w report.Workload) bool { return w.Framework == dist || w.Name+"-gpu" == dist })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s: no such workload was found", dist))
			continue
		}
		v := doc.Workloads[i].Verdict
		got := string(v.Layer)
		switch v.Status {
		case report.OK, report.Unsure:
			got = string(v.Status)
		case report.AtRisk:
			got = "at-risk " + got
		}
		if got != want && string(v.Status) != want {
			problems = append(problems, fmt.Sprintf("%s: want %s, got %s %s: %s", dist, want, got, v.Finding, v.Summary))
		}
	}
	problems = append(problems, differences(root, c)...)
	said := told(doc)
	for _, m := range c.Mention {
		if !strings.Contains(said, m) {
			problems = append(problems, fmt.Sprintf("%q stands nowhere in what the user is told", m))
		}
	}
	return problems, string(human)
}

// told is the text of every finding: summary, cause and remedies.
func told(doc report.Document) string {
	var b strings.Builder
	for _, f := range doc.Findings {
		fmt.Fprintln(&b, f.Title, f.Summary, f.Cause)
		for _, r := range f.Remedies {
			fmt.Fprintln(&b, r.Summary)
			for _, c := range r.Commands {
				fmt.Fprintln(&b, c.Run)
			}
		}
	}
	return b.String()
}

func run(args ...string) (out []byte, errs string) {
	var stdout, stderr bytes.Buffer
	cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, args)
	return stdout.Bytes(), stderr.String()
}
