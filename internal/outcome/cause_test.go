package outcome

import (
	"testing"

	"strata/internal/kb"
	"strata/internal/report"
	"strata/internal/signatures"
)

const framework = "/v/tensorflow/libtensorflow_framework.so.2"

func TestCause(t *testing.T) {
	cutensor := Missing{Name: "libcutensor.so.2", Component: "cutensor", By: "/v/cupy_backends/cuda/libs/cutensor.cpython-311-x86_64-linux-gnu.so", Needed: true}
	cudnn := Missing{Name: "libcudnn.so.9", Component: "cudnn", By: framework}
	part := Missing{Name: "libcudnn_graph.so.9.3.0", Component: "cudnn", By: "/v/nvidia/cudnn/lib/libcudnn.so.9"}
	graph := Library{Name: "libcudnn_graph.so.9", Component: "cudnn", Path: "/v/nvidia/cudnn/lib/libcudnn_graph.so.9"}
	for _, c := range []struct {
		name string
		d    Document
		said []report.Finding
		want string
	}{
		{"a needed one", Document{Missing: []Missing{{Name: "libcublasLt.so.12", By: "/v/libcublas.so.12", Needed: true}}}, nil, "libcublasLt.so.12"},
		{"CuPy works without cuTENSOR", Document{Missing: []Missing{cutensor}}, nil, ""},
		{"CuPy fails for another reason", Document{Exit: 1, Missing: []Missing{cutensor}}, []report.Finding{{ID: "cupy-no-device", Summary: "CuPy sees no GPU"}}, ""},
		{"a module says what it misses", Document{Exit: 1, Missing: []Missing{cutensor}}, []report.Finding{{ID: "x", Summary: "libcutensor.so.2 is not found"}}, "libcutensor.so.2"},
		{"a module's words are kept as evidence", Document{Exit: 1, Missing: []Missing{cutensor}}, []report.Finding{{ID: "x", Summary: "a library is missing", Evidence: []report.Evidence{{Text: "ImportError: libcutensor.so.2: cannot open"}}}}, "libcutensor.so.2"},
		{"it fails and says nothing that is known", Document{Exit: 1, Missing: []Missing{cutensor}}, nil, "libcutensor.so.2"},
		{"opened by name, and said without its name", Document{Missing: []Missing{cudnn}}, []report.Finding{{ID: "tf-gpu-libraries-missing"}}, "libcudnn.so.9"},
		{"opened by name, and nobody minds", Document{Missing: []Missing{cudnn}}, nil, ""},
		{"TensorRT is tried in vain first", Document{Missing: []Missing{{Name: "libnvinfer.so.8.6.1", Component: "tensorrt", By: framework}, cudnn}}, []report.Finding{{ID: "tf-gpu-libraries-missing"}}, "libcudnn.so.9"},
		{"a part by its full version first", Document{Exit: 1, Missing: []Missing{part}, Libraries: []Library{graph}}, []report.Finding{{ID: "jax-library-not-loaded"}}, ""},
	} {
		got := ""
		if m := cause(&c.d, &report.Document{Findings: c.said}); m != nil {
			got = m.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The messages and components that cause knows by name exist.
func TestCauseNames(t *testing.T) {
	for _, id := range unnamed {
		if _, ok := signatures.Find(id); !ok {
			t.Errorf("there is no message %s", id)
		}
	}
	names := map[string]bool{}
	for _, lib := range []string{"libnvinfer.so.10", "libcutensor.so.2", "libcusparseLt.so.0", "libcupti.so.12", "libcufile.so.0"} {
		names[kb.Default().Component(lib).Value.Name] = true
	}
	for name := range extra {
		if !names[name] {
			t.Errorf("no library is of the component %s; they are of %v", name, names)
		}
	}
}
