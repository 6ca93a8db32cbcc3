"""How the program talks: plain lines as it goes, one sentence when it stops."""

import subprocess
import threading

_lock = threading.Lock()


class Failure(Exception):
    """What went wrong, while doing what, and what to do next; ends the program with status 1."""


def say(line: str) -> None:
    with _lock:
        print(line, flush=True)


def run(doing: str, argv: list, **kwargs) -> str:
    """Runs argv and returns its standard output; a failure carries the end of what it said."""
    p = subprocess.run([str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)
    if p.returncode != 0:
        tail = "\n    ".join((p.stderr.strip() or p.stdout.strip()).splitlines()[-8:])
        raise Failure(f"{doing}: {argv[0]} exited {p.returncode}:\n    {tail}")
    return p.stdout
