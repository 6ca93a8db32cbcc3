"""A service with a model, as people run them: it prefers the GPU where its configuration says so, and answers from the CPU where that fails.

    server.py CONFIG CAPI

CONFIG has lines of KEY: VALUE; executionProvider is gpu or cpu. CAPI is the directory of the engine's libraries, which are loaded in the order and
with the words of ONNX Runtime. The server listens on a port that the system chooses and says which; /quit ends it.
"""
import ctypes
import http.server
import json
import os
import sys
import time


def configuration(path):
    with open(path) as f:
        pairs = (line.partition("#")[0].partition(":") for line in f)
        return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def log(text):
    print(time.strftime("%Y-%m-%d %H:%M:%S"), text, flush=True)


def engine(text):
    """The engine's own words go to standard error, with its own clock."""
    print(time.strftime("%Y-%m-%d %H:%M:%S") + ".000000000 " + text, file=sys.stderr, flush=True)


def failed(cause):
    engine("[E:onnxruntime:Default, provider_bridge_ort.cc:2195 TryGetProviderInfo_CUDA] provider_bridge_ort.cc:1778 onnxruntime::Provider& "
           "onnxruntime::ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : " + cause)
    engine("[W:onnxruntime:Default, onnxruntime_pybind_state.cc:1055 CreateExecutionProviderInstance] Failed to create CUDAExecutionProvider. "
           "Require cuDNN 9.* and CUDA 12.*. Please install all dependencies as mentioned in the GPU requirements page "
           "(https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#requirements), make sure they're in the PATH, and that your GPU is supported.")


def cuda(capi):
    """A session on the GPU, or None."""
    name = "libonnxruntime_providers_cuda.so"
    try:
        ctypes.CDLL(os.path.join(capi, "libonnxruntime_providers_shared.so"), ctypes.RTLD_GLOBAL)
        provider = ctypes.CDLL(os.path.join(capi, name))
    except OSError as e:
        failed("Failed to load library %s with error: %s" % (name, e))
        return None
    code = provider.CreateSession()
    if code:
        engine("[E:onnxruntime:Default, inference_session.cc:2117] CUDA failure %d: %s ; GPU=0 ; expr=cudaSetDevice(info_.device_id);"
               % (code, "no CUDA-capable device is detected" if code == 100 else "initialization error"))
        return None
    return provider


def on_cpu(n):
    return sum(2 * i + 1 for i in range(n))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.done = self.path == "/quit"
        session = self.server.session
        result = session.Compute(100) if session else on_cpu(100)
        body = json.dumps({"provider": "CUDAExecutionProvider" if session else "CPUExecutionProvider", "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        log(format % args)


def main():
    config, capi = sys.argv[1:]
    wanted = configuration(config).get("executionProvider", "cpu")
    log("executionProvider is %s" % wanted)
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.done = False
    server.session = cuda(capi) if wanted == "gpu" else None
    log("the model is loaded")
    log("listening on http://127.0.0.1:%d" % server.server_address[1])
    while not server.done:
        server.handle_request()
    log("ended")


main()
