package dump

import (
	"testing"

	"strata/internal/stack"
	"strata/internal/transcript"
)

// TestConfigured holds what rules are told of engines and of a program's provider:
// what a text does not show may still be registered, and only "cpu" keeps a program from the GPU.
func TestConfigured(t *testing.T) {
	for _, c := range []struct {
		text     string
		engines  []stack.Engine
		programs int
	}{
		{text: "Runtimes: runc io.containerd.runc.v2\n", engines: []stack.Engine{{Name: "docker"}}},
		{text: "Runtimes: runc nvidia\nDefault Runtime: runc\n", engines: []stack.Engine{{Name: "docker", NVIDIA: true, Default: "runc"}}},
		{text: "Default Runtime: runc\n"},
		{text: "Cgroup Driver: systemd\n"},
		{text: "default_runtime_name = \"runc\"\n"},
		{text: "default_runtime_name = \"nvidia\"\n", engines: []stack.Engine{{Name: "containerd", NVIDIA: true, Default: "nvidia"}}},
		{text: "executionProvider:\n  provider: cpu\n", programs: 1},
		{text: "executionProvider:\n  provider: cuda\n"},
		{text: "### Execution Provider\n\nDefault CPU\n"},
		{text: "providers: ['CPUExecutionProvider']\n"},
	} {
		s := Read(transcript.Of("report", c.text)).Stack("report")
		got := s.Container.Engines.Value
		if len(got) != len(c.engines) {
			t.Errorf("%q: engines %+v, want %+v", c.text, got, c.engines)
			continue
		}
		for i, e := range got {
			if w := c.engines[i]; e.Name != w.Name || e.NVIDIA != w.NVIDIA || e.Default != w.Default {
				t.Errorf("%q: engine %+v, want %+v", c.text, e, w)
			}
		}
		if n := len(s.Programs.Value); n != c.programs {
			t.Errorf("%q: %d programs, want %d", c.text, n, c.programs)
		}
	}
}

// TestEnginesOfPieces reads a text in two pieces: what the second one does not show was listed by the first.
func TestEnginesOfPieces(t *testing.T) {
	f := NewFacts("x")
	ReadInto(transcript.Of("x", " Runtimes: io.containerd.runc.v2 runc\n Default Runtime: runc\n"), f)
	ReadInto(transcript.Of("x", " Cgroup Driver: systemd\n"), f)
	if list := f.Record().Engines; len(list) != 1 || list[0].NVIDIA || list[0].CgroupDriver != "systemd" {
		t.Errorf("the engines are %+v", list)
	}
}
