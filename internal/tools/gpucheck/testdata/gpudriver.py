"""The driver's own functions, called without any framework: what a GPU needs to compute is libcuda alone."""
import ctypes
import sys

# c[i] = a[i] + b[i], in PTX that every driver since CUDA 10 compiles.
KERNEL = b"""
.version %s
.target sm_50
.address_size 64
.visible .entry strata_add(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pn)
{
	.reg .pred %%p<2>;
	.reg .u32 %%r<6>;
	.reg .u64 %%d<8>;
	.reg .f32 %%f<4>;
	ld.param.u32 %%r1, [pn];
	mov.u32 %%r2, %%ctaid.x;
	mov.u32 %%r3, %%ntid.x;
	mov.u32 %%r4, %%tid.x;
	mad.lo.u32 %%r5, %%r2, %%r3, %%r4;
	setp.ge.u32 %%p1, %%r5, %%r1;
	@%%p1 bra done;
	ld.param.u64 %%d1, [pa];
	ld.param.u64 %%d2, [pb];
	ld.param.u64 %%d3, [pc];
	mul.wide.u32 %%d4, %%r5, 4;
	add.u64 %%d5, %%d1, %%d4;
	add.u64 %%d6, %%d2, %%d4;
	add.u64 %%d7, %%d3, %%d4;
	ld.global.f32 %%f1, [%%d5];
	ld.global.f32 %%f2, [%%d6];
	add.rn.f32 %%f3, %%f1, %%f2;
	st.global.f32 [%%d7], %%f3;
done:
	ret;
}
"""
N = 4096


class Driver:
    """One GPU with a context, as far as an addition needs it."""

    def __init__(self, ptx):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)
        module, self.add = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadDataEx", ctypes.byref(module), KERNEL % ptx, 0, None, None)
        self.call("cuModuleGetFunction", ctypes.byref(self.add), module, b"strata_add")
        self.memory = [ctypes.c_uint64() for _ in range(3)]
        for m in self.memory:
            self.call("cuMemAlloc_v2", ctypes.byref(m), ctypes.c_size_t(4 * N))

    def call(self, name, *args):
        code = getattr(self.lib, name)(*args)
        if code == 0:
            return
        words = []
        for function in "cuGetErrorName", "cuGetErrorString":
            text = ctypes.c_char_p()
            if hasattr(self.lib, function) and getattr(self.lib, function)(code, ctypes.byref(text)) == 0 and text.value:
                words.append(text.value.decode())
        sys.exit("%s failed with error %d: %s" % (name, code, ": ".join(words)))

    def compute(self):
        numbers = [(ctypes.c_float * N)(*range(N)), (ctypes.c_float * N)(*range(0, 2 * N, 2)), (ctypes.c_float * N)()]
        for m, n in zip(self.memory[:2], numbers):
            self.call("cuMemcpyHtoD_v2", m, n, ctypes.c_size_t(4 * N))
        n = ctypes.c_uint32(N)
        params = (ctypes.c_void_p * 4)(*[ctypes.addressof(x) for x in (*self.memory, n)])
        self.call("cuLaunchKernel", self.add, N // 256, 1, 1, 256, 1, 1, 0, None, params, None)
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH_v2", numbers[2], self.memory[2], ctypes.c_size_t(4 * N))
        if list(numbers[2]) != [3.0 * i for i in range(N)]:
            sys.exit("the sum is wrong")
