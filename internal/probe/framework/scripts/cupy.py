os.environ["CUPY_CACHE_IN_MEMORY"] = "1"

with step("import", "cupy") as s:
    import cupy
    s.values.update(version=cupy.__version__, path=cupy.__file__)

with step("build", "cupy", go_on=True) as s:
    from cupy_backends.cuda.api import runtime
    n = runtime._getCUDAMajorVersion() if hasattr(runtime, "_getCUDAMajorVersion") else 0
    s.values["cuda"] = n

# What it opens when it first computes, opened now: that needs no GPU.
with step("libraries", "NVRTC", go_on=True) as s:
    from cupy.cuda import nvrtc
    s.values["version"] = "%d.%d" % nvrtc.getVersion()
for _name in "cupy_backends.cuda.libs.cublas", "cupy_backends.cuda.libs.cusolver", "cupy_backends.cuda.libs.cusparse", "cupy.cuda.cufft", "cupy_backends.cuda.libs.curand":
    with step("libraries", _name, go_on=True) as s:
        try:
            __import__(_name)
        except ModuleNotFoundError as e:
            if not (e.name or "").startswith("cupy"):
                raise
            s.skip("this release of CuPy has no such module")
with step("devices", "cupy.cuda.runtime") as s:
    s.values["count"] = cupy.cuda.runtime.getDeviceCount()
    with cupy.cuda.Device(0) as device:
        s.values.update(compute_capability="%s.%s" % (device.compute_capability[:-1], device.compute_capability[-1:]),
                        name=cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())

# CuPy computes on GPUs alone; the plain loops stand for the CPU.
with step("compute", "element by element on the GPU", 0):  # its kernel is compiled by NVRTC
    a = (cupy.asarray(A, dtype=cupy.float32) * 2 + 1).get().tolist()
compare("elements on the GPU", a, [2 * v + 1 for v in A], 0)
with step("compute", "matrix product on the GPU", 0):  # cuBLAS
    p = (cupy.asarray(A, dtype=cupy.float32).reshape(ROWS, INNER) @ cupy.asarray(B, dtype=cupy.float32).reshape(INNER, COLUMNS)).ravel().get().tolist()
compare("matrix product on the GPU", p, product(), 0)
finish()
