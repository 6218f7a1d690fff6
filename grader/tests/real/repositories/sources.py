"""What repositories.toml lists, and where its sources are: nothing of them is committed here."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "repositories.toml"
CODE = (".cu", ".cuh", ".cpp", ".h", ".hpp")


@dataclass(frozen=True)
class Program:
    """A folder of a repository, or a file of it, and what becomes of it under the emulator."""

    repository: str
    path: str
    digest: str = ""  # of its sources, as `digest_of` computes it
    arguments: tuple[str, ...] = ()  # smaller than what a GPU computes by default
    options: tuple[str, ...] = ()  # of nvcc
    kernels: str = ""  # a source of machine code and PTX that the program loads by the driver API
    findings: tuple[str, ...] = ()
    why: str = ""  # those findings are right
    refuses: str = ""  # the function that the emulator does not have, by name

    @property
    def name(self) -> str:
        return Path(self.path).stem


@dataclass(frozen=True)
class Repository:
    name: str
    url: str
    commit: str
    include: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    programs: tuple[Program, ...] = field(default=())


def read_table(text: str) -> list[Repository]:
    repositories = []
    for name, row in tomllib.loads(text).items():
        programs = tuple(
            Program(
                name,
                path,
                known.get("digest", ""),
                tuple(known.get("arguments", "").split()),
                tuple(known.get("options", ())),
                known.get("kernels", ""),
                tuple(sorted(known.get("findings", ()))),
                known.get("why", "").strip(),
                known.get("refuses", ""),
            )
            for path, known in row.get("programs", {}).items()
        )
        include, options = tuple(row.get("include", ())), tuple(row.get("options", ()))
        repositories.append(Repository(name, row["url"], row["commit"], include, options, programs))
    return repositories


class NoSources(Exception):
    pass


def have_sources(repository: Repository, given: Path | None, cache: Path) -> Path:
    """The folder with a repository's files: below `given`, or fetched by git into `cache`."""
    if given is not None:
        folder = given / repository.name
        if not folder.is_dir():
            raise NoSources(f"{folder} is no folder; `git clone {repository.url} {folder}` makes it")
        return folder
    folder = cache / f"{repository.name}-{repository.commit[:12]}"
    if not folder.exists():
        fetch(repository, folder)
    return folder


def fetch(repository: Repository, folder: Path) -> None:
    """One commit, whole or not at all."""
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for command in (
        ["init", "-q"],
        ["fetch", "-q", "--depth", "1", repository.url, repository.commit],
        ["checkout", "-q", "FETCH_HEAD"],
    ):
        done = subprocess.run(["git", "-C", str(partial), *command], capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(partial)
            raise NoSources(
                f"{repository.url} could not be fetched: {done.stderr.strip()}\n"
                f"Where git reaches no network, SOURCES=folder names one with copies: it holds {repository.name}/"
            )
    partial.rename(folder)


def sources_of(program: Program, root: Path) -> list[Path]:
    """The files that nvcc is given."""
    place = root / program.path
    if place.is_file():
        return [place]
    files = sorted(path for path in place.glob("*") if path.suffix in (".cu", ".cpp"))
    return [path for path in files if path.name != program.kernels]


def digest_of(program: Program, root: Path) -> str:
    """Of the program's own sources, headers included, and their names."""
    place = root / program.path
    files = [place] if place.is_file() else sorted(path for path in place.glob("*") if path.suffix in CODE)
    whole = hashlib.sha256()
    for path in files:
        content = path.read_bytes().replace(b"\r\n", b"\n")  # git may have written them with other ends of lines
        whole.update(f"{path.name} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:16]
