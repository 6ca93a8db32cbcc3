/* libnccl.so.2: a sum over buffers that are all on the host. */
#include "fake.h"

static int ranks, queued;
static const float *sends[MAX_DEVICES];
static float *receives[MAX_DEVICES];
static size_t count;

API const char *ncclGetErrorString(int code) { return code == 2 ? "unhandled system error" : code == 1 ? "unhandled cuda error" : "internal error"; }
API int ncclGetVersion(int *v) { ACT("ncclGetVersion", -1); *v = 22105; return 0; }
API int ncclGroupStart(void) { ACT("ncclGroupStart", -1); queued = 0; return 0; }

API int ncclCommInitAll(void **comms, int n, const int *devices) {
	ACT("ncclCommInitAll", -1);
	if (devices || n > fake_devices()) return 4;
	ranks = n;
	for (int i = 0; i < n; i++) comms[i] = (void *)(intptr_t)(i + 1);
	return 0;
}

API int ncclAllReduce(const float *in, float *out, size_t n, int type, int op, void *comm, void *stream) {
	int rank = (int)(intptr_t)comm - 1;
	ACT("ncclAllReduce", rank);
	if (type != 7 || op || stream || rank < 0 || rank >= ranks) return 4;
	sends[rank] = in;
	receives[rank] = out;
	count = n;
	queued++;
	return 0;
}

API int ncclGroupEnd(void) {
	ACT("ncclGroupEnd", -1);
	if (queued != ranks) return 5;
	for (size_t j = 0; j < count; j++) {
		float sum = 0;
		for (int i = 0; i < ranks; i++) sum += sends[i][j];
		for (int i = 0; i < ranks; i++) receives[i][j] = sum + (fake_wrong("all-reduce", i) && j == 9 ? 1 : 0);
	}
	return 0;
}

API int ncclCommDestroy(void *comm) { ACT("ncclCommDestroy", -1); return comm ? 0 : 4; }
