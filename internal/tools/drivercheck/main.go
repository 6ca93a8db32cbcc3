// Command drivercheck runs `strata probe` with NVIDIA's own libraries from the
// roots that realroots/build made, on a machine without a GPU, and checks what
// it says: the driver's libraries load and find no device, which is hardware and
// no fault of ours; CUDA's libraries load and tell their versions.
//
//	drivercheck [-v] [ROOT…]
//
// Exit status 1 where one differs, or where there is no root.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"strata/internal/probe"
	"strata/internal/proof"
)

func main() {
	verbose := flag.Bool("v", false, "print each report")
	flag.Parse()
	if err := run(flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "drivercheck:", err)
		os.Exit(1)
	}
}

func run(names []string, verbose bool) error {
	if gpus, _ := filepath.Glob("/proc/driver/nvidia/gpus/*"); len(gpus) > 0 {
		return errors.New("this machine has an NVIDIA GPU; the check is about machines without one")
	}
	bin, err := os.MkdirTemp("", "drivercheck-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	for _, name := range []string{"strata", probe.ProgramName} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(bin, name), "./cmd/"+name)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	good, bad := 0, 0
	for _, root := range roots(names) {
		d, text, err := root.probe(bin)
		var problems []string
		if err != nil {
			problems = []string{err.Error()}
		} else {
			problems = root.problems(d)
		}
		if len(problems) == 0 {
			good++
			fmt.Printf("ok    %-28s %s\n", root.name, versions(d))
		} else {
			bad++
			fmt.Printf("DIFF  %-28s %s\n", root.name, strings.Join(problems, "; "))
		}
		if verbose {
			fmt.Println(text)
		}
	}
	fmt.Printf("%d drivers and their libraries as expected, %d not\n", good, bad)
	if bad > 0 || good == 0 {
		return errors.New("not as expected")
	}
	return nil
}

func (r root) probe(bin string) (*proof.Document, string, error) {
	cmd := exec.Command(filepath.Join(bin, "strata"), "probe", "--all", "--rung", "driver,compute,libraries", "--timeout", "60s", "--format", "json")
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(r.libraries, ":"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// A finding beside the verdict, such as a CUDA 13 runtime on a driver of CUDA 12, makes the status 1.
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		return nil, out.String(), fmt.Errorf("strata probe: %w: %s", err, errs.String())
	}
	var d proof.Document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return nil, out.String(), fmt.Errorf("no report: %w", err)
	}
	return &d, out.String(), nil
}

// versions are what the libraries said of themselves.
func versions(d *proof.Document) string {
	var out []string
	for _, r := range d.Runs {
		if r.Part == "cuda" {
			out = append(out, filepath.Base(r.Steps[0].Values["path"]))
		}
		if v := version(r); v != "" {
			out = append(out, r.Part+" "+v)
		}
	}
	return strings.Join(out, " · ")
}

func version(r probe.Run) string {
	i := slices.IndexFunc(r.Steps, func(s probe.Step) bool { return s.Values["version"] != "" })
	if i < 0 {
		return ""
	}
	return r.Steps[i].Values["version"]
}
