package cuda

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
)

func collected(t *testing.T, name string) stack.CUDA {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).CUDA
}

func TestToolkits(t *testing.T) {
	for name, want := range map[string][]string{
		"host.txtar": {
			"/usr/local/cuda-10.1 10.1.243 nvcc default from file /usr/local/cuda-10.1/version.txt:1",
			"/usr/local/cuda 12.4.1 nvcc from file /usr/local/cuda/version.json",
			"/usr/local/cuda-11.8 11.8 from file /usr/local/cuda-11.8/targets/x86_64-linux/include/cuda.h:3",
			"/opt/nvidia/hpc_sdk/Linux_x86_64/24.5/cuda/12.3 12.3 from file /opt/nvidia/hpc_sdk/Linux_x86_64/24.5/cuda/12.3/include/cuda_runtime_api.h:1",
		},
		"debian.txtar":  {"/usr/lib/nvidia-cuda-toolkit 11.8.89 nvcc default from file /usr/lib/cuda/version.txt:1"},
		"runtime.txtar": {"/usr/local/cuda 12.4 default from derived /usr/local/cuda-12.4"},
		"none.txtar":    nil,
	} {
		var got []string
		for _, k := range collected(t, name).Toolkits.Value {
			line := k.Root + " " + k.Version.String()
			if k.NVCC != "" {
				line += " nvcc"
			}
			if k.Default {
				line += " default"
			}
			got = append(got, line+" from "+k.From.Kind+" "+k.From.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestLibraries(t *testing.T) {
	var got []string
	for _, l := range collected(t, "host.txtar").Libraries.Value {
		got = append(got, l.Path+" "+l.Version+" "+l.Place)
	}
	want := []string{
		"/opt/old/lib/libcudnn.so.8 8.9.7 ldpath",
		"/usr/local/cuda/lib64/libcublas.so.12 12.4.5.8 toolkit",
		"/usr/local/cuda/lib64/libcudart.so.12 12.4.127 toolkit",
		"/lib/x86_64-linux-gnu/libcudnn.so.9 9.1.0 system",
		"/usr/local/cuda-10.1/lib64/libcudart.so.10.1.243 10.1.243 toolkit",
		"/usr/local/cuda/lib64/stubs/libcublas.so  stubs",
		"/opt/nvidia/hpc_sdk/Linux_x86_64/24.5/math_libs/12.3/lib64/libcublas.so.12.3.4.1 12.3.4.1 hpc",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStates(t *testing.T) {
	for name, want := range map[string][3]stack.State{ // toolkits, libraries, compiler
		"host.txtar":   {stack.Known, stack.Known, stack.Known},
		"none.txtar":   {stack.Absent, stack.Absent, stack.Absent},
		"denied.txtar": {stack.Absent, stack.Denied, stack.Absent},
	} {
		c := collected(t, name)
		if got := [3]stack.State{c.Toolkits.State, c.Libraries.State, c.HostCompiler.State}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestHang(t *testing.T) {
	m := collecttest.Open(t, "hang.txtar")
	f := libraries(context.Background(), m, directories(context.Background(), m, nil), 100*time.Millisecond)
	if len(f.Value) != 1 || f.Value[0].Path != "/usr/lib/libcudart.so.12" {
		t.Errorf("libraries beside the one that hangs: %+v", f.Value)
	}
	if !strings.Contains(f.Why, `"/net/lib"`) {
		t.Errorf("the directory that hangs is not named: %q", f.Why)
	}
}

func TestCompiler(t *testing.T) {
	for name, want := range map[string]stack.Compiler{
		"host.txtar":   {Name: "gcc", Path: "/usr/bin/g++", Major: 12},
		"debian.txtar": {Name: "gcc", Path: "/usr/bin/gcc", Major: 11},
	} {
		if diff := cmp.Diff(want, collected(t, name).HostCompiler.Value); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		`{"cuda":{"version":"13.0.2"}}`:                           "13.0.2",
		`{"cuda_cudart":{"version":"12.4.127"}}`:                  "12.4",
		`{"cuda":{"name":"x"},"cuda_nvcc":{"version":"11.8.89"}}`: "11.8",
		`{"libcublas":{"version":"12.4.5.8"}}`:                    "",
		`[]`:                                                      "",
		`{"cuda":{"version":"twelve"}}`:                           "",
	} {
		v, err := ParseVersionJSON([]byte(text))
		if v.String() != want || (err == nil) != (want != "") {
			t.Errorf("ParseVersionJSON(%s) = %q, %v; want %q", text, v, err, want)
		}
	}
	if _, _, err := ParseHeader([]byte("#define CUDA_VERSION __NOT_A_NUMBER\n"), "CUDA_VERSION"); err == nil {
		t.Error("a macro without a number gives a version")
	}
}

func TestEscape(t *testing.T) {
	if got := []string{escape("/a/b"), escape("/a[1]/*")}; !slices.Equal(got, []string{"/a/b", `/a\[1]/\*`}) {
		t.Errorf("escape: %q", got)
	}
}

func FuzzParseVersion(f *testing.F) {
	f.Add([]byte(`{"cuda":{"version":"13.0.2"}}`))
	f.Add([]byte("CUDA Version 10.1.243\n"))
	f.Add([]byte("#define CUDA_VERSION 12040\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := ParseVersionJSON(data); (err == nil) == v.IsZero() {
			t.Errorf("version.json: %q with error %v", v, err)
		}
		if v, err := ParseVersionText(data); (err == nil) == v.IsZero() {
			t.Errorf("version.txt: %q with error %v", v, err)
		}
		if v, line, err := ParseHeader(data, "CUDA_VERSION"); (err == nil) == (v.IsZero() || line == 0) {
			t.Errorf("cuda.h: %q, line %d with error %v", v, line, err)
		}
	})
}
