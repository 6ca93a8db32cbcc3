package recipe_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/recipe"
)

var update = flag.Bool("update", false, "write what the recipes say into the machines' want sections")

// site is where the machines of testdata have their packages.
const site = "/opt/venv/lib/python3.11/site-packages"

// TestMachines follows recipes on whole machines. Those without a want section are parts of others.
func TestMachines(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d machines, %v", len(files), err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, want, ok := strings.Cut(string(text), "-- want --\n")
		if !ok {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			w, got := follow(t, filepath.Base(file))
			seen[w.Framework] = true
			if *update {
				if err := os.WriteFile(file, []byte(head+"-- want --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got)", d)
			}
		})
	}
	for _, f := range []string{"pytorch", "onnxruntime", "tensorflow", "jax", "cupy", "ctranslate2", "faster-whisper", "paddle", "bitsandbytes", "vllm", "flash-attn", "ollama"} {
		if !recipe.Known(f) || !seen[f] && f != "ctranslate2" {
			t.Errorf("%s: has a recipe: %v, a machine: %v", f, recipe.Known(f), seen[f])
		}
	}
}

// follow reads a machine and what its assume section says of the workload, and tells what the recipe does.
func follow(t *testing.T, name string) (w recipe.Workload, told string) {
	a, err := machine.OpenArchive(os.DirFS("testdata"), name)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var env loader.Environment
	w = recipe.Workload{Python: "/opt/venv/bin/python3", Site: []string{site}, Packages: map[string]string{}}
	for _, line := range a.Assumptions() {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "framework":
			w.Framework = value
		case "program":
			w.Program, w.Python = value, ""
		case "directory":
			w.Directories = append(w.Directories, value)
		case "site":
			w.Site = append(w.Site, value)
		case "preload":
			w.Preload = true
		case "tensorrt":
			w.TensorRT = true
		case "package":
			dist, v, _ := strings.Cut(value, " ")
			w.Packages[dist] = v
		case "LD_LIBRARY_PATH":
			env.LibraryPath = value
		default:
			t.Fatalf("assume: %q is not known", line)
		}
	}
	linker, err := loader.New(a.Machine, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w, tell(recipe.Run(a.Machine, linker, env, w))
}

// tell writes an outcome as the want sections do: one line a step, + for what came in, = for what was there, - for what failed, and below it
// the libraries that came with it.
func tell(out *recipe.Outcome) string {
	var b strings.Builder
	for _, r := range out.Results {
		mark, more := "+", ""
		switch {
		case r.Failure != nil:
			mark, more = "-", ": "+short(r.Failure.Error())
		case len(r.Loaded) == 0:
			mark = "="
		}
		later := ""
		if r.Later {
			later = " later"
		}
		fmt.Fprintf(&b, "%s %s%s %s by %s%s\n", mark, r.Need, later, short(r.Open), path.Base(r.By.Path), more)
		for _, o := range r.Loaded {
			if o.Path != r.Open {
				fmt.Fprintf(&b, "    %s => %s (%s)\n", o.Name, short(o.Path), o.Via)
			}
		}
	}
	if out.First != nil {
		fmt.Fprintf(&b, "first: %s\n", short(out.First.Error()))
	}
	if out.Stopped != "" {
		fmt.Fprintf(&b, "stopped: %s\n", out.Stopped)
	}
	return b.String()
}

func short(s string) string { return strings.ReplaceAll(s, site, "SITE") }
