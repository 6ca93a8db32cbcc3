/* libcudart.so.12 as far as strata-probe calls it. */
#include "fake.h"

API const char *cudaGetErrorName(int code) { return code == 2 ? "cudaErrorMemoryAllocation" : code == 100 ? "cudaErrorNoDevice" : code == 35 ? "cudaErrorInsufficientDriver" : "cudaErrorUnknown"; }
API const char *cudaGetErrorString(int code) { return code == 2 ? "out of memory" : code == 35 ? "CUDA driver version is insufficient for CUDA runtime version" : "unknown error"; }
API int cudaRuntimeGetVersion(int *v) { ACT("cudaRuntimeGetVersion", -1); *v = 12040; return 0; }
API int cudaDriverGetVersion(int *v) { ACT("cudaDriverGetVersion", -1); *v = (int)fake_number("FAKE_CUDA", 0, 12040); return 0; }
API int cudaGetDeviceCount(int *n) { ACT("cudaGetDeviceCount", -1); *n = fake_devices(); return 0; }
API int cudaSetDevice(int d) { ACT("cudaSetDevice", d); return d < fake_devices() ? 0 : 101; }
API int cudaMalloc(void **p, size_t n) { ACT("cudaMalloc", -1); *p = malloc(n); return *p ? 0 : 2; }
API int cudaFree(void *p) { ACT("cudaFree", -1); free(p); return 0; }

API int cudaMemcpy(void *to, const void *from, size_t n, int kind) {
	ACT("cudaMemcpy", -1);
	memcpy(to, from, n);
	if (kind == 2 && fake_wrong("cudaMemcpy", -1)) ((char *)to)[100] ^= 1;
	return 0;
}
