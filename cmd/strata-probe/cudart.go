package main

import (
	"strata/internal/probe"
)

// cudart is the CUDA runtime: what it is, which driver it sees, and a copy to the device and back.
func cudart(c *climb) {
	c.rung = probe.Libraries
	if !c.find("cudart", "cudaRuntimeGetVersion") {
		return
	}
	c.describe = words(&c.lib, "cudaGetErrorName", "cudaGetErrorString")
	var runtime, driver, n int32
	c.call("cudaRuntimeGetVersion", "", func(s *probe.Step) { set(s, "version", cudaVersion(int(runtime))) }, &runtime)
	// 0 is its way to say that there is no driver.
	c.call("cudaDriverGetVersion", "", func(s *probe.Step) { set(s, "driver_cuda", cudaVersion(int(driver))) }, &driver)
	if !c.call("cudaGetDeviceCount", "", func(s *probe.Step) { set(s, "devices", n) }, &n) ||
		!c.call("cudaSetDevice", "", nil, c.ordinal) {
		return
	}
	const size = 1 << 16
	var at uint64
	if !c.call("cudaMalloc", "", nil, &at, size) {
		return
	}
	there, back := make([]byte, size), make([]byte, size)
	for i := range size / 4 {
		put(there, i, float32(i))
	}
	const toDevice, toHost = 1, 2 // cudaMemcpyKind
	if c.call("cudaMemcpy", "to the device", nil, at, there, size, toDevice) && c.call("cudaMemcpy", "to the host", nil, back, at, size, toHost) {
		c.step("compare", "copy", func(s *probe.Step) {
			compare(s, size/4, 0, func(i int) (float32, float32) { return get(back, i), get(there, i) })
		})
	}
	c.call("cudaFree", "", nil, at)
}
