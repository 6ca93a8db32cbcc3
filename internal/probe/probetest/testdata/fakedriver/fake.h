/* What the fakes of NVIDIA's libraries share. The environment says what they do:
 *
 *   FAKE_<function>=ACTION[@DEVICE]   a number: return it; segv, abort, kill, hang, spin, exit:N, delay:MS, eat:MIB
 *   FAKE_DEVICES=2                    how many GPUs there are (default 1)
 *   FAKE_NAMES=Tesla T4,NVIDIA L4     FAKE_CC=7.5,8.9   FAKE_MEMORY_MIB=15360,23034
 *   FAKE_DRIVER=550.163.01            FAKE_CUDA=12040   FAKE_PTX=84   newest PTX ISA that it compiles
 *   FAKE_MIG=1,0                      MIG mode of each GPU; FAKE_INSTANCES=0,0
 *   FAKE_WRONG=WHAT[@DEVICE]          whose result is wrong: copy, kernels, flaky, guard, unwritten, or the name of a kernel or call
 *   FAKE_STATE=DIR                    where a process that has a context on a GPU notes it, and NVML reads who has; then
 *   FAKE_BUSY=64,0                    utilisation of each GPU, FAKE_SM=40,0 of each process on it, FAKE_USED_MIB=3,3
 *   FAKE_PROCESS_MIB=1900             what each process holds, instead of what it has asked for; unknown: NVML does not tell
 *   FAKE_PID_SHIFT=100000             NVML numbers processes so much higher, as from within a container
 *   FAKE_PROCESS_SIZE=32              bytes of an entry of the list of processes, as drivers 535.43 to 535.86 have it
 *   FAKE_ON_INSTANCE=1                the MIG instance that processes are on
 */
#ifndef FAKE_H
#define FAKE_H
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define MAX_DEVICES 16

static void fake_sleep(long ms) {
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

/* field n of a list with commas, or its last one; dflt where there is none */
static const char *fake_field(const char *name, int n, const char *dflt, char *buf, size_t size) {
	const char *v = getenv(name);
	if (!v || !*v) return dflt;
	for (; n > 0 && strchr(v, ','); n--) v = strchr(v, ',') + 1;
	size_t len = strcspn(v, ",");
	if (len >= size) len = size - 1;
	memcpy(buf, v, len);
	buf[len] = 0;
	return buf;
}

static long fake_number(const char *name, int n, long dflt) {
	char buf[64];
	const char *v = fake_field(name, n, NULL, buf, sizeof buf);
	return v ? strtol(v, NULL, 0) : dflt;
}

/* whether "WHAT" or "WHAT@DEVICE" is meant for the device; -1 is any */
static int fake_meant(const char *v, int device) {
	const char *at = strchr(v, '@');
	return !at || device < 0 || atoi(at + 1) == device;
}

/* write the process's number into the file FAKE_SAID, for tests that wait for it */
static void fake_say(void) {
	const char *path = getenv("FAKE_SAID");
	FILE *f = path ? fopen(path, "w") : NULL;
	if (f) {
		fprintf(f, "%d", (int)getpid());
		fclose(f);
	}
}

/* do what the environment says about a function; a number is what it is to return */
static int fake_act(const char *function, int device) {
	char name[128];
	snprintf(name, sizeof name, "FAKE_%s", function);
	const char *v = getenv(name);
	if (!v || !*v || !fake_meant(v, device)) return 0;
	if (!strncmp(v, "segv", 4)) { *(volatile int *)8 = 1; }
	if (!strncmp(v, "abort", 5)) { fprintf(stderr, "fake: assertion failed in %s\n", function); abort(); }
	if (!strncmp(v, "kill", 4)) { kill(getpid(), SIGKILL); }
	if (!strncmp(v, "hang", 4)) { fake_say(); for (;;) fake_sleep(1000); }
	if (!strncmp(v, "spin", 4)) { for (volatile long i = 0;; i++) {} }
	if (!strncmp(v, "exit:", 5)) { exit(atoi(v + 5)); }
	if (!strncmp(v, "delay:", 6)) { fake_sleep(atol(v + 6)); return 0; }
	if (!strncmp(v, "child", 5)) { /* a process in a session of its own that stays */
		if (fork() == 0) { setsid(); if (fork() == 0) { close(1); close(2); for (;;) fake_sleep(1000); } _exit(0); }
		return 0;
	}
	if (!strncmp(v, "print", 5)) { /* more than anybody reads */
		for (int i = 0; i < 200000; i++) printf("fake: line %d of a library that talks\n", i);
		fflush(stdout);
		return 0;
	}
	if (!strncmp(v, "file", 4)) { /* something in the temporary folder */
		char path[512];
		const char *dir = getenv("TMPDIR");
		snprintf(path, sizeof path, "%s/fake-left-this", dir ? dir : ".");
		FILE *f = fopen(path, "w");
		if (f) fclose(f);
		return 0;
	}
	if (!strncmp(v, "eat:", 4)) {
		size_t n = (size_t)atol(v + 4) << 20;
		char *p = malloc(n);
		for (size_t i = 0; p && i < n; i += 4096) p[i] = 1;
		for (;;) fake_sleep(1000);
	}
	return atoi(v);
}

static int fake_wrong(const char *what, int device) {
	const char *v = getenv("FAKE_WRONG");
	size_t n = strlen(what);
	return v && !strncmp(v, what, n) && (v[n] == 0 || v[n] == '@') && fake_meant(v, device);
}

static int fake_devices(void) {
	long n = fake_number("FAKE_DEVICES", 0, 1);
	return n > MAX_DEVICES ? MAX_DEVICES : (int)n;
}

static const char *fake_name(int device, char *buf, size_t size) { return fake_field("FAKE_NAMES", device, "Tesla T4", buf, size); }

static long fake_cc(int device) { /* 7.5 as 75 */
	char buf[32];
	const char *v = fake_field("FAKE_CC", device, "7.5", buf, sizeof buf);
	const char *dot = strchr(v, '.');
	return atol(v) * 10 + (dot ? atol(dot + 1) : 0);
}

static uint64_t fake_memory(int device) { return (uint64_t)fake_number("FAKE_MEMORY_MIB", device, 15360) << 20; }

/* note how much memory of a GPU this process holds: a file GPU.PID below FAKE_STATE */
static void fake_hold(int device, uint64_t bytes) {
	char path[512];
	const char *dir = getenv("FAKE_STATE");
	if (!dir) return;
	snprintf(path, sizeof path, "%s/%d.%d", dir, device, (int)getpid());
	FILE *f = fopen(path, "w");
	if (f) {
		fprintf(f, "%llu", (unsigned long long)bytes);
		fclose(f);
	}
}

#define ACT(function, device)                          \
	do {                                               \
		int act_ = fake_act(function, device);         \
		if (act_) return act_;                         \
	} while (0)
#endif
