package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tensorRTLoad is what TensorRT says where it does not start, or lacks a part.
func tensorRTLoad() []*Signature {
	return []*Signature{
		{
			ID: "tensorrt-plugin-missing", Product: "tensorrt",
			Literals: []string{"getPluginCreator could not find plugin", "Cannot find plugin:", "Plugin not found", "Cannot deserialize plugin"},
			Pattern:  `getPluginCreator could not find plugin:? ?(?P<plugin>\w+)|Cannot find plugin: (?P<plugin>\w+)|Plugin not found, are the plugin name, version, and namespace correct|Cannot deserialize plugin (?:since corresponding .{0,40})?(?P<plugin>\w+)?`,
			Layer:    rule.TensorRT,
			Strength: Strong,
			Meaning:  "The engine or model needs a plugin that is not registered.",
			Causes: causes(Cause{
				Title:    "TensorRT does not know a plugin that the model needs[: {plugin}]",
				Text:     "The library with the plugin was not loaded before the engine was read, or was built for another TensorRT. TensorRT's own plugins are registered by initLibNvInferPlugins.",
				Remedies: []Remedy{fix("load the plugin's library first: trt.init_libnvinfer_plugins(None, '') and ctypes.CDLL of the plugin, or --staticPlugins for trtexec; build it for this TensorRT")},
			}),
			Samples: []string{"[TRT] [E] 1: [pluginV2Runner.cpp::load::299] Error Code 1: Serialization (Serialization assertion creator failed.Cannot deserialize plugin since corresponding IPluginCreator not found in Plugin Registry)", "getPluginCreator could not find plugin: EfficientNMS_TRT version: 1"},
			Misses:  []string{"Plugin registered"},
			Source:  "https://docs.nvidia.com/deeplearning/tensorrt/latest/reference/troubleshooting-error-messages.html",
		},
		{
			ID: "tensorrt-gpu-unsupported", Product: "tensorrt",
			Literals:    []string{"is not supported by this TensorRT release", "Target GPU SM", "CaskDeconvolutionV2Builder", "Unsupported SM"},
			Pattern:     `(?i:target gpu sm (?P<sm2>\d+) is not supported by this tensorrt release)|Unsupported SM: ?0?x?(?P<sm2>\d+)`,
			Layer:       rule.GPUArch,
			Strength:    Strong,
			ExplainedBy: []string{"TRT002"},
			Meaning:     "This TensorRT has no code for the GPU.",
			Causes: causes(
				Cause{
					When:     on(Is("sm2", `^(1\d\d)$`)),
					Title:    "TensorRT[ {tensorrt}] is too old for the GPU[ {gpu}] (sm_{sm2})",
					Text:     "GPUs of sm_{sm2} need TensorRT 10.8 or newer.",
					Remedies: []Remedy{fix("update TensorRT to 10.8 or newer and build the engines anew", "pip", "python -m pip install -U tensorrt-cu12")},
				},
				Cause{
					Title:    "TensorRT[ {tensorrt}] no longer supports the GPU[ {gpu}] (sm_{sm2})",
					Text:     "TensorRT 10.0 dropped Pascal (sm_60, sm_61), 10.5 dropped Volta (sm_70).",
					Remedies: []Remedy{fix("use TensorRT 8.6 for Pascal, at most 10.4 for Volta"), fix("or ONNX Runtime's CUDA provider instead of TensorRT")},
				},
			),
			Samples: []string{"[E] IBuilder::buildSerializedNetwork: Error Code 9: API Usage Error (Target GPU SM 70 is not supported by this TensorRT release.)", "it says: target gpu sm 60 is not supported by this tensorrt release"},
			Misses:  []string{"Layer X is not supported by this TensorRT release."},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/4359",
		},
		{
			ID: "tensorrt-builder-resource", Product: "tensorrt",
			Literals: []string{"libnvinfer_builder_resource", "nvinfer_builder_resource"},
			Pattern:  `Unable to load library: (?P<lib>(?:lib)?nvinfer_builder_resource\S*?)(?:: |\)|$)`,
			Layer:    rule.TensorRT,
			Strength: Strong,
			Meaning:  "TensorRT's builder needs the library with its kernels for this GPU and does not find it.",
			Causes: causes(Cause{
				Title:    "TensorRT does not find {lib}: the installation lacks the builder's part for this GPU",
				Text:     "From 10.9 on the builder's resources come as one library for each architecture. A lean or copied installation, or a container with selected files, does not have the one for this GPU[ ({gpu}, {sm})]; it must be of exactly libnvinfer's release.",
				Remedies: []Remedy{fix("install the whole TensorRT of that release, and have its directory on LD_LIBRARY_PATH", "apt", "sudo apt-get install --reinstall libnvinfer10", "pip", "python -m pip install --force-reinstall tensorrt-cu12")},
			}),
			Samples: []string{"Error Code 6: API Usage Error (Unable to load library: libnvinfer_builder_resource_sm120.so.10.9.0: libnvinfer_builder_resource_sm120.so.10.9.0: cannot open shared object file)"},
			Misses:  []string{"libnvinfer_builder_resource.so.8.6.1 loaded"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/3983",
		},
		{
			ID: "tensorrt-cuda-init", Product: "tensorrt",
			Literals:    []string{"CUDA initialization failure with error", "unable to get number of CUDA devices", "pybind11_tensorrt"},
			Pattern:     `CUDA initialization failure with error:? (?P<code>\d+)|unable to get number of CUDA devices: (?P<text>[^\n]{5,80})`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"DRV002", "CUD001", "CUD002", "DEV003"},
			Meaning:     "TensorRT or Triton could not start CUDA.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("code", "^35$"), Is("text", "insufficient"))),
					Title:    "the driver[ {driver}] is too old for the CUDA of this TensorRT[ {tensorrt}] (error 35)",
					Text:     "TensorRT is built for a newer CUDA major release than the driver supports[ ({driver} supports {driver|cuda})], or the container has no driver.",
					Remedies: []Remedy{fix("update the driver, or take a TensorRT (container) for the driver's CUDA"), when(fix("start the container with --gpus all"), InContainer)},
				},
				Cause{
					When:     on(Any(Is("code", "^100$"), Is("text", "no CUDA-capable"))),
					Layer:    rule.DeviceExposure,
					Title:    "TensorRT sees no GPU (error 100)",
					Text:     "CUDA_VISIBLE_DEVICES hides it[ (here {visible})], or the container was started without one.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("code", "^2$")),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "TensorRT got no memory to start with.",
					Remedies: []Remedy{fix("end other processes on the GPU", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("code", "^222$")),
					Title:    "the driver[ {driver}] is too old for the PTX in this TensorRT[ {tensorrt}] (error 222)",
					Text:     "PTX of a newer CUDA than the driver's cannot be compiled.",
					Remedies: []Remedy{fix("update the driver")},
				},
				Cause{
					When:     on(Is("code", "^80[34]$")),
					Layer:    rule.CUDARuntime,
					Title:    "a cuda-compat libcuda is in use that does not work here (error {code})",
					Text:     "The container's compat libcuda does not fit this GPU or kernel module.",
					Remedies: []Remedy{fix("take the compat directory off LD_LIBRARY_PATH, or use a container for the driver's CUDA")},
				},
				Cause{
					Title:    "TensorRT cannot start CUDA[: error {code} || : {text}]",
					Text:     "The error comes from the driver or the access to it, not from the model.",
					Remedies: []Remedy{fix("check the driver", "bash", "nvidia-smi")},
					Ask:      "nvidia-smi where the program runs",
				},
			),
			Samples: []string{"[TRT] [E] CUDA initialization failure with error: 35", "W0101 10:00:00.000000 1 metrics.cc:512] unable to get number of CUDA devices: CUDA driver version is insufficient for CUDA runtime version", "[TRT] CUDA initialization failure with error 222"},
			Misses:  []string{"CUDA initialization"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/1160",
		},
	}
}
