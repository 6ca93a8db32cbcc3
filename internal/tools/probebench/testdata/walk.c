/* What a small program in C does that asks the driver what strata's driver rung asks first: the baseline. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(void) {
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW), *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	if (!cuda || !nvml) return 1;
	int (*init)(unsigned) = dlsym(cuda, "cuInit"), (*count)(int *) = dlsym(cuda, "cuDeviceGetCount");
	int (*get)(int *, int) = dlsym(cuda, "cuDeviceGet"), (*name)(char *, int, int) = dlsym(cuda, "cuDeviceGetName");
	int (*attribute)(int *, int, int) = dlsym(cuda, "cuDeviceGetAttribute");
	int (*ninit)(void) = dlsym(nvml, "nvmlInit_v2"), (*version)(char *, unsigned) = dlsym(nvml, "nvmlSystemGetDriverVersion");
	int (*handle)(unsigned, void **) = dlsym(nvml, "nvmlDeviceGetHandleByIndex_v2"), (*memory)(void *, unsigned long long *) = dlsym(nvml, "nvmlDeviceGetMemoryInfo");
	int n = 0;
	char text[128];
	if (init(0) || count(&n) || ninit() || version(text, sizeof text)) return 2;
	printf("driver %s\n", text);
	for (int i = 0; i < n; i++) {
		int device, major, minor;
		void *h;
		unsigned long long m[3];
		if (get(&device, i) || name(text, sizeof text, device) || attribute(&major, 75, device) || attribute(&minor, 76, device) || handle((unsigned)i, &h) || memory(h, m)) return 3;
		printf("%d %s %d.%d %llu MiB\n", i, text, major, minor, m[0] >> 20);
	}
	return 0;
}
