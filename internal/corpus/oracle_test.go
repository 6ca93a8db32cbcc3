package corpus

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/plan"
	"strata/internal/report"
	"strata/internal/rules"
	"strata/internal/version"
)

// gpuPart and driverPart are parts of internal/machine/base, read here without
// the collectors.
type gpuPart struct {
	part string
	kb.GPU
	arch kb.Architecture
}

type driverPart struct {
	part    string
	version version.Driver
	open    bool
}

// oracle weighs a build of PyTorch on one GPU with one driver by the tables
// alone, from the ground up.
func oracle(g gpuPart, d driverPart, b kb.TorchBuild) expected {
	base := kb.Default()
	branch := d.version.Branch()
	switch {
	case branch >= g.arch.FirstBranch && d.open && g.GPU.OpenModule == kb.OpenUnsupported,
		branch >= g.arch.FirstBranch && !d.open && g.GPU.OpenModule == kb.OpenRequired:
		return expected{status: "broken", layer: "kernel_module"}
	case branch < g.arch.FirstBranch, g.arch.LastBranch > 0 && branch > g.arch.LastBranch:
		return expected{status: "broken", layer: "driver"}
	case b.Variant == "cpu":
		return expected{status: "broken", layer: "framework_build"}
	}
	floor := base.MinDriverForMajor(b.CUDA.Major())
	if b.CUDA.Major() < 11 {
		floor = base.MinDriverFor(b.CUDA)
	}
	if d.version.Less(floor.Value.Linux) {
		return expected{status: "broken", layer: "driver"}
	}
	cc := g.GPU.ComputeCapability
	if slices.ContainsFunc(b.Archs.List, func(a version.ComputeCapability) bool { return cubinRuns(a.String(), cc) }) {
		return expected{status: "ok"}
	}
	if !slices.ContainsFunc(b.PTX.List, func(a version.ComputeCapability) bool { return a.Compare(cc) <= 0 }) {
		return expected{status: "broken", layer: "gpu_arch"}
	}
	if base.PTXForDriver(d.version).Value.Less(base.PTXForCUDA(b.CUDA).Value) {
		return expected{status: "broken", layer: "cuda_runtime"}
	}
	return expected{status: "ok"}
}

// cubinRuns is the rule for machine code: the same major, at most the same
// minor; sm_90a only on 9.0 itself.
func cubinRuns(target string, cc version.ComputeCapability) bool {
	plain := strings.TrimRight(target, "af")
	var major, minor, ccMajor, ccMinor int
	if _, err := fmt.Sscanf(plain, "%d.%d", &major, &minor); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(cc.String(), "%d.%d", &ccMajor, &ccMinor); err != nil {
		return false
	}
	if strings.HasSuffix(target, "a") {
		return major == ccMajor && minor == ccMinor
	}
	return major == ccMajor && minor <= ccMinor
}

// torchMachine is a machine as text: one GPU, one driver, one environment for
// each build, in which nothing but the code and the CUDA runtime is of interest.
func torchMachine(g gpuPart, d driverPart, builds ...kb.TorchBuild) string {
	var files, elf, links strings.Builder
	for i, b := range builds {
		site := place(i) + "/lib/python3.11/site-packages"
		label := b.Version.String() + "+" + b.Variant
		fmt.Fprintf(&files, "-- rootfs%s/pyvenv.cfg --\nhome = /usr/bin\nversion = 3.11.9\n", place(i))
		fmt.Fprintf(&files, "-- rootfs%s/torch-%s.dist-info/METADATA --\nMetadata-Version: 2.1\nName: torch\nVersion: %[2]s\n", site, label)
		fmt.Fprintf(&files, "-- rootfs%s/torch-%s.dist-info/WHEEL --\nWheel-Version: 1.0\nTag: cp311-cp311-linux_x86_64\n", site, label)
		fmt.Fprintf(&links, "%s/bin/python -> /usr/bin/python3.11\n", place(i))
		lib := site + "/torch/lib"
		if b.Variant == "cpu" {
			fmt.Fprintf(&files, "-- rootfs%s/torch/version.py --\n__version__ = '%s'\ncuda = None\nhip = None\n", site, label)
			fmt.Fprintf(&elf, "%s/libtorch_cpu.so soname=libtorch_cpu.so\n", lib)
			continue
		}
		fmt.Fprintf(&files, "-- rootfs%s/torch/version.py --\n__version__ = '%s'\ncuda = '%s'\nhip = None\n", site, label, b.CUDA)
		var code []string
		for _, a := range b.Archs.List {
			code = append(code, a.SM())
		}
		for _, a := range b.PTX.List {
			code = append(code, strings.Replace(a.SM(), "sm_", "compute_", 1)+"@"+kb.Default().PTXForCUDA(b.CUDA).Value.String())
		}
		cudart := fmt.Sprintf("libcudart.so.%d", b.CUDA.Major())
		switch b.CUDA.Major() {
		case 11:
			cudart += ".0"
		case 10:
			cudart = "libcudart.so." + b.CUDA.String()
		}
		fmt.Fprintf(&elf, "%s/libtorch_cuda.so soname=libtorch_cuda.so needs=%s rpath=$ORIGIN code=%s\n", lib, cudart, strings.Join(code, ","))
		fmt.Fprintf(&elf, "%s/%s soname=%[2]s\n", lib, cudart)
	}
	return fmt.Sprintf("generated\n-- include --\n@ubuntu-22.04\n@%s\n@%s\n@python-3.11-venv\n%s-- elf --\n%s-- links --\n%s", g.part, d.part, &files, &elf, &links)
}

// place is the prefix of the generated environment number i.
func place(i int) string { return fmt.Sprintf("/opt/e%03d", i) }

// judged is the report about a machine given as text.
func judged(t *testing.T, text string) *report.Document {
	t.Helper()
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	put, err := assume.Parse(m.Assumptions())
	if err != nil {
		t.Fatal(err)
	}
	s := all.Run(context.Background(), m.Machine, all.Options{Assume: put})
	base := kb.Default()
	res := diagnose.Run(s, base, rules.All(), diagnose.Options{Trial: true})
	return report.Build(res, &plan.Planner{Base: base, Rules: rules.All()}, report.Tool{Version: "test", KB: base.Version()})
}

// byPlace are the verdicts of a report's workloads by NAME@PREFIX, and that of
// the machine under "".
func byPlace(d *report.Document) map[string]report.Verdict {
	out := map[string]report.Verdict{"": d.Verdict}
	for _, w := range d.Workloads {
		out[w.Name+"@"+w.Environment] = w.Verdict
	}
	return out
}

func values(m map[string]report.Verdict) []report.Verdict { return slices.Collect(maps.Values(m)) }

var (
	hexField    = regexp.MustCompile(`/(device|subsystem_vendor|subsystem_device) --\n0x([0-9a-f]{4})`)
	driverField = regexp.MustCompile(`NVRM version: NVIDIA UNIX (Open )?.*?([0-9]+\.[0-9.]+)  Release`)
)

func parts(t *testing.T, pattern string) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../machine/base/" + pattern)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(n), ".txtar")] = string(data)
	}
	return out
}

func gpuParts(t *testing.T) []gpuPart {
	t.Helper()
	all := parts(t, "gpu-*.txtar")
	var out []gpuPart
	for _, name := range slices.Sorted(maps.Keys(all)) {
		ids := map[string]string{}
		for _, m := range hexField.FindAllStringSubmatch(all[name], -1) {
			ids[m[1]] = m[2]
		}
		g := kb.Default().GPUByPCI(ids["device"], ids["subsystem_vendor"]+":"+ids["subsystem_device"])
		a := kb.Default().Arch(g.Value.ComputeCapability)
		if !g.Known || !a.Known {
			t.Fatalf("%s: the knowledge base has no GPU %v", name, ids)
		}
		out = append(out, gpuPart{name, g.Value, a.Value})
	}
	return out
}

func driverParts(t *testing.T) []driverPart {
	t.Helper()
	all := parts(t, "driver-*.txtar")
	var out []driverPart
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasSuffix(name, "-rhel") {
			continue // the same drivers where ubuntu-22.04 does not look
		}
		f := driverField.FindStringSubmatch(all[name])
		if f == nil {
			t.Fatalf("%s does not say its version", name)
		}
		v, err := version.ParseDriver(f[2])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, driverPart{name, v, f[1] != ""})
	}
	return out
}

// torchBuilds are the builds whose code is known and those for the CPU, the
// newest of all that have the same CUDA and the same code.
func torchBuilds(t *testing.T) []kb.TorchBuild {
	t.Helper()
	newest := map[string]kb.TorchBuild{}
	for _, v := range kb.Default().TorchReleases() {
		for _, b := range kb.Default().TorchBuilds(v).Value {
			if b.Variant == "cpu" || len(b.Archs.List) > 0 {
				newest[fmt.Sprint(b.Variant, b.Archs.List, b.PTX.List)] = b
			}
		}
	}
	var out []kb.TorchBuild
	for _, k := range slices.Sorted(maps.Keys(newest)) {
		out = append(out, newest[k])
	}
	return out
}

func corpusFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("machines/*.txtar")
	if err != nil || len(files) < fewest {
		t.Fatalf("found %d machines, want at least %d (%v)", len(files), fewest, err)
	}
	return files
}

func readCorpus(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
