"""A release with binaries: what it holds runs on old systems, starts without compiling anything of ours, and is never
used for sources that it was not built from."""

import ctypes
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from held_back import names_of

from staff.release import binaries
from staff.release.write import write_release
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE, Repository

sys.path.append(str(HERE.grader / "portable"))
from older_libraries import Symbol, newest_allowed, number

PORTABLE = HERE.build / "portable"
PROGRAMS = ["bin/tmaemu", "bin/runner", "bin/judges/lab3-bulk-copy", "bin/judges/lab12-matmul"]
LIBRARIES = [
    f"lib/emulator/{name}"
    for name in (
        *("libtmaemu.so", "libtmaemu-loader.so", "libcudart.so.12", "libcudart.so.13", "libcuda.so.1"),
        *("libcublas.so.12", "libcublas.so.13", "libcublasLt.so.12", "libcublasLt.so.13"),
    )
]
# Debian 11's and Ubuntu 20.04's: a C library 2.31, and libstdc++ of GCC 10.
NEWEST = {"GLIBC": (2, 31), "GLIBCXX": (3, 4, 28), "CXXABI": (1, 3, 12), "GCC": (7, 0, 0)}


def needed(kind: str, file: str) -> list[str]:
    """The rows of readelf about what a file of the release asks of others."""
    printed = subprocess.run(["readelf", "--wide", kind, PORTABLE / file], check=True, capture_output=True, text=True)
    return printed.stdout.splitlines()


@pytest.mark.parametrize("file", PROGRAMS + LIBRARIES)
def test_no_symbol_is_newer_than_the_oldest_system_that_is_served(file: str) -> None:
    versions = {found for row in needed("--version-info", file) for found in re.findall(r"Name: (\S+_[\d.]+) ", row)}
    assert {version for version in versions if number(version)[0] in NEWEST}
    assert {v for v in versions if (limit := NEWEST.get(number(v)[0])) is not None and number(v)[1] > limit} == set()


@pytest.mark.parametrize("file", PROGRAMS + LIBRARIES)
def test_it_needs_only_libraries_that_every_compiler_has(file: str) -> None:
    found = {match[1] for row in needed("--dynamic", file) if (match := re.search(r"NEEDED.*\[(.*)\]", row))}
    ours = {name for name in found if name.startswith(("libcudart.so.1", "libtmaemu.so"))}
    assert found - ours <= {
        *("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"),
        *("ld-linux-x86-64.so.2", "libgcc_s.so.1", "libstdc++.so.6"),
    }


@pytest.mark.parametrize("newest", [1, 2, 3])
def test_the_auditor_asks_a_loader_for_no_newer_interface_than_it_has(newest: int) -> None:
    # A C library before 2.35 has version 1, and ends a process whose auditor says 2.
    asked = ctypes.CDLL(str(PORTABLE / "lib/emulator/libtmaemu-loader.so")).la_version(newest)
    assert asked == min(newest, 2)


def test_the_auditor_calls_nothing_of_libdl() -> None:
    # Before 2.34, libdl calls through a null pointer where the program has yet to start.
    used = [row.split()[-1] for row in needed("--dyn-syms", "lib/emulator/libtmaemu-loader.so") if " UND " in row]
    assert [name for name in used if re.match(r"dl(addr|sym|open|error|info|close)\b", name)] == []


@pytest.mark.parametrize("file", ["bin/runner", "bin/judges/lab3-bulk-copy"])
def test_it_finds_the_toolkit_of_the_folder_that_it_is_in(file: str) -> None:
    paths = [match[1] for row in needed("--dynamic", file) if (match := re.search(r"RUNPATH.*\[(.*)\]", row))]
    up = "/".join([".."] * (file.count("/") + 1))
    assert paths == [f"$ORIGIN/{up}/.venv/cuda/lib64:$ORIGIN/{up}/.venv/cuda/lib"]


def test_the_judges_lack_what_the_course_keeps_to_itself() -> None:
    labs = [path.parent for path in HERE.grader.glob("checks/*/grader_checks.cpp")]
    assert labs
    for lab in labs:
        # GoogleTest's macros name the file of each test.
        assert b"grader_checks.cpp" in HERE.judge(lab.name).read_bytes()
        judge = (PORTABLE / "bin/judges" / lab.name).read_bytes()
        assert b"grader_checks.cpp" not in judge
        text, public = ((lab / name).read_text() for name in ("grader_checks.cpp", "checks.cpp"))
        assert [name for name in names_of(text) - names_of(public) if name.encode() in judge] == []


def test_no_program_names_a_folder_of_the_machine_that_built_it() -> None:
    folders = {str(place).encode() for place in (HERE.root, HERE.root.resolve(), Path.home()) if len(place.parts) > 1}
    built = [path for path in PORTABLE.rglob("*") if path.is_file()]
    assert built
    assert [path.name for path in built if any(folder in path.read_bytes() for folder in folders)] == []


def test_of_a_symbol_s_versions_the_newest_allowed_is_taken() -> None:
    found = [Symbol("f", f"GLIBC_{version}", "FUNC", 1) for version in ("2.2.5", "2.14", "2.34")]
    found += [Symbol("new", "GLIBC_2.32", "FUNC", 1), Symbol("private", "GLIBC_PRIVATE", "FUNC", 1)]
    chosen = newest_allowed(found, {"GLIBC": (2, 31)})
    assert [(symbol.name, symbol.version) for symbol in chosen] == [("f", "GLIBC_2.14")]


# In a student's copy


def packages_of_this_environment(_: Path, out: Path) -> list[str]:
    """In place of what pip would fetch."""
    for name in binaries.PACKAGES:
        for file in importlib.metadata.files(name) or []:
            if ".." not in file.parts and "__pycache__" not in file.parts:
                (out / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), out / file)
    return [f"{sys.version_info.major}.{sys.version_info.minor}"]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (PORTABLE / "bin/runner").open("rb").close()  # where nobody has built it, there is nothing to release
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binaries, "add_packages", packages_of_this_environment)
        folder = tmp_path_factory.mktemp("release") / "for students"
        write_release(HERE, folder, force=False, binaries=True)
    return folder


@pytest.fixture
def home(released: Path, tmp_path: Path) -> Path:
    home = tmp_path / "my labs"
    shutil.copytree(released, home, symlinks=True)
    return home


def prebuilt(home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([home / "grader/setup/prebuilt.sh", home], capture_output=True, text=True)


def test_the_first_verdict_compiles_only_what_the_student_wrote(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    # What set-up and make see. A sandbox, where there is one, has its own for what the student wrote. Not by way of a
    # compiler cache, which would look for the compiler on PATH and find this.
    compiler = shutil.which("g++", path="/usr/local/bin:/usr/bin")
    assert compiler is not None
    (tmp_path / "bin/g++").write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/compiled"\nexec {compiler} "$@"\n')
    (tmp_path / "bin/g++").chmod(0o755)
    environment = {name: os.environ[name] for name in ("HOME", "CUDA_HOME") if name in os.environ}
    python = Path(sys.executable).resolve().parent
    environment["PATH"] = f"{tmp_path}/bin:{python}:/usr/local/cuda/bin:/usr/bin:/bin"
    environment["PIP_NO_INDEX"] = "1"
    done = subprocess.run(
        ["make", "-s", "-C", "labs/lab0-hello-hopper"], cwd=home, env=environment, capture_output=True, text=True
    )
    assert "Score: 0/75" in done.stdout, done.stdout + done.stderr
    compiled = (tmp_path / "compiled").read_text()
    assert "-dumpversion" in compiled
    assert re.findall(r"\S+\.cpp\b", compiled) == []
    assert not (home / "build/obj").exists()


def test_programs_whose_sources_were_edited_are_not_used_and_come_back_with_the_sources(home: Path) -> None:
    assert prebuilt(home).returncode == 0
    source = home / "grader/judge/session/check.cpp"
    as_it_was = source.read_bytes()
    source.write_bytes(as_it_was + b"\n")
    edited = prebuilt(home)
    assert (edited.returncode, (home / "build/bin").exists()) == (1, False)
    assert "grader/judge/session/check.cpp is not what they were built from" in edited.stderr
    source.write_bytes(as_it_was)
    assert prebuilt(home).returncode == 0
    assert (home / "build/bin/runner").read_bytes() == (PORTABLE / "bin/runner").read_bytes()


@pytest.mark.parametrize("change", ["added", "removed"])
def test_a_source_more_or_less_is_an_edited_source(home: Path, change: str) -> None:
    if change == "added":
        (home / "grader/runner/more.cpp").touch()
    else:
        (home / "grader/runner/main.cpp").unlink()
    assert prebuilt(home).returncode == 1


def test_what_was_compiled_after_an_edit_is_not_left_beside_the_prebuilt_programs(home: Path) -> None:
    (home / "build/obj").mkdir(parents=True)
    (home / "build/obj/old.o").touch()
    assert prebuilt(home).returncode == 0
    assert not (home / "build/obj").exists()


def test_programs_that_do_not_run_here_are_not_used(home: Path) -> None:
    (home / "prebuilt/bin/tmaemu").write_text("#!/bin/sh\necho no such C library >&2\nexit 1\n")
    tried = prebuilt(home)
    assert (tried.returncode, (home / "build/bin").exists()) == (1, False)
    assert "they do not run here: no such C library" in tried.stderr


def test_programs_that_were_put_in_place_stay_untouched(home: Path) -> None:
    assert prebuilt(home).returncode == 0
    before = (home / "build/bin/runner").stat().st_mtime_ns
    assert prebuilt(home).returncode == 0
    assert (home / "build/bin/runner").stat().st_mtime_ns == before


def test_a_repository_that_holds_no_programs_compiles_them() -> None:
    assert prebuilt(HERE.root).returncode == 1


# Writing


def test_a_release_with_programs_that_nobody_has_built_is_refused(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "empty")
    (tmp_path / "out").mkdir()
    with pytest.raises(UsageError, match="there are no programs to release; `make release BINARIES=yes` builds them"):
        binaries.add_binaries(repository, tmp_path / "out")


def test_the_packages_of_a_python_that_cannot_be_fetched_are_left_to_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binaries, "_download", lambda lock, python, out: python != "3.12")
    got = binaries.add_packages(HERE.grader / "setup/requirements.txt", tmp_path / "python")
    assert got == [python for python in binaries.PYTHONS if python != "3.12"]


def test_the_pythons_and_packages_are_those_of_the_lock() -> None:
    locked = re.findall(r"^([\w.-]+)==", (HERE.grader / "setup/requirements.txt").read_text(), re.MULTILINE)
    assert set(locked) >= binaries.PACKAGES
    assert f"PYTHONS = {binaries.PYTHONS!r}".replace("'", '"') in (HERE.grader / "setup/lock.py").read_text()
