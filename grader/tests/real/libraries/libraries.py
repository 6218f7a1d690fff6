"""make test-libraries: builds libraries of kernels as they stand in their repositories, and runs their own tests under
the emulator, with torch as the host. Each is to pass, and nothing is to be found in it that libraries.toml does not
explain.

python3 libraries.py [LIBRARY...] [--sources FOLDER]
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "repositories"), str(HERE.parent / "running")]

from emulated import Ran, run  # noqa: E402
from sources import NoSources, Program, Repository, digest_of, have_sources  # noqa: E402

TABLE = HERE / "libraries.toml"
ROOT = HERE.parents[3]
EMULATOR = ROOT / "build/bin/tmaemu"
PYTHON = ROOT / ".venv/torch/bin/python"
FETCHED = ROOT / "build/libraries"
BUILD_LIMIT, RUN_LIMIT = 3600, 1800  # seconds: several times what any of them takes on two cores


@dataclass(frozen=True)
class Suite:
    """One command, and what becomes of it."""

    name: str
    command: str
    folder: str
    says: str
    findings: tuple[str, ...] = ()
    why: str = ""  # those findings are right


@dataclass(frozen=True)
class Library:
    repository: Repository
    submodules: tuple[str, ...]
    kernels: str  # a folder
    digest: str  # of that folder
    build: tuple[str, ...]
    folder: str  # where it is built
    environment: Mapping[str, str]
    tests: tuple[Suite, ...]


def read_table(text: str) -> list[Library]:
    libraries = []
    for name, row in tomllib.loads(text).items():
        tests = tuple(
            Suite(
                called,
                test["command"],
                test["folder"],
                test["says"],
                tuple(sorted(test.get("findings", ()))),
                test.get("why", "").strip(),
            )
            for called, test in row["tests"].items()
        )
        repository = Repository(name, row["url"], row["commit"])
        of_build = tuple(row["build"]), row.get("folder", "."), row.get("environment", {})
        libraries.append(Library(repository, tuple(row["submodules"]), row["kernels"], row["digest"], *of_build, tests))
    return libraries


def have_library(library: Library, given: Path | None) -> Path:
    """The folder with a library's files, and those of its submodules."""
    root = have_sources(library.repository, given, FETCHED)
    if given is None:
        command = ["git", "-C", str(root), "submodule", "update", "-q", "--init", "--depth", "1", *library.submodules]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoSources(f"{library.repository.name}'s submodules could not be fetched: {done.stderr.strip()}")
    digest = digest_of(Program(library.repository.name, library.kernels), root)
    if digest != library.digest:
        raise NoSources(f"{root / library.kernels} has the digest {digest}, and libraries.toml {library.digest}")
    return root


def toolkit() -> str:
    return os.environ.get("CUDA_HOME", str(ROOT / ".venv/cuda"))


def with_places(text: str) -> str:
    return text.replace("HERE", str(HERE)).replace("BUILD", str(FETCHED)).replace("TOOLKIT", toolkit())


def environment_of(library: Library) -> dict[str, str]:
    """What is set for building and running: the compilers, and what keeps PTX in what nvcc writes."""
    path = os.pathsep.join([str(PYTHON.parent), f"{toolkit()}/bin", os.environ["PATH"]])
    own = {name: with_places(value) for name, value in library.environment.items()}
    return os.environ | {"CUDA_HOME": toolkit(), "PATH": path, "MAX_JOBS": "1"} | own


def verdict(test: Suite, ran: Ran) -> str:
    """What is not as the table has it: "" where all is."""
    if ran.returncode or not re.search(test.says, ran.stdout):
        return f"it ends with {ran.returncode}, and says not all of: {test.says}"
    return ran.unexpected(test.findings)


def build(library: Library, root: Path) -> str:
    """What could not be built: "" where all was."""
    for command in library.build:
        built = run(
            ["nice", *map(with_places, shlex.split(command))],
            BUILD_LIMIT,
            root / library.folder,
            environment_of(library),
        )
        if built.returncode:
            return f"not built: {command}\n{(built.stdout + built.stderr)[-3000:]}"
    return ""


def test_library(library: Library, root: Path) -> bool:
    """Builds it and runs its tests; says of each how it ended."""
    wrong = build(library, root)
    if wrong:
        print(f"{library.repository.name}: {wrong}", flush=True)
        return False
    all_right = True
    for test in library.tests:
        words = [with_places(word) for word in shlex.split(test.command)]
        command = [str(EMULATOR), str(PYTHON), *words]
        ran = run(command, RUN_LIMIT, root / test.folder, environment_of(library))
        wrong = verdict(test, ran)
        all_right = all_right and not wrong
        result = "FAILED" if wrong else "ok"
        print(f"{library.repository.name + ' ' + test.name:44} {result:8} {ran.seconds:6.1f} s", flush=True)
        if wrong:
            print(f"    {wrong}\n" + "\n".join((ran.stdout[-2000:] + ran.stderr[-4000:]).splitlines()), flush=True)
    return all_right


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*")
    parser.add_argument("--sources", type=Path, help="a folder with a recursive clone of each library, by its name")
    options = parser.parse_args(words)
    libraries = read_table(TABLE.read_text(encoding="utf-8"))
    unknown = set(options.libraries) - {library.repository.name for library in libraries}
    if unknown:
        parser.error(f"libraries.toml has no {', '.join(sorted(unknown))}")
    all_right = True
    for library in libraries:
        if options.libraries and library.repository.name not in options.libraries:
            continue
        try:
            root = have_library(library, options.sources and options.sources.resolve())
        except NoSources as missing:
            print(f"test-libraries: {missing}", file=sys.stderr)
            return 1
        all_right = test_library(library, root) and all_right
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())
