package main

import (
	"strata/internal/probe"
)

// cublas multiplies two matrices of small integers, whose product is exact in
// every format that cuBLAS may choose.
func cublas(c *climb) {
	c.rung = probe.Libraries
	l := c.library()
	if !l.find("cublas", "cublasCreate_v2") {
		return
	}
	l.describe = words(&l.lib, "cublasGetStatusName", "cublasGetStatusString")
	l.version("cublasGetProperty")
	x, ok := c.openContext()
	if !ok {
		return
	}
	defer x.close()
	const n = 96
	a, b := make([]byte, 4*n*n), make([]byte, 4*n*n)
	for i := range n * n {
		put(a, i, float32(i%17-8))
		put(b, i, float32(i*5%13-6))
	}
	da, dc, ok := x.inAndOut(a, 4*n*n)
	if !ok {
		return
	}
	db, ok := x.alloc("b", len(b))
	if !ok || !x.toDevice("b", db, b) {
		return
	}
	var handle uintptr
	if !l.call("cublasCreate_v2", "", nil, &handle) {
		return
	}
	one, zero := float32(1), float32(0)
	const plain = 0 // CUBLAS_OP_N; matrices are stored by columns
	if l.call("cublasSgemm_v2", "", nil, handle, plain, plain, n, n, n, &one, da, n, db, n, &zero, dc, n) {
		x.result("sgemm", n*n, 0, dc, func(i int) float32 {
			row, column, sum := i%n, i/n, float32(0)
			for k := range n {
				sum += get(a, k*n+row) * get(b, column*n+k)
			}
			return sum
		})
	}
	l.call("cublasDestroy_v2", "", nil, handle)
}

// inAndOut puts data on the device and takes memory for a result, filled with what is no number.
func (x *context) inAndOut(in []byte, out int) (din, dout uint64, ok bool) {
	if din, ok = x.alloc("in", len(in)); !ok {
		return
	}
	if dout, ok = x.alloc("out", out); !ok {
		return
	}
	ok = x.toDevice("in", din, in) && x.call("cuMemsetD8_v2", "poison", nil, dout, poison, out)
	return
}

// result waits for what was begun and compares it.
func (x *context) result(what string, n int, allowed float32, at uint64, want func(i int) float32) {
	got := make([]byte, 4*n)
	if x.call("cuCtxSynchronize", what, nil) && x.fromDevice("out", got, at) {
		x.step("compare", what, func(s *probe.Step) {
			compare(s, n, allowed, func(i int) (float32, float32) { return get(got, i), want(i) })
		})
	}
}
