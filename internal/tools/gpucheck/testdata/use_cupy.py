"""Computes with CuPy for some seconds: a kernel that NVRTC compiles, and cuBLAS."""
import time

import cupy

x = cupy.ones((512, 512), dtype=cupy.float32)
end = time.monotonic() + 3
while time.monotonic() < end:
    assert float((x * 2 + 1).sum()) == 3 * 512 * 512
    assert float((x @ x)[3, 5]) == 512
print("cupy", cupy.__version__, "on", cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())
