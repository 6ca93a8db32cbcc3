package main

import (
	"fmt"

	"strata/internal/probe"
)

// cudnn folds a small image with a kernel of 3 by 3: integers, so that the result is exact.
func cudnn(c *climb) {
	c.rung = probe.Libraries
	l := c.library()
	if !l.find("cudnn", "cudnnCreate") {
		return
	}
	l.describe = words(&l.lib, "cudnnGetErrorString", "")
	l.step("cudnnGetVersion", "", func(s *probe.Step) {
		v, err := l.lib.Call("cudnnGetVersion")
		if err != nil {
			fail(s, err)
			return
		}
		set(s, "version", cudnnVersion(int(v)))
		if v, err = l.lib.Call("cudnnGetCudartVersion"); err == nil {
			set(s, "cudart", cudaVersion(int(v)))
		}
	})
	x, ok := c.openContext()
	if !ok {
		return
	}
	defer x.close()
	image, filter := make([]byte, 4*channels*side*side), make([]byte, 4*filters*channels*9)
	for i := range len(image) / 4 {
		put(image, i, float32(i%11-5))
	}
	for i := range len(filter) / 4 {
		put(filter, i, float32(i*3%7-3))
	}
	in, out, ok := x.inAndOut(image, 4*filters*side*side)
	if !ok {
		return
	}
	weights, ok := x.alloc("filter", len(filter))
	if !ok || !x.toDevice("filter", weights, filter) {
		return
	}
	var handle, dx, dw, dy, dc uintptr
	const nchw, float, correlation = 0, 0, 1
	one, zero := float32(1), float32(0)
	done := l.call("cudnnCreate", "", nil, &handle) &&
		l.call("cudnnCreateTensorDescriptor", "in", nil, &dx) &&
		l.call("cudnnSetTensor4dDescriptor", "in", nil, dx, nchw, float, 1, channels, side, side) &&
		l.call("cudnnCreateTensorDescriptor", "out", nil, &dy) &&
		l.call("cudnnSetTensor4dDescriptor", "out", nil, dy, nchw, float, 1, filters, side, side) &&
		l.call("cudnnCreateFilterDescriptor", "", nil, &dw) &&
		l.call("cudnnSetFilter4dDescriptor", "", nil, dw, float, nchw, filters, channels, 3, 3) &&
		l.call("cudnnCreateConvolutionDescriptor", "", nil, &dc) &&
		l.call("cudnnSetConvolution2dDescriptor", "", nil, dc, 1, 1, 1, 1, 1, 1, correlation, float) &&
		// Algorithm 0, implicit GEMM, needs no memory of its own.
		l.call("cudnnConvolutionForward", "", nil, handle, &one, dx, in, dw, weights, dc, 0, 0, 0, &zero, dy, out)
	if done {
		x.result("convolution", filters*side*side, 0, out, func(i int) float32 { return convolved(image, filter, i) })
		l.call("cudnnDestroy", "", nil, handle)
	}
}

// The image has 3 channels of 16 by 16, the result 4 of the same size: a border of zeros is around the image.
const channels, side, filters = 3, 16, 4

// convolved is element i of the result.
func convolved(image, filter []byte, i int) float32 {
	m, y, x, sum := i/(side*side), i/side%side, i%side, float32(0)
	for ch := range channels {
		for dy := range 3 {
			for dx := range 3 {
				if yy, xx := y+dy-1, x+dx-1; yy >= 0 && yy < side && xx >= 0 && xx < side {
					sum += get(image, (ch*side+yy)*side+xx) * get(filter, ((m*channels+ch)*3+dy)*3+dx)
				}
			}
		}
	}
	return sum
}

// cudnnVersion writes 90100 as 9.1.0, and 8907, as it was before 9, as 8.9.7.
func cudnnVersion(v int) string {
	if v >= 90000 {
		return fmt.Sprintf("%d.%d.%d", v/10000, v%10000/100, v%100)
	}
	return fmt.Sprintf("%d.%d.%d", v/1000, v%1000/100, v%100)
}
