package kb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"strata/internal/version"
)

// What was measured overrides what was read: a table that says something else of an artefact that was measured is wrong.

// read is what the tables say of the build in an artefact.
type read struct {
	Code
	cuda version.CUDA
	row  string
}

func readOf(b *Base, a Artefact) (r read, ok bool) {
	if a.Platform != "linux-x86_64" {
		return read{}, false
	}
	major := b.CUDAMajorOf(a)
	switch a.Package {
	case "torch":
		for _, t := range b.TorchBuilds(a.Version).Value {
			if t.OnPyPI {
				return read{t.Code, t.CUDA, fmt.Sprintf("pytorch.csv:%d", t.Line)}, true
			}
		}
	case "onnxruntime-gpu":
		o := b.ONNXRuntime(a.Version)
		return read{o.Value.Code, o.Value.CUDA, o.Ref.String()}, o.Known
	case "tensorflow":
		// TensorFlow keeps many kernels as data that no fat binary shows; the table counts these too, so that its list is the shorter one.
		t := b.TensorFlow(a.Version, TensorFlowLinux)
		return read{Code{}, t.Value.CUDA, t.Ref.String()}, t.Known
	case "jax-cuda12-pjrt", "jax-cuda13-pjrt":
		var n int
		fmt.Sscanf(a.Package, "jax-cuda%d", &n)
		j := b.JAX(a.Version, n)
		return read{j.Value.Code, version.CUDA{}, j.Ref.String()}, j.Known
	case "bitsandbytes": // a library for each CUDA; see TestBitsandbytesAgrees
	default:
		rows := b.ConsumerRows(a.Package, a.Version)
		for _, c := range rows.Value {
			if len(rows.Value) == 1 || slices.ContainsFunc(c.CUDA, func(v version.CUDA) bool { return v.Major() == major }) {
				return read{c.Code, version.CUDA{}, fmt.Sprintf("consumers.csv:%d", c.Line)}, true
			}
		}
	}
	return read{}, false
}

func TestTablesAgreeWithMeasurements(t *testing.T) {
	b := Default()
	compared := map[string]int{}
	for _, name := range b.MeasuredPackages() {
		for _, a := range b.Artefacts(name, version.PEP440{}) {
			r, ok := readOf(b, a)
			got, has := b.MeasuredCode(a)
			if !ok || !has {
				continue
			}
			compared[name]++
			if r.Archs.Known && r.Archs.String() != got.Archs.String() {
				t.Errorf("%s %s: %s says cubins %q, the file has %q", name, a.Version, r.row, r.Archs, got.Archs)
			}
			if r.PTX.Known && r.PTX.String() != got.PTX.String() {
				t.Errorf("%s %s: %s says PTX %q, the file has %q", name, a.Version, r.row, r.PTX, got.PTX)
			}
			if !a.CUDA.IsZero() && !r.cuda.IsZero() && !sameMinor(a.CUDA, r.cuda) {
				t.Errorf("%s %s: %s says CUDA %s, the file says %s", name, a.Version, r.row, r.cuda, a.CUDA)
			}
		}
	}
	for _, name := range []string{"torch", "onnxruntime-gpu", "tensorflow", "jax-cuda12-pjrt", "jax-cuda13-pjrt", "ctranslate2"} {
		if compared[name] < 3 {
			t.Errorf("%s: %d releases compared", name, compared[name])
		}
	}
	t.Log(compared)
}

// TestBitsandbytesAgrees compares each of its libraries, which say their CUDA in their names, with the row for that CUDA.
func TestBitsandbytesAgrees(t *testing.T) {
	b := Default()
	compared := 0
	for _, a := range b.Artefacts("bitsandbytes", version.PEP440{}) {
		for _, l := range b.MeasuredLibraries(a.File) {
			_, tag, _ := strings.Cut(strings.TrimSuffix(l.Path, ".so"), "libbitsandbytes_cuda")
			cuda, ok := version.ParseCUDATag("cu" + strings.TrimSuffix(tag, "_nocublaslt"))
			c := b.Consumer("bitsandbytes", a.Version, cuda)
			if !ok || l.Containers == 0 || !c.Known || !c.Value.Archs.Known {
				continue
			}
			compared++
			if got := l.mostly(); got.Archs.String() != c.Value.Archs.String() || got.PTX.String() != c.Value.PTX.String() {
				t.Errorf("bitsandbytes %s for CUDA %s: line %d says %q and PTX %q, the file has %q and %q", a.Version, cuda, c.Value.Line, c.Value.Archs, c.Value.PTX, got.Archs, got.PTX)
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d libraries compared", compared)
	}
}

// TestTorchPinsAgree compares what the table says of the build that PyPI has with what its metadata pins.
func TestTorchPinsAgree(t *testing.T) {
	b := Default()
	compared := 0
	for _, r := range b.Releases("torch") {
		for _, build := range b.TorchBuilds(r.Version).Value {
			if !build.OnPyPI {
				continue
			}
			for prefix, read := range map[string]string{
				"nvidia-cudnn-cu": build.CUDNN.String(), "nvidia-nccl-cu": build.NCCL.String(), "triton": build.Triton.String(),
				"nvidia-cusparselt-cu": build.CUSparseLt.String(), "nvidia-nvshmem-cu": build.NVSHMEM.String(),
			} {
				got, ok := b.pinned(Artefact{Package: "torch", Version: r.Version}, prefix)
				if !ok || read == "" {
					continue
				}
				compared++
				if got != read {
					t.Errorf("torch %s: pytorch.csv:%d says %s %s, its metadata %s", r.Version, build.Line, prefix, read, got)
				}
			}
		}
	}
	if compared < 60 {
		t.Errorf("%d pins compared", compared)
	}
}
