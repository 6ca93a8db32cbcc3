/* libcublas.so.12: a product of matrices on the host. */
#include "fake.h"

API const char *cublasGetStatusName(int code) { return code == 1 ? "CUBLAS_STATUS_NOT_INITIALIZED" : code == 13 ? "CUBLAS_STATUS_EXECUTION_FAILED" : code == 15 ? "CUBLAS_STATUS_NOT_SUPPORTED" : "CUBLAS_STATUS_UNKNOWN"; }
API const char *cublasGetStatusString(int code) { return code == 1 ? "the library was not initialized" : "the function failed"; }
API int cublasGetProperty(int what, int *v) { static const int version[] = {12, 4, 5}; ACT("cublasGetProperty", -1); *v = version[what]; return 0; }
API int cublasCreate_v2(void **h) { ACT("cublasCreate_v2", -1); *h = malloc(8); return 0; }
API int cublasDestroy_v2(void *h) { ACT("cublasDestroy_v2", -1); free(h); return 0; }

API int cublasSgemm_v2(void *h, int ta, int tb, int m, int n, int k, const float *alpha, const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc) {
	ACT("cublasSgemm_v2", -1);
	if (!h || ta || tb) return 7;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			float sum = 0;
			for (int x = 0; x < k; x++) sum += a[x * lda + i] * b[j * ldb + x];
			c[j * ldc + i] = *alpha * sum + (*beta == 0 ? 0 : *beta * c[j * ldc + i]);
		}
	if (fake_wrong("sgemm", -1)) c[5] = -c[5] + 1;
	return 0;
}
