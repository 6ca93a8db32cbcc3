import base64

with step("import", "onnxruntime") as s:
    import onnxruntime
    import numpy
    if not hasattr(onnxruntime, "InferenceSession"):
        s.fail("the module onnxruntime at %s has no InferenceSession: it is empty, as after an uninstallation that left files behind" % getattr(onnxruntime, "__path__", "?"))
    else:
        s.values.update(version=onnxruntime.__version__, path=onnxruntime.__file__)

with step("build", "onnxruntime") as s:
    available = onnxruntime.get_available_providers()
    s.values["providers"] = " ".join(available)

model = base64.b64decode(MODEL)
feeds = {
    "picture": numpy.asarray(X, numpy.float32).reshape(1, CHANNELS, SIZE, SIZE),
    "a": numpy.asarray(A, numpy.float32).reshape(ROWS, INNER),
    "small": numpy.asarray(A, numpy.int8).reshape(ROWS, INNER),
}
outputs = ("convolution", "product", "quantised")  # of the model, in the order of the expected numbers
expected = None


def session(providers):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # the nodes stay those of the model
    options.enable_profiling, options.profile_file_prefix = True, os.path.join(_temp, "profile")
    options.log_severity_level = 2
    return onnxruntime.InferenceSession(model, options, providers=providers)


def placed(s):
    """Where each node really ran, from the profile: {"Conv": "CUDAExecutionProvider"}."""
    with open(s.end_profiling()) as f:
        events = json.load(f)
    where = {}
    for e in events:
        args = e.get("args", {})
        if e.get("cat") == "Node" and args.get("provider") and str(e.get("name", "")).endswith("_kernel_time"):
            where[args.get("op_name", "?")] = args["provider"]
    return where


def run(provider, providers, device=None):
    """A session, its results, and where its nodes ran. False where the provider was not used."""
    global expected
    with step("session", provider, device, go_on=True) as s:
        made = session(providers)
        got = made.get_providers()
        s.values["providers"] = " ".join(got)
        if provider not in got:
            s.fail("the session was made without %s: %s" % (provider, ", ".join(got)))
    if s.state != "ok":
        return False
    with step("run", provider, device, go_on=True) as s:
        results = made.run(list(outputs), feeds)
    if s.state != "ok":
        return False
    with step("placement", provider, device, go_on=True) as s:
        where = placed(made)
        s.values.update(where)
        used = [op for op in where if where[op] == provider]
        if not where:
            s.skip("the profile of the session names no node")
        elif not used:
            s.fail("none of the %d nodes ran on %s: %s" % (len(where), provider, ", ".join("%s on %s" % kv for kv in sorted(where.items()))))
    if s.state == "failed":
        return False
    if expected is None:
        expected = (convolution(), product(), product())
    side = "CPU" if device is None else "GPU"
    for name, r, want in zip(("convolution", "matrix product", "quantised matrix product"), results, expected):
        compare("%s by %s" % (name, provider) if side == "GPU" else "%s on the CPU" % name, r.ravel().tolist(), want, device)
    return True


# First without any GPU: does it start at all?
if not run("CPUExecutionProvider", ["CPUExecutionProvider"]):
    finish()

if "CUDAExecutionProvider" not in available:
    with step("devices", "onnxruntime") as s:
        s.skip("this build of ONNX Runtime has no CUDA provider")
    finish()

used = run("CUDAExecutionProvider", ["CUDAExecutionProvider", "CPUExecutionProvider"], 0)
if not used and hasattr(onnxruntime, "preload_dlls"):
    # From pip's packages of NVIDIA it loads its libraries only when the program says so.
    with step("preload", "onnxruntime.preload_dlls", go_on=True) as s:
        onnxruntime.preload_dlls()
    run("CUDAExecutionProvider", ["CUDAExecutionProvider", "CPUExecutionProvider"], 0)

if used and "TensorrtExecutionProvider" in available:
    import ctypes
    with step("find", "TensorRT", go_on=True) as s:
        for n in ("10", "8", "11", "9"):
            try:
                ctypes.CDLL("libnvinfer.so." + n)
                s.values["library"] = "libnvinfer.so." + n
                break
            except OSError:
                pass
        else:
            s.skip("the dynamic linker finds no libnvinfer")
    if s.state == "ok":
        run("TensorrtExecutionProvider", ["TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"], 0)
finish()
