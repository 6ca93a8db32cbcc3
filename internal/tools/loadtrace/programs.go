package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"strata/internal/machine"
	"strata/internal/recipe"
)

// Where realroots/build puts the environment of a root.
const (
	interpreter = "/opt/venv/bin/python3"
	site        = "/opt/venv/lib/python3.11/site-packages"
	// packages is where -packages shows a directory, on PYTHONPATH.
	packages = "/tmp/packages"
)

// program is a script that uses a framework, and the workload that stands for it.
type program struct {
	name     string
	workload recipe.Workload
	script   string
	forced   bool // the script does what otherwise waits for a GPU
}

// scripts import a framework and ask it for CUDA, by Strata's name. What fails is caught: the linker's words are what counts.
var scripts = map[string]string{
	"pytorch":     "import torch\nprint(torch.cuda.is_available())\nprint(torch.backends.cudnn.version())",
	"tensorflow":  "import tensorflow as tf\nprint(tf.config.list_physical_devices('GPU'))",
	"jax":         "import jax\nprint(jax.devices())",
	"cupy":        "import cupy\nprint(cupy.zeros(3))",
	"onnxruntime": onnxScript,
	"ctranslate2": "import ctranslate2\nprint(ctranslate2.get_cuda_device_count())",
	// The library for CUDA is opened where torch sees a GPU, and so torch is made to see one, if there is a driver.
	"bitsandbytes": `import ctypes, torch
print(torch.cuda.is_available())
try:
    ctypes.CDLL("libcuda.so.1")
    torch.cuda.is_available, torch.cuda.get_device_capability = lambda: True, lambda *_: (8, 0)
    torch.cuda.device_count, torch.cuda.get_device_name = lambda: 1, lambda *_: "GPU"
except OSError as e: print(e)
import bitsandbytes.cextension`,
}

// companionScript has cuDNN and NVRTC open what they open by name, and cuSPARSE its nvJitLink.
const companionScript = `
import ctypes, glob
nvidia = "/opt/venv/lib/python3.11/site-packages/nvidia/"
for path in glob.glob(nvidia + "cudnn/lib/libcudnn.so.[0-9]"):
    cudnn = ctypes.CDLL(path)
    print(cudnn.cudnnGetVersion())
    parts = "OpsInfer OpsTrain CnnInfer CnnTrain AdvInfer AdvTrain" if path.endswith("8") else "Graph Ops Cnn Adv"
    for part in parts.split(): print(part, getattr(cudnn, f"cudnn{part}VersionCheck")())
for path in glob.glob(nvidia + "c*/lib/libnvrtc.so.1[0-9]"):
    nvrtc, program = ctypes.CDLL(path), ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), b"__global__ void f(float *x) { *x = 1; }", b"f.cu", 0, None, None)
    print(nvrtc.nvrtcCompileProgram(program, 0, None))
for path in glob.glob(nvidia + "c*/lib/libcusparse.so.1[0-9]"):
    try: ctypes.CDLL(path)
    except OSError as e: print(e)
`

// onnxScript makes a session for a model of one Relu, written out as protocol buffers by hand.
const onnxScript = `
import onnxruntime
if PRELOAD: onnxruntime.preload_dlls()
def field(n, b): return bytes([n << 3 | 2, len(b)]) + b
def value(n): return field(1, n) + field(2, field(1, b"\x08\x01" + field(2, field(1, b"\x08\x01"))))
graph = field(1, field(1, b"x") + field(2, b"y") + field(4, b"Relu")) + field(2, b"g") + field(11, value(b"x")) + field(12, value(b"y"))
model = b"\x08\x08" + field(7, graph) + field(8, b"\x10\x0d")
for provider in "CUDAExecutionProvider", "TensorrtExecutionProvider":
    try: print(provider, onnxruntime.InferenceSession(model, providers=[provider, "CPUExecutionProvider"]).get_providers())
    except Exception as e: print(provider, e)
`

// distributions are the packages that each framework is recognised by.
var distributions = map[string][]string{
	"pytorch": {"torch"}, "tensorflow": {"tensorflow"}, "jax": {"jax"}, "cupy": {"cupy-cuda12x", "cupy-cuda13x"}, "onnxruntime": {"onnxruntime-gpu", "onnxruntime"},
	"ctranslate2": {"ctranslate2"}, "bitsandbytes": {"bitsandbytes"},
}

var distInfo = regexp.MustCompile(`^(.+)-([^-]+)\.dist-info$`)

// programsOf are the frameworks of a root; with extra, those of the packages that are shown to it.
func programsOf(m *machine.Machine, extra bool) (list []program) {
	sites := []string{site}
	have := installed(m, site)
	if extra {
		sites = []string{packages, site}
		maps.Copy(have, installed(m, packages))
	}
	base := recipe.Workload{Python: interpreter, Site: sites, Packages: have}
	for _, framework := range slices.Sorted(maps.Keys(distributions)) {
		i := slices.IndexFunc(distributions[framework], func(dist string) bool { return have[dist] != "" })
		if i < 0 || extra && installed(m, packages)[distributions[framework][i]] == "" {
			continue
		}
		p := program{name: framework, workload: base, script: scripts[framework]}
		p.forced = framework == "bitsandbytes"
		p.workload.Framework, p.workload.Version = framework, have[distributions[framework][i]]
		if framework == "bitsandbytes" && have["torch"] == "" {
			continue
		}
		if framework == "onnxruntime" {
			p.workload.TensorRT = true
			p.script = "PRELOAD = False" + onnxScript
			list = append(list, p)
			p.name, p.workload.Preload, p.script = "onnxruntime+preload", true, "PRELOAD = True"+onnxScript
		}
		list = append(list, p)
	}
	if !extra && m.Exists(site+"/nvidia/cudnn/lib") {
		p := program{name: "companions", workload: base, script: companionScript}
		p.workload.Framework = "companions"
		list = append(list, p)
	}
	return list
}

// installed are the versions of the packages in a directory, by normalised name.
func installed(m *machine.Machine, dir string) map[string]string {
	have := map[string]string{}
	entries, _ := m.ReadDir(dir)
	for _, e := range entries {
		if d := distInfo.FindStringSubmatch(e.Name()); d != nil {
			have[strings.ToLower(strings.ReplaceAll(d[1], "_", "-"))] = d[2]
		}
	}
	return have
}

// testCase is one realroots/cases/NAME.yaml, as far as it matters here.
type testCase struct {
	Name string `yaml:"name"`
	CI   bool   `yaml:"ci"`
}

func readCases() (list []testCase, err error) {
	files, err := filepath.Glob("realroots/cases/*.yaml")
	if err != nil || len(files) == 0 {
		return nil, errors.New("no cases found; run it in the root of the repository")
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		var c testCase
		if err == nil {
			err = yaml.Unmarshal(data, &c)
		}
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", f, err)
		}
		list = append(list, c)
	}
	return list, nil
}
