package proof_test

import (
	"os"
	"path/filepath"
	"testing"

	"strata/internal/probe"
	"strata/internal/probe/probetest"
)

var (
	libraries = []probe.Rung{probe.Driver, probe.Compute, probe.Libraries}
	everyFake = func(t testing.TB) string { return probetest.All(t) }
)

// with is a directory with fakes, and one file in place of what it holds.
func with(name string, data func(testing.TB) []byte) func(testing.TB) string {
	return func(t testing.TB) string {
		dir := probetest.Driver(t)
		path := filepath.Join(dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if data != nil {
			if err := os.WriteFile(path, data(t), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
}

func bytesOf(s string) func(testing.TB) []byte {
	return func(testing.TB) []byte { return []byte(s) }
}

var scenarios = []scenario{
	{name: "all works", want: "ok", says: "1 GPU: kernels run on it"},
	{name: "driver rung alone", rungs: []probe.Rung{probe.Driver}, want: "ok", says: "whether a kernel runs was not tried"},
	{name: "two GPUs", env: []string{"FAKE_DEVICES=2", "FAKE_NAMES=Tesla T4,NVIDIA L4", "FAKE_CC=7.5,8.9"}, want: "ok", says: "2 GPUs: kernels run on each"},
	{name: "no GPU on the bus and no driver", machine: noGPU, libraries: func(t testing.TB) string { return t.TempDir() }, want: "not-stack hardware", finding: "probe-no-gpu"},
	{name: "no GPU on the bus and a driver", machine: noGPU, env: []string{"FAKE_cuInit=100", "FAKE_nvmlInit_v2=9"}, want: "not-stack hardware", finding: "probe-no-gpu"},
	{name: "a GPU that the bus does not show works", machine: noGPU, want: "ok"},

	// What is loaded.
	{name: "libcuda absent", libraries: with("libcuda.so.1", nil), want: "broken driver", finding: "probe-library-missing"},
	{name: "libcuda absent in a container", machine: container, libraries: func(t testing.TB) string { return t.TempDir() }, want: "broken container_runtime", finding: "probe-library-missing"},
	{name: "libcuda empty", libraries: with("libcuda.so.1", bytesOf("")), want: "broken driver", finding: "probe-library-damaged", says: "file too short"},
	{name: "libcuda a text file", libraries: with("libcuda.so.1", bytesOf("/* GNU ld script\n   GROUP ( /usr/lib/libcuda.so.1 ) and more that makes it longer than a header */\n")), want: "broken driver", finding: "probe-library-damaged", says: "invalid ELF header"},
	{name: "libcuda of another architecture", libraries: with("libcuda.so.1", func(t testing.TB) []byte { return probetest.OtherArch(t, "cuda.c") }), want: "broken driver", finding: "probe-library-damaged"},
	{name: "libcuda without cuInit", libraries: with("libcuda.so.1", func(t testing.TB) []byte { return read1(t, probetest.Fake(t, "nvml.c")) }), want: "broken driver", finding: "probe-library-damaged", says: "no function cuInit"},
	{name: "libcuda cut off", libraries: with("libcuda.so.1", func(t testing.TB) []byte { return read1(t, probetest.Fake(t, "cuda.c"))[:3000] }), want: "broken driver", finding: "probe-crash", says: "SIGBUS"},
	{name: "NVML absent", libraries: with("libnvidia-ml.so.1", nil), want: "at-risk driver", finding: "probe-library-missing"},
	{name: "NVML empty", libraries: with("libnvidia-ml.so.1", bytesOf("")), want: "at-risk driver", finding: "probe-library-damaged"},
	{name: "old NVML and libcuda", libraries: func(t testing.TB) string { return probetest.Driver(t, "-DOLD") }, want: "ok"},
	{name: "crash while libcuda loads", env: []string{"FAKE_load_cuda=segv"}, want: "broken driver", finding: "probe-crash", says: "loading libcuda.so.1: ended by SIGSEGV"},

	// What cuInit says.
	{name: "cuInit 1", env: []string{"FAKE_cuInit=1"}, want: "broken driver", finding: "probe-cuda-error", says: "CUDA_ERROR_INVALID_VALUE (1)"},
	{name: "cuInit 2", env: []string{"FAKE_cuInit=2"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "cuInit 3", env: []string{"FAKE_cuInit=3"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "cuInit 34, a stub", env: []string{"FAKE_cuInit=34"}, want: "broken driver", finding: "probe-cuda-error", says: "stub library"},
	{name: "cuInit 46", env: []string{"FAKE_cuInit=46"}, want: "broken device_exposure", finding: "probe-cuda-error"},
	{name: "cuInit 100 and NVML shows the GPU", env: []string{"FAKE_cuInit=100"}, want: "broken device_exposure", finding: "probe-gpu-hidden", says: "NVML shows 1 GPU"},
	{name: "cuInit 100 and NVML does not start", env: []string{"FAKE_cuInit=100", "FAKE_nvmlInit_v2=9"}, want: "broken device_exposure", finding: "probe-nvml-error"},
	{name: "CUDA_VISIBLE_DEVICES hides all", env: []string{"CUDA_VISIBLE_DEVICES=-1"}, want: "broken device_exposure", finding: "probe-gpu-hidden"},
	{name: "cuInit 101", env: []string{"FAKE_cuInit=101"}, want: "broken device_exposure", finding: "probe-gpu-hidden"},
	{name: "cuInit 214", env: []string{"FAKE_cuInit=214"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "cuInit 304", env: []string{"FAKE_cuInit=304"}, want: "broken device_exposure", finding: "probe-cuda-error"},
	{name: "cuInit 802", env: []string{"FAKE_cuInit=802"}, want: "broken kernel_module", finding: "probe-cuda-error"},
	{name: "cuInit 803", env: []string{"FAKE_cuInit=803", "FAKE_nvmlInit_v2=18"}, want: "broken kernel_module", finding: "probe-nvml-error"},
	{name: "cuInit 804", env: []string{"FAKE_cuInit=804"}, want: "broken cuda_runtime", finding: "probe-cuda-error"},
	{name: "cuInit 805", env: []string{"FAKE_cuInit=805"}, want: "broken device_exposure", finding: "probe-cuda-error"},
	{name: "cuInit 999", env: []string{"FAKE_cuInit=999"}, want: "broken kernel_module", finding: "probe-cuda-error"},
	{name: "cuInit with a number that nobody knows", env: []string{"FAKE_cuInit=4711"}, want: "broken driver", finding: "probe-cuda-error", says: "error 4711"},

	// How cuInit ends the process.
	{name: "segfault in cuInit", env: []string{"FAKE_cuInit=segv"}, want: "broken driver", finding: "probe-crash", says: "cuInit: ended by SIGSEGV"},
	{name: "abort in cuInit", env: []string{"FAKE_cuInit=abort"}, want: "broken driver", finding: "probe-crash", says: "cuInit: ended by SIGABRT"},
	{name: "exit 1 in cuInit", env: []string{"FAKE_cuInit=exit:1"}, want: "broken driver", finding: "probe-crash", says: "exited with status 1"},
	{name: "exit 0 in cuInit", env: []string{"FAKE_cuInit=exit:0"}, want: "broken driver", finding: "probe-crash", says: "exited within the call"},
	{name: "hang in cuInit", env: []string{"FAKE_cuInit=hang"}, hang: "cuInit", want: "broken driver", finding: "probe-hang", says: "cuInit: did not return"},
	{name: "spin in cuInit", env: []string{"FAKE_cuInit=spin"}, hang: "cuInit", want: "broken driver", finding: "probe-hang"},
	{name: "slow cuInit", env: []string{"FAKE_cuInit=delay:200"}, want: "ok"},
	{name: "killed in cuInit", env: []string{"FAKE_cuInit=kill"}, want: "unknown", finding: "probe-cut-short", says: "SIGKILL in cuInit"},
	{name: "host memory exhausted in cuInit", env: []string{"FAKE_cuInit=eat:200"}, want: "unknown", finding: "probe-cut-short", says: "MiB of memory"},
	{name: "a library that talks without end", env: []string{"FAKE_cuInit=print"}, want: "ok"},
	{name: "a library that leaves a process and a file", env: []string{"FAKE_cuInit=child", "FAKE_cuDeviceGetCount=file"}, want: "ok"},

	// Other steps of the driver.
	{name: "cuDriverGetVersion fails", env: []string{"FAKE_cuDriverGetVersion=1"}, want: "broken driver", finding: "probe-cuda-error", says: "cuDriverGetVersion"},
	{name: "cuDeviceGetCount fails", env: []string{"FAKE_cuDeviceGetCount=3"}, want: "broken driver", finding: "probe-cuda-error", says: "cuDeviceGetCount"},
	{name: "cuDeviceGetAttribute fails", env: []string{"FAKE_cuDeviceGetAttribute=999"}, want: "broken kernel_module", finding: "probe-cuda-error", says: "cuDeviceGetAttribute on GPU 0"},
	{name: "MIG without an instance", env: []string{"FAKE_cuInit=100", "FAKE_MIG=1", "FAKE_INSTANCES=0"}, want: "broken device_exposure", finding: "probe-mig-without-instance"},
	{name: "MIG with instances", env: []string{"FAKE_MIG=1", "FAKE_INSTANCES=2"}, want: "ok"},

	// NVML.
	{name: "NVML: nothing to open, CUDA neither", env: []string{"FAKE_nvmlInit_v2=9", "FAKE_cuInit=999"}, want: "broken device_exposure", finding: "probe-nvml-error"},
	{name: "NVML: version mismatch, CUDA works", env: []string{"FAKE_nvmlInit_v2=18"}, want: "at-risk kernel_module", finding: "probe-nvml-error"},
	{name: "NVML: GPU is lost", env: []string{"FAKE_DEVICES=2", "FAKE_nvmlDeviceGetHandleByIndex_v2=15@1", "FAKE_cuInit=999"}, want: "not-stack hardware", finding: "probe-nvml-error", says: "NVML_ERROR_GPU_IS_LOST"},
	{name: "NVML: a power cable is loose", env: []string{"FAKE_nvmlDeviceGetHandleByIndex_v2=8", "FAKE_cuInit=999"}, want: "not-stack hardware", finding: "probe-nvml-error"},
	{name: "NVML: no interrupts, CUDA works", env: []string{"FAKE_nvmlDeviceGetHandleByIndex_v2=11"}, want: "at-risk kernel_module", finding: "probe-nvml-error"},
	{name: "NVML: a fact is not for this user", env: []string{"FAKE_nvmlDeviceGetEccMode=4"}, want: "ok"},
	{name: "NVML crashes, CUDA works", env: []string{"FAKE_nvmlDeviceGetName=segv"}, want: "at-risk driver", finding: "probe-crash", says: "nvmlDeviceGetName"},
	{name: "NVML hangs, CUDA works", env: []string{"FAKE_nvmlInit_v2=hang"}, hang: "nvmlInit_v2", want: "at-risk driver", finding: "probe-hang"},
	{name: "uncorrectable ECC errors", env: []string{"FAKE_ECC=3"}, want: "at-risk hardware", finding: "probe-gpu-health", says: "3 uncorrectable"},
	{name: "a row of memory that could not be replaced", env: []string{"FAKE_ROWS_FAILED=1"}, want: "at-risk hardware", finding: "probe-gpu-health"},

	// Computing.
	{name: "no context: busy", env: []string{"FAKE_cuDevicePrimaryCtxRetain=46", "FAKE_COMPUTE_MODE=3", "FAKE_PROCESSES=1"}, want: "broken device_exposure", finding: "probe-cuda-error"},
	{name: "no context: memory", env: []string{"FAKE_cuDevicePrimaryCtxRetain=2"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "cuCtxSetCurrent 201", env: []string{"FAKE_cuCtxSetCurrent=201"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "device memory exhausted", env: []string{"FAKE_MEMORY_MIB=0"}, want: "not-stack hardware", finding: "probe-cuda-error", says: "CUDA_ERROR_OUT_OF_MEMORY"},
	{name: "copy to the device fails", env: []string{"FAKE_cuMemcpyHtoD_v2=719"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "copy comes back changed", env: []string{"FAKE_WRONG=copy"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "wrong result of copy on GPU 0: element 1024"},
	{name: "module 200", env: []string{"FAKE_cuModuleLoadDataEx=200"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "module 209", env: []string{"FAKE_cuModuleLoadDataEx=209"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "module 218", env: []string{"FAKE_cuModuleLoadDataEx=218"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "module 221, no PTX compiler", env: []string{"FAKE_cuModuleLoadDataEx=221"}, want: "broken driver", finding: "probe-cuda-error", says: "PTX JIT compiler library not found"},
	{name: "PTX newer than the driver", env: []string{"FAKE_PTX=65"}, want: "broken driver", finding: "probe-cuda-error", says: "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)"},
	{name: "an old driver is not asked for newer PTX", env: []string{"FAKE_PTX=65", "FAKE_CUDA=10020"}, want: "ok"},
	{name: "JIT forbidden", env: []string{"FAKE_cuModuleLoadDataEx=223"}, want: "not-stack application", finding: "probe-cuda-error"},
	{name: "module 300", env: []string{"FAKE_cuModuleLoadDataEx=300"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "crash in the PTX compiler", env: []string{"FAKE_cuModuleLoadDataEx=segv"}, want: "broken driver", finding: "probe-crash", says: "cuModuleLoadDataEx (PTX 4.1) on GPU 0: ended by SIGSEGV"},
	{name: "function not found", env: []string{"FAKE_cuModuleGetFunction=500"}, want: "broken driver", finding: "probe-cuda-error"},
	{name: "launch 700", env: []string{"FAKE_cuLaunchKernel=700"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "launch 719", env: []string{"FAKE_cuLaunchKernel=719"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "synchronise 214", env: []string{"FAKE_cuCtxSynchronize=214"}, want: "not-stack hardware", finding: "probe-cuda-error"},
	{name: "synchronise 702", env: []string{"FAKE_cuCtxSynchronize=702"}, want: "broken device_exposure", finding: "probe-cuda-error"},
	{name: "kernel hangs", env: []string{"FAKE_cuCtxSynchronize=hang"}, hang: "cuCtxSynchronize", want: "broken driver", finding: "probe-hang", says: "cuCtxSynchronize (strata_add) on GPU 0"},
	{name: "both kernels are wrong", env: []string{"FAKE_WRONG=kernels"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "element 17 is"},
	{name: "the second kernel alone is wrong", env: []string{"FAKE_WRONG=strata_fma"}, want: "broken driver", finding: "probe-wrong-result", says: "strata_fma"},
	{name: "a kernel is wrong in another way each time", env: []string{"FAKE_WRONG=flaky"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "strata_add"},
	{name: "kernel leaves out elements", env: []string{"FAKE_WRONG=unwritten"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "is NaN"},
	{name: "kernel writes behind the end", env: []string{"FAKE_WRONG=guard"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "behind the end"},
	{name: "the second of two GPUs fails", env: []string{"FAKE_DEVICES=2", "FAKE_cuLaunchKernel=719@1"}, want: "not-stack hardware", finding: "probe-cuda-error", says: "on GPU 1"},
	{name: "the first of two GPUs is wrong", env: []string{"FAKE_DEVICES=2", "FAKE_WRONG=kernels@0"}, want: "not-stack hardware", finding: "probe-wrong-result", says: "on GPU 0"},
	{name: "only the good one of two GPUs", gpu: "0", env: []string{"FAKE_DEVICES=2", "FAKE_cuLaunchKernel=719@1"}, want: "ok", says: "1 GPU: kernels run on it"},
	{name: "only the bad one of two GPUs", gpu: "1", env: []string{"FAKE_DEVICES=2", "FAKE_cuLaunchKernel=719@1"}, want: "not-stack hardware", finding: "probe-cuda-error", says: "on GPU 0"},
	{name: "a GPU by its UUID", gpu: "GPU-fafafafa-fafa-fafa-fafa-fafafafafa01", env: []string{"FAKE_DEVICES=2", "FAKE_cuLaunchKernel=719@0"}, want: "ok"},
	{name: "a GPU that is not there", gpu: "7", want: "broken device_exposure", finding: "probe-gpu-hidden"},
	{name: "goes on behind a failure", all: true, env: []string{"FAKE_cuDeviceGetName=999"}, want: "broken kernel_module", finding: "probe-cuda-error"},

	// What the files explain.
	{name: "half upgraded: the files say why", machine: "a100-ubuntu2204-550-half-upgraded", env: []string{"FAKE_cuInit=803", "FAKE_nvmlInit_v2=18"}, want: "broken kernel_module", finding: "KRN004", also: "probe-cuda-error"},
	{name: "nodes missing: the files say why", machine: "a100-ubuntu2204-535-nodes-missing", env: []string{"FAKE_cuInit=100", "FAKE_nvmlInit_v2=9"}, want: "broken device_exposure", finding: "DEV001", also: "probe-nvml-error"},
	{name: "fell off the bus: the files say why", machine: "a100-ubuntu2204-535-xid79", env: []string{"FAKE_cuInit=999"}, want: "not-stack hardware", finding: "HWR003", also: "probe-cuda-error"},
	{name: "no Fabric Manager: the files say why", machine: "hgx-h100-ubuntu2204-570-no-fabricmanager", env: []string{"FAKE_cuInit=802"}, want: "broken kernel_module", finding: "KRN007", also: "probe-cuda-error"},

	{name: "damaged in the files, and the driver works", machine: "a100-ubuntu2204-550-half-upgraded", want: "ok"},
	{name: "the files explain no wrong result", machine: "a100-ubuntu2204-550-half-upgraded", env: []string{"FAKE_WRONG=kernels"}, want: "not-stack hardware", finding: "probe-wrong-result"},

	// Libraries.
	{name: "libraries work", rungs: libraries, libraries: everyFake, want: "ok", says: "cuBLAS, cuFFT, cuDNN"},
	{name: "libraries on two GPUs", rungs: libraries, libraries: everyFake, env: []string{"FAKE_DEVICES=2"}, want: "ok", says: "cuDNN, NCCL"},
	{name: "no libraries", rungs: libraries, want: "ok", says: "kernels run on it and their results are those of the CPU"},
	{name: "cudart: driver too old", rungs: libraries, libraries: everyFake, env: []string{"FAKE_cudaGetDeviceCount=35"}, want: "broken driver", finding: "probe-library-error"},
	{name: "cudart: copy wrong", rungs: libraries, libraries: everyFake, env: []string{"FAKE_WRONG=cudaMemcpy"}, want: "broken cuda_runtime", finding: "probe-wrong-result"},
	{name: "cuBLAS does not start", rungs: libraries, libraries: everyFake, env: []string{"FAKE_cublasCreate_v2=1"}, want: "broken cuda_libraries", finding: "probe-library-error", says: "CUBLAS_STATUS_NOT_INITIALIZED (1)"},
	{name: "cuBLAS wrong", rungs: libraries, libraries: everyFake, env: []string{"FAKE_WRONG=sgemm"}, want: "broken cuda_libraries", finding: "probe-wrong-result"},
	{name: "cuFFT wrong", rungs: libraries, libraries: everyFake, env: []string{"FAKE_WRONG=fft"}, want: "broken cuda_libraries", finding: "probe-wrong-result"},
	{name: "cuDNN crashes", rungs: libraries, libraries: everyFake, env: []string{"FAKE_cudnnConvolutionForward=segv"}, want: "broken cudnn", finding: "probe-crash"},
	{name: "cuDNN wrong", rungs: libraries, libraries: everyFake, env: []string{"FAKE_WRONG=convolution"}, want: "broken cudnn", finding: "probe-wrong-result"},
	{name: "NCCL: a rank gets a wrong sum", rungs: libraries, libraries: everyFake, env: []string{"FAKE_DEVICES=2", "FAKE_WRONG=all-reduce@1"}, want: "broken nccl", finding: "probe-wrong-result", says: "on GPU 1"},
	{name: "NCCL hangs", rungs: libraries, libraries: everyFake, env: []string{"FAKE_DEVICES=2", "FAKE_ncclCommInitAll=hang"}, hang: "ncclCommInitAll", want: "broken nccl", finding: "probe-hang"},
	{name: "cuBLAS without what it needs", rungs: libraries, libraries: func(t testing.TB) string {
		dir := probetest.All(t)
		needy(t, dir, "libcublas.so.12", "libcublasLt.so.12")
		return dir
	}, want: "broken cuda_libraries", finding: "probe-library-damaged", says: "libcublasLt.so.12"},
}

func read1(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
