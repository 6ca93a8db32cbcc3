package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nativeLink is what the linker and the loader say of programs that were linked with libraries of another CUDA or
// TensorRT, or with none.
func nativeLink() []*Signature {
	return []*Signature{
		{
			ID: "link-undefined-versioned", Product: "linker",
			Literals: []string{"@libcudart.so", "@libnvrtc.so", "@libcublas.so", "@libcudnn.so", "@libcublasLt.so", "@libcufft.so", "@libnvinfer.so", "@libcusolver.so", "@libcusparse.so", "@libcurand.so", "@libnvjpeg.so", "@libnppi"},
			Pattern:  "(?P<user>lib[\\w+-]+)\\.so[.\\d]*:? undefined reference to [`'‘](?P<symbol>\\w+)@+(?P<lib>lib(?:cudart|nvrtc|cublasLt|cublas|cudnn\\w*|cufft|nvinfer\\w*|cusolver|cusparse|curand|nvjpeg|npp\\w*)\\.so\\.[\\d.]+)",
			Layer:    rule.CUDALibraries, Strength: Strong,
			Meaning: "A library that is linked in was built with another release of a CUDA library than the one the linker finds.",
			Causes: causes(
				Cause{
					When: on(Is("user", `^libnv(?:infer|onnx|uff|caffe)`)), Layer: rule.TensorRT,
					Title: "{user} of TensorRT is built for [CUDA {lib|sorelease} || {lib}], and the linker does not find that: {lib} is missing",
					Text:  "Each TensorRT archive is built for one CUDA and one cuDNN; the symbol's version ({symbol}@{lib}) names what it wants.[ Here is CUDA {toolkit}.] A link with another number (ln -s) does not help: the version is in the symbol.",
					Remedies: []Remedy{
						fix("take the TensorRT release that is built for the installed CUDA, or install [CUDA {lib|sorelease} || the release that has {lib}] beside it and give the linker its lib64", "shell", "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH", "check", "ls /usr/local | grep cuda; find / -name '{lib}*' 2>/dev/null"),
					},
					Ask: "ls -l /usr/local | grep cuda, and the file name of the TensorRT archive",
				},
				Cause{
					Title: "{user} is built with {lib}[ (CUDA {lib|sorelease})], and the linker does not find that release",
					Text:  "The symbol's version ({symbol}@{lib}) names what the library wants.[ Here is CUDA {toolkit}.] A link with another number does not help.",
					Remedies: []Remedy{
						fix("use {user} built for the installed CUDA, or install the release that has {lib} and give the linker its directory", "check", "find / -name '{lib}*' 2>/dev/null", "shell", "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH"),
					},
				},
			),
			Samples: []string{
				"/opt/TensorRT-7.0.0.11/lib/libnvinfer.so: undefined reference to `cudaMemGetInfo@libcudart.so.10.0'",
				"/usr/bin/ld: /usr/local/lib/libopencv_dnn.so.4.5.4: undefined reference to `cudnnCreate@libcudnn.so.8'",
			},
			Misses: []string{"libfoo.so: undefined reference to `png_read@PNG16_0'"},
			Source: "https://github.com/NVIDIA/TensorRT/issues/1064",
		},
		{
			ID: "link-undefined-cuda", Product: "linker",
			Literals: []string{"undefined reference to `cu", "undefined reference to 'cu", "undefined reference to `__cuda", "undefined reference to `nv", "undefined reference to 'nv", "undefined reference to `nccl", "unresolved external symbol cu", "unresolved external symbol __cuda", "undefined reference to `Nv"},
			Pattern:  "undefined reference to [`'‘](?P<symbol>(?P<rt>cuda[A-Z]\\w*|__cuda[A-Z]\\w*)|(?P<blas>cublas\\w+|cufft\\w+|curand\\w+|cusparse\\w+|cusolver\\w+|npp[is]\\w+)|(?P<dnn>cudnn\\w+)|(?P<nvrtc>nvrtc\\w+)|(?P<ml>nvml\\w+)|(?P<nccl>nccl[A-Z]\\w+)|(?P<drv>cu[A-Z][a-z]\\w+))[`'’]|unresolved external symbol \"?(?:__imp_)?(?P<symbol>(?P<rt>cuda[A-Z]\\w*|__cuda[A-Z]\\w*)|(?P<dnn>cudnn\\w+)|(?P<blas>cublas\\w+|cufft\\w+|curand\\w+|cusparse\\w+|cusolver\\w+)|(?P<drv>cu[A-Z][a-z]\\w+))",
			Layer:    rule.Toolkit, Strength: Usual,
			Where:   on(Not(Seen("cuda12-texture-references", "cuda-removed-function", "link-undefined-versioned"))),
			Meaning: "The linker does not find a function of CUDA.",
			Causes: causes(
				Cause{
					When:  on(Has("drv")),
					Title: "The linker does not find {symbol} of the CUDA driver's library: it is not linked (-lcuda), or the libcuda or cuda.lib that it finds is older than the call",
					Text:  "cu… functions are in libcuda.so of the driver, for linking also in the toolkit's lib64/stubs (Windows: lib/x64/cuda.lib). With bindings of another language (cgo, Rust, Java) the path has to be in their linker flags[; the toolkit here is {toolkit}]. MinGW's linker needs an import library that knows the call.",
					Remedies: []Remedy{
						fix("link the stub of this toolkit, after the objects that use it", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64/stubs:$LIBRARY_PATH", "cgo", "export CGO_LDFLAGS=\"-L/usr/local/cuda/lib64/stubs -lcuda\""),
						fix("see whether the library has the function", "check", "nm -D /usr/local/cuda/lib64/stubs/libcuda.so | grep {symbol}"),
					},
				},
				Cause{
					When: on(Has("dnn")), Layer: rule.CUDNN,
					Title:    "The linker does not find {symbol} of cuDNN: cuDNN is not linked, or of another major release than the source wants",
					Text:     "Functions come and go with cuDNN's major releases: v8 dropped cudnnGetConvolutionForwardAlgorithm and others, v9 more of the kind.",
					Remedies: []Remedy{fix("link cuDNN (-lcudnn), of the release that the source is for", "check", "ldconfig -p | grep libcudnn")},
				},
				Cause{
					When: on(Has("nccl")), Layer: rule.NCCL,
					Title:    "The linker does not find {symbol} of NCCL: NCCL is not linked (-lnccl), or older than the call",
					Text:     "Newer calls need a newer NCCL.",
					Remedies: []Remedy{fix("link the NCCL that the headers are of", "check", "ldconfig -p | grep libnccl")},
				},
				Cause{
					When:     on(Has("ml")),
					Title:    "The linker does not find {symbol} of NVML: it is not linked (-lnvidia-ml)",
					Text:     "libnvidia-ml comes with the driver, for linking also in the toolkit's lib64/stubs.",
					Remedies: []Remedy{fix("link it", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64/stubs:$LIBRARY_PATH; export LDFLAGS=-lnvidia-ml")},
				},
				Cause{
					When:  on(Has("blas")),
					Title: "The linker does not find {symbol}: its library of the CUDA toolkit is not linked, or is of another release",
					Text:  "Each of cuBLAS, cuFFT, cuRAND, cuSPARSE, cuSOLVER and NPP is a library of its own in the toolkit's lib64; older functions were taken out with CUDA 12 and 13.[ The toolkit here is {toolkit}.]",
					Remedies: []Remedy{
						fix("name the libraries after the objects, and the directory", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64:$LIBRARY_PATH"),
						fix("see whether two toolkits are mixed: headers of one, libraries of another", "check", "which -a nvcc; ls -l /usr/local | grep cuda"),
					},
				},
				Cause{
					When:     on(Has("nvrtc")),
					Title:    "The linker does not find {symbol} of NVRTC: libnvrtc is not linked (-lnvrtc), or older than the call",
					Text:     "NVRTC is a library of its own in the toolkit's lib64.",
					Remedies: []Remedy{fix("link it", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64:$LIBRARY_PATH; export LDFLAGS=-lnvrtc")},
				},
				Cause{
					Title: "The linker does not find {symbol} of the CUDA runtime: libcudart is not linked (-lcudart), comes before the objects that use it, or is of another release than the compiler",
					Text:  "nvcc writes calls of its own release's runtime into the objects; a host linker has to be given libcudart of that release[ ({toolkit})] after them, and device code that is split over files needs nvcc -dlink first.",
					Remedies: []Remedy{
						fix("link with nvcc, or name the library after the objects", "shell", "nvcc -o app *.o -lcudart", "host linker", "g++ -o app *.o -L/usr/local/cuda/lib64 -lcudart"),
						fix("see whether two toolkits are mixed", "check", "which -a nvcc; ls -l /usr/local | grep cuda; ldconfig -p | grep libcudart"),
					},
				},
			),
			Samples: []string{
				"/tmp/go-build/cgo-gcc-prolog:530: undefined reference to `cuDeviceGetP2PAttribute'",
				"kernel.o: undefined reference to `__cudaRegisterFatBinaryEnd'",
				"error LNK2019: unresolved external symbol cudnnCreate referenced in function main",
			},
			Misses: []string{"undefined reference to `cutoff_value'", "undefined reference to `curl_easy_init'"},
			Source: "https://github.com/gorgonia/cu/issues/51",
		},
		{
			ID: "link-undefined-tensorrt", Product: "linker",
			Literals: []string{"nvinfer1::", "createInferRuntime", "createInferBuilder", "getPluginRegistry", "initLibNvInferPlugins", "createNvOnnxParser"},
			Pattern:  "undefined reference to [`'‘](?P<symbol>(?:\\w+ for )?nvinfer1::[\\w:]+|createInfer(?:Runtime|Builder)\\w*|getPluginRegistry|initLibNvInferPlugins|createNvOnnxParser\\w*)|unresolved external symbol \"?[^\\n\"]{0,60}?(?P<symbol>nvinfer1::[\\w:]+|createInfer(?:Runtime|Builder)\\w*|getPluginRegistry|initLibNvInferPlugins|createNvOnnxParser\\w*)",
			Layer:    rule.TensorRT, Strength: Usual,
			Meaning: "The linker does not find a function of TensorRT.",
			Causes: causes(Cause{
				Title: "The linker does not find {symbol} of TensorRT: nvinfer, nvinfer_plugin or nvonnxparser is not linked, or the program is written for another TensorRT release",
				Text:  "Every major release took functions out (the plugin factories and their layers with TensorRT 8, the implicit batch with 10)[; TensorRT {tensorrt} is here]. The libraries are named one by one, after the objects.",
				Remedies: []Remedy{
					fix("link the libraries that the calls are in, from the directory of the same release as the headers", "shell", "g++ -o app *.o -L/path/to/TensorRT/lib -lnvinfer -lnvinfer_plugin -lnvonnxparser -lcudart"),
					fix("see whether the library still has the function; if not, take the TensorRT release that the program names, or a newer release of the program", "check", "nm -DC $(ldconfig -p | grep -m1 -o '/.*libnvinfer.so.*') | grep -m3 plugin; dpkg -l | grep -i nvinfer"),
				},
				Ask: "the TensorRT release (dpkg -l | grep nvinfer), and the one that the program asks for",
			}),
			Samples: []string{
				"main.cpp:(.text): undefined reference to `nvinfer1::plugin::createExampleLayer(float)'",
				"engine.o: undefined reference to `createInferRuntime_INTERNAL'",
			},
			Misses: []string{"undefined reference to `myinfer::run()'"},
			Source: "https://github.com/lewes6369/TensorRT-Yolov3/issues/11",
		},
		{
			ID: "link-not-a-library", Product: "linker",
			Literals: []string{"file format not recognized; treating as linker script", "file not recognized: file format not recognized", "file not recognized: File format not recognized", "file format not recognized"},
			Pattern:  `(?i)(?P<lib>lib[\w+-]+\.(?:so[.\d]*|a)): (?:file not recognized: )?file format not recognized`,
			Layer:    rule.Application, Strength: Strong,
			Where:   on(Says("cuda", "nvidia", "tensorrt", "gxf", "deepstream", "jetson")),
			Meaning: "What the linker was given as a library is no library.",
			Causes: causes(Cause{
				Title: "{lib|base} is not a library of this machine's kind: most likely a Git LFS pointer lies in its place (the repository was cloned without Git LFS), or it is for another processor",
				Text:  "Big binaries of a repository are kept in Git LFS; without it a text file of three lines stands for each. A library for aarch64 on x86_64, or the other way, is refused with the same words. The driver and CUDA are not at fault.",
				Remedies: []Remedy{
					fix("look at the file; where it is text that starts with version https://git-lfs, fetch the real ones and build anew", "check", "file -L PATH/{lib|base}; head -c 120 PATH/{lib|base}", "git", "git lfs install && git lfs pull"),
				},
				Ask: "the output of file and ls -l for that library",
			}),
			Samples: []string{"/usr/bin/ld: /workspaces/cuda/src/vendor/lib/libcore.so: file format not recognized; treating as linker script"},
			Misses:  []string{"photo.heic: file format not recognized"},
			Source:  "https://github.com/NVIDIA-ISAAC-ROS/isaac_ros_nitros/issues/11",
		},
		{
			ID: "cgo-switched-off", Product: "go",
			Literals: []string{": undefined: ", "build constraints exclude all Go files"},
			Pattern:  `(?:go-nvml|go-dcgm|gonvml|gorgonia\.org[/\\]cu\w*|gocv)(?:@v[\w.-]+)?[/\\][^\s:]*\.go:\d+:\d+: undefined: (?P<symbol>\w+)|build constraints exclude all Go files in \S*(?:go-nvml|go-dcgm|gonvml|gorgonia\.org[/\\]cu|gocv)`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "A Go package that calls C was compiled with cgo off.",
			Causes: causes(Cause{
				Title: "The Go binding is compiled without cgo[: {symbol} is in files that only cgo compiles]: CGO_ENABLED is 0, no C compiler is found, or the build is for another system",
				Text:  "Go leaves out every file that imports C where cgo is off, as it is by default in cross builds and where no gcc is on PATH (newer Go), and what the rest uses from those files is then undefined. Some bindings have no code for Windows at all (go-nvml is for Linux). The driver and CUDA are not at fault.",
				Remedies: []Remedy{
					fix("install a C compiler and build with cgo, on Linux for Linux", "go", "go env CGO_ENABLED GOOS CC; CGO_ENABLED=1 go build ./..."),
					fix("on Windows use a binding that is written for it, or WSL"),
				},
				Ask: "go env, and the operating system",
			}),
			Samples: []string{
				"../go/pkg/mod/github.com/!n!v!i!d!i!a/go-nvml@v0.12.4-0/pkg/nvml/init.go:31:12: undefined: nvmlInit",
				"package main imports github.com/NVIDIA/go-nvml/pkg/nvml: build constraints exclude all Go files in /root/go/pkg/mod/github.com/!n!v!i!d!i!a/go-nvml@v0.12.0-1/pkg/nvml",
			},
			Misses: []string{"main.go:12:3: undefined: fmt"},
			Source: "https://github.com/NVIDIA/go-nvml/issues/49",
		},
		{
			ID: "symbol-tensorrt-library", Product: "dynamic linker",
			Literals: []string{"libnvinfer", "libnvonnxparser", "libmyelin", "nvinfer1"},
			Pattern:  `(?P<user>lib(?:nvinfer\w*|nvonnxparser\w*|myelin\w*)\.so[.\d]*): undefined symbol: (?P<symbol>\w+)|undefined symbol: (?P<symbol>\w*(?:nvinfer1|createInferRuntime|createInferBuilder|getPluginRegistry|initLibNvInferPlugins)\w*)`,
			Layer:    rule.TensorRT, Strength: Strong,
			Meaning: "Libraries of two TensorRT releases are loaded, or one with a CUDA it was not built for.",
			Causes: causes(Cause{
				Title: "TensorRT's libraries of different releases are mixed[: {user} lacks {symbol} || : {symbol} is missing]",
				Text:  "libnvinfer, libnvinfer_plugin, libnvonnxparser and the program have to be of one release[; TensorRT {tensorrt}][, CUDA {toolkit}]. A second copy (in /usr/lib from packages, in the toolkit's lib directory, in an archive) is found first, or was copied over another.",
				Remedies: []Remedy{
					fix("see which copies are loaded, and leave one", "check", "ldd ./program | grep -e nvinfer -e nvrtc; find / -name 'libnvinfer*.so*' 2>/dev/null"),
					fix("compile the program anew against the headers of the release that is loaded"),
				},
				Ask: "find / -name 'libnvinfer*.so*' 2>/dev/null; echo $LD_LIBRARY_PATH",
			}),
			Samples: []string{
				"symbol lookup error: /usr/local/cuda/lib/libnvinfer_plugin.so.8: undefined symbol: _ZN5pwgen18nvrtcCreateProgramE",
				"undefined symbol: _ZN8nvinfer18IBuilder12buildEngineE",
			},
			Misses: []string{"libnvinfer.so.8 => /usr/lib/libnvinfer.so.8"},
			Source: "https://github.com/cyrusbehr/YOLOv8-TensorRT-CPP/issues/44",
		},
	}
}
