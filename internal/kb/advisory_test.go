package kb

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/version"
)

func gpu(names ...string) []version.ComputeCapability {
	list := []version.ComputeCapability{}
	for _, name := range names {
		list = append(list, targetOf(name))
	}
	return list
}

func with(pairs ...string) map[string]version.PEP440 {
	m := map[string]version.PEP440{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pep(pairs[i+1])
	}
	return m
}

// advisoryTests are circumstances in which an advisory holds, and others that just miss it.
var advisoryTests = []struct {
	id, version string
	c           Circumstances
	want        Applicability
}{
	{"onnxruntime-1.23.0-ptx-90a", "1.23.0", Circumstances{GPUs: gpu("12.0")}, Applies},
	{"onnxruntime-1.23.0-ptx-90a", "1.23.0", Circumstances{GPUs: gpu("8.0", "12.0")}, Applies},
	{"onnxruntime-1.23.0-ptx-90a", "1.23.0", Circumstances{GPUs: gpu("9.0")}, DoesNotApply},
	{"onnxruntime-1.23.0-ptx-90a", "1.23.0", Circumstances{GPUs: gpu()}, DoesNotApply},
	{"onnxruntime-1.23.0-ptx-90a", "1.23.0", Circumstances{}, MayApply},
	{"onnxruntime-1.23.0-ptx-90a", "1.23.2", Circumstances{GPUs: gpu("12.0")}, DoesNotApply},
	{"onnxruntime-1.29-datacenter-blackwell", "1.30.0", Circumstances{GPUs: gpu("10.0")}, Applies},
	{"onnxruntime-1.29-datacenter-blackwell", "1.30.0", Circumstances{GPUs: gpu("12.0")}, DoesNotApply},
	{"onnxruntime-two-distributions", "1.22.0", Circumstances{Packages: with("onnxruntime", "1.20.0")}, Applies},
	{"onnxruntime-two-distributions", "1.22.0", Circumstances{Packages: with("numpy", "2.0")}, DoesNotApply},
	{"onnxruntime-two-distributions", "1.22.0", Circumstances{}, MayApply},
	{"nccl-cu12-cu13", "2.28.9", Circumstances{Packages: with("nvidia-nccl-cu12", "2.27.5")}, Applies},
	{"jax-cudnn-9.10.0", "0.6.0", Circumstances{Packages: with("nvidia-cudnn-cu12", "9.10.0.56")}, Applies},
	{"jax-cudnn-9.10.0", "0.6.0", Circumstances{Packages: with("nvidia-cudnn-cu12", "9.10.2.21")}, DoesNotApply},
	{"jax-cublas-12.9-cudnn", "0.6.0", Circumstances{GPUs: gpu("9.0"), Packages: with("nvidia-cudnn-cu12", "9.8.0", "cublas", "12.9.1.4")}, DoesNotApply},
	{"jax-cublas-12.9-cudnn", "0.6.0", Circumstances{GPUs: gpu("9.0", "9.0"), Packages: with("nvidia-cudnn-cu12", "9.8.0", "cublas", "12.9.1.4")}, Applies},
	{"jax-cublas-12.9-cudnn", "0.6.0", Circumstances{GPUs: gpu("9.0", "9.0"), Packages: with("nvidia-cudnn-cu12", "9.8.0", "cublas", "12.8.4.1")}, DoesNotApply},
	{"jax-cublas-12.9-cudnn", "0.6.0", Circumstances{GPUs: gpu("9.0", "9.0"), Packages: with("nvidia-cudnn-cu12", "9.8.0")}, DoesNotApply},
	{"cudnn-cublas-12.9-several-gpus", "9.8.0.87", Circumstances{GPUs: gpu("9.0", "9.0"), Packages: with("nvidia-cublas-cu12", "12.9.1.4")}, Applies},
	{"cudnn-cublas-12.9-several-gpus", "9.10.1.4", Circumstances{GPUs: gpu("9.0", "9.0"), Packages: with("nvidia-cublas-cu12", "12.9.1.4")}, DoesNotApply},
	{"cublas-blackwell-concurrent-streams", "12.8.4.1", Circumstances{GPUs: gpu("10.0")}, Applies},
	{"cublas-blackwell-concurrent-streams", "13.1.0.3", Circumstances{GPUs: gpu("11.0")}, Applies},
	{"cublas-blackwell-concurrent-streams", "13.2.0.9", Circumstances{GPUs: gpu("10.0")}, DoesNotApply},
	{"cublas-blackwell-concurrent-streams", "12.6.4.1", Circumstances{GPUs: gpu("10.0")}, DoesNotApply},
	{"cublas-blackwell-concurrent-streams", "12.8.4.1", Circumstances{GPUs: gpu("12.0")}, DoesNotApply},
	{"cublas-blackwell-concurrent-streams", "12.8.4.1", Circumstances{}, MayApply},
	{"nccl-2.29.2-hang", "2.29.2", Circumstances{GPUs: gpu("9.0", "9.0")}, Applies},
	{"nccl-2.29.2-hang", "2.29.3", Circumstances{GPUs: gpu("9.0", "9.0")}, DoesNotApply},
	{"nccl-2.29.2-hang", "2.29.2", Circumstances{GPUs: gpu("9.0")}, DoesNotApply},
	{"torch-numpy-2", "2.2.2+cu121", Circumstances{Packages: with("numpy", "2.0.1")}, Applies},
	{"torch-numpy-2", "2.2.2+cu121", Circumstances{Packages: with("numpy", "1.26.4")}, DoesNotApply},
	{"torch-numpy-2", "2.3.0", Circumstances{Packages: with("numpy", "2.0.1")}, DoesNotApply},
	{"torch-2.9-conv3d-memory", "2.9.1", Circumstances{Packages: with("nvidia-cudnn-cu13", "9.13.0.50")}, Applies},
	{"torch-2.9-conv3d-memory", "2.9.1", Circumstances{Packages: with("nvidia-cudnn-cu13", "9.15.1.9")}, DoesNotApply},
	{"torch-2.9-conv3d-memory", "2.8.0", Circumstances{Packages: with("nvidia-cudnn-cu12", "9.10.2.21")}, DoesNotApply},
	{"torch-conv3d-bfloat16", "2.8.0", Circumstances{Packages: with("nvidia-cudnn-cu12", "9.10.2.21")}, Applies},
	{"torch-conv3d-bfloat16", "2.7.1", Circumstances{Packages: with("nvidia-cudnn-cu12", "9.5.1.17")}, DoesNotApply},
	{"driver-535-nvml-processes", "535.86.10", Circumstances{Packages: with("nvitop", "1.0.0")}, Applies},
	{"driver-535-nvml-processes", "535.104.05", Circumstances{Packages: with("nvitop", "1.0.0")}, DoesNotApply},
	{"driver-535-nvml-processes", "535.86.10", Circumstances{Packages: with("torch", "2.3.1")}, DoesNotApply},
	{"container-toolkit-1.14.0-config", "1.14.0", Circumstances{}, Applies},
	{"container-toolkit-1.14.0-config", "1.14.1", Circumstances{}, DoesNotApply},
	{"container-toolkit-1.17.0-start", "1.17.0", Circumstances{}, Applies},
	{"container-toolkit-1.17.0-start", "1.17.1", Circumstances{}, DoesNotApply},
	{"container-toolkit-1.17.4-compat", "1.17.4", Circumstances{}, Applies},
	{"container-toolkit-1.17.4-compat", "1.17.5", Circumstances{}, DoesNotApply},
	{"container-toolkit-1.17.7-enroot", "1.17.7", Circumstances{Packages: with("enroot", "3.5.0")}, Applies},
	{"container-toolkit-1.17.7-enroot", "1.17.7", Circumstances{Packages: with("podman", "5.0.0")}, DoesNotApply},
	{"container-toolkit-1.17.7-enroot", "1.17.7", Circumstances{}, MayApply},
	{"container-toolkit-1.19.1-podman-4", "1.19.1", Circumstances{Packages: with("podman", "4.9.3")}, Applies},
	{"container-toolkit-1.19.1-podman-4", "1.19.1", Circumstances{Packages: with("podman", "5.7.0")}, DoesNotApply},
	{"container-toolkit-1.19.1-podman-4", "1.19.0", Circumstances{Packages: with("podman", "4.9.3")}, DoesNotApply},
	{"cudnn-9.11-before-turing", "9.28.0.42", Circumstances{GPUs: gpu("7.0")}, Applies},
	{"cudnn-9.11-before-turing", "9.10.2.21", Circumstances{GPUs: gpu("7.0")}, DoesNotApply},
	{"tensorflow-ptx-90a", "2.20.0", Circumstances{GPUs: gpu("12.0")}, Applies},
	{"tensorflow-ptx-90a", "2.21.0", Circumstances{GPUs: gpu("12.0")}, DoesNotApply},
	{"torch-2.11-volta-advice", "2.11.0+cu128", Circumstances{GPUs: gpu("7.0")}, Applies},
	{"torch-2.11-volta-advice", "2.11.0+cu126", Circumstances{GPUs: gpu("7.0")}, DoesNotApply},
	{"torch-2.11-volta-advice", "2.11.0", Circumstances{GPUs: gpu("7.0"), Variant: "cu130"}, Applies},
	{"torch-2.11-volta-advice", "2.11.0", Circumstances{GPUs: gpu("7.0")}, MayApply},
	{"torch-cudnn-9.20-newer-system-copy", "2.13.0", Circumstances{CUDAMajor: 13, Copies: map[string][]version.PEP440{"cudnn": {pep("9.20.0.48"), pep("9.23.2")}}}, Applies},
	{"torch-cudnn-9.20-newer-system-copy", "2.13.0", Circumstances{CUDAMajor: 12, Copies: map[string][]version.PEP440{"cudnn": {pep("9.23.2")}}}, DoesNotApply},
	{"torch-cudnn-9.20-newer-system-copy", "2.13.0", Circumstances{CUDAMajor: 13, Copies: map[string][]version.PEP440{"cudnn": {pep("9.20.0.48")}}}, DoesNotApply},
	{"ctranslate2-cudnn-8-beside-torch", "4.4.0", Circumstances{Packages: with("torch", "2.7.1+cu126")}, Applies},
	{"ctranslate2-cudnn-8-beside-torch", "4.4.0", Circumstances{Packages: with("torch", "2.3.1")}, DoesNotApply},
}

func TestAdvisoryApplies(t *testing.T) {
	byID := map[string]Advisory{}
	for _, a := range advisories.in(Default()).Rows {
		byID[a.ID] = a
	}
	for _, tt := range advisoryTests {
		a, ok := byID[tt.id]
		if !ok {
			t.Fatalf("no advisory %q", tt.id)
		}
		if got := a.Applies(pep(tt.version), tt.c); got != tt.want {
			t.Errorf("%s for %s %+v: %s, want %s", tt.id, tt.version, tt.c, got, tt.want)
		}
	}
}

func TestAdvisoriesFor(t *testing.T) {
	c := Circumstances{GPUs: []version.ComputeCapability{targetOf("12.0")}, Packages: map[string]version.PEP440{}}
	got := Default().AdvisoriesFor("ONNXRuntime_GPU", pep("1.23.0"), c)
	if len(got) != 1 || got[0].ID != "onnxruntime-1.23.0-ptx-90a" || got[0].Applies != Applies {
		t.Fatalf("advisories for onnxruntime-gpu 1.23.0 on Blackwell: %+v", got)
	}
	if ref := Default().Cite(got[0].Advisory); len(ref.Sources) == 0 || ref.Line == 0 {
		t.Errorf("it cites nothing: %v", ref)
	}
	if got := Default().AdvisoriesFor("torch", pep("2.10.0"), c); got != nil {
		t.Errorf("advisories for torch 2.10.0: %+v", got)
	}
}

func TestAdvisoriesAreChecked(t *testing.T) {
	const head = "# as_of: 2026-01-01\n# horizon: date 2026-01-01\n"
	const good = `- id: a
  title: a
  package: b
  versions: ">=1,<2"
  layer: cudnn
  severity: broken
  effect: c
  fix: d
  src: [s]
  confidence: high
`
	for text, want := range map[string]string{
		good:                           "",
		good + good:                    "given twice",
		good + "  colour: red\n":       "colour",
		good + "  fixed_in: \"1.5\"\n": "fixed_in is among",
		strings.Replace(good, "package: b", "package: B_c", 1):        "normal form",
		strings.Replace(good, "layer: cudnn", "layer: kitchen", 1):    "kitchen",
		strings.Replace(good, "severity: broken", "severity: bad", 1): "bad",
		strings.Replace(good, `  versions: ">=1,<2"`+"\n", "", 1):     "under no condition",
		strings.Replace(good, `">=1,<2"`, `">=2,<1"`, 1):              "no version is inside",
		strings.Replace(good, "  effect: c\n", "", 1):                 `"effect" is empty`,
		good + "  when:\n    gpus: 2\n":                               "gpus",
	} {
		table, problems := decodeYAML[Advisory](fstest.MapFS{"a.yaml": {Data: []byte(head + text)}}, "a.yaml", nil)
		problems = append(problems, checkAdvisories(nil, table)...)
		var msgs []string
		for _, p := range problems {
			msgs = append(msgs, p.Error())
		}
		all := strings.Join(msgs, "\n")
		if want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("problems of\n%s\nare %q, want %q", text, all, want)
		}
	}
}

// TestAdvisoriesAreShown: each advisory has circumstances above in which it applies, and some that just miss it.
func TestAdvisoriesAreShown(t *testing.T) {
	// These hold for every release in their range, with no other condition, or are tried on whole machines by the rule that reports them.
	elsewhere := []string{
		"jax-cudnn-9.10.0", "cudnn-9.10.0-abi", "onnxruntime-1.27.0-import", "onnxruntime-1.27.0-extras", "onnxruntime-node-1.22.0",
		"cudnn-cu12-cu13", "nccl-cu12-cu13", "tensorflow-2.15.0-extra", "ctranslate2-cudnn-9-beside-old-torch", "ctranslate2-cublas-12-beside-torch",
	}
	applies, misses := map[string]bool{}, map[string]bool{}
	for _, tt := range advisoryTests {
		applies[tt.id] = applies[tt.id] || tt.want == Applies
		misses[tt.id] = misses[tt.id] || tt.want == DoesNotApply
	}
	for _, a := range advisories.in(Default()).Rows {
		if (!applies[a.ID] || !misses[a.ID]) && !slices.Contains(elsewhere, a.ID) {
			t.Errorf("%s: tried where it applies: %v, where it does not: %v", a.ID, applies[a.ID], misses[a.ID])
		}
	}
}
