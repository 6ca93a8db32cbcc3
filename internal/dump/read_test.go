package dump

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"strata/internal/transcript"
)

var update = flag.Bool("update", false, "write the records that the texts give, to be read through")

// sample is one text of testdata with the record that it must give.
type sample struct {
	name, text, want string
}

// samples are the texts NAME.txt of all archives in testdata, each with its NAME.want beside it.
func samples(t testing.TB) []sample {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata: %v", err)
	}
	var out []sample
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, f := range ar.Files {
			if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
				want[name] = string(f.Data)
			}
		}
		for _, f := range ar.Files {
			if name, ok := strings.CutSuffix(f.Name, ".txt"); ok {
				out = append(out, sample{filepath.Base(path) + "/" + name, string(f.Data), want[name]})
			}
		}
	}
	return out
}

// TestRead holds every text's record, all of it, so that a fact too many shows too.
func TestRead(t *testing.T) {
	if *update {
		rewrite(t)
	}
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			if s.want == "" {
				t.Fatalf("no record beside it; go test ./internal/dump -update writes one, to be read through")
			}
			if got := print(Read(transcript.Of(s.name, s.text))); got != s.want {
				t.Errorf("the record is\n%s\nwant\n%s", got, s.want)
			}
		})
	}
}

func rewrite(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out := &txtar.Archive{Comment: ar.Comment}
		for _, f := range ar.Files {
			if name, ok := strings.CutSuffix(f.Name, ".txt"); ok {
				want := print(Read(transcript.Of(path, string(f.Data))))
				out.Files = append(out.Files, f, txtar.File{Name: name + ".want", Data: []byte(want)})
			}
		}
		if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// print writes a record, one fact to a line.
func print(r *Record) string {
	var b strings.Builder
	for _, f := range fields(r) {
		if f.v.Known() {
			fmt.Fprintf(&b, "%s = %s\n", f.name, f.v.Text)
		}
	}
	for _, e := range r.Engines {
		fmt.Fprintf(&b, "engine %s: nvidia %v, default %q, CDI %v, %s\n", e.Name, e.NVIDIA, e.Default, e.CDI, e.CgroupDriver)
	}
	for _, g := range r.GPUs {
		fmt.Fprintf(&b, "gpu = %s", g.Name)
		if g.ComputeCapability != "" {
			fmt.Fprintf(&b, " · %s", g.ComputeCapability)
		}
		if g.MemoryMiB > 0 {
			fmt.Fprintf(&b, " · %d MiB", g.MemoryMiB)
		}
		b.WriteByte('\n')
	}
	for _, k := range slices.Sorted(maps.Keys(r.Frameworks)) {
		fmt.Fprintf(&b, "framework %s = %s\n", k, r.Frameworks[k].Text)
	}
	for _, k := range slices.Sorted(maps.Keys(r.FrameworkCUDA)) {
		fmt.Fprintf(&b, "built %s = %s\n", k, r.FrameworkCUDA[k].Text)
	}
	for _, v := range r.Variables {
		fmt.Fprintf(&b, "variable %s = %s\n", v.Name, v.Value)
	}
	for _, p := range r.Packages {
		if frameworks[p.Name] {
			continue
		}
		fmt.Fprintf(&b, "package %s = %s\n", p.Name, strings.TrimSpace(p.Version+" "+p.Build))
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}

type namedValue struct {
	name string
	v    Value
}

func fields(r *Record) []namedValue {
	return []namedValue{
		{"os", r.OS}, {"kernel", r.Kernel}, {"driver", r.Driver}, {"driver cuda", r.DriverCUDA}, {"module", r.Module}, {"flavor", r.ModuleFlavor},
		{"cuda runtime", r.CUDARuntime}, {"toolkit", r.Toolkit}, {"cudnn", r.CUDNN}, {"nccl", r.NCCL}, {"tensorrt", r.TensorRT}, {"python", r.Python},
		{"image", r.Image}, {"available", r.GPUAvailable}, {"glibc", r.Glibc}, {"gcc", r.GCC}, {"wsl", r.WSL}, {"windows", r.Windows},
		{"container", r.Container}, {"jetson", r.Jetson}, {"kubernetes", r.Kubernetes}, {"conda", r.Conda}, {"virtual", r.Virtual}, {"provider", r.Provider},
	}
}
