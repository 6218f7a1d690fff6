"""The lock files of grader/setup: what `make lock` writes, and that nothing else is installed."""

import ast
import hashlib
import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from archive_maker import make_zip
from packaging.utils import canonicalize_name

from tmagrade.basics.paths import HERE

SETUP = HERE.grader / "setup"
sys.path.append(str(SETUP))

from lock import MACHINES, changes, fits, places_of, row, rows  # noqa: E402

LISTS = sorted(SETUP.glob("requirements*.in"))


@pytest.mark.parametrize(
    ("wheel", "pythons"),
    [
        ("a-1-py3-none-any.whl", "3.11 3.12"),
        ("a-1-py2.py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl", "3.11 3.12"),
        ("a-1-cp39-abi3-manylinux_2_28_x86_64.whl", "3.11 3.12"),
        ("a-1-cp312-abi3-manylinux_2_28_x86_64.whl", "3.12"),
        ("a-1-cp311-cp311-manylinux2014_x86_64.whl", "3.11"),
        ("a-1-cp312-cp312t-manylinux2014_x86_64.whl", ""),
        ("a-1-pp311-pypy311_pp73-manylinux2014_x86_64.whl", ""),
        ("a-1-cp311-cp311-musllinux_1_2_x86_64.whl", ""),
        ("a-1-cp311-cp311-manylinux2014_aarch64.whl", ""),
        ("a-1-cp311-cp311-win_amd64.whl", ""),
    ],
)
def test_a_wheel_is_locked_for_the_pythons_that_it_is_for(wheel: str, pythons: str) -> None:
    assert [python for python in ("3.11", "3.12") if fits(wheel, python, "x86_64")] == pythons.split()


def test_a_wheel_is_locked_for_the_machines_that_it_is_for() -> None:
    of_both, of_one = "a-1-py3-none-any.whl", "a-1-cp311-cp311-manylinux2014_aarch64.manylinux_2_17_aarch64.whl"
    machines = {wheel: [one for one in MACHINES if fits(wheel, "3.11", one)] for wheel in (of_both, of_one)}
    assert machines == {of_both: ["x86_64", "aarch64"], of_one: ["aarch64"]}


def test_what_only_other_systems_need_is_needed_nowhere() -> None:
    assert places_of("sys_platform == 'win32'") == []
    assert places_of("python_full_version < '3.12'") == [("3.11", "x86_64"), ("3.11", "aarch64")]
    assert {machine for _, machine in places_of("platform_machine == 'aarch64'")} == {"aarch64"}


def pylock(**more: object) -> dict[str, object]:
    wheel = {"url": "https://x/a-1%2Bcu-py3-none-any.whl", "hashes": {"sha256": "b" * 64}}
    return {"name": "a", "version": "1", "wheels": [wheel], **more}


def test_a_package_is_one_row_with_the_hashes_of_its_wheels() -> None:
    assert row(pylock()) == f"a==1 --hash=sha256:{'b' * 64}"
    assert row(pylock(marker="sys_platform == 'win32'")) == ""


def test_a_package_without_a_wheel_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"a==1 has no wheel for Python 3\.11 on x86_64 Linux"):
        row(pylock(wheels=[]))


def test_it_says_what_changed() -> None:
    before = "a==1 --hash=sha256:0\nb==1 --hash=sha256:0\nc==1 --hash=sha256:0\nd==1 --hash=sha256:0\n"
    after = "a==1 --hash=sha256:0\nb==2 --hash=sha256:0\nc==1 --hash=sha256:1\ne==1 --hash=sha256:0\n"
    told = ["b 1 -> 2", "c 1 has other hashes or markers", "d 1 is gone", "e 1 is new"]
    assert changes(before, after) == told


@pytest.mark.parametrize("wanted", LISTS, ids=lambda wanted: wanted.stem)
def test_what_is_asked_for_is_locked_by_hash(wanted: Path) -> None:
    lock = rows(wanted.with_suffix(".txt").read_text(encoding="utf-8"))
    names = re.findall(r"^([A-Za-z][\w.-]*)", wanted.read_text(encoding="utf-8"), re.MULTILINE)
    assert {canonicalize_name(name) for name in names} <= lock.keys()
    assert all("--hash=sha256:" in rest for _, rest in lock.values())


@pytest.mark.parametrize("wanted", LISTS, ids=lambda wanted: wanted.stem)
def test_what_one_python_needs_is_locked_for_each(wanted: Path) -> None:
    """pip installs nothing of a lock file that lacks a package for its Python."""
    lock = rows(wanted.with_suffix(".txt").read_text(encoding="utf-8"))
    assert [name for name, (_, rest) in lock.items() if "python_" in rest.partition("--hash")[0]] == []


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_what_the_command_line_imports_is_asked_for_by_name() -> None:
    """What comes with another package goes when that one does without it."""
    modules = {name for path in (HERE.grader / "tmagrade").rglob("*.py") for name in imported(path)}
    packages = importlib.metadata.packages_distributions()
    foreign = modules - sys.stdlib_module_names - {"tmagrade"}
    asked = re.findall(r"^([A-Za-z][\w.-]*)", (SETUP / "requirements.in").read_text(encoding="utf-8"), re.MULTILINE)
    assert {package.lower() for module in foreign for package in packages[module]} <= {name.lower() for name in asked}


def test_only_locked_packages_are_installed() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=HERE.root, capture_output=True, text=True, check=True)
    scripts = [
        name for name in listed.stdout.split("\0") if name.endswith((".sh", ".mk", "Makefile", "Dockerfile", ".yml"))
    ]
    assert len(scripts) > 20
    calls_pip = [name for name in scripts if re.search(r"\bpip['\"]? install", (HERE.root / name).read_text())]
    assert calls_pip == ["grader/setup/install.sh"]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with a wheel, where pip looks for what it installs."""
    files = {
        "one_word.py": "",
        "one_word-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: one-word\nVersion: 1\n",
        "one_word-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "one_word-1.dist-info/RECORD": "",
    }
    return make_zip(tmp_path / "shelf/one_word-1-py3-none-any.whl", files)


def installed(wheel: Path, digest: str) -> tuple[int, str, bool]:
    """Installs a wheel that is locked with a hash: the exit status, what is said, and whether it is there."""
    lock, target = wheel.parent / "lock.txt", wheel.parent / "target"
    lock.write_text(f"one-word==1 --hash=sha256:{digest}\n")
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel.parent), "PIP_TARGET": str(target)}
    command: list[str | Path] = [SETUP / "install.sh", sys.executable, lock]
    done = subprocess.run(command, env=os.environ | pip, capture_output=True, text=True)
    return done.returncode, done.stderr, (target / "one_word.py").exists()


def test_what_is_locked_is_installed(shelf: Path) -> None:
    digest = hashlib.sha256(shelf.read_bytes()).hexdigest()
    assert installed(shelf, digest) == (0, "", True)


def test_what_has_another_hash_is_not_installed(shelf: Path) -> None:
    status, said, is_there = installed(shelf, "0" * 64)
    assert (status, is_there) == (2, False)
    assert "one-word==1" in said
    assert "is not what" in said and "has locked, so nothing of it was installed" in said
