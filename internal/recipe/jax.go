package recipe

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"strata/internal/loader"
)

// jaxSources are the modules of jaxlib that import the plugin's, in the order of jax/_src/lib/__init__.py. Releases differ in which they
// ask for, and say it themselves.
var jaxSources = []string{"gpu_solver", "gpu_sparse", "gpu_prng", "gpu_linalg", "gpu_rnn", "gpu_triton"}

// jax is `import jax; jax.devices()`.
func jax(r *run) {
	plugin, entry := r.jaxPlugin()
	if plugin == "" || entry == "" {
		r.stop("JAX has no CUDA plugin")
		return
	}
	client := r.jaxClient()
	if client == nil {
		r.stop("jaxlib is not installed")
		return
	}
	r.jaxModules(plugin, r.jaxImported(), "jaxlib's gpu_*.py import it")
	file := path.Join(entry, "__init__.py")
	source := r.source(file)
	r.jaxModules(plugin, []string{"cuda_plugin_extension"}, file+" imports it")
	for _, lib := range parseJAX(source) {
		if dir := r.module("nvidia/" + lib.folder); dir != "" {
			r.cdll(Optional, path.Join(dir, "lib", lib.name), fmt.Sprintf("%s:%d loads it by path", file, lib.line))
		}
	}
	// Releases whose plugin compares the versions of the libraries do so before they name xla_cuda_plugin: without a GPU it stays away.
	checks := strings.Contains(source, "def _check_cuda_versions")
	if checks {
		if !r.jaxVersions(plugin, file) {
			return
		}
		r.later = true
	}
	if r.open(GPU, client, path.Join(entry, "xla_cuda_plugin.so"), file+" names it, and jaxlib opens it (xla/pjrt/pjrt_api.cc)") != nil {
		return
	}
	xla := r.opened
	ours, theirs := r.w.Packages["jaxlib"], r.w.Packages[strings.ReplaceAll(path.Base(plugin), "_", "-")]
	if ours != "" && theirs != "" && ours != theirs {
		r.stop(fmt.Sprintf("the plugin is for jaxlib %s, and %s does not use it (jaxlib/plugin_support.py)", theirs, ours))
		return
	}
	r.jaxGPU(xla, plugin)
}

// jaxVersions is _check_cuda_versions: the plugin's _versions asks each library for its version, the driver last. It reports whether all
// are there; JAX leaves the GPU aside where one is not.
func (r *run) jaxVersions(plugin, file string) bool {
	versions := r.named("_versions.so")
	if versions == nil {
		return true
	}
	why := file + ": _check_cuda_versions, through the stubs in _versions"
	names := []string{"libcudart.so.12", "libcudnn.so.9", "libcufft.so.11", "libcupti.so.12", "libcublas.so.12", "libcusparse.so.12"}
	if strings.Contains(plugin, "cuda13") {
		names = []string{"libcudart.so.13", "libcudnn.so.9", "libcufft.so.12", "libcupti.so.13", "libcublas.so.13", "libcusparse.so.12"}
	}
	for _, name := range names {
		if r.open(GPU, versions, name, why) != nil {
			return false
		}
		if strings.HasPrefix(name, "libcudnn") {
			r.cudnnVersion(GPU)
		}
	}
	return r.open(GPU, versions, "libcuda.so.1", why) == nil
}

var jaxImport = regexp.MustCompile(`(?:import_module\(\s*f"\{cuda_module_name\}\.|import_from_plugin\("cuda", ")(_\w+)"`)

// jaxImported are the plugin's modules that jaxlib imports.
func (r *run) jaxImported() []string {
	list := []string{"_versions"}
	dir := r.module("jaxlib")
	for _, name := range jaxSources {
		for _, m := range jaxImport.FindAllStringSubmatch(r.source(path.Join(dir, name+".py")), 8) {
			list = append(list, m[1])
		}
	}
	return list
}

// jaxGPU is what follows where there is a device file of NVIDIA's.
func (r *run) jaxGPU(xla *loader.Object, plugin string) {
	if r.open(GPU, xla, "libcuda.so.1", "XLA opens the driver (xla/stream_executor/cuda/cuda_stub.cc)") != nil {
		return
	}
	r.later = true
	names := tensorflowNames("12", "9")
	if strings.Contains(plugin, "cuda13") {
		names = tensorflowNames("13", "9")
	}
	for _, name := range names {
		need := GPU
		if strings.HasPrefix(name, "libcusolver") {
			need = Part // opened by the functions that need it alone
		}
		r.open(need, xla, name, "XLA opens it by name (xla/tsl/platform/default/dso_loader.cc)")
	}
	r.cudnnParts()
}

// jaxPlugin finds the newest CUDA plugin's package and its entry below jax_plugins.
func (r *run) jaxPlugin() (plugin, entry string) {
	for _, cuda := range []string{"cuda13", "cuda12"} {
		p, e := r.module("jax_"+cuda+"_plugin"), r.module("jax_plugins/xla_"+cuda)
		if p != "" && e != "" {
			return p, e
		}
	}
	return "", ""
}

// jaxClient imports the client of jaxlib, whose code opens plugins: xla_extension, or _jax over libjax_common since 0.6.
func (r *run) jaxClient() *loader.Object {
	dir := r.module("jaxlib")
	lib := path.Join(r.module("jax"), "_src/lib/__init__.py")
	source := r.source(lib)
	if utils, client := strings.Index(source, "import jaxlib.utils"), strings.Index(source, "import jaxlib.xla_client"); utils >= 0 && utils < client {
		r.imports(Optional, r.extension(dir, "utils"), lib+" imports it")
	}
	for _, name := range []string{"xla_extension", "_jax"} {
		if file := r.extension(dir, name); file != "" && r.imports(Must, file, path.Join(dir, "xla_client.py")+" imports it") == nil {
			if common := r.named("libjax_common.so"); common != nil {
				return common
			}
			return r.opened
		}
	}
	return nil
}

// jaxModules imports modules of the plugin. JAX goes on without one that does not import. Those that are built with stubs of the CUDA
// libraries open libcudart when they are initialised; what they lack then is theirs alone, as the client asks for itself.
func (r *run) jaxModules(plugin string, names []string, why string) {
	runtime := "libcudart.so.12"
	if strings.Contains(plugin, "cuda13") {
		runtime = "libcudart.so.13"
	}
	for _, name := range names {
		file := r.extension(plugin, name)
		if file == "" || r.imports(Optional, file, why) != nil || !jaxStubs[name] {
			continue
		}
		o := r.opened
		r.open(Part, o, runtime, "the stub of the CUDA runtime inside opens it when it is initialised (xla/stream_executor/cuda/cudart_stub.cc)")
	}
}

// jaxStubs are the modules that hold kernels, whose registration calls the CUDA runtime.
var jaxStubs = map[string]bool{"_blas": true, "_solver": true, "_sparse": true, "_prng": true, "_linalg": true, "_rnn": true, "_triton": true, "cuda_plugin_extension": true}

// jaxLib is one library that the plugin loads by path.
type jaxLib struct {
	folder, name string
	line         int
}

var (
	jaxLoad = regexp.MustCompile(`_load\("(\w+)",\s*\[([^\]]*)\]`)
	quoted  = regexp.MustCompile(`"([^"]+)"`)
)

// parseJAX reads the calls of _load in jax_plugins/xla_cuda*/__init__.py (in JAX's tree: jax_plugins/cuda/__init__.py).
func parseJAX(source string) (list []jaxLib) {
	number := 0
	for line := range strings.Lines(source) {
		number++
		m := jaxLoad.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, q := range quoted.FindAllStringSubmatch(m[2], 16) {
			if len(list) < maxListed {
				list = append(list, jaxLib{m[1], q[1], number})
			}
		}
	}
	return list
}
