package corpus

import (
	"path"
	"slices"
	"strings"
	"testing"

	"strata/internal/kb"
	"strata/internal/report"
)

// TestEveryCombination puts every kind of build of PyTorch that the knowledge
// base has the code of on every GPU and every driver of the base parts, and
// holds the verdict to oracle, which knows nothing of rules.
func TestEveryCombination(t *testing.T) {
	gpus, drivers, builds := gpuParts(t), driverParts(t), torchBuilds(t)
	if len(gpus) < 10 || len(drivers) < 6 || len(builds) < 15 {
		t.Fatalf("%d GPUs, %d drivers, %d builds: the tables or the base parts were not read", len(gpus), len(drivers), len(builds))
	}
	for _, g := range gpus {
		for _, d := range drivers {
			t.Run(g.part+"/"+d.part, func(t *testing.T) {
				t.Parallel()
				doc := judged(t, torchMachine(g, d, builds...))
				got := byPlace(doc)
				for i, b := range builds {
					want := oracle(g, d, b)
					v, ok := got["pytorch@"+place(i)]
					if !ok {
						t.Errorf("torch %s+%s: no workload", b.Version, b.Variant)
						continue
					}
					// Known defects of a release come on top of what the oracle weighs.
					if v.Finding == "FRM008" && want.status == "ok" {
						continue
					}
					if want.differs(v) {
						t.Errorf("torch %s+%s: verdict is %s; want %s", b.Version, b.Variant, said(v), want)
					}
				}
			})
		}
	}
}

// TestNeighboursDoNotMatter takes the verdict of one environment alone and
// holds to it the one that it gets among others, healthy and broken.
func TestNeighboursDoNotMatter(t *testing.T) {
	gpus, drivers, builds := gpuParts(t), driverParts(t), torchBuilds(t)
	const neighbours = 6
	for i, g := range gpus {
		d := drivers[i%len(drivers)]
		t.Run(g.part+"/"+d.part, func(t *testing.T) {
			t.Parallel()
			some := make([]kb.TorchBuild, 0, neighbours)
			for n := range neighbours {
				some = append(some, builds[(i*7+n*len(builds)/neighbours)%len(builds)])
			}
			together := byPlace(judged(t, torchMachine(g, d, some...)))
			for n, b := range some {
				alone := byPlace(judged(t, torchMachine(g, d, b)))["pytorch@"+place(0)]
				among := together["pytorch@"+place(n)]
				if alone.Status == "" || alone.Status != among.Status || alone.Layer != among.Layer || alone.Finding != among.Finding {
					t.Errorf("torch %s+%s: alone %s; among others %s", b.Version, b.Variant, said(alone), said(among))
				}
			}
		})
	}
}

// hidden are the places that TestHidingDoesNotHeal takes out of sight, one at a
// time. A search path's own directories are not among them: what this user may
// not read, the dynamic linker passes over too. Nor is /var/log, which most
// users may not read on healthy machines.
var hidden = []string{
	"/sys/bus/pci/devices", "/sys/module", "/proc/modules", "/proc/driver/nvidia", "/proc/driver/nvidia/version", "/proc/sys/kernel/osrelease",
	"/proc/self", "/dev", "/usr/lib/modules", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/var/lib/dpkg", "/var/lib/dkms",
	"/opt", "/opt/venv/lib/python3.11/site-packages", "/opt/venv/lib/python3.11/site-packages/torch", "/opt/venv/lib/python3.11/site-packages/torch/lib",
	"/opt/venv/lib/python3.11/site-packages/nvidia",
}

// TestHidingDoesNotHeal denies, on every machine of the corpus with a workload
// that is broken or unknown, one place after the other. What could not be
// looked at never makes such a workload healthy.
func TestHidingDoesNotHeal(t *testing.T) {
	ill := func(v report.Verdict) bool { return v.Status == report.Broken || v.Status == report.Unsure }
	for _, name := range corpusFiles(t) {
		if strings.Contains(name, "hang") {
			continue // waits for its deadline every time
		}
		t.Run(strings.TrimSuffix(path.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text := readCorpus(t, name)
			before := byPlace(judged(t, text))
			if !slices.ContainsFunc(values(before), ill) {
				return
			}
			for _, h := range hidden {
				for id, v := range byPlace(judged(t, text+"\n-- deny --\n"+h+"\n")) {
					if was, ok := before[id]; ok && ill(was) && v.Status == report.OK {
						t.Errorf("without %s, %q is ok; with it %s", h, id, said(was))
					}
				}
			}
		})
	}
}
