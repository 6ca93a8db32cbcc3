/* What the toolkit's lib64/stubs/libcuda.so does: it is there to link against, and every call fails. */
int cuInit(unsigned flags) { (void)flags; return 34; }
int cuDriverGetVersion(int *v) { (void)v; return 34; }
int cuDeviceGetCount(int *n) { (void)n; return 34; }
int cuDeviceGet(int *d, int n) { (void)d; (void)n; return 34; }
int cuGetErrorName(int code, const char **s) { *s = code == 34 ? "CUDA_ERROR_STUB_LIBRARY" : 0; return *s ? 0 : 1; }
int cuGetErrorString(int code, const char **s) { *s = code == 34 ? "CUDA driver is a stub library" : 0; return *s ? 0 : 1; }
