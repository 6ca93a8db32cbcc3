"""Case files: one machine each, and what Strata is expected to say about it."""

import dataclasses
import json
import pathlib
import re

from say import Failure


@dataclasses.dataclass
class Case:
    """One file of cases/. README.md explains the fields."""

    name: str
    what: str
    ci: bool = False
    arch: str = "x86_64"
    driver: str = ""  # a set of debs.txt; empty: no driver in the root, as in a container image
    gpu: str = ""  # a name of host.GPUS; empty: nothing of the host is captured
    wheels: list = dataclasses.field(default_factory=list)  # files of pins/, installed in this order
    without: list = dataclasses.field(default_factory=list)  # distributions to leave out of them
    place: dict = dataclasses.field(default_factory=dict)  # pins file: directory to copy its libraries to
    ldconf: list = dataclasses.field(default_factory=list)  # directories for /etc/ld.so.conf.d
    environment: dict = dataclasses.field(default_factory=dict)  # for /etc/environment
    assume: dict = dataclasses.field(default_factory=dict)  # read by the test, not by the builder
    expect: dict = dataclasses.field(default_factory=dict)  # framework: first broken layer, or ok
    mention: list = dataclasses.field(default_factory=list)  # words the finding has to contain
    text: str = ""  # the file itself; part of what makes a root stale


def load_all(folder: pathlib.Path) -> list:
    """All cases, those of CI first since they are small."""
    cases = [load(p) for p in sorted(folder.glob("*.yaml"))]
    if not cases:
        raise Failure(f"reading cases in {str(folder)!r}: there are none")
    return sorted(cases, key=lambda c: (not c.ci, c.name))


def load(path: pathlib.Path) -> Case:
    text = path.read_text(encoding="utf-8")
    fields = parse(text, path)
    known = {f.name for f in dataclasses.fields(Case)} - {"text"}
    for key in fields:
        if key not in known:
            raise Failure(f"reading {str(path)!r}: unknown field {key!r}")
    if fields.get("name") != path.stem:
        raise Failure(f"reading {str(path)!r}: name is {fields.get('name')!r}, not the file's")
    if not fields.get("expect"):
        raise Failure(f"reading {str(path)!r}: no expected verdict")
    return Case(text=text, **fields)


def parse(text: str, path: pathlib.Path) -> dict:
    """Reads the part of YAML that case files keep to: `key: scalar`, `key: [a, b]`, and one level of nested keys.

    The standard library has no YAML reader, and one that needs an install could not fetch itself."""
    fields, inside = {}, None
    for n, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        m = re.fullmatch(r"(  )?([^\s:][^:]*):(?: (.*))?", line)
        if m is None or (m[1] and inside is None):
            raise Failure(f"reading {str(path)!r}: line {n} is neither a key nor nested in one: {line!r}")
        key, value = m[2].strip('"'), (m[3] or "").strip()
        if m[1]:
            fields[inside][key] = scalar(value)
        elif value == "":
            inside, fields[key] = key, {}
        elif value.startswith("["):
            inside, fields[key] = None, [scalar(v.strip()) for v in value.strip("[]").split(",") if v.strip()]
        else:
            inside, fields[key] = None, value == "true" if value in ("true", "false") else scalar(value)
    return fields


def scalar(value: str) -> str:
    return json.loads(value) if value.startswith('"') else value
