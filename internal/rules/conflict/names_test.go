package conflict

import "testing"

func TestCUDASuffix(t *testing.T) {
	tests := map[string]struct {
		stem  string
		major int
	}{
		"nvidia-nccl-cu12":   {"nvidia-nccl", 12},
		"nvidia-cudnn-cu13":  {"nvidia-cudnn", 13},
		"nvidia-cublas":      {"nvidia-cublas", 0},
		"nvidia-cuda-nvrtc":  {"nvidia-cuda-nvrtc", 0},
		"tensorrt-cu12-libs": {"tensorrt", 12},
	}
	for name, want := range tests {
		if stem, major := cudaSuffix(name); stem != want.stem || major != want.major {
			t.Errorf("%s: %s and %d, want %s and %d", name, stem, major, want.stem, want.major)
		}
	}
}

func TestLeftover(t *testing.T) {
	tests := []struct {
		entry, name string
		want        bool
	}{
		{"~orch-2.6.0.dist-info", "torch", true},
		{"~~rch-2.6.0.dist-info", "torch", true},
		{"~nnxruntime_gpu-1.22.0.dist-info", "onnxruntime-gpu", true},
		{"~orch-2.6.0.dist-info", "torchvision", false},
		{"~orchvision-0.21.0.dist-info", "torch", false},
		{"torch-2.6.0.dist-info", "torch", false},
		{"~", "torch", false},
		{"~~~~~~~~-1", "torch", false},
	}
	for _, tt := range tests {
		if got := isLeftoverOf(tt.entry, tt.name); got != tt.want {
			t.Errorf("%s of %s: %t", tt.entry, tt.name, got)
		}
	}
}
