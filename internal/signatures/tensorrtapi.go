package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tensorRTAPI is what programs say that were written for another TensorRT, and what TensorRT says of libraries beside it.
func tensorRTAPI() []*Signature {
	return []*Signature{
		{
			ID: "tensorrt-api-removed", Product: "tensorrt",
			Literals: []string{"'tensorrt.tensorrt.", "'tensorrt_bindings.", "module 'tensorrt' has no attribute", "'tensorrt' has no attribute"},
			Pattern:  `'tensorrt(?:_bindings)?\.tensorrt\.(?P<class>\w+)' (?:object )?has no attribute '(?P<name>\w+)'|module 'tensorrt' has no attribute '(?P<name>\w+)'`,
			Layer:    rule.TensorRT, Strength: Strong,
			Meaning: "A program calls what this release of TensorRT's Python package does not have.",
			Causes: causes(
				Cause{
					When:  on(Is("name", `^(num_bindings|get_binding\w*|binding_is_input|get_binding_shape|max_batch_size|execute_async|execute_async_v2|set_binding_shape|max_workspace_size|build_engine|build_cuda_engine|EXPLICIT_BATCH|max_workspace|get_max_batch_size|binding\w*|create_builder_config|STRICT_TYPES|implicit\w*|nptype)$`)),
					Title: "TensorRT[ {tensorrt}] no longer has {name}: the program is written for an older TensorRT (8 or before)",
					Text:  "TensorRT 8 and 10 removed interfaces that were long deprecated: bindings by index became tensors by name (num_io_tensors, get_tensor_name), build_cuda_engine became build_serialized_network. Driver and CUDA are not at fault.",
					Remedies: []Remedy{
						fix("install the TensorRT that the program is written for", "pip", "python -m pip install 'tensorrt<10'"),
						fix("or update the program to one for TensorRT 10"),
					},
					Ask: "python -c 'import tensorrt; print(tensorrt.__version__)'",
				},
				Cause{
					When: on(Is("name", `^(__version__|Logger|Builder|Runtime|init_libnvinfer_plugins)$`)), Layer: rule.PythonEnv,
					Title: "The module tensorrt that is imported is empty (it has no {name}): another folder of that name, or a broken installation",
					Text:  "A folder or file named tensorrt beside the program is found first, or the package tensorrt is there without its libraries (tensorrt_libs, tensorrt_bindings).",
					Remedies: []Remedy{
						fix("rename the folder, or install the package anew", "pip", "python -m pip install --force-reinstall --no-cache-dir tensorrt"),
					},
				},
				Cause{
					Title: "This TensorRT[ {tensorrt}] has no {name}: the program is written for another release",
					Text:  "Interfaces of TensorRT change with its major releases.",
					Remedies: []Remedy{
						fix("install the TensorRT that the program asks for, or a release of the program for this one", "check", "python -c 'import tensorrt; print(tensorrt.__version__)'"),
					},
				},
			),
			Samples: []string{"AttributeError: 'tensorrt.tensorrt.ICudaEngine' object has no attribute 'get_binding_index'", "AttributeError: 'tensorrt_bindings.tensorrt.IBuilderConfig' object has no attribute 'max_workspace_size'", "AttributeError: module 'tensorrt' has no attribute 'Logger'"},
			Misses:  []string{"AttributeError: module 'mytensorrt_helpers' has no attribute 'x'"},
			Source:  "https://docs.nvidia.com/deeplearning/tensorrt/latest/api/migration-guide.html",
		},
		{
			ID: "tensorrt-linked-against", Product: "tensorrt",
			Literals: []string{"was linked against cuDNN", "was linked against cuBLAS"},
			Pattern:  `TensorRT was linked against (?P<what>cuDNN|cuBLAS)(?:/cuBLAS LT)? (?P<need>[\d.]+\d) but loaded (?:cuDNN|cuBLAS)(?:/cuBLAS LT)? (?P<have>[\d.]+\d)`,
			Layer:    rule.CUDNN,
			Meaning:  "TensorRT loads another release of a library than it was built with.",
			Causes: causes(
				Cause{
					When: on(Is("what", `cuBLAS`)), Layer: rule.CUDALibraries,
					Title:    "TensorRT was built with cuBLAS {need} and loads {have}",
					Text:     "A warning where the loaded one is newer; older ones lack functions. The first libcublas on LD_LIBRARY_PATH is taken.",
					Remedies: []Remedy{fix("let the cuBLAS of TensorRT's CUDA release be found first, or install it", "check", "echo $LD_LIBRARY_PATH; ldconfig -p | grep cublas")},
				},
				Cause{
					Title:    "TensorRT was built with cuDNN {need} and loads {have}",
					Text:     "A warning where the loaded one is newer; with an older one layers fail or give wrong results. The first libcudnn on LD_LIBRARY_PATH is taken, in Python often the one of PyTorch's wheel.",
					Remedies: []Remedy{fix("install cuDNN {need} or newer of the same major release, and take older copies off LD_LIBRARY_PATH", "check", "ldconfig -p | grep cudnn; python -m pip list | grep -i cudnn")},
				},
			),
			Samples: []string{"[TensorRT] WARNING: TensorRT was linked against cuDNN 8.2.1 but loaded cuDNN 8.0.5", "[TRT] [W] TensorRT was linked against cuBLAS/cuBLAS LT 11.6.5 but loaded cuBLAS/cuBLAS LT 11.5.1"},
			Misses:  []string{"TensorRT was linked statically"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/3534",
		},
		{
			ID: "tensorrt-not-an-engine", Product: "tensorrt",
			Literals: []string{"magicTag ==", "incompatible serialization version", "kPLAN_MAGIC_TAG"},
			Pattern:  `magicTag == (?:rt::)?(?:PlanMagicTag::)?kPLAN_MAGIC_TAG failed(?:\.[^\n]{0,80}\((?P<a>\d+) != (?P<b>\d+)\))?`,
			Layer:    rule.TensorRT, Strength: Strong,
			Meaning: "The file does not begin as an engine of TensorRT does.",
			Causes: causes(Cause{
				Title: "The file is no plain TensorRT engine for this reader: something stands before the engine, or another kind of TensorRT wrote it",
				Text:  "An engine begins with a mark of its own. Ultralytics writes its metadata before the engine (yolo export format=engine), which Triton and trtexec cannot read; an unfinished download, a Git LFS pointer, or an engine of the safety or a much older or newer TensorRT version look the same.",
				Remedies: []Remedy{
					fix("build the engine from ONNX with trtexec, of the same TensorRT version as the reader", "shell", "trtexec --onnx=model.onnx --saveEngine=model.plan"),
					fix("or take the metadata away before it is given to Triton; Ultralytics reads such a file itself"),
				},
				Ask: "head -c 64 FILE | xxd, and the versions of TensorRT on both sides",
			}),
			Samples: []string{"[runtime.cpp::parsePlan::314] Error Code 1: Serialization (Serialization assertion plan->header.magicTag == rt::kPLAN_MAGIC_TAG failed.)"},
			Misses:  []string{"the magic tag is right"},
			Source:  "https://github.com/ultralytics/ultralytics/issues/20053",
		},
	}
}
