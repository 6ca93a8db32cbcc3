package environment

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.Fact[[]stack.Variable] {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Environment
}

func pairs(vars []stack.Variable) []string {
	var out []string
	for _, v := range vars {
		out = append(out, v.Name+"="+v.Value+" "+v.From.String())
	}
	return out
}

func TestCollector(t *testing.T) {
	for name, want := range map[string][]string{
		"root.txtar": {
			"PATH=/usr/local/bin:/usr/bin /etc/environment:2",
			"CUDA_VISIBLE_DEVICES=0,1 /etc/environment:3",
			"LD_LIBRARY_PATH=/usr/local/cuda/lib64 /etc/environment:6",
		},
		"process.txtar": {
			"NVIDIA_REQUIRE_CUDA=cuda>=12.4 driver>=525 NVIDIA_REQUIRE_CUDA",
			"NVIDIA_VISIBLE_DEVICES=all NVIDIA_VISIBLE_DEVICES",
			"XLA_FLAGS=--xla_gpu_cuda_data_dir=/opt/cuda XLA_FLAGS",
		},
	} {
		if diff := cmp.Diff(want, pairs(collected(t, name).Value)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestStates(t *testing.T) {
	for name, want := range map[string]stack.State{
		"root.txtar": stack.Known, "process.txtar": stack.Known, "empty.txtar": stack.NotCollected, "denied.txtar": stack.Denied,
	} {
		if got := collected(t, name).State; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestParseEnviron(t *testing.T) {
	got := pairs(ParseEnviron([]byte("CUDA_HOME=/a=b\x00TOKEN=x\x00container=podman\x00NVIDIA\x00\x00LD_PRELOAD=\x00")))
	want := []string{"CUDA_HOME=/a=b /proc/1/environ", "container=podman /proc/1/environ", "LD_PRELOAD= /proc/1/environ"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("CUDA_HOME=/a\x00PATH=\"x\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range append(ParseEnviron(data), ParseEnvironment(data)...) {
			if !Wanted(v.Name) || len(v.Value) > 3*maxValue {
				t.Errorf("variable %q with %d bytes", v.Name, len(v.Value))
			}
		}
	})
}
