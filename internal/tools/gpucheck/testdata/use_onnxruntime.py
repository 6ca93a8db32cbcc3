"""Runs a small model with ONNX Runtime on CUDA and on the CPU and compares; fails where the session went on without CUDA."""
import sys
import time

import numpy
import onnxruntime

if hasattr(onnxruntime, "preload_dlls"):
    onnxruntime.preload_dlls()
kinds = {"tensor(float)": numpy.float32, "tensor(int8)": numpy.int8}


def run(provider):
    s = onnxruntime.InferenceSession(sys.argv[1], providers=[provider])
    return s, {i.name: numpy.ones(i.shape, kinds[i.type]) for i in s.get_inputs()}


gpu, inputs = run("CUDAExecutionProvider")
cpu, _ = run("CPUExecutionProvider")
if "CUDAExecutionProvider" not in gpu.get_providers():
    sys.exit("the session has no CUDA: %s" % gpu.get_providers())
want = cpu.run(None, inputs)
end = time.monotonic() + 3
while time.monotonic() < end:
    assert all(numpy.array_equal(a, b) for a, b in zip(gpu.run(None, inputs), want))
print("onnxruntime", onnxruntime.__version__, "on", gpu.get_providers()[0])
