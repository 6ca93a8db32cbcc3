"""A torch of plain Python with what the probe's script uses of it. FAKE_TORCH says what is wrong with it."""
import os
import sys
import types

mode = os.environ.get("FAKE_TORCH", "ok")
__version__ = "2.6.0+cu124"
float32 = "float32"
version = types.SimpleNamespace(cuda=None if mode == "cpu" else "12.4", hip=None)
print("a framework may print", end="", flush=True)  # without an end of line, to standard output
if mode == "import":
    raise ImportError("libcudnn.so.9: cannot open shared object file: No such file or directory")
if mode == "exit-import":
    sys.exit(3)
if mode == "write":
    for name in "XDG_CACHE_HOME", "TRITON_CACHE_DIR", "HF_HOME":
        os.makedirs(os.path.join(os.environ[name], name))


class Tensor:
    def __init__(self, values, shape, device):
        self.values, self.shape, self.device = values, shape, device

    def reshape(self, shape):
        return Tensor(self.values, shape, self.device)

    def to(self, device):
        if device != "cpu" and mode == "no-kernel":
            raise RuntimeError("CUDA error: no kernel image is available for execution on the device")
        return Tensor(self.values, self.shape, device)

    def __matmul__(self, o):
        (n, k), m = self.shape, o.shape[1]
        out = [sum(self.values[i * k + x] * o.values[x * m + j] for x in range(k)) for i in range(n) for j in range(m)]
        if mode == "wrong-cpu" or mode == "wrong-gpu" and self.device != "cpu":
            out[5] += 1
        if mode == "nan" and self.device != "cpu":
            out[7] = float("nan")
        return Tensor(out, (n, m), self.device)

    def flatten(self):
        return self

    def tolist(self):
        return self.values


def conv2d(x, w, padding):
    (_, c, h, v), f = x.shape, w.shape[0]
    at = lambda i, y, z: x.values[(i * h + y) * v + z] if 0 <= y < h and 0 <= z < v else 0
    out = [sum(at(i, y + a - 1, z + b - 1) * w.values[((o * c + i) * 3 + a) * 3 + b] for i in range(c) for a in range(3) for b in range(3))
           for o in range(f) for y in range(h) for z in range(v)]
    if mode == "wrong-convolution" and x.device != "cpu":
        out[100] -= 2
    return Tensor(out, (1, f, h, v), x.device)


def tensor(values, dtype):
    return Tensor([float(v) for v in values], (len(values),), "cpu")


nn = types.SimpleNamespace(functional=types.SimpleNamespace(conv2d=conv2d))
backends = types.SimpleNamespace(cuda=types.SimpleNamespace(is_built=lambda: mode != "cpu"), cudnn=types.SimpleNamespace(version=lambda: 90100))
_C = types.SimpleNamespace()


def init():
    if mode == "no-device":
        raise RuntimeError("No CUDA GPUs are available")
    if mode == "crash":
        import ctypes
        ctypes.string_at(0)
    if mode == "abort":
        print("Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory", file=sys.stderr, flush=True)
        os.abort()
    if mode == "hang":
        import time
        time.sleep(1000)


cuda = types.SimpleNamespace(
    init=init, device_count=lambda: 0 if mode == "quiet" else 1, is_available=lambda: mode != "quiet", synchronize=lambda: None,
    get_device_name=lambda _: "Fake GPU", get_device_capability=lambda _: (8, 0))
