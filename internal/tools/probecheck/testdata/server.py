"""A small server as people write them: it answers requests by a model of ONNX Runtime and prefers the GPU where its configuration says so.

    server.py CONFIG MODEL

CONFIG has lines of KEY: VALUE. executionProvider is gpu (CUDA, and the CPU where that fails), cpu, or auto (what the build offers). The server
listens on a port that the system chooses and says which; /quit ends it.
"""
import http.server
import json
import logging
import sys

import numpy
import onnxruntime

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO, stream=sys.stdout)
log = logging.getLogger("server")


def configuration(path):
    with open(path) as f:
        pairs = (line.partition("#")[0].partition(":") for line in f)
        return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def providers(wanted):
    if wanted == "cpu":
        return ["CPUExecutionProvider"]
    if wanted == "auto":
        return [p for p in onnxruntime.get_available_providers() if p in ("CUDAExecutionProvider", "CPUExecutionProvider")]
    if wanted == "gpu":
        return ["CUDAExecutionProvider", "CPUExecutionProvider"]
    raise SystemExit("executionProvider must be gpu, cpu or auto, not %r" % wanted)


def inputs(session):
    kinds = {"tensor(float)": numpy.float32, "tensor(int8)": numpy.int8}
    return {i.name: numpy.ones(i.shape, kinds[i.type]) for i in session.get_inputs()}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.done = self.path == "/quit"
        sums = {o.name: float(r.sum()) for o, r in zip(self.server.session.get_outputs(), self.server.session.run(None, self.server.inputs))}
        body = json.dumps({"providers": self.server.session.get_providers(), "sums": sums}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        log.info(format, *args)


def main():
    config, model = sys.argv[1:]
    wanted = configuration(config).get("executionProvider", "auto")
    log.info("executionProvider is %s", wanted)
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.done = False
    server.session = onnxruntime.InferenceSession(model, providers=providers(wanted))
    server.inputs = inputs(server.session)
    log.info("listening on http://127.0.0.1:%d", server.server_address[1])
    sys.stdout.flush()
    while not server.done:
        server.handle_request()
    log.info("ended")


main()
