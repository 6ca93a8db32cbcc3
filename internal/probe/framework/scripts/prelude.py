"""What every script of the fourth rung starts with. It keeps to the standard library and to Python 3.6.

A step is one line of JSON when it begins and one when it ends (internal/probe/step.go). The lines go to standard error behind a mark, in one
stream with what the framework prints, so that its words belong to the step that it printed them in.
"""
import contextlib, json, os, sys, time, traceback

if sys.path and sys.path[0] == "":
    del sys.path[0]  # a torch.py in the working directory is not the framework
os.dup2(2, 1)  # what the framework prints to standard output joins the stream
_temp = os.environ["TMPDIR"]
for _name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TORCH_HOME", "TORCH_EXTENSIONS_DIR", "PYTORCH_KERNEL_CACHE_PATH", "XDG_CACHE_HOME",
              "XDG_CONFIG_HOME", "CUPY_CACHE_DIR", "KERAS_HOME", "NUMBA_CACHE_DIR", "MPLCONFIGDIR", "HF_HOME", "VLLM_CACHE_ROOT", "VLLM_CONFIG_ROOT", "FLASHINFER_WORKSPACE_BASE"):
    os.environ[_name] = _temp
PART = os.environ.pop("STRATA_PROBE_PART")
MODEL = os.environ.pop("STRATA_PROBE_MODEL", "")
_longest = 2000  # characters of a message: a line stays below what a pipe takes in one piece


def _write(step):
    line = "\n\x1e" + json.dumps(step) + "\n"
    os.write(2, line.encode("ascii", "backslashreplace"))


class Step:
    """A step that has begun: what is learned goes into values."""

    def __init__(self, name, subject, device):
        self.values, self.state, self.detail = {}, "ok", ""
        self.head = {"rung": "framework", "step": name, "subject": subject}
        if device is not None:
            self.head["device"] = device

    def fail(self, detail):
        self.state, self.detail = "failed", detail

    def skip(self, detail):
        self.state, self.detail = "skipped", detail


def finish():
    """The end: without what a framework does when an interpreter ends, which is not what was asked."""
    sys.stderr.flush()
    os._exit(0)


@contextlib.contextmanager
def step(name, subject, device=None, go_on=False):
    """One step. An exception fails it, and all that follows, unless go_on."""
    s = Step(name, subject, device)
    _write(dict(s.head, state="begin"))
    start = time.perf_counter()
    try:
        yield s
    except BaseException as e:  # SystemExit too: a library that ends the program has failed
        traceback.print_exc()
        s.fail("%s: %s" % (type(e).__name__, e))
    sys.stderr.flush()
    end = dict(s.head, state=s.state, micros=int((time.perf_counter() - start) * 1e6))
    if s.detail:
        end["detail"] = s.detail[:_longest]
    if s.values:
        end["values"] = {k: str(v)[:_longest] for k, v in s.values.items() if v not in (None, "")}
    _write(end)
    if s.state in ("failed", "wrong") and not go_on:
        finish()


def version(distribution):
    """The version of an installed package, or nothing."""
    try:
        from importlib.metadata import version
        return version(distribution)
    except Exception:
        return ""


# What is computed: whole numbers, small enough that float32, TF32 and float16 hold the numbers and every partial sum exactly, in any order.
# What differs by a quarter or more has another whole number as its result: no rounding does that, not even that of a fast convolution.
TOLERANCE = 0.25


def numbers(count, factor, modulus):
    """Whole numbers around zero without a period that a wrong stride would hide."""
    return [(i * factor + i * i // 7) % modulus - modulus // 2 for i in range(count)]


ROWS, INNER, COLUMNS = 24, 40, 32
A, B = numbers(ROWS * INNER, 5, 7), numbers(INNER * COLUMNS, 3, 9)
CHANNELS, SIZE, FILTERS = 3, 12, 4
X, W = numbers(CHANNELS * SIZE * SIZE, 5, 9), numbers(FILTERS * CHANNELS * 9, 3, 5)


def product():
    """A times B, by plain loops: ROWS by COLUMNS numbers, row by row."""
    return [sum(A[i * INNER + k] * B[k * COLUMNS + j] for k in range(INNER)) for i in range(ROWS) for j in range(COLUMNS)]


def convolution():
    """X with W, 3 by 3, a border of one zero: FILTERS pictures of SIZE by SIZE numbers."""
    def at(c, y, x):
        return X[(c * SIZE + y) * SIZE + x] if 0 <= y < SIZE and 0 <= x < SIZE else 0
    return [sum(at(c, y + v - 1, x + u - 1) * W[((f * CHANNELS + c) * 3 + v) * 3 + u] for c in range(CHANNELS) for v in range(3) for u in range(3))
            for f in range(FILTERS) for y in range(SIZE) for x in range(SIZE)]


def compare(what, got, want, device=None):
    """Hold numbers against those of plain loops. what is "matrix product on the GPU"."""
    with step("compare", what, device, go_on=True) as s:
        s.values["elements"], s.values["tolerance"] = len(want), TOLERANCE
        if len(got) != len(want):
            s.state, s.detail = "wrong", "%d elements instead of %d" % (len(got), len(want))
            return False
        bad = [i for i, (g, w) in enumerate(zip(got, want)) if not abs(float(g) - w) < TOLERANCE]  # "not": NaN too
        if bad:
            i = bad[0]
            s.state, s.detail = "wrong", "element %d is %r instead of %d, and %d of %d are wrong" % (i, float(got[i]), want[i], len(bad), len(want))
            s.values.update(first=i, got=float(got[i]), want=want[i], wrong=len(bad))
    return not bad
