package derive

import (
	"path"
	"strings"
)

// WheelDir is where a wheel of NVIDIA puts its libraries inside a site
// directory: nvidia-cuda-runtime-cu12 into nvidia/cuda_runtime/lib. The wheels
// of CUDA 13 that lost the suffix share nvidia/cu13/lib.
func WheelDir(site, pip string, cudaMajor int) string {
	name := strings.TrimPrefix(pip, "nvidia-")
	switch {
	case strings.HasPrefix(pip, "tensorrt"):
		return path.Join(site, "tensorrt_libs")
	case name == pip: // cutensor-cu12 lies beside nvidia
		name, _, _ = strings.Cut(name, "-")
		return path.Join(site, name, "lib")
	case strings.HasSuffix(name, "-cu11"), strings.HasSuffix(name, "-cu12"), strings.HasSuffix(name, "-cu13"):
		name = name[:len(name)-len("-cu12")]
		if name == "cusparselt" {
			return path.Join(site, name, "lib")
		}
	case cudaMajor >= 13:
		name = "cu13"
	}
	return path.Join(site, "nvidia", strings.ReplaceAll(name, "-", "_"), "lib")
}

// FindsWheels tells whether a workload loads what lies in NVIDIA's wheels by
// itself, without a search path that names them.
func FindsWheels(w *Workload) bool {
	kind := kindOf(w)
	return kind == before || kind == after
}

// pure are frameworks without native libraries of their own: what they need
// shows in what they stand on.
var pure = map[string]bool{"numba-cuda": true, "faster-whisper": true}

// Pure tells whether a workload has no native libraries, so that what it needs
// is what it stands on needs.
func Pure(w *Workload) bool {
	return len(w.Framework.Libraries) == 0 && (pure[w.Name] || w.On != nil)
}
