package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const ortCUDAPage = "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html"

// ortFallsBack is what every failure to make a provider leads to.
const ortFallsBack = "ONNX Runtime then goes on with the next provider of the list, in the end with the CPU, without an error. get_available_providers() lists what the package was built with, not what works. "

// onnxRuntime is what ONNX Runtime says about its CUDA provider.
func onnxRuntime() []*Signature {
	return []*Signature{
		{
			ID: "ort-provider-library-dependency", Product: "onnxruntime",
			Literals: []string{"libonnxruntime_providers_cuda", "libonnxruntime_providers_tensorrt", "onnxruntime_pybind11_state"},
			Pattern:  `libonnxruntime_providers_(?P<provider>cuda|tensorrt)\S*\.so\S*"? with error: (?:\S*/)?(?P<lib>` + toolkitLibrary + `): (?:cannot open shared object|file too short|invalid ELF)`,
			Strength: Strong,
			Meaning:  "ONNX Runtime could not load its GPU provider, because a library that the provider is linked to is not found.",
			Causes:   ortLibraryCauses(),
			Samples: []string{
				"[E:onnxruntime:Default, provider_bridge_ort.cc:1744 TryGetProviderInfo_CUDA] /onnxruntime_src/onnxruntime/core/session/provider_bridge_ort.cc:1426 onnxruntime::Provider& onnxruntime::ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.12: cannot open shared object file: No such file or directory",
				"Failed to load library libonnxruntime_providers_tensorrt.so with error: libnvinfer.so.10: cannot open shared object file: No such file or directory",
				`Error loading "/opt/app/onnxruntime/capi/libonnxruntime_providers_cuda.so" with error: libcudnn.so.9: cannot open shared object file: No such file or directory`,
			},
			Misses: []string{"Failed to load library libonnxruntime_providers_cuda.so with error: libonnxruntime_providers_shared.so: cannot open shared object file"},
			Source: "https://github.com/microsoft/onnxruntime/issues/21684",
		},
		{
			ID: "ort-provider-library-shared", Product: "onnxruntime",
			Literals: []string{"libonnxruntime_providers_", "onnxruntime_providers_shared"},
			Pattern:  `(?:with error: (?:\S*/)?)?(?P<file>libonnxruntime_providers_(?:shared|cuda|tensorrt)\.so): cannot open shared object file`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "ONNX Runtime looks for its provider library beside itself and does not find it.",
			Causes: causes(Cause{
				Title: "{file} is not beside libonnxruntime: the GPU files of ONNX Runtime are not all there",
				Text:  "The GPU build consists of libonnxruntime.so, libonnxruntime_providers_shared.so and one library for each provider, and all must lie in one directory. One is missing: the CPU package is installed, or only a part of the files was copied.",
				Remedies: []Remedy{
					fix("Python: leave one package alone, onnxruntime-gpu", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu"),
					fix("C, C++, Rust or Go: copy all libonnxruntime*.so of the release archive with gpu in its name into one directory"),
				},
			}),
			Samples: []string{
				"Failed to load library libonnxruntime_providers_shared.so with error: libonnxruntime_providers_shared.so: cannot open shared object file: No such file or directory",
				"Failed to load library libonnxruntime_providers_cuda.so with error: libonnxruntime_providers_cuda.so: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"libonnxruntime_providers_cuda.so with error: libcublas.so.12: cannot open shared object file"},
			Source: "https://github.com/microsoft/onnxruntime/issues/11092",
		},
		{
			ID: "ort-provider-library-symbol", Product: "onnxruntime",
			Literals: []string{"libonnxruntime_providers_", "libonnxruntime.so"},
			Pattern:  `libonnxruntime(?:_providers_\w+)?\.so\S*(?: with error: \S+)?: (?:undefined symbol: (?P<symbol>\S+)|version .?(?P<symbol>VERS_[\d.]+).? not found)`,
			Layer:    rule.PackageConflict,
			Strength: Strong,
			Meaning:  "The files of ONNX Runtime that are loaded together come from different releases.",
			Causes: causes(Cause{
				Title: "the files of ONNX Runtime do not belong together: {symbol} is missing",
				Text:  "libonnxruntime and its provider libraries must be of one release. Two packages wrote into one folder, or another libonnxruntime is found first, on LD_LIBRARY_PATH or in the system.",
				Remedies: []Remedy{
					fix("take every onnxruntime package out and install one", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu onnxruntime-training", "pip", "python -m pip install onnxruntime-gpu"),
					fix("take directories with another libonnxruntime.so off LD_LIBRARY_PATH"),
				},
				Ask: "find / -name 'libonnxruntime*.so*' 2>/dev/null",
			}),
			Samples: []string{
				"Failed to load library libonnxruntime_providers_cuda.so with error: /opt/ort/libonnxruntime_providers_cuda.so: undefined symbol: _ZN11onnxruntime6Einsum13DeviceComputeE",
				"ImportError: /usr/lib/libonnxruntime.so.1: version `VERS_1.20.0' not found (required by onnxruntime_pybind11_state.so)",
			},
			Misses: []string{"libonnxruntime_providers_cuda.so with error: libcurand.so.10: cannot open shared object file"},
			Source: "https://github.com/microsoft/onnxruntime/issues/11092",
		},
	}
}
