/* libcudnn.so.9: a convolution on the host. */
#include "fake.h"

typedef struct { int kind, n, c, h, w; } descriptor_t;

API const char *cudnnGetErrorString(int code) { return code == 1001 ? "CUDNN_STATUS_NOT_INITIALIZED" : code == 3000 ? "CUDNN_STATUS_NOT_SUPPORTED" : code == 5000 ? "CUDNN_STATUS_EXECUTION_FAILED" : "CUDNN_STATUS_INTERNAL_ERROR"; }
API size_t cudnnGetVersion(void) { fake_act("cudnnGetVersion", -1); return 90100; }
API size_t cudnnGetCudartVersion(void) { return 12040; }
API int cudnnCreate(void **h) { ACT("cudnnCreate", -1); *h = malloc(8); return 0; }
API int cudnnDestroy(void *h) { ACT("cudnnDestroy", -1); free(h); return 0; }

static int make(descriptor_t **d, int kind) { *d = calloc(1, sizeof **d); (*d)->kind = kind; return 0; }

API int cudnnCreateTensorDescriptor(descriptor_t **d) { ACT("cudnnCreateTensorDescriptor", -1); return make(d, 1); }
API int cudnnCreateFilterDescriptor(descriptor_t **d) { ACT("cudnnCreateFilterDescriptor", -1); return make(d, 2); }
API int cudnnCreateConvolutionDescriptor(descriptor_t **d) { ACT("cudnnCreateConvolutionDescriptor", -1); return make(d, 3); }

API int cudnnSetTensor4dDescriptor(descriptor_t *d, int format, int type, int n, int c, int h, int w) {
	ACT("cudnnSetTensor4dDescriptor", -1);
	if (d->kind != 1 || format || type) return 2000;
	*d = (descriptor_t){1, n, c, h, w};
	return 0;
}

API int cudnnSetFilter4dDescriptor(descriptor_t *d, int type, int format, int k, int c, int h, int w) {
	ACT("cudnnSetFilter4dDescriptor", -1);
	if (d->kind != 2 || format || type) return 2000;
	*d = (descriptor_t){2, k, c, h, w};
	return 0;
}

API int cudnnSetConvolution2dDescriptor(descriptor_t *d, int ph, int pw, int u, int v, int dh, int dw, int mode, int type) {
	ACT("cudnnSetConvolution2dDescriptor", -1);
	return d->kind != 3 || ph != 1 || pw != 1 || u != 1 || v != 1 || dh != 1 || dw != 1 || mode != 1 || type ? 2000 : 0;
}

API int cudnnConvolutionForward(void *h, const float *alpha, descriptor_t *dx, const float *x, descriptor_t *dw, const float *w, descriptor_t *dc, int algorithm, void *workspace, size_t size, const float *beta, descriptor_t *dy, float *y) {
	ACT("cudnnConvolutionForward", -1);
	if (!h || algorithm || workspace || size || dc->kind != 3 || dy->c != dw->n || *alpha != 1 || *beta != 0) return 2000;
	for (int k = 0; k < dy->c; k++)
		for (int i = 0; i < dy->h; i++)
			for (int j = 0; j < dy->w; j++) {
				float sum = 0;
				for (int c = 0; c < dx->c; c++)
					for (int a = 0; a < dw->h; a++)
						for (int b = 0; b < dw->w; b++) {
							int p = i + a - 1, q = j + b - 1;
							if (p >= 0 && p < dx->h && q >= 0 && q < dx->w) sum += x[(c * dx->h + p) * dx->w + q] * w[((k * dw->c + c) * dw->h + a) * dw->w + b];
						}
				y[(k * dy->h + i) * dy->w + j] = sum;
			}
	if (fake_wrong("convolution", -1)) y[33] += 2;
	return 0;
}
