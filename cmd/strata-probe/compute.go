package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"unsafe"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

//go:embed add.ptx
var addPTX string

//go:embed fma.ptx
var fmaPTX string

// kernels are what is run on each device, the one that more drivers know first.
var kernels = []kernel{
	{"strata_add", "PTX 4.1", addPTX, 0, func(a, b float32) float32 { return a + b }},
	// The numbers are chosen so that product and sum are exact: one rounding or two is the same.
	{"strata_fma", "PTX 7.0", fmaPTX, 11000, func(a, b float32) float32 { return float32(float64(a)*float64(b) + float64(a)) }},
}

type kernel struct {
	name, isa, ptx string
	driver         int32 // the CUDA version of the first driver that compiles it, as cuDriverGetVersion writes it
	want           func(a, b float32) float32
}

const (
	elements = 1<<16 + 1 // no multiple of a block: the last block is not full
	guard    = 64        // elements behind the result that must stay as they are
	block    = 256
	poison   = 0xff // bytes of NaN: what was not written is no number
)

// compute is the second rung on one device: context, memory, kernels, results.
func compute(c *climb) {
	c.rung, c.device = probe.Compute, &c.ordinal
	ctx, ok := c.openContext()
	if !ok {
		return
	}
	defer ctx.close()
	a, b := make([]byte, 4*elements), make([]byte, 4*elements)
	for i := range elements {
		put(a, i, float32(i%4096)+0.5)
		put(b, i, float32(i*7%512)-0.5)
	}
	da, ok1 := ctx.alloc("a", len(a))
	db, ok2 := ctx.alloc("b", len(b))
	dc, ok3 := ctx.alloc("c", 4*(elements+guard))
	if !ok1 || !ok2 || !ok3 {
		return
	}
	if !ctx.toDevice("a", da, a) || !ctx.toDevice("b", db, b) {
		return
	}
	back := make([]byte, len(a))
	if !ctx.fromDevice("a", back, da) || !c.step("compare", "copy", func(s *probe.Step) {
		compare(s, elements, 0, func(i int) (got, want float32) { return get(back, i), get(a, i) })
	}) {
		return
	}
	for _, k := range kernels {
		ctx.run(k, a, b, da, db, dc)
	}
}

// run compiles one kernel, launches it and compares its result.
func (x *context) run(k kernel, a, b []byte, da, db, dc uint64) {
	c := x.climb
	if x.driver != 0 && x.driver < k.driver {
		c.step("cuModuleLoadDataEx", k.isa, func(s *probe.Step) {
			s.State = probe.Skipped
			s.Detail = fmt.Sprintf("%s needs a driver of CUDA %s; this one is of %s", k.isa, cudaVersion(int(k.driver)), cudaVersion(int(x.driver)))
		})
		return
	}
	var module, fn uintptr
	if !x.load(k, &module) {
		return
	}
	defer c.call("cuModuleUnload", k.isa, nil, module)
	if !c.call("cuModuleGetFunction", k.name, nil, &fn, module, k.name) {
		return
	}
	if !c.call("cuMemsetD8_v2", "poison", nil, dc, poison, 4*(elements+guard)) {
		return
	}
	n := uint32(elements)
	args := []unsafe.Pointer{unsafe.Pointer(&da), unsafe.Pointer(&db), unsafe.Pointer(&dc), unsafe.Pointer(&n)}
	if !c.call("cuLaunchKernel", k.name, nil, fn, (elements+block-1)/block, 1, 1, block, 1, 1, 0, 0, args, nil) ||
		!c.call("cuCtxSynchronize", k.name, nil) {
		return
	}
	got := make([]byte, 4*(elements+guard))
	if !x.fromDevice("c", got, dc) {
		return
	}
	c.step("compare", k.name, func(s *probe.Step) {
		set(s, "isa", k.isa)
		compare(s, elements, 0, func(i int) (float32, float32) { return get(got, i), k.want(get(a, i), get(b, i)) })
		for i := elements; i < elements+guard && s.State == probe.OK; i++ {
			if binary.NativeEndian.Uint32(got[4*i:]) != 0xffffffff {
				s.State, s.Detail = probe.Wrong, fmt.Sprintf("it wrote to element %d, behind the end", i)
			}
		}
		if s.State == probe.Wrong {
			set(s, "again", x.again(fn, args, got, dc))
		}
	})
}

// again runs a kernel whose result was wrong once more: a program errs the same way twice.
func (x *context) again(fn uintptr, args []unsafe.Pointer, first []byte, dc uint64) string {
	second := make([]byte, len(first))
	for _, call := range [][]any{
		{"cuMemsetD8_v2", dc, poison, len(first)},
		{"cuLaunchKernel", fn, (elements + block - 1) / block, 1, 1, block, 1, 1, 0, 0, args, nil},
		{"cuCtxSynchronize"},
		{"cuMemcpyDtoH_v2", second, dc, len(second)},
	} {
		if code, err := x.lib.Status(call[0].(string), call[1:]...); err != nil || code != 0 {
			return ""
		}
	}
	if bytes.Equal(first, second) {
		return "the same"
	}
	return "another result"
}

// load compiles a kernel's PTX, and keeps what the compiler says.
func (x *context) load(k kernel, module *uintptr) bool {
	return x.climb.step("cuModuleLoadDataEx", k.isa, func(s *probe.Step) {
		info, errs := nvlib.NewCString(4096), nvlib.NewCString(4096)
		// CUjit_option: info log and its size, error log and its size.
		options := []int32{3, 4, 5, 6}
		values := []uintptr{uintptr(unsafe.Pointer(&info[0])), uintptr(len(info)), uintptr(unsafe.Pointer(&errs[0])), uintptr(len(errs))}
		if !x.climb.status(s, "cuModuleLoadDataEx", module, k.ptx, len(options), options, values) {
			if s.State == probe.Skipped {
				s.State = probe.Failed
			}
		}
		runtime.KeepAlive(info)
		runtime.KeepAlive(errs)
		set(s, "jit_info", oneLine(info))
		set(s, "jit_error", oneLine(errs))
	})
}

func oneLine(s nvlib.CString) string { return strings.Join(strings.Fields(s.String()), " ") }

// compare looks for the first element that differs by more than it may; NaN differs from everything.
func compare(s *probe.Step, n int, allowed float32, at func(i int) (got, want float32)) {
	differ := 0
	for i := range n {
		got, want := at(i)
		if d := got - want; d >= -allowed && d <= allowed {
			continue
		}
		if differ == 0 {
			s.State = probe.Wrong
			set(s, "index", i)
			set(s, "got", got)
			set(s, "want", want)
		}
		differ++
	}
	if differ > 0 {
		s.Detail = fmt.Sprintf("element %s is %s instead of %s; %d of %d differ", s.Values["index"], s.Values["got"], s.Values["want"], differ, n)
		set(s, "differ", differ)
	}
}

func put(b []byte, i int, v float32) {
	binary.NativeEndian.PutUint32(b[4*i:], math.Float32bits(v))
}

func get(b []byte, i int) float32 { return math.Float32frombits(binary.NativeEndian.Uint32(b[4*i:])) }
