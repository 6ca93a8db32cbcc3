package framework

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func python(t *testing.T, script string, env ...string) []byte {
	t.Helper()
	cmd := exec.Command("python3", "-B", "-c", script)
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal("the test needs python3:", err)
	}
	return out
}

// TestScripts holds that there is a script for each name, none besides, and that the interpreter reads them.
func TestScripts(t *testing.T) {
	files, err := scripts.ReadDir("scripts")
	if err != nil || len(files) != len(Names())+1 {
		t.Error(len(files), "scripts for", len(Names()), "frameworks", err)
	}
	for _, name := range Names() {
		script := Script(name)
		if !strings.HasPrefix(script, prelude) || len(script) == len(prelude) {
			t.Errorf("no script for %s", name)
		}
		python(t, "import os; compile(os.environ['SCRIPT'], 'script', 'exec')", "SCRIPT="+script)
		// The kernel takes no longer string into an environment (MAX_ARG_STRLEN, 128 KiB).
		if len(script) > 100<<10 {
			t.Errorf("the script for %s has %d bytes", name, len(script))
		}
	}
	if Script("nothing") != "" || Known("nothing") {
		t.Error("a framework that does not exist has a script")
	}
}

// TestNumbers holds that model and scripts have the same constants.
func TestNumbers(t *testing.T) {
	begin, end := strings.Index(prelude, "def numbers"), strings.Index(prelude, "def product")
	var got [2][]int
	out := python(t, prelude[begin:end]+"\nimport json; print(json.dumps([B, W]))")
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i, c := range []int{1, 0} {
		if !slices.Equal(got[i], onnxModel.constants[c].values) {
			t.Errorf("%s differs between the model and the scripts", onnxModel.constants[c].name)
		}
	}
	if !slices.Equal(onnxModel.constants[1].values, onnxModel.constants[2].values) {
		t.Error("the quantised product is another one than the product")
	}
}

func TestStartFails(t *testing.T) {
	runs := Climb(t.Context(), []Workload{{ID: "pytorch in /nowhere", Framework: "pytorch", Python: "/nowhere/python"}}, Options{})
	if len(runs) != 1 || !runs[0].Failed() || runs[0].Steps[0].Name != "start" || !strings.Contains(runs[0].Steps[0].Detail, "no such file") {
		t.Errorf("%+v", runs)
	}
}
