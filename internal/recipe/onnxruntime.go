package recipe

import (
	"path"
	"regexp"
	"strings"
)

// onnxruntime is `import onnxruntime` and a session that asks for CUDA.
func onnxruntime(r *run) {
	dir := r.module("onnxruntime")
	capi := path.Join(dir, "capi")
	ext := r.extension(capi, "onnxruntime_pybind11_state")
	if dir == "" || ext == "" {
		r.stop("onnxruntime is not installed")
		return
	}
	// Since 1.27 this needs libcudart itself: the import fails without it, where a session fell back to the CPU before.
	if r.imports(Must, ext, path.Join(capi, "_pybind_state.py")+" imports it") != nil {
		return
	}
	pybind := r.opened
	const bridge = "the provider bridge loads it by its path beside itself (onnxruntime/core/session/provider_bridge_ort.cc)"
	provider := func(need Need, name string) bool {
		return r.open(need, pybind, path.Join(capi, "libonnxruntime_providers_"+name+".so"), bridge) == nil
	}
	info := path.Join(capi, "build_and_package_info.py")
	cuda, by := ortCUDA(r.source(info)), "capi/build_and_package_info.py"
	hasCUDA := cuda != ""
	if !r.m.Exists(info) { // the wheels of 1.18 and 1.20 have none
		hasCUDA, by = len(r.namesIn(pybind, ortOnlyCUDA)) > 0, "its extension has no functions for it"
	}
	// The bridge itself comes with the import already, of any build.
	shared := path.Join(capi, "libonnxruntime_providers_shared.so")
	if !hasCUDA {
		if r.m.Exists(shared) {
			provider(Optional, "shared")
		}
		r.stop("this build of ONNX Runtime has no CUDA provider (" + by + ")")
		return
	}
	if !provider(GPU, "shared") {
		return
	}
	if r.w.Preload {
		r.preloadDLLs(dir, cuda)
	}
	if provider(GPU, "cuda") {
		if r.driver(r.named("libcudart.so."), "libcudart opens the driver at cudaSetDevice (core/providers/cuda/cuda_execution_provider.cc)") == nil {
			r.afterGPU(func() {
				r.cudnnParts()
				r.nvrtc(Part)
			})
		}
	}
	if r.w.TensorRT {
		provider(Part, "tensorrt")
	}
}

// ortOnlyCUDA is a function that the Python extension has where it is built for CUDA: those of onnxruntime-gpu 1.18.1, 1.20.2 and 1.24.4 have
// it, that of onnxruntime 1.24.4 does not. The provider's own library proves nothing: the CPU package installed over the other one leaves it behind.
const ortOnlyCUDA = "set_gpu_mem_limit"

// preloadDLLs is onnxruntime.preload_dlls(), since 1.21: each library from its wheel, and afterwards by name where that failed.
func (r *run) preloadDLLs(dir, cuda string) {
	file := path.Join(dir, "__init__.py")
	source := r.source(file)
	if !strings.Contains(source, "def preload_dlls") {
		return
	}
	major, _, _ := strings.Cut(cuda, ".")
	var missing []string
	for _, lib := range ortLibraries(source, major) {
		p := path.Join(path.Dir(dir), path.Join(lib...))
		if info, err := r.m.Stat(p); err == nil && info.Mode().IsRegular() && r.cdll(Optional, p, file+": preload_dlls") == nil {
			continue
		}
		missing = append(missing, path.Base(p))
	}
	for _, name := range missing {
		r.cdll(Optional, name, file+": preload_dlls, by name where no wheel has it")
	}
}

var (
	ortVersion = regexp.MustCompile(`(?m)^cuda_version\s*=\s*["']([\d.]+)["']`)
	ortTuple   = regexp.MustCompile(`\("nvidia", "(\w+)", "lib", f?"(lib[^"]+)"\)`)
)

// ortCUDA is the CUDA release of the build, "" for one without CUDA.
func ortCUDA(source string) string {
	if m := ortVersion.FindStringSubmatch(source); m != nil {
		return m[1]
	}
	return ""
}

// ortLibraries are the libraries for Linux of _get_nvidia_dll_paths, each a path below the directory of packages.
func ortLibraries(source, major string) (list [][]string) {
	cufft := map[string]string{"13": "12"}[major]
	if cufft == "" {
		cufft = "11"
	}
	fill := strings.NewReplacer("{cuda_major_version}", major, "{cufft_version}", cufft)
	for _, m := range ortTuple.FindAllStringSubmatch(source, 64) {
		list = append(list, []string{"nvidia", m[1], "lib", fill.Replace(m[2])})
	}
	return list
}
