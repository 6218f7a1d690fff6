#!/usr/bin/env python3
"""Writes the lock files from the lists of what is asked for directly: requirements*.txt from requirements*.in, one row
a package, with the hashes of the wheels that set-up may install. `make lock`.

What is locked stays, unless a list no longer allows it or it is to be upgraded. A list with the line `# --no-deps`
names all that is to be installed.
Usage: lock.py [--upgrade all|NAME,NAME]
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from packaging.markers import Marker
from packaging.utils import parse_wheel_filename

SETUP = Path(__file__).resolve().parent
# What set-up serves: CPython on Linux, from Debian 12's version on.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
INCLUDE = re.compile(r"^-r (\S+)\.in$", re.MULTILINE)
NO_DEPENDENCIES = "# --no-deps"
ROW = re.compile(r"^([\w.-]+)==(\S+)(.*)$", re.MULTILINE)


def environment(python: str, machine: str) -> dict[str, str]:
    """What a marker may ask for, on the machines that set-up serves."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
        "extra": "",
    }


def places_of(marker: str) -> list[tuple[str, str]]:
    """The versions of Python, each with a machine, where a marker holds; "" holds everywhere."""
    return [
        (python, machine)
        for python in PYTHONS
        for machine in MACHINES
        if not marker or Marker(marker).evaluate(environment(python, machine))
    ]


def fits(wheel: str, python: str, machine: str) -> bool:
    """Whether a wheel of this name may be what pip installs for a Python on such a machine."""
    return any(_fits(tag.interpreter, tag.abi, tag.platform, python, machine) for tag in parse_wheel_filename(wheel)[3])


def _fits(interpreter: str, abi: str, platform: str, python: str, machine: str) -> bool:
    if platform != "any" and not re.fullmatch(rf"(many)?linux.*_{machine}", platform):
        return False
    minor = python.removeprefix("3.")
    if abi == "abi3":
        return re.fullmatch(r"cp3\d+", interpreter) is not None and int(interpreter[3:]) <= int(minor)
    if abi == "none":
        return interpreter in ("py3", f"py3{minor}", f"cp3{minor}")
    return interpreter == abi == f"cp3{minor}"


def rows(lock: str) -> dict[str, tuple[str, str]]:
    """The packages of a lock file: the version of each, and the rest of its row."""
    return {name: (version, rest) for name, version, rest in ROW.findall(lock)}


def changes(before: str, after: str) -> list[str]:
    """What another lock file says, a line for each package that is not what it was."""
    old, new = rows(before), rows(after)
    lines = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            lines.append(f"{name} {old[name][0]} is gone")
        elif name not in old:
            lines.append(f"{name} {new[name][0]} is new")
        elif old[name][0] != new[name][0]:
            lines.append(f"{name} {old[name][0]} -> {new[name][0]}")
        elif old[name] != new[name]:
            lines.append(f"{name} {new[name][0]} has other hashes or markers")
    return lines


def row(package: dict[str, Any]) -> str:
    """A package of a pylock.toml as a row of a lock file; "" where none of these machines needs it."""
    what = f"{package['name']}=={package['version']}"
    marker = package.get("marker", "")
    places = places_of(marker)
    hashes = set()
    for python, machine in places:
        wheels = [wheel for wheel in package.get("wheels", []) if fits(name_of(wheel), python, machine)]
        if not wheels:
            raise SystemExit(f"lock: {what} has no wheel for Python {python} on {machine} Linux")
        hashes |= {wheel["hashes"]["sha256"] for wheel in wheels}
    condition = "" if len(places) == len(PYTHONS) * len(MACHINES) else f" ; {marker}"
    return what + condition + "".join(f" --hash=sha256:{digest}" for digest in sorted(hashes)) if places else ""


def name_of(wheel: dict[str, Any]) -> str:
    return str(wheel.get("name") or unquote(wheel["url"].rpartition("/")[2]))


def resolved(wanted: Path, locked: str, upgrade: str) -> dict[str, str]:
    """The rows of all packages that a list leads to, by name; what is in `locked` stays if it can."""
    with tempfile.TemporaryDirectory() as folder:
        pins, lock = Path(folder, "pins.txt"), Path(folder, "pylock.toml")
        pins.write_text(
            "".join(f"{name}=={version}\n" for name, (version, _) in rows(locked).items()), encoding="utf-8"
        )
        names = [name for name in upgrade.split(",") if name]
        upgrades = ["--upgrade"] if upgrade == "all" else [f"--upgrade-package={name}" for name in names]
        _compile(wanted, pins, *upgrades, *(["--no-deps"] if is_whole(wanted) else []))
        _compile(pins, lock, "--no-deps", "--format=pylock.toml")
        packages = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
    found = {package["name"]: row(package) for package in packages}
    return {name: text for name, text in found.items() if text}


def _compile(source: Path, to: Path, *options: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    # One version of a package for every Python: a lock file has one row a package.
    fixed = ["--universal", "--fork-strategy=fewest", f"--python-version={PYTHONS[0]}"]
    fixed += ["--no-annotate", "--no-header", "--quiet"]
    if subprocess.run([uv, "pip", "compile", source, f"--output-file={to}", *fixed, *options]).returncode != 0:
        raise SystemExit(f"lock: uv finds no versions for {source.name} (it says why above)")


def write(wanted: Path, upgrade: str) -> list[str]:
    """Writes the lock file of one list, and says what changed."""
    place = wanted.with_suffix(".txt")
    before = place.read_text(encoding="utf-8") if place.exists() else ""
    included = [SETUP / f"{name}.txt" for name in INCLUDE.findall(wanted.read_text(encoding="utf-8"))]
    of_included = "".join(lock.read_text(encoding="utf-8") for lock in included)
    found = resolved(wanted, of_included + before, upgrade)
    own = [text for name, text in sorted(found.items()) if name not in rows(of_included)]
    for name, (version, _) in rows(of_included).items():
        if not found[name].startswith(f"{name}=={version} "):
            raise SystemExit(f"lock: {wanted.name} needs another {name} than {version}, which another lock file has")
    head = [f"# Made from {wanted.name} by `make lock`.", *(f"-r {lock.name}" for lock in included)]
    head += [NO_DEPENDENCIES] if is_whole(wanted) else []
    place.write_text("\n".join([*head, *own]) + "\n", encoding="utf-8")
    return changes(before, place.read_text(encoding="utf-8"))


def is_whole(wanted: Path) -> bool:
    return NO_DEPENDENCIES in wanted.read_text(encoding="utf-8").splitlines()


def includes_nothing(wanted: Path) -> bool:
    return not INCLUDE.search(wanted.read_text(encoding="utf-8"))


def lists() -> Iterable[Path]:
    """The lists of what is asked for; those that include another come after it."""
    return sorted(SETUP.glob("requirements*.in"), key=lambda wanted: (not includes_nothing(wanted), wanted.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", default="", help="all, or packages: ruff,mypy")
    upgrade = parser.parse_args().upgrade
    for wanted in lists():
        changed = write(wanted, upgrade)
        print(f"{wanted.with_suffix('.txt').name}: {'; '.join(changed) or 'nothing changed'}", flush=True)


if __name__ == "__main__":
    main()
