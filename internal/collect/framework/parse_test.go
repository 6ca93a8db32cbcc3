package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/stack"
)

func TestParseLabel(t *testing.T) {
	for give, want := range map[string]hint{
		"":                          {},
		"cpu":                       {variant: "cpu"},
		"cpu.cxx11.abi":             {variant: "cpu"},
		"cu126":                     {variant: "cuda", cuda: "12.6"},
		"cu92":                      {variant: "cuda", cuda: "9.2"},
		"cu12":                      {variant: "cuda", cuda: "12"},
		"cu130":                     {variant: "cuda", cuda: "13.0"},
		"rocm6.2":                   {variant: "rocm"},
		"xpu":                       {variant: "xpu"},
		"cuda12.cudnn89":            {variant: "cuda", cuda: "12", cudnn: "8.9"},
		"cuda11.cudnn82":            {variant: "cuda", cuda: "11", cudnn: "8.2"},
		"cu12torch2.6cxx11abiFALSE": {variant: "cuda", cuda: "12", abi: stack.ABI{Torch: "2.6", CUDA: "12", CXX11: "FALSE"}},
		"cu121torch2.3":             {variant: "cuda", cuda: "12.1", abi: stack.ABI{Torch: "2.3", CUDA: "12.1"}},
		"pt2.4cu121":                {variant: "cuda", cuda: "12.1", abi: stack.ABI{Torch: "2.4", CUDA: "12.1"}},
		"git0a1b2c3":                {},
		"focus.cu":                  {},
		"computecanada":             {},
		"cu1234":                    {},
		"cu118.with.pypi.cudnn":     {variant: "cuda", cuda: "11.8"},
		"5.cu124":                   {variant: "cuda", cuda: "12.4"},
		"d20240101":                 {},
		"nv24.10":                   {},
	} {
		if diff := cmp.Diff(want, parseLabel(give), cmp.AllowUnexported(hint{})); diff != "" {
			t.Errorf("parseLabel(%q) (-want +got):\n%s", give, diff)
		}
	}
}

func TestParseBuild(t *testing.T) {
	for give, want := range map[string]hint{
		"py3.11_cuda12.1_cudnn8.9.2_0":     {variant: "cuda", cuda: "12.1", cudnn: "8.9.2"},
		"py3.10_cuda11.8_cudnn8.7.0_0":     {variant: "cuda", cuda: "11.8", cudnn: "8.7.0"},
		"py3.11_cpu_0":                     {variant: "cpu"},
		"cuda126_generic_py312_h5e8a1c2_0": {variant: "cuda", cuda: "12.6"},
		"cuda120py39h1234567_301":          {variant: "cuda", cuda: "12.0"},
		"cpu_mkl_py311h1234567_100":        {variant: "cpu"},
		"cpu_generic_py312h1576ffb_0":      {variant: "cpu"},
		"py311h06a4308_0":                  {},
		"":                                 {},
	} {
		if diff := cmp.Diff(want, parseBuild(give), cmp.AllowUnexported(hint{})); diff != "" {
			t.Errorf("parseBuild(%q) (-want +got):\n%s", give, diff)
		}
	}
}

func TestParseName(t *testing.T) {
	for give, want := range map[string]hint{
		"cupy-cuda12x":       {variant: "cuda", cuda: "12"},
		"cupy-cuda118":       {variant: "cuda", cuda: "11.8"},
		"tensorrt-cu12-libs": {variant: "cuda", cuda: "12"},
		"onnxruntime-gpu":    {variant: "cuda"},
		"onnxruntime":        {},
		"tensorflow-cpu":     {variant: "cpu"},
		"custom-cut":         {},
	} {
		if diff := cmp.Diff(want, parseName(give), cmp.AllowUnexported(hint{})); diff != "" {
			t.Errorf("parseName(%q) (-want +got):\n%s", give, diff)
		}
	}
}

func TestParseAssignments(t *testing.T) {
	a := parseAssignments(`# cuda = '1.0'
from x import y
__version__ = version = '0.6.3'  # note
cuda: Optional[str] = "12.4"
hip: Optional[str] = None
debug = False
number = 12040
computed = get('x')
joined = 'a' + 'b'
    inner = 'no'
cuda = '12.6'
`)
	got := map[string]string{}
	for k, v := range a {
		got[k] = v.value
	}
	want := map[string]string{"__version__": "0.6.3", "version": "0.6.3", "cuda": "12.6", "hip": "None", "debug": "False", "number": "12040"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a["cuda"].line != 11 {
		t.Errorf("cuda is in line %d, want 11", a["cuda"].line)
	}
	if _, ok := a.set("hip"); ok {
		t.Error("None counts as set")
	}
}

func TestParsePin(t *testing.T) {
	for _, tt := range []struct {
		give, name, version string
		ok                  bool
	}{
		{`nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"`, "nvidia-cudnn-cu12", "9.1.0.70", true},
		{"torch (==2.4.0)", "torch", "2.4.0", true},
		{"Jax_Cuda12[with_cuda] == 0.5.0", "jax-cuda12", "0.5.0", true},
		{"torch>=2.4", "", "", false},
		{"numpy", "", "", false},
		{`torch; extra == "2.0"`, "", "", false},
	} {
		name, version, ok := parsePin(tt.give)
		if name != tt.name || version != tt.version || ok != tt.ok {
			t.Errorf("parsePin(%q) = %q, %q, %v", tt.give, name, version, ok)
		}
	}
}

func TestMangledABI(t *testing.T) {
	for give, want := range map[string]string{
		"_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE": "TRUE",
		"_ZN3c105ErrorC2ENS_14SourceLocationESs":                                                   "FALSE",
		"_ZN3c106detail14torchCheckFailEPKcS2_jRKSs":                                               "FALSE",
		"_ZN3c106detail14torchCheckFailEPKcS2_jS2_":                                                "", // takes no string
		"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1Ev":                                "", // libstdc++'s own
		"malloc": "",
	} {
		if got := mangledABI(give); got != want {
			t.Errorf("mangledABI(%q) = %q, want %q", give, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("cuda: Optional[str] = '12.4'\n")
	f.Add("build_info = collections.OrderedDict([('a', ['b', 'c']), ('d', True)])\n")
	f.Add("#define CUDA_VERSION 12040\n")
	f.Fuzz(func(t *testing.T, s string) {
		for name, a := range parseAssignments(s) {
			if name == "" || a.line < 1 {
				t.Errorf("assignment %q in line %d", name, a.line)
			}
		}
		for _, v := range parseDict(s, "build_info") {
			parseList(v)
		}
		parseCUDAHeader(s)
		if _, version, ok := parsePin(s); ok && version == "" {
			t.Error("a pin without version")
		}
	})
}

func FuzzLabel(f *testing.F) {
	f.Add("cu12torch2.6cxx11abiFALSE")
	f.Add("py3.11_cuda12.1_cudnn8.9.2_0")
	f.Fuzz(func(t *testing.T, s string) {
		in := &install{fw: stack.Framework{}}
		for _, h := range []hint{parseLabel(s), parseBuild(s), parseName(s)} {
			in.use(h, stack.Source{})
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"version": {"cuda": 1201, "torch": "2.5.1"}}`))
	f.Add([]byte(`{"cuda": "12.x", "cudnn": {"version": "8.8.1"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, h := range []hint{parseXformers(data), parseCupyWheel(data)} {
			if len(h.abi.Torch) > 64 {
				t.Error("a value longer than allowed")
			}
		}
	})
}
