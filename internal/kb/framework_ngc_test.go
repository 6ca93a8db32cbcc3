package kb

import (
	"strings"
	"testing"
)

func TestNGC(t *testing.T) {
	tests := []struct {
		container, tag string
		cuda, python   string
		framework      string // in the list
		driver         string
	}{
		{"nvcr.io/nvidia/pytorch", "25.12-py3", "13.1.0", "3.12", "torch==2.10.0a0+b4e4ee81d3", ""},
		{"tritonserver", "25.10-vllm-python-py3", "13.0.2", "3.12.3", "vllm==0.10.2+9dd9ca32.nv25.10", ""},
		{"tritonserver", "26.07-trtllm-python-py3", "13.1.0", "3.12.3", "tensorrt-llm==1.2.1", ""},
		{"nvidia/mxnet", "24.05-py3", "12.4.1", "3.10", "mxnet==1.9.1", "545"},
		{"tensorflow", "20.06-tf2-py3", "11.0", "3.6", "", "450"},
		{"cuda-dl-base", "26.03-cuda13.2-devel-ubuntu24.04", "13.2.0", "3.12", "", ""},
		{"cuda", "12.4.1-cudnn-devel-ubuntu22.04", "12.4.1", "", "", ""},
	}
	for _, tt := range tests {
		a := Default().NGC(tt.container, tt.tag)
		r := a.Value
		if !a.Known || r.CUDA.String() != tt.cuda || r.Python.String() != tt.python || r.Driver.String() != tt.driver {
			t.Errorf("%s:%s: CUDA %s, Python %s, driver %s (%s)", tt.container, tt.tag, r.CUDA, r.Python, r.Driver, a.Why)
		}
		var have []string
		for _, d := range r.Framework {
			have = append(have, d.String())
		}
		if !strings.Contains(strings.Join(have, " "), tt.framework) {
			t.Errorf("%s:%s: %q without %s", tt.container, tt.tag, have, tt.framework)
		}
	}
}

func TestNGCUnknown(t *testing.T) {
	tests := []struct {
		container, tag string
		beyond         bool
	}{
		{"pytorch", "27.01-py3", true},
		{"pytorch", "26.07-py3", true}, // newer than what is known of this container
		{"pytorch", "22.01-py3", false},
		{"cuda", "99.1.0-base-ubuntu24.04", true},
		{"cuda", "latest", false},
		{"no-such-container", "25.12-py3", false},
		{"pytorch", "", false},
	}
	for _, tt := range tests {
		if a := Default().NGC(tt.container, tt.tag); a.Known || a.Beyond != tt.beyond || a.Why == "" {
			t.Errorf("%s:%s: known %v, beyond %v, %q", tt.container, tt.tag, a.Known, a.Beyond, a.Why)
		}
	}
}

func TestCheckNGC(t *testing.T) {
	const header = "container,tag,framework,python,cuda,cudnn,nccl,tensorrt,driver,toolkit_driver,data_center,not_forward,cc_min,note,src,confidence"
	want := map[int]string{
		5: "does not start CUDA 13.0.2",
		6: "branch 545 is both",
		7: "beyond the horizon",
		8: "does not begin with a year",
		9: "newer than 530 for all",
	}
	problems := linted(t, checkNGC, "ngc 26.08", header,
		"pytorch,25.12-py3,,,13.1.0,,,,,,,,,,s,high",
		"pytorch,25.10-py3,,,13.0.2,,,,575,,,,,,s,high",
		"pytorch,25.03-py3,,,12.8.1,,,,560,,545.23,545,,,s,high",
		"pytorch,26.09-py3,,,13.4.1,,,,,,,,,,s,high",
		"pytorch,latest,,,13.1.0,,,,,,,,,,s,high",
		"pytorch,23.03-py3,,,12.1.0,,,,530,,535.86,,,,s,high",
	)
	compareProblems(t, problems, want)
}
