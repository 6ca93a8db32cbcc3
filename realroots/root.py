"""A root: Debian's base, a driver, one Python environment and what the host shows, put together."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import host
import wheels
from say import Failure, run, say
from wheels import link_tree, replace

_VENV = "opt/venv"


def build(c, store: pathlib.Path, deb_store, wheel_store) -> None:
    """Makes the root of a case beside its final place and moves it there when it is whole."""
    final, part = store / "roots" / c.name, store / "roots" / f".{c.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    merge_usr(part)
    install_debs(part, [(d, deb_store.cell(d)) for d in deb_store.of_case(c)])
    if c.driver:
        select_driver(part, c.arch)
    if c.gpu:
        host.write(part, c.gpu, c.driver, c.arch)
    venv = make_venv(part, c.arch)
    for w in wheel_store.of_environment(c):
        wheels.lay(wheel_store.cell(w), venv)
    for pins, folder in c.place.items():
        for _, pin in wheel_store.read(pins):
            for lib in (wheel_store.cell((c.arch, pin)) / "site" / "nvidia").glob("*/lib/*.so*"):
                # As NVIDIA's archives do it: the file has its whole version, the soname is a link.
                full = lib.name.split(".so.")[0] + ".so." + ".".join(pin.split("==")[1].split()[0].split(".")[:3])
                link_tree(lib, part / folder.lstrip("/") / full)
                (part / folder.lstrip("/") / lib.name).symlink_to(full)
    if c.ldconf:
        replace(part / "etc/ld.so.conf.d/50-local.conf", "".join(d + "\n" for d in c.ldconf))
    if c.environment:
        replace(part / "etc/environment", "".join(f"{k}={v}\n" for k, v in c.environment.items()))
    write_ld_cache(part, c.arch)
    shutil.rmtree(final, ignore_errors=True)
    part.rename(final)
    stamp(c, store).write_text(inputs(c, deb_store, wheel_store) + "\n", encoding="utf-8")
    say(f"{c.name}: built")


def is_current(c, store: pathlib.Path, deb_store, wheel_store) -> bool:
    mark = stamp(c, store)
    return mark.exists() and (store / "roots" / c.name).is_dir() and mark.read_text().strip() == inputs(c, deb_store, wheel_store)


def stamp(c, store: pathlib.Path) -> pathlib.Path:
    return store / "roots" / f".{c.name}.stamp"


def inputs(c, deb_store, wheel_store) -> str:
    """A digest of all that decides how a root looks; the expected verdict does not."""
    shape = re.sub(r"(?ms)^(what|ci|assume|expect|mention):.*?(?=^\S|\Z)", "", c.text)
    parts = [shape, wheel_store.digest(c), *(d.sha256 for d in deb_store.of_case(c))]
    here = pathlib.Path(__file__).parent
    parts += [(here / f"{m}.py").read_text(encoding="utf-8") for m in ("host", "root", "wheels")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def merge_usr(root: pathlib.Path) -> None:
    """Debian 12 keeps /bin, /sbin and /lib* as links into /usr; packages still name both."""
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")


def install_debs(root: pathlib.Path, debs: list) -> None:
    """Links the packages' files and records them in dpkg's database, as installed and configured."""
    info = root / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    status = []
    for d, cell in debs:
        link_tree(cell / "root", root)
        control = (cell / "control/control").read_text(encoding="utf-8")
        first, rest = control.split("\n", 1)
        status.append(f"{first}\nStatus: install ok installed\n{rest.rstrip()}\n")
        # dpkg puts the architecture into the file's name only for packages that may be installed for several.
        stem = f"{d.name}:{d.arch}" if re.search(r"(?m)^Multi-Arch: same$", control) else d.name
        paths = sorted("/" + p.relative_to(cell / "root").as_posix() for p in (cell / "root").rglob("*"))
        (info / f"{stem}.list").write_text("/.\n" + "".join(p + "\n" for p in paths), encoding="utf-8")
        if (cell / "control/md5sums").exists():
            link_tree(cell / "control/md5sums", info / f"{stem}.md5sums")
    (root / "var/lib/dpkg/status").write_text("\n".join(status), encoding="utf-8")


def select_driver(root: pathlib.Path, arch: str) -> None:
    """Does what the nvidia-alternative package does when configured: links the chosen driver's files into the library
    path, over /etc/alternatives and with absolute targets."""
    triplet = f"{arch}-linux-gnu"
    flavours = list((root / "usr/lib" / triplet / "nvidia").iterdir())
    if len(flavours) != 1:
        raise Failure(f"selecting a driver: {len(flavours)} are unpacked, not one")
    alternatives = root / "etc/alternatives"
    alternatives.mkdir(parents=True, exist_ok=True)
    files = [(f"usr/lib/{triplet}", f, f"-{triplet}") for f in flavours[0].glob("lib*.so.[0-9]") if f.is_symlink()]
    files += [("usr/lib/" + triplet, flavours[0] / "libcuda.so", f"-{triplet}")]
    files += [("usr/bin", f, "") for f in (root / "usr/lib/nvidia" / flavours[0].name).glob("nvidia-smi")]
    for folder, source, suffix in files:
        name = f"nvidia--{source.name}{suffix}"
        (alternatives / name).symlink_to("/" + source.relative_to(root).as_posix())
        (root / folder / source.name).symlink_to(f"/etc/alternatives/{name}")


def make_venv(root: pathlib.Path, arch: str) -> pathlib.Path:
    """Has venv make an environment and turns its paths into those inside the root, whatever Python ran it."""
    venv = root / _VENV
    run("making an environment", [sys.executable, "-m", "venv", "--without-pip", "--symlinks", venv])
    made = next((venv / "lib").iterdir())
    if made.name != f"python{wheels.PYTHON}":
        made.rename(made.with_name(f"python{wheels.PYTHON}"))
    for link in (venv / "bin").glob("python*"):
        link.unlink()
    for name, target in (("python3", "/usr/bin/python3"), ("python", "python3"), (f"python{wheels.PYTHON}", "python3")):
        (venv / "bin" / name).symlink_to(target)
    replace(venv / "pyvenv.cfg",
            "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n"
            f"executable = /usr/bin/python{wheels.PYTHON}\ncommand = /usr/bin/python3 -m venv /{_VENV}\n")
    for script in (venv / "bin").iterdir():  # activate and its kin
        if script.is_file() and not script.is_symlink():
            replace(script, script.read_text(encoding="utf-8").replace(str(venv), f"/{_VENV}"))
    return venv


def write_ld_cache(root: pathlib.Path, arch: str) -> None:
    """Runs ldconfig on the root. It needs the right to chroot, and indexes only libraries for the machine it runs on;
    a root without the cache is still a valid machine, on which the loader searches its default directories."""
    tool = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
    if tool is None or os.geteuid() != 0 or os.uname().machine != arch:
        say(f"{root.name[1:-5]}: no ld.so.cache (not root, or another architecture)")
        return
    # -X: the links between sonames and files are the packages' business.
    p = subprocess.run([tool, "-r", str(root), "-X"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if p.returncode != 0:
        raise Failure(f"writing ld.so.cache in {str(root)!r}: ldconfig exited {p.returncode}: {p.stderr.strip()[-300:]}")
