package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// javaNative is what programs on the JVM say of the native libraries for CUDA that JavaCPP, JCuda, DJL and cuDF bring.
func javaNative() []*Signature {
	return []*Signature{
		{
			ID: "javacpp-library-unsatisfied", Product: "javacpp",
			Literals: []string{"jnicudnn", "jnicudart", "jnicublas", "jnicusolver", "jnicusparse", "jnicuda.dll", "libjnicuda.so", "no jnicuda in", "jnind4jcuda", "jninvinfer", "jnicufft", "jnicurand", "no nd4jcuda in java.library.path"},
			Beside:   []string{"unsatisfiedlinkerror", "dependent libraries", "cannot open shared object", "java.library.path", "specified module"},
			Pattern: `(?P<file>(?:lib)?jni(?P<what>cudnn|cudart|cublas|cusolver|cusparse|cuda|nd4jcuda|nvinfer|cufft|curand)(?:\.dll|\.so)?)\b[^\n]{0,60}?(?:: Can't find dependent libraries|: The specified module could not be found)|` +
				`no (?P<file>jni(?P<what>cudnn|cudart|cublas|cusolver|cusparse|cuda|nd4jcuda|nvinfer|cufft|curand)|(?P<what>nd4jcuda)) in java\.library\.path`,
			Layer: rule.CUDARuntime, Strength: Strong,
			Meaning: "A library of JavaCPP is there, and a CUDA library that it is linked with is not.",
			Causes: causes(
				Cause{
					When: on(Is("what", "^cudnn$")), Layer: rule.CUDNN,
					Title: "JavaCPP's {file} does not load because cuDNN is not found[: the cuDNN for CUDA {cuda}]",
					Text:  "{file} is in the jar; it is linked with cuDNN (cudnn64_*.dll, libcudnn.so.*), which neither the jar nor the CUDA toolkit brings. The major release of cuDNN and the CUDA in the jar's name have to be the ones that are installed.",
					Remedies: []Remedy{
						fix("install the cuDNN release that the jar is built with, for the same CUDA, and put its bin directory on PATH (Linux: its lib directory on LD_LIBRARY_PATH)"),
						fix("or add the artifact cuda-platform-redist of the same version to the build: it brings the CUDA libraries and cuDNN", "maven", "mvn dependency:tree -Dincludes=org.bytedeco"),
					},
					Ask: "the jar's name (cuda-RELEASE-CUDNN-JAVACPP) and the CUDA and cuDNN that are installed",
				},
				Cause{
					When: on(Is("what", "nvinfer")), Layer: rule.TensorRT,
					Title:    "JavaCPP's {file} does not load because TensorRT's libraries are not found",
					Text:     "The jar tensorrt is linked with one release of TensorRT and of CUDA, named in its version.",
					Remedies: []Remedy{fix("install that TensorRT and put its lib directory on PATH or LD_LIBRARY_PATH, or add tensorrt-platform-redist")},
				},
				Cause{
					Title: "JavaCPP's {file} does not load because the CUDA libraries that it is linked with are not found[: those of CUDA {cuda}]",
					Text:  "The jars of JavaCPP and ND4J are built for one CUDA release, which their names carry (nd4j-cuda-11.6, cuda-12.3-8.9-1.5.10), and look for the libraries of that release alone (cudart, cuBLAS, cuSPARSE, cuSOLVER, for some cuDNN too). The driver brings none of them.",
					Remedies: []Remedy{
						fix("install the CUDA toolkit of the release in the jar's name, with its bin directory on PATH (Linux: lib64 on LD_LIBRARY_PATH), or take the jar for the CUDA that is installed"),
						fix("or add cuda-platform-redist of the same version, which brings the libraries", "maven", "mvn dependency:tree -Dincludes=org.bytedeco,org.nd4j"),
					},
					Ask: "the version of the nd4j-cuda or cuda jar, and nvcc --version",
				},
			),
			Samples: []string{
				`Caused by: java.lang.UnsatisfiedLinkError: C:\Users\me\.javacpp\cache\cuda-10.2-7.6-1.5.3-windows-x86_64.jar\org\bytedeco\cuda\windows-x86_64\jnicudart.dll: Can't find dependent libraries`,
				"java.lang.UnsatisfiedLinkError: no jnind4jcuda in java.library.path",
				"java.lang.UnsatisfiedLinkError: no jnicudnn in java.library.path",
			},
			Misses: []string{"Loading /root/.javacpp/cache/libjnicudart.so"},
			Source: "https://github.com/deeplearning4j/deeplearning4j/issues/8221",
		},
		{
			ID: "djl-no-cuda-flavor", Product: "djl",
			Literals: []string{"No matching cuda flavor"},
			Pattern:  `(?i)No matching cuda flavor for (?P<platform>[\w-]+) found: *(?P<flavor>cu(?P<cu>\d{2,3})\w*)(?:/sm_?(?P<arch>\d{2,3}))?`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "DJL has no native library of the engine for the CUDA that it found, and takes the CPU's.",
			Causes: causes(Cause{
				Title: "DJL has no engine build for {flavor} ({platform}): this release of DJL does not know the CUDA that is installed, and the CPU is used",
				Text:  "DJL looks at the CUDA runtime of the machine and takes the native library of that release. Each release of DJL and of its engine has a few (cu118, cu121, cu124). Driver and GPU are not at fault.",
				Remedies: []Remedy{
					fix("name a flavor that this release has: a library of an older CUDA of the same driver works", "shell", "export PYTORCH_FLAVOR=cu118"),
					fix("or use a DJL release for this CUDA, or install a CUDA that it has (pytorch-native-cu118, pytorch-native-cu121 as a dependency of the build)"),
				},
			}),
			Samples: []string{"WARN ai.djl.pytorch.jni.LibUtils - No matching cuda flavor for linux-x86_64 found: cu121.", "No matching cuda flavor for win found: cu112mkl/sm_86."},
			Misses:  []string{"Found matching cuda flavor cu121"},
			Source:  "https://github.com/deepjavalibrary/djl/issues/2485",
		},
		{
			ID: "djl-native-library", Product: "djl",
			Literals: []string{"Failed to load PyTorch native library", "Failed to load MXNet native library", "Failed to load TensorFlow native library"},
			Pattern:  `Failed to load (?P<engine>PyTorch|MXNet|TensorFlow) native library`,
			Layer:    rule.FrameworkBuild, Strength: Weak,
			Meaning: "DJL could not load the native library of its engine.",
			Causes: causes(Cause{
				Title: "DJL cannot load the native library of {engine}: the build that it took does not fit the CUDA or the system here",
				Text:  "The lines below it name the library that is missing or does not fit. Several CUDA releases on PATH, or one that DJL has no build for, lead to it; so does a jar of another engine version beside pytorch-jni.",
				Remedies: []Remedy{
					fix("remove the cached libraries, and name the flavor (cu118, or cpu to see that the rest works)", "shell", "rm -r ~/.djl.ai/pytorch; export PYTORCH_FLAVOR=cpu"),
					fix("or keep one CUDA on PATH, of a release that DJL has a build for"),
				},
				Ask: "the line with UnsatisfiedLinkError below it; nvidia-smi; the CUDA directories on PATH",
			}),
			Samples: []string{"ai.djl.engine.EngineException: Failed to load PyTorch native library"},
			Misses:  []string{"Loaded PyTorch native library"},
			Source:  "https://github.com/qupath/qupath-extension-wsinfer/issues/33",
		},
		{
			ID: "cudf-jni-load", Product: "cudf java",
			Literals: []string{"Could not load cudf jni library", "ai.rapids.cudf."},
			Beside:   []string{"could not load cudf jni", "unsatisfiedlinkerror"},
			Pattern:  `Could not load cudf jni library|UnsatisfiedLinkError: (?:'[^']{0,60}? )?ai\.rapids\.cudf\.\w+`,
			Layer:    rule.CUDARuntime, Strength: Weak,
			Meaning: "Spark RAPIDS could not load its native library.",
			Causes: causes(
				Cause{
					When: on(Says("libnvidia-ml.so", "libcuda.so")), Layer: rule.Driver,
					Title:    "cuDF's native library does not load on the executor: the driver's libraries (libnvidia-ml.so.1, libcuda.so.1) are not found there",
					Text:     "They come with the NVIDIA driver. Inside a container the container runtime has to pass them in with the capabilities compute and utility; on a host ldconfig has to know them.",
					Remedies: []Remedy{fix("see that nvidia-smi works where the executor runs, and start its container with the GPU and NVIDIA_DRIVER_CAPABILITIES=compute,utility", "on the executor", "nvidia-smi; ldconfig -p | grep -e libnvidia-ml -e libcuda")},
				},
				Cause{
					Title: "cuDF's native library does not load on the executor[ (CUDA {cuda})]: the jar is for another CUDA than the node's, or its libraries are not found there",
					Text:  "The jars rapids-4-spark and cudf carry the CUDA release in their classifier (cuda11, cuda12). The executor's node needs a driver for it, and for old releases the toolkit's libraries (libcudart, libnvToolsExt) on LD_LIBRARY_PATH.",
					Remedies: []Remedy{
						fix("use the jar whose classifier fits the node's driver, one jar alone on the class path, and see what its library misses", "on the executor", "nvidia-smi; ldconfig -p | grep -e libcudart -e libcuda.so"),
						fix("in YARN or Kubernetes give the executor's container the GPU and LD_LIBRARY_PATH (spark.executorEnv.LD_LIBRARY_PATH)"),
					},
					Ask: "the executor's line with UnsatisfiedLinkError, and nvidia-smi on that node",
				},
			),
			Samples: []string{"ERROR cudf.NativeDepsLoader: Could not load cudf jni library...", "java.lang.UnsatisfiedLinkError: ai.rapids.cudf.Rmm.initializeInternal(IZIJ)V"},
			Misses:  []string{"at ai.rapids.cudf.Table.readParquet(Table.java:683)"},
			Source:  "https://github.com/NVIDIA/cudf-spark/issues/2163",
		},
		{
			ID: "jcuda-native-library", Product: "jcuda",
			Literals: []string{"JCudaDriver-", "JCudaRuntime-", "JCublas2-", "JCublas-", "JCufft-", "JCudnn-", "JNvrtc-", "JCurand-", "JCusparse", "JCusolver-", "JNpp-"},
			Beside:   []string{"unsatisfiedlinkerror", "error while loading native library", "could not load the native library"},
			Pattern:  `(?:Error while loading|Could not load the) native library "?(?P<file>J(?:Cuda|Cu|Nvrtc|Npp)\w*-(?P<need>\d+\.\d+)[\w.-]*)`,
			Layer:    rule.CUDARuntime, Strength: Strong,
			Meaning: "JCuda's native part did not load.",
			Causes: causes(Cause{
				Title: "JCuda's native library {file} does not load: JCuda {need} wants the libraries of its CUDA release",
				Text:  "JCuda's version follows CUDA's (10.2.0 is for CUDA 10.2, 0.8.0 for 8.0, 12.0.0 for 12.0), and its libraries are linked with cudart, cuBLAS and the others of that release. The driver brings libcuda alone.",
				Remedies: []Remedy{
					fix("install the CUDA toolkit of that release and have its bin (lib64) on PATH (LD_LIBRARY_PATH), or use the JCuda of the CUDA that is installed", "check", "nvcc --version; nvidia-smi"),
				},
			}),
			Samples: []string{`java.lang.UnsatisfiedLinkError: Error while loading native library "JCudaDriver-10.2.0-linux-x86_64"`},
			Misses:  []string{"JCudaDriver.cuInit(0)"},
			Source:  "https://github.com/jcuda/jcuda/blob/master/JCudaJava/src/main/java/jcuda/LibUtils.java",
		},
	}
}
