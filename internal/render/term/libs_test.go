package term

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"strata/internal/coverage"
	"strata/internal/libs"
	"strata/internal/loader"
)

// TestLibsWidth has names of every length, and holds each line to the width of the terminal: only a word that is longer stands alone on
// its line.
func TestLibsWidth(t *testing.T) {
	for length := 4; length < 90; length += 3 {
		name := strings.Repeat("x", length)
		w := libs.Workload{ID: "pytorch in /opt/" + name, Framework: "pytorch", Status: libs.Broken, Summary: "pytorch does not start: " + name}
		for _, via := range []loader.Via{loader.ViaRPath, loader.ViaPath, loader.ViaCache} {
			w.Libraries = append(w.Libraries, libs.Library{
				Name: "lib" + name + ".so", Component: "x", Path: "/opt/" + name + "/lib.so", Version: "1.2.3", Via: via, By: "/opt/lib" + name,
				Hidden: []libs.Copy{{Path: "/usr/" + name, Via: loader.ViaDefault}, {Path: "/a"}, {Path: "/b"}, {Path: "/c"}},
			})
		}
		w.Missing = []libs.Missing{{Name: "lib" + name, By: "/opt/" + name, Need: "must", Reason: "file too short", Why: "it is opened", Searched: 12, Elsewhere: []libs.Copy{{Path: "/x/" + name}}}}
		w.Searches = []libs.Search{{Name: name, By: name, Steps: []libs.Step{
			{Via: loader.ViaRPath, From: name, Path: "/p/" + name, Why: "is for aarch64, not x86_64"}, {Via: loader.ViaCache, Path: "/q/" + name}, {Via: loader.ViaCache, Path: "/r/" + name}}}}
		d := &libs.Document{GPUs: []coverage.GPU{{Name: "NVIDIA L4", ComputeCapability: "8.9"}, {Name: "NVIDIA " + name, ComputeCapability: "9.0"}, {Name: "c", ComputeCapability: "12.0"}}, Driver: "570.1"}
		var code coverage.File
		code.Path = "/opt/" + name
		for i, s := range []coverage.Status{coverage.Native, coverage.DriverLacksGPU, coverage.JIT} {
			code.Verdicts = append(code.Verdicts, coverage.GPUResult{GPU: i, Status: s, JIT: 1200, Of: 4000, Sparse: s == coverage.JIT, Summary: "in words", Why: "because of " + name})
		}
		w.Code = []coverage.File{code, {Path: "/y", Error: "it is damaged"}}
		d.Workloads = []libs.Workload{w}
		var b bytes.Buffer
		if err := Libs(&b, d, Options{Width: 80, Title: "strata libs"}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimRight(line, "\n")
			words := strings.Fields(line)
			if len(words) > 1 && width(words[0]) == 1 { // a glyph
				words = words[1:]
			}
			if width(line) > 80 && len(words) > 1 {
				t.Errorf("names of %d characters: %d columns: %s", length, width(line), fmt.Sprintf("%q", line))
			}
		}
	}
}
