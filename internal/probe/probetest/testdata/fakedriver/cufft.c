/* libcufft.so.11: a transform on the host, straight from its definition. */
#include "fake.h"
#include <math.h>

static int size;

API int cufftGetProperty(int what, int *v) { static const int version[] = {11, 2, 1}; ACT("cufftGetProperty", -1); *v = version[what]; return 0; }
API int cufftPlan1d(int *plan, int n, int type, int batch) { ACT("cufftPlan1d", -1); if (type != 0x29 || batch != 1) return 4; size = n; *plan = 1; return 0; }
API int cufftDestroy(int plan) { ACT("cufftDestroy", -1); return plan == 1 ? 0 : 1; }

API int cufftExecC2C(int plan, const float *in, float *out, int direction) {
	ACT("cufftExecC2C", -1);
	if (plan != 1) return 1;
	for (int k = 0; k < size; k++) {
		double re = 0, im = 0;
		for (int t = 0; t < size; t++) {
			double a = direction * 2 * M_PI * (double)((long)k * t % size) / size;
			re += in[2 * t] * cos(a) - in[2 * t + 1] * sin(a);
			im += in[2 * t] * sin(a) + in[2 * t + 1] * cos(a);
		}
		out[2 * k] = (float)re;
		out[2 * k + 1] = (float)im;
	}
	if (fake_wrong("fft", -1)) out[7] += 1;
	return 0;
}
