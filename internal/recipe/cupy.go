package recipe

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"strata/internal/version"
)

// cupy is `import cupy; cupy.zeros(3)`.
func cupy(r *run) {
	dir := r.module("cupy")
	if dir == "" {
		r.stop("cupy is not installed")
		return
	}
	config := r.cupyConfig(dir)
	source := r.source(path.Join(dir, "_environment.py"))
	if source == "" {
		r.stop(path.Join(dir, "_environment.py") + " cannot be read, which says how this release finds its libraries")
		return
	}
	finder := strings.Contains(source, "load_nvidia_dynamic_lib") // since 14
	r.cupyPreload(dir, config, "cutensor", finder)
	backends := path.Join(path.Dir(dir), "cupy_backends/cuda")
	if r.imports(Must, r.extension(path.Join(backends, "api"), "runtime"), "cupy/_core imports it; the CUDA runtime is inside") != nil {
		return
	}
	runtime := r.opened
	// import cupy tries it and goes on without it. With pathfinder, the library is looked for before.
	if finder {
		r.pathfinder(Optional, "cutensor")
	}
	r.imports(Optional, r.extension(path.Join(backends, "libs"), "cutensor"), "cupy/cuda/cutensor, which fails silently")
	if r.open(GPU, runtime, "libcuda.so.1", "the CUDA runtime inside opens the driver at the first call") != nil {
		return
	}
	r.later = true
	if finder {
		r.pathfinder(GPU, "nvrtc") // every kernel is compiled
	} else {
		r.cdll(GPU, "libnvrtc.so."+major(config.CUDA), "every kernel is compiled (cupy_backends/cuda/libs/nvrtc.pyx, _softlink.pyx)")
	}
	r.nvrtc(GPU)
	for _, name := range []string{"cublas", "curand", "cusparse", "cusolver", "cudnn", "nccl"} {
		if name == "cudnn" || name == "nccl" {
			r.cupyPreload(dir, config, name, finder)
		} else if finder && !r.pathfinder(Part, name) {
			continue
		}
		r.imports(Part, r.extension(path.Join(backends, "libs"), name), "cupy.cuda."+name+", when it is first used")
	}
	if finder {
		r.pathfinder(Part, "cufft")
	}
	r.imports(Part, r.extension(path.Join(dir, "cuda"), "cufft"), "cupy.fft, when it is first used")
}

// cupyWheel is cupy/.data/_wheel.json.
type cupyWheel struct {
	CUDA      string                     `json:"cuda"` // 12.x
	Packaging string                     `json:"packaging"`
	Libraries map[string]cupyWheelParams `json:"-"`
}

type cupyWheelParams struct {
	Version   string   `json:"version"`
	Minimum   string   `json:"min_pypi_version"`
	Filenames []string `json:"filenames"`
}

func (r *run) cupyConfig(dir string) (c cupyWheel) {
	text := []byte(r.source(path.Join(dir, ".data/_wheel.json")))
	if json.Unmarshal(text, &c) != nil {
		return cupyWheel{}
	}
	c.Libraries = map[string]cupyWheelParams{}
	for _, name := range []string{"cutensor", "nccl", "cudnn"} {
		var all map[string]json.RawMessage
		var p cupyWheelParams
		if json.Unmarshal(text, &all) == nil && json.Unmarshal(all[name], &p) == nil {
			c.Libraries[name] = p
		}
	}
	return c
}

// cupyPreload is _preload_library of cupy/_environment.py: by pathfinder since 14, then the wheel of the library if it is new enough, else
// its exact version by name.
// ~/.cupy/cuda_lib, which it looks into as well, is not followed.
func (r *run) cupyPreload(dir string, config cupyWheel, lib string, finder bool) {
	p, ok := config.Libraries[lib]
	if !ok || config.Packaging == "conda" {
		return
	}
	if finder && r.pathfinder(Optional, lib) {
		return
	}
	file := path.Join(dir, "_environment.py")
	for _, name := range p.Filenames {
		loaded := false
		if wheel := r.cupyFromWheel(config, lib, p.Minimum); wheel != "" && r.m.Exists(wheel) {
			loaded = r.cdll(Optional, wheel, file+": _preload_library, from its wheel") == nil
		}
		if !loaded {
			r.cdll(Optional, name, file+": _preload_library, in the version that it was built with")
		}
	}
}

// cupyFromWheel is the library of cutensor-cuNN or nvidia-nccl-cuNN, "" where that is absent, too old or of another major version.
func (r *run) cupyFromWheel(config cupyWheel, lib, minimum string) string {
	places := map[string]string{"cutensor": "cutensor/lib/libcutensor.so.%s", "nccl": "nvidia/nccl/lib/libnccl.so.%s"}
	packages := map[string]string{"cutensor": "cutensor-cu", "nccl": "nvidia-nccl-cu"}
	if places[lib] == "" {
		return ""
	}
	have, err := version.ParsePEP440(r.w.Packages[packages[lib]+major(config.CUDA)])
	want, err2 := version.ParsePEP440(minimum)
	if err != nil || err2 != nil || have.Less(want) || have.Release()[0] != want.Release()[0] {
		return ""
	}
	return r.module(fmt.Sprintf(places[lib], major(minimum)))
}
