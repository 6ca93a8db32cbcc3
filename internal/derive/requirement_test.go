package derive

import (
	"strings"
	"testing"
)

func TestRequirement(t *testing.T) {
	for field, want := range map[string][2]string{
		`nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"`: {"nvidia-cudnn-cu12", "==9.1.0.70"},
		`nvidia_cublas.cu12 (>=12.5.3.2,<13)`:                     {"nvidia-cublas-cu12", ">=12.5.3.2,<13"},
		`nvidia-cublas-cu12<13.0,>=12.5.3.2; extra == "and-cuda"`: {"nvidia-cublas-cu12", "<13.0,>=12.5.3.2"},
		`filelock`:                              {"filelock", ""},
		`jaxlib[cuda12] ~= 0.6.0`:               {"jaxlib", "~=0.6.0"},
		`torch @ https://example.org/torch.whl`: {"torch", ""},
		`  `:                                    {"", ""},
		`==1.0`:                                 {"", ""},
	} {
		if name, spec := Requirement(field); name != want[0] || spec != want[1] {
			t.Errorf("Requirement(%q) = %q, %q; want %q", field, name, spec, want)
		}
	}
}

func TestWheelDir(t *testing.T) {
	for _, c := range []struct {
		pip  string
		cuda int
		want string
	}{
		{"nvidia-cuda-runtime-cu12", 12, "/s/nvidia/cuda_runtime/lib"},
		{"nvidia-cuda-runtime", 13, "/s/nvidia/cu13/lib"},
		{"nvidia-cudnn-cu13", 13, "/s/nvidia/cudnn/lib"},
		{"nvidia-cusparselt-cu12", 12, "/s/cusparselt/lib"},
		{"cutensor-cu12", 12, "/s/cutensor/lib"},
		{"tensorrt-cu12", 12, "/s/tensorrt_libs"},
	} {
		if got := WheelDir("/s", c.pip, c.cuda); got != c.want {
			t.Errorf("WheelDir(%q, %d) = %q, want %q", c.pip, c.cuda, got, c.want)
		}
	}
}

func FuzzRequirement(f *testing.F) {
	f.Add("nvidia-cudnn-cu12==9.1.0.70; x")
	f.Add("a[b](>=1)")
	f.Fuzz(func(t *testing.T, field string) {
		name, spec := Requirement(field)
		if name == "" && spec != "" || strings.ContainsAny(name+spec, " \t;") {
			t.Errorf("Requirement(%q) = %q, %q", field, name, spec)
		}
	})
}
