"""Debian packages: pinned in debs.txt, fetched through apt with settings of our own, unpacked once each."""

import hashlib
import os
import pathlib
import re
import shutil
import typing

from say import Failure, run, say

# Where Debian keeps the keys its release files are signed with.
_KEYRING = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class Deb(typing.NamedTuple):
    """A row of debs.txt."""

    set: str
    name: str
    version: str
    arch: str
    suite: str
    component: str
    sha256: str

    def id(self) -> str:
        return f"{self.name}_{self.version.replace(':', '%3a')}_{self.arch}"


class Store:
    """The packages of debs.txt and their unpacked cells: root/ is what they install, control/ what dpkg records."""

    def __init__(self, table: pathlib.Path, cache: pathlib.Path):
        self.cells, self.apt = cache / "debs", cache / "apt"
        self.rows = []
        for n, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            columns = line.split()
            if len(columns) != len(Deb._fields):
                raise Failure(f"reading {str(table)!r}: line {n} has {len(columns)} columns, not {len(Deb._fields)}")
            if not re.fullmatch("[0-9a-f]{64}", columns[-1]):
                raise Failure(f"reading {str(table)!r}: line {n} does not end with a SHA-256")
            self.rows.append(Deb(*columns))

    def of_case(self, c) -> list:
        sets = [f"base-{c.arch}"] + ([f"driver-{c.driver}"] if c.driver else [])
        for s in sets:
            if s not in {d.set for d in self.rows}:
                raise Failure(f"case {c.name}: debs.txt has no set {s!r}")
        return [d for d in self.rows if d.set in sets]

    def cell(self, deb: Deb) -> pathlib.Path:
        return self.cells / f"{deb.id()}-{deb.sha256[:12]}"

    def fetch(self, wanted: set) -> None:
        missing = sorted(d for d in wanted if not self.cell(d).exists())
        if not missing:
            return
        say(f"{len(missing)} Debian packages")
        options = self._index(missing)
        folder = self.cells / "part"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        names = [f"{d.name}:{d.arch}={d.version}" for d in missing]
        try:
            run("downloading Debian packages", ["apt-get", *options, "--quiet", "download", *names], cwd=folder)
        except Failure as e:
            have = run("listing versions", ["apt-cache", *options, "madison", *sorted({f"{d.name}:{d.arch}" for d in missing})])
            raise Failure(f"{e}\n  the mirror has (change debs.txt to a version of these):\n{have}") from None
        for d in missing:
            self._unpack(d, folder / f"{d.id()}.deb")
        shutil.rmtree(folder)

    def _unpack(self, d: Deb, file: pathlib.Path) -> None:
        got = hashlib.sha256(file.read_bytes()).hexdigest()
        if got != d.sha256:
            raise Failure(f"checking {d.name} {d.version}: SHA-256 is {got}, debs.txt says {d.sha256}")
        part = self.cells / f"{d.id()}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        run(f"unpacking {d.name}", ["dpkg-deb", "-x", file, part / "root"])
        run(f"unpacking control files of {d.name}", ["dpkg-deb", "-e", file, part / "control"])
        part.rename(self.cell(d))

    def _index(self, missing: list) -> list:
        """Fetches package lists into a folder of ours and returns the options that make apt look there only."""
        for sub in ("lists/partial", "archives/partial"):
            (self.apt / sub).mkdir(parents=True, exist_ok=True)
        signed = f"Signed-By: {_KEYRING}\n" if _KEYRING.exists() else ""
        wanted = sorted({(d.suite, d.component, d.arch) for d in missing})
        stanzas = [f"Types: deb\nURIs: {mirror()}\nSuites: {s}\nComponents: {c}\nArchitectures: {a}\n{signed}" for s, c, a in wanted]
        sources = self.apt / "strata.sources"
        sources.write_text("\n".join(stanzas), encoding="utf-8")
        pairs = {
            "Dir::Etc::sourcelist": sources, "Dir::Etc::sourceparts": "/dev/null", "Dir::State::lists": self.apt / "lists",
            "Dir::Cache": self.apt, "Dir::State::status": "/dev/null", "Acquire::Languages": "none",
            "APT::Architectures": ",".join(sorted({d.arch for d in missing} | {"amd64"})),
            # Our folder need not be open to apt's own user, and nothing is executed.
            "APT::Sandbox::User": "root",
        }
        options = [o for k, v in pairs.items() for o in ("-o", f"{k}={v}")]
        run("reading the mirror's package lists", ["apt-get", *options, "--quiet", "-o", "APT::Update::Error-Mode=any", "update"])
        return options


def mirror() -> str:
    """The Debian mirror this machine already uses; the project names none."""
    if os.environ.get("STRATA_DEBIAN_MIRROR"):
        return os.environ["STRATA_DEBIAN_MIRROR"]
    rows = run("asking apt for this machine's mirror",
               ["apt-get", "indextargets", "--format", "$(CREATED_BY) $(COMPONENT) $(RELEASE) $(REPO_URI)"])
    for row in rows.splitlines():
        kind, component, release, uri = row.split(" ", 3)
        if kind == "Packages" and component == "main" and "security" not in release:
            return uri
    raise Failure("asking apt for this machine's mirror: its sources have no Debian main; set STRATA_DEBIAN_MIRROR")
