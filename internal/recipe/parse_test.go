package recipe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// torchSources are the ways of torch/__init__.py over the releases, in outline.
var torchSources = map[string]string{
	"2.1": `
def _preload_cuda_deps(lib_folder, lib_name):
    ctypes.CDLL(lib_path)
def _load_global_deps() -> None:
    try:
        ctypes.CDLL(lib_path, mode=ctypes.RTLD_GLOBAL)
    except OSError as err:
        cuda_libs: Dict[str, str] = {
            'cublas': 'libcublas.so.*[0-9]',
        }
        for lib_folder, lib_name in cuda_libs.items():
            _preload_cuda_deps(lib_folder, lib_name)
`,
	"2.6": `
def _load_global_deps() -> None:
    try:
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)
            if "nvidia/cuda_runtime/lib/libcudart.so" not in _maps:
            _preload_cuda_deps("nvjitlink", "libnvJitLink.so.*[0-9]")
    except OSError as err:
        cuda_libs: _Dict[str, str] = {
            "cublas": "libcublas.so.*[0-9]",
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)
`,
	"later": `
            os.path.join(path, "nvidia", f"cu{maj_cuda_version}", "lib", lib_name)
def _preload_cuda_deps(err: OSError | None = None) -> None:
        ("cublas", "libcublas.so.*[0-9]"),
    _preload_cuda_lib("nvtx", "libnvToolsExt.so.*[0-9]", required=False)
def _load_global_deps() -> None:
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)
            if "libcudart.so" not in _maps:
            _preload_cuda_deps()
    except OSError as err:
        _preload_cuda_deps(err)
`,
	"2.15": `
            os.path.join(path, "nvidia", f"cu{maj_cuda_version}", "lib", lib_name)
def _preload_cuda_deps(err: OSError | None = None, required: bool = True) -> None:
        ("cublas", "libcublas.so.*[0-9]"),
def _load_global_deps() -> None:
        ctypes.CDLL(global_deps_lib_path, mode=ctypes.RTLD_GLOBAL)
            if "libcudart.so" not in _maps:
            _preload_cuda_deps(required=False)
    except OSError as err:
        _preload_cuda_deps(err)
`,
}

func TestParseTorch(t *testing.T) {
	want := map[string]torchPreload{
		"2.1": {global: 6, table: []torchLib{{folder: "cublas", pattern: "libcublas.so.*[0-9]", line: 9}}},
		"2.6": {
			global: 4, guard: "nvidia/cuda_runtime/lib/libcudart.so",
			after: []torchLib{{folder: "nvjitlink", pattern: "libnvJitLink.so.*[0-9]", line: 6}},
			table: []torchLib{{folder: "cublas", pattern: "libcublas.so.*[0-9]", line: 9}},
		},
		"later": {
			global: 7, guard: "libcudart.so",
			after: []torchLib{{"cublas", "libcublas.so.*[0-9]", 4, false, true}, {"nvtx", "libnvToolsExt.so.*[0-9]", 5, true, true}},
			table: []torchLib{{"cublas", "libcublas.so.*[0-9]", 4, false, true}, {"nvtx", "libnvToolsExt.so.*[0-9]", 5, true, true}},
		},
		"2.15": {
			global: 6, guard: "libcudart.so",
			after: []torchLib{{"cublas", "libcublas.so.*[0-9]", 4, true, true}},
			table: []torchLib{{"cublas", "libcublas.so.*[0-9]", 4, false, true}},
		},
	}
	for release, source := range torchSources {
		if d := cmp.Diff(want[release], parseTorch(source), cmp.AllowUnexported(torchPreload{}, torchLib{})); d != "" {
			t.Errorf("%s (-want +got)\n%s", release, d)
		}
	}
	if got := torchCUDA("__version__ = '2.6.0'\ncuda: Optional[str] = '12.4'\nhip = None\n"); got != "12.4" {
		t.Errorf("cuda is %q", got)
	}
}

func TestParsePathfinder(t *testing.T) {
	got := parsePathfinder(`
    DescriptorSpec(
        name="cusolver",
        linux_sonames=("libcusolver.so.12", "libcusolver.so.11"),
        windows_dlls=("cusolver64_12.dll",),
        site_packages_linux=("nvidia/cu13/lib", "nvidia/cusolver/lib"),
        dependencies=("nvJitLink", "cusparse"),
    ),
    DescriptorSpec(
        name="cudnn",
        linux_sonames=("libcudnn.so.9",),
        optional_dependencies=("nvrtc",),
    ),
`)
	want := map[string]pathfinderLib{
		"cusolver": {sonames: []string{"libcusolver.so.12", "libcusolver.so.11"}, dirs: []string{"nvidia/cu13/lib", "nvidia/cusolver/lib"}, dependencies: []string{"nvJitLink", "cusparse"}},
		"cudnn":    {sonames: []string{"libcudnn.so.9"}, optional: []string{"nvrtc"}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(pathfinderLib{})); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestIsCUDA(t *testing.T) {
	for name, want := range map[string]bool{
		"libcublasLt.so.12": true, "/x/libcudnn_ops.so.9": true, "libcuda.so.1": true, "libnvinfer_plugin.so.10": true, "libcusolverMg.so.11": true,
		"libcups.so.2": false, "libcudnn": false, "libcublasother.so.1": false, "libc.so.6": false, "": false,
	} {
		if got := IsCUDA(name); got != want {
			t.Errorf("IsCUDA(%q) = %v", name, got)
		}
	}
}

// FuzzSources feeds anything to the parsers of a machine's Python files: none may panic, nor find more than a framework has.
func FuzzSources(f *testing.F) {
	for _, s := range torchSources {
		f.Add(s)
	}
	f.Add(`  _load("cublas", ["libcublas.so.12", "libcublasLt.so.12"])`)
	f.Add(`("nvidia", "cufft", "lib", f"libcufft.so.{cufft_version}")`)
	f.Fuzz(func(t *testing.T, source string) {
		p := parseTorch(source)
		if n := max(len(p.table), len(p.after), len(parseJAX(source)), len(parsePathfinder(source)), len(ortLibraries(source, "12"))); n > maxListed {
			t.Errorf("%d libraries", n)
		}
		torchCUDA(source)
		ortCUDA(source)
	})
}
