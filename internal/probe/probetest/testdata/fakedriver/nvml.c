/* libnvidia-ml.so.1 as far as strata-probe calls it. With -DOLD it lacks what came later, with -DMIDDLE what came with driver 510. */
#include "fake.h"
#include <dirent.h>

static int initialised;

__attribute__((constructor)) static void loaded(void) { fake_act("load_nvml", -1); }

static const char *texts[] = {"Success", "Uninitialized", "Invalid Argument", "Not Supported", "Insufficient Permissions", "Already Initialized", "Not Found",
	"Insufficient Size", "Insufficient External Power", "Driver Not Loaded", "Timeout", "Interrupt Request Issue", "NVML Shared Library Not Found",
	"Function Not Found", "Corrupted infoROM", "GPU is lost", "GPU requires reset", "The operating system has blocked the request", "Driver/library version mismatch"};

API const char *nvmlErrorString(int code) { return code >= 0 && code < (int)(sizeof texts / sizeof *texts) ? texts[code] : "Unknown Error"; }

#define DEVICE(function)                                  \
	int d = (int)(intptr_t)device - 1;                    \
	if (!initialised) return 1;                           \
	if (d < 0 || d >= fake_devices()) return 2;           \
	ACT(function, d)

/* a GPU, or an instance of MIG on it: instances are numbered from 100, ten for each GPU */
#define PART(function)                                    \
	int d = (int)(intptr_t)device - 1, instance = -1;     \
	if (!initialised) return 1;                           \
	if (d >= 100) { instance = d % 10; d = d / 10 - 10; } \
	if (d < 0 || d >= fake_devices()) return 2;           \
	ACT(function, d)

API int nvmlInit_v2(void) { ACT("nvmlInit_v2", -1); initialised = 1; return 0; }
API int nvmlShutdown(void) { ACT("nvmlShutdown", -1); initialised = 0; return 0; }

API int nvmlSystemGetDriverVersion(char *out, unsigned n) {
	char buf[64];
	ACT("nvmlSystemGetDriverVersion", -1);
	snprintf(out, n, "%s", fake_field("FAKE_DRIVER", 0, "550.163.01", buf, sizeof buf));
	return 0;
}

API int nvmlSystemGetCudaDriverVersion(int *v) { ACT("nvmlSystemGetCudaDriverVersion", -1); *v = (int)fake_number("FAKE_CUDA", 0, 12040); return 0; }

API int nvmlDeviceGetCount_v2(unsigned *n) { ACT("nvmlDeviceGetCount_v2", -1); *n = (unsigned)fake_devices(); return 0; }

API int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **device) {
	ACT("nvmlDeviceGetHandleByIndex_v2", (int)i);
	if ((int)i >= fake_devices()) return 2;
	*device = (void *)(intptr_t)(i + 1);
	return 0;
}

API int nvmlDeviceGetName(void *device, char *out, unsigned n) {
	char buf[128];
	PART("nvmlDeviceGetName");
	snprintf(out, n, "%s%s", fake_name(d, buf, sizeof buf), instance >= 0 ? " MIG 1g.2gb" : "");
	return 0;
}

API int nvmlDeviceGetUUID(void *device, char *out, unsigned n) {
	int d = (int)(intptr_t)device - 1;
	ACT("nvmlDeviceGetUUID", d);
	if (d >= 100) { /* an instance of MIG */
		snprintf(out, n, "MIG-fafafafa-fafa-fafa-fafa-fafafafaf%03x", d);
		return 0;
	}
	snprintf(out, n, "GPU-fafafafa-fafa-fafa-fafa-fafafafafa%02x", d);
	return 0;
}

API int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *out) {
	PART("nvmlDeviceGetMemoryInfo");
	out[0] = fake_memory(d);
	out[2] = (unsigned long long)fake_number("FAKE_USED_MIB", d, 3) << 20;
	if (instance >= 0) out[0] /= 7;
	out[1] = out[0] - out[2];
	return 0;
}

struct process { unsigned pid; unsigned long long memory; };

/* who has a context on a GPU or instance: made-up ones, then those that live */
static unsigned processes(int d, int instance, struct process *list, unsigned most) {
	unsigned n = 0;
	long made = fake_number("FAKE_PROCESSES", d, 0);
	for (long i = 0; i < made && n < most; i++) list[n++] = (struct process){4000 + (unsigned)i, 512ull << 20};
	const char *dir = getenv("FAKE_STATE");
	DIR *all = dir && (instance < 0 || instance == fake_number("FAKE_ON_INSTANCE", 0, 0)) ? opendir(dir) : NULL;
	for (struct dirent *e; all && (e = readdir(all)) && n < most;) {
		int on, pid;
		char path[512], buf[64];
		if (sscanf(e->d_name, "%d.%d", &on, &pid) != 2 || on != d || kill(pid, 0)) continue;
		unsigned long long bytes = 0;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		FILE *f = fopen(path, "r");
		if (f) {
			if (fscanf(f, "%llu", &bytes) != 1) bytes = 0;
			fclose(f);
		}
		const char *v = fake_field("FAKE_PROCESS_MIB", d, NULL, buf, sizeof buf);
		if (v) bytes = !strcmp(v, "unknown") ? ~0ull : strtoull(v, NULL, 0) << 20;
		list[n++] = (struct process){(unsigned)(pid + fake_number("FAKE_PID_SHIFT", 0, 0)), bytes};
	}
	if (all) closedir(all);
	return n;
}

static int running(int d, int instance, unsigned *n, void *out, size_t size) {
	struct process list[256];
	unsigned have = processes(d, instance, list, 256);
	if (have > *n) { *n = have; return 7; }
	*n = have;
	for (unsigned i = 0; i < have; i++) {
		unsigned char *p = (unsigned char *)out + size * i;
		memset(p, 0, size);
		*(uint32_t *)p = list[i].pid;
		*(uint64_t *)(p + 8) = list[i].memory;
	}
	return 0;
}

API int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *n, void *list) {
	PART("nvmlDeviceGetComputeRunningProcesses");
	return running(d, instance, n, list, 16);
}

API int nvmlDeviceGetComputeMode(void *device, int *mode) { DEVICE("nvmlDeviceGetComputeMode"); *mode = (int)fake_number("FAKE_COMPUTE_MODE", d, 0); return 0; }
API int nvmlDeviceGetPersistenceMode(void *device, int *mode) { DEVICE("nvmlDeviceGetPersistenceMode"); *mode = 1; return 0; }
API int nvmlDeviceGetUtilizationRates(void *device, unsigned *out) { 
	PART("nvmlDeviceGetUtilizationRates");
	if (instance >= 0 || fake_number("FAKE_MIG", d, 0)) return 3;
	out[0] = (unsigned)fake_number("FAKE_BUSY", d, 7);
	out[1] = 1;
	return 0;
}

API int nvmlDeviceGetEccMode(void *device, int *now, int *later) {
	DEVICE("nvmlDeviceGetEccMode");
	*now = *later = 1;
	return 0;
}

API int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *out) {
	DEVICE("nvmlDeviceGetTotalEccErrors");
	*out = type == 1 && counter == 0 ? (unsigned long long)fake_number("FAKE_ECC", d, 0) : 0;
	return 0;
}

#ifndef OLD
API int nvmlSystemGetCudaDriverVersion_v2(int *v) { return nvmlSystemGetCudaDriverVersion(v); }

API int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
	DEVICE("nvmlDeviceGetCudaComputeCapability");
	*major = (int)(fake_cc(d) / 10);
	*minor = (int)(fake_cc(d) % 10);
	return 0;
}

API int nvmlDeviceGetRemappedRows(void *device, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed) {
	DEVICE("nvmlDeviceGetRemappedRows");
	*corrected = *uncorrected = *pending = 0;
	*failed = (unsigned)fake_number("FAKE_ROWS_FAILED", d, 0);
	return 0;
}

API int nvmlDeviceGetComputeRunningProcesses_v2(void *device, unsigned *n, void *list) {
	PART("nvmlDeviceGetComputeRunningProcesses_v2");
	return running(d, instance, n, list, 24);
}

API int nvmlDeviceGetProcessUtilization(void *device, unsigned char *out, unsigned *n, unsigned long long since) {
	struct process list[256];
	PART("nvmlDeviceGetProcessUtilization");
	if (instance >= 0) return 3;
	unsigned have = processes(d, instance, list, 256);
	if (have == 0) return 6;
	if (have > *n) { *n = have; return 7; }
	*n = have;
	for (unsigned i = 0; i < have; i++) {
		unsigned char *p = out + 32 * i;
		memset(p, 0, 32);
		*(uint32_t *)p = list[i].pid;
		*(uint64_t *)(p + 8) = since + 1000;
		*(uint32_t *)(p + 16) = (uint32_t)fake_number("FAKE_SM", d, 5);
	}
	return 0;
}

#ifndef MIDDLE
API int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, void *list) {
	PART("nvmlDeviceGetComputeRunningProcesses_v3");
	return running(d, instance, n, list, (size_t)fake_number("FAKE_PROCESS_SIZE", 0, 24));
}
#endif

API int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *later) {
	DEVICE("nvmlDeviceGetMigMode");
	*now = *later = (unsigned)fake_number("FAKE_MIG", d, 0);
	return 0;
}

API int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned *n) { DEVICE("nvmlDeviceGetMaxMigDeviceCount"); *n = 7; return 0; }

API int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned i, void **out) {
	DEVICE("nvmlDeviceGetMigDeviceHandleByIndex");
	if ((long)i >= fake_number("FAKE_INSTANCES", d, 0)) return 6;
	*out = (void *)(intptr_t)(100 + 10 * d + (int)i + 1);
	return 0;
}
#endif
