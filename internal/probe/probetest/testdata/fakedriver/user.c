/* A program that uses GPUs, as far as somebody who looks on can tell:
 *
 *   user SECONDS [GPU MIB]…
 *
 * It initialises CUDA, takes so much memory of each GPU, and waits. GPU+ forks for it.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *lib;

static int take(int gpu, size_t mib) {
	int device;
	uint64_t at;
	void *ctx;
	int (*get)(int *, int) = (int (*)(int *, int))dlsym(lib, "cuDeviceGet");
	int (*retain)(void **, int) = (int (*)(void **, int))dlsym(lib, "cuDevicePrimaryCtxRetain");
	int (*set)(void *) = (int (*)(void *))dlsym(lib, "cuCtxSetCurrent");
	int (*alloc)(uint64_t *, size_t) = (int (*)(uint64_t *, size_t))dlsym(lib, "cuMemAlloc_v2");
	int code;
	if ((code = get(&device, gpu)) || (code = retain(&ctx, device)) || (code = set(ctx)) || (code = alloc(&at, mib << 20)))
		fprintf(stderr, "user: CUDA error %d\n", code);
	return code;
}

static void waiting(double seconds) {
	struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
	double seconds = argc > 1 ? atof(argv[1]) : 0;
	lib = dlopen("libcuda.so.1", RTLD_NOW);
	if (!lib) {
		fprintf(stderr, "user: %s\n", dlerror());
		return 1;
	}
	int (*init)(unsigned) = (int (*)(unsigned))dlsym(lib, "cuInit");
	int code = init(0);
	if (code) {
		fprintf(stderr, "user: cuInit: CUDA error %d\n", code);
		return 1;
	}
	for (int i = 2; i + 1 < argc; i += 2) {
		if (strchr(argv[i], '+') && fork() == 0) {
			if (take(atoi(argv[i]), (size_t)atol(argv[i + 1]))) return 1;
			waiting(seconds);
			return 0;
		}
		if (!strchr(argv[i], '+') && take(atoi(argv[i]), (size_t)atol(argv[i + 1]))) return 1;
	}
	waiting(seconds);
	return 0;
}
