/* libcuda.so.1 as far as strata-probe calls it. "Device memory" is the host's, and a launch adds for real. */
#include "fake.h"
#include <math.h>

typedef struct { int device; int sticky; } ctx_t;

static int initialised;
static ctx_t contexts[MAX_DEVICES];
static ctx_t *current;
static uint64_t taken[MAX_DEVICES];

static int here(void) { return current ? current->device : -1; }

/* the devices that CUDA_VISIBLE_DEVICES leaves, as numbers of the driver */
static int visible(int *list) {
	const char *v = getenv("CUDA_VISIBLE_DEVICES");
	int n = fake_devices(), out = 0;
	if (!v) {
		for (int i = 0; i < n; i++) list[i] = i;
		return n;
	}
	while (*v && out < n) {
		int d = -1;
		if (!strncmp(v, "GPU-", 4)) { /* the fakes' UUIDs end with the number */
			size_t len = strcspn(v, ",");
			d = (int)strtol(v + len - 2, NULL, 16);
		} else {
			char *end;
			d = (int)strtol(v, &end, 10);
			if (end == v) d = -1;
		}
		if (d < 0 || d >= n) break; /* CUDA stops at the first that it does not know */
		list[out++] = d;
		v += strcspn(v, ",");
		if (*v == ',') v++;
	}
	return out;
}

static const struct { int code; const char *name, *text; } errors[] = {
	{0, "CUDA_SUCCESS", "no error"}, {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"}, {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"}, {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
	{46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"}, {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}, {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	{201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}, {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	{214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"}, {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution"}, {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
	{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."}, {223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
	{300, "CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"}, {304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
	{500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}, {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"}, {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
	{802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"}, {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"}, {805, "CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS client failed to connect to the MPS control daemon or the MPS server"},
	{999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

API int cuGetErrorName(int code, const char **out) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) { *out = errors[i].name; return 0; }
	*out = NULL;
	return 1;
}

API int cuGetErrorString(int code, const char **out) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) { *out = errors[i].text; return 0; }
	*out = NULL;
	return 1;
}

__attribute__((constructor)) static void loaded(void) { fake_act("load_cuda", -1); }

API int cuDriverGetVersion(int *v) {
	ACT("cuDriverGetVersion", -1);
	*v = (int)fake_number("FAKE_CUDA", 0, 12040);
	return 0;
}

API int cuInit(unsigned flags) {
	int list[MAX_DEVICES];
	ACT("cuInit", -1);
	if (flags != 0) return 1;
	if (visible(list) == 0) return 100;
	initialised = 1;
	return 0;
}

API int cuDeviceGetCount(int *n) {
	int list[MAX_DEVICES];
	ACT("cuDeviceGetCount", -1);
	if (!initialised) return 3;
	*n = visible(list);
	return 0;
}

API int cuDeviceGet(int *out, int ordinal) {
	int list[MAX_DEVICES];
	if (!initialised) return 3;
	if (ordinal < 0 || ordinal >= visible(list)) return 101;
	ACT("cuDeviceGet", list[ordinal]);
	*out = list[ordinal];
	return 0;
}

API int cuDeviceGetName(char *name, int len, int device) {
	char buf[128];
	ACT("cuDeviceGetName", device);
	snprintf(name, (size_t)len, "%s", fake_name(device, buf, sizeof buf));
	return 0;
}

static void uuid(int device, unsigned char *out) {
	memset(out, 0xfa, 16);
	out[15] = (unsigned char)device;
}

API int cuDeviceGetUuid(unsigned char *out, int device) { ACT("cuDeviceGetUuid", device); uuid(device, out); return 0; }
#ifndef OLD
API int cuDeviceGetUuid_v2(unsigned char *out, int device) { ACT("cuDeviceGetUuid", device); uuid(device, out); return 0; }
#endif

API int cuDeviceTotalMem_v2(size_t *out, int device) { ACT("cuDeviceTotalMem_v2", device); *out = fake_memory(device); return 0; }

API int cuDeviceGetAttribute(int *out, int what, int device) {
	ACT("cuDeviceGetAttribute", device);
	switch (what) {
	case 75: *out = (int)(fake_cc(device) / 10); break;
	case 76: *out = (int)(fake_cc(device) % 10); break;
	case 16: *out = 40; break;
	case 20: *out = (int)fake_number("FAKE_COMPUTE_MODE", device, 0); break;
	case 32: *out = 1; break;
	case 33: *out = device + 1; break;
	default: *out = 0;
	}
	return 0;
}

API int cuDevicePrimaryCtxRetain(void **ctx, int device) {
	ACT("cuDevicePrimaryCtxRetain", device);
	contexts[device].device = device;
	*ctx = &contexts[device];
	fake_hold(device, 300ull << 20); /* about what a context takes */
	return 0;
}

API int cuDevicePrimaryCtxRelease(int device) { ACT("cuDevicePrimaryCtxRelease", device); return contexts[device].sticky; }
#ifndef OLD
API int cuDevicePrimaryCtxRelease_v2(int device) { ACT("cuDevicePrimaryCtxRelease", device); return contexts[device].sticky; }
#endif

API int cuCtxSetCurrent(void *ctx) {
	ACT("cuCtxSetCurrent", ctx ? ((ctx_t *)ctx)->device : -1);
	current = ctx;
	return 0;
}

/* a call in a context: what an earlier kernel broke stays broken */
#define IN(function)                              \
	do {                                          \
		if (!current) return 201;                 \
		if (current->sticky) return current->sticky; \
		int in_ = fake_act(function, here());     \
		if (in_ >= 700 && in_ < 720) current->sticky = in_; \
		if (in_) return in_;                      \
	} while (0)

API int cuMemGetInfo_v2(size_t *avail, size_t *total) {
	IN("cuMemGetInfo_v2");
	*total = fake_memory(here());
	*avail = *total - taken[here()];
	return 0;
}

API int cuMemAlloc_v2(uint64_t *out, size_t n) {
	IN("cuMemAlloc_v2");
	if (taken[here()] + n > fake_memory(here())) return 2;
	uint64_t *p = malloc(n + 16);
	if (!p) return 2;
	p[0] = n;
	taken[here()] += n;
	fake_hold(here(), (300ull << 20) + taken[here()]);
	*out = (uint64_t)(uintptr_t)(p + 2);
	return 0;
}

API int cuMemFree_v2(uint64_t at) {
	IN("cuMemFree_v2");
	uint64_t *p = (uint64_t *)(uintptr_t)at - 2;
	taken[here()] -= p[0];
	free(p);
	return 0;
}

API int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t n) {
	IN("cuMemcpyHtoD_v2");
	memcpy((void *)(uintptr_t)to, from, n);
	if (fake_wrong("copy", here()) && n > 4096) ((unsigned char *)(uintptr_t)to)[4097] ^= 4;
	return 0;
}

API int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t n) {
	IN("cuMemcpyDtoH_v2");
	memcpy(to, (void *)(uintptr_t)from, n);
	return 0;
}

API int cuMemsetD8_v2(uint64_t at, unsigned char c, size_t n) {
	IN("cuMemsetD8_v2");
	memset((void *)(uintptr_t)at, c, n);
	return 0;
}

API int cuModuleLoadDataEx(void **module, const char *ptx, unsigned n, const int *options, void **values) {
	IN("cuModuleLoadDataEx");
	int major = 0, minor = 0, target = 0;
	const char *v = strstr(ptx, ".version "), *t = strstr(ptx, ".target sm_");
	if (!v || !t || sscanf(v, ".version %d.%d", &major, &minor) != 2 || sscanf(t, ".target sm_%d", &target) != 1) return 218;
	for (const char *c = ptx; *c; c++)
		if (*c & 0x80) return 218; /* the real one takes ASCII alone */
	if (major * 10 + minor > fake_number("FAKE_PTX", 0, 84)) {
		char *log = NULL;
		size_t size = 0;
		for (unsigned i = 0; i < n; i++) {
			if (options[i] == 5) log = values[i];
			if (options[i] == 6) size = (size_t)(uintptr_t)values[i];
		}
		if (log) snprintf(log, size, "ptxas application ptx input, line 1; fatal   : Unsupported .version %d.%d", major, minor);
		return 222;
	}
	if (target > fake_cc(here())) return 209;
	char *m = malloc(64);
	const char *name = strstr(ptx, ".entry ");
	if (!name || sscanf(name, ".entry %63[A-Za-z0-9_]", m) != 1) return 218;
	*module = m;
	return 0;
}

API int cuModuleUnload(void *module) { IN("cuModuleUnload"); free(module); return 0; }

API int cuModuleGetFunction(void **fn, void *module, const char *name) {
	IN("cuModuleGetFunction");
	if (strcmp(module, name)) return 500;
	*fn = module;
	return 0;
}

API int cuLaunchKernel(void *fn, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
	IN("cuLaunchKernel");
	if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || stream || extra || !params) return 1;
	const float *a = *(float **)params[0], *b = *(float **)params[1];
	float *c = *(float **)params[2];
	uint32_t n = *(uint32_t *)params[3];
	int multiply = !strcmp(fn, "strata_fma"), bad = fake_wrong(fn, here()) || fake_wrong("kernels", here());
	static int calls;
	calls++;
	if (!multiply && strcmp(fn, "strata_add")) return 400;
	for (uint64_t i = 0; i < (uint64_t)gx * bx && i < n; i++) {
		c[i] = multiply ? fmaf(a[i], b[i], a[i]) : a[i] + b[i];
		if (bad && i % 1000 == 17) c[i] += 1;
	}
	if (fake_wrong("flaky", here())) c[100 * calls] += 1;
	if (fake_wrong("unwritten", here())) memset(c + n / 2, 0xff, 16);
	if (fake_wrong("guard", here())) c[n + 3] = 0;
	return 0;
}

API int cuCtxSynchronize(void) {
	IN("cuCtxSynchronize");
	return 0;
}
