package main

import (
	"math"

	"strata/internal/probe"
)

// cufftResults are the names of cufftResult, which the library has no function for.
var cufftResults = map[int]string{
	1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE", 5: "CUFFT_INTERNAL_ERROR",
	6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE",
}

// cufft transforms 256 complex numbers.
func cufft(c *climb) {
	c.rung = probe.Libraries
	l := c.library()
	if !l.find("cufft", "cufftPlan1d") {
		return
	}
	l.describe = func(code int) (string, string) { return cufftResults[code], "" }
	l.version("cufftGetProperty")
	x, ok := c.openContext()
	if !ok {
		return
	}
	defer x.close()
	const n = 256
	in := make([]byte, 8*n)
	for i := range 2 * n {
		put(in, i, float32(i*31%101-50)/50)
	}
	from, to, ok := x.inAndOut(in, 8*n)
	if !ok {
		return
	}
	const c2c, forward = 0x29, -1
	var plan int32
	if !l.call("cufftPlan1d", "", nil, &plan, n, c2c, 1) {
		return
	}
	if l.call("cufftExecC2C", "", nil, plan, from, to, forward) {
		want := make([]float32, 2*n)
		for k := range n {
			var re, im float64
			for t := range n {
				sin, cos := math.Sincos(-2 * math.Pi * float64(k*t%n) / n)
				a, b := float64(get(in, 2*t)), float64(get(in, 2*t+1))
				re, im = re+a*cos-b*sin, im+a*sin+b*cos
			}
			want[2*k], want[2*k+1] = float32(re), float32(im)
		}
		// The sums are below 363; single precision is good to some 1e-5 of that after eight stages.
		x.result("fft", 2*n, 0.01, to, func(i int) float32 { return want[i] })
	}
	l.call("cufftDestroy", "", nil, plan)
}
