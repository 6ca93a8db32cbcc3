"""Python wheels: pinned in pip's hash-checking format, installed once each, linked into many environments."""

import hashlib
import os
import pathlib
import re
import shutil
import sys

from say import Failure, run, say

# The Python of Debian 12, which every root carries; wheels are chosen for it and not for the Python that runs this.
PYTHON = "3.11"

# glibc 2.36 is Debian 12's, so any manylinux tag up to it fits.
_GLIBC_MINOR = 36


class Store:
    """Wheels of pins/*.txt and their unpacked cells, one per wheel: site-packages, bin and what else it installs."""

    def __init__(self, pins: pathlib.Path, cache: pathlib.Path):
        self.pins, self.cells, self.tmp = pins, cache / "wheels", cache / "tmp"
        self._sets = {}

    def read(self, name: str) -> list:
        """The pins of one file, in its order, each as (distribution, requirement line)."""
        if name not in self._sets:
            path = self.pins / f"{name}.txt"
            try:
                text = path.read_text(encoding="utf-8")
            except OSError as e:
                raise Failure(f"reading pins {str(path)!r}: {e.strerror}") from e
            rows = []
            for n, line in enumerate(text.splitlines(), 1):
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                m = re.fullmatch(r"([a-z0-9.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line)
                if m is None:
                    raise Failure(f"reading {str(path)!r}: line {n} is not NAME==VERSION --hash=sha256:HEX")
                rows.append((m[1], line))
            self._sets[name] = rows
        return self._sets[name]

    def of_environment(self, c) -> list:
        """What a case's environment gets, in install order, as (architecture, requirement line)."""
        chosen = [(dist, pin) for s in c.wheels for dist, pin in self.read(s)]
        # A bare name leaves out every version; NAME==VERSION one of them, where two pins files have the same package.
        names = {n for dist, pin in chosen for n in (dist, pin.split(" ")[0])}
        for unknown in set(c.without) - names:
            raise Failure(f"case {c.name}: leaves out {unknown!r}, which none of its pins has")
        kept = [pin for dist, pin in chosen if not {dist, pin.split(" ")[0]} & set(c.without)]
        versions = {}
        for pin in kept:
            dist, version = pin.split(" ")[0].split("==")
            if versions.setdefault(dist, version) != version:
                raise Failure(f"case {c.name}: {dist} in two versions, which pip would not do: {versions[dist]} and {version}")
        return list(dict.fromkeys((c.arch, pin) for pin in kept))

    def of_case(self, c) -> list:
        placed = [(c.arch, pin) for s in c.place for _, pin in self.read(s)]
        return list(dict.fromkeys(self.of_environment(c) + placed))

    def cell(self, wheel: tuple) -> pathlib.Path:
        arch, pin = wheel
        name, digest = pin.split(" ")[0].replace("==", "-"), pin[-64:]
        return self.cells / f"{name}-{arch}-{digest[:12]}"

    def fetch(self, wheel: tuple) -> None:
        """Has pip download, check and install one wheel by itself, without what it depends on."""
        cell, (arch, pin) = self.cell(wheel), wheel
        if cell.exists():
            return
        say(f"wheel {pin.split(' ')[0]} ({arch})")
        part = cell.with_name(cell.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        self.tmp.mkdir(parents=True, exist_ok=True)
        (part / "requirement.txt").write_text(pin + "\n", encoding="utf-8")
        run(
            f"installing {pin.split(' ')[0]}",
            [sys.executable, "-m", "pip", "--quiet", "--no-cache-dir", "--disable-pip-version-check", "install",
             "--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-compile",
             "--target", part / "site", "--python-version", PYTHON, "--implementation", "cp",
             "--abi", "cp311", "--abi", "abi3", "--abi", "none", *platforms(arch), "-r", part / "requirement.txt"],
            # pip unpacks to its temporary folder and then moves: on one file system the move is free.
            env={**os.environ, "TMPDIR": str(self.tmp), "PIP_ROOT_USER_ACTION": "ignore"},
        )
        part.rename(cell)

    def digest(self, c) -> str:
        text = "\n".join(f"{a} {p}" for a, p in self.of_case(c))
        return hashlib.sha256(text.encode()).hexdigest()


def platforms(arch: str) -> list:
    tags = [f"manylinux_2_{m}_{arch}" for m in range(5, _GLIBC_MINOR + 1)]
    tags += [f"manylinux{y}_{arch}" for y in ("1", "2010", "2014")]
    return [a for t in tags for a in ("--platform", t)]


def lay(cell: pathlib.Path, venv: pathlib.Path) -> None:
    """Installs a cell into an environment as pip would: the later wheel's files replace the earlier one's.

    Files are hard links into the cell, since the same gigabytes serve many roots; only what is changed is copied."""
    site = venv / "lib" / f"python{PYTHON}" / "site-packages"
    for top in sorted((cell / "site").iterdir()):
        # pip --target puts the scheme's other folders beside the packages; in an environment they have their own place.
        if top.name in ("bin", "share", "etc", "include") and not (top / "__init__.py").exists():
            link_tree(top, venv / top.name)
        else:
            link_tree(top, site / top.name)
    for record in (cell / "site").glob("*.dist-info/RECORD"):
        # The target scheme is two levels deep, an environment's three.
        text = record.read_text(encoding="utf-8")
        replace(site / record.relative_to(cell / "site"), re.sub(r"(?m)^\.\./\.\./(?=bin/|share/|etc/)", "../../../", text))
    for script in (cell / "site" / "bin").glob("*") if (cell / "site" / "bin").is_dir() else ():
        body = script.read_bytes()
        if body.startswith(b"#!") and b"python" in body.split(b"\n", 1)[0]:
            rest = body.split(b"\n", 1)[1]
            replace(venv / "bin" / script.name, b"#!/opt/venv/bin/python3\n" + rest, mode=0o755)


def link_tree(src: pathlib.Path, dst: pathlib.Path) -> None:
    if src.is_dir() and not src.is_symlink():
        dst.mkdir(parents=True, exist_ok=True)
        for child in src.iterdir():
            link_tree(child, dst / child.name)
        return
    dst.parent.mkdir(parents=True, exist_ok=True)
    if dst.is_symlink() or dst.exists():
        dst.unlink()
    os.link(src, dst, follow_symlinks=False)


def replace(path: pathlib.Path, content, mode: int = 0o644) -> None:
    """Writes a file anew; never through a hard link, which would change the cell too."""
    path.unlink(missing_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    path.chmod(mode)
