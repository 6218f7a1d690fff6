"""What repositories.toml lists, and where its sources are: nothing of them is committed here."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "repositories.toml"
SMALLER = ".smaller"  # in the name of a copy with other constants
CODE = (".cu", ".cuh", ".cpp", ".h", ".hpp")


@dataclass(frozen=True)
class Program:
    """A folder of a repository, or a file of it, and what becomes of it under the emulator."""

    repository: str
    path: str
    digest: str = ""  # of its sources, as `digest_of` computes it
    runs: tuple[tuple[str, ...], ...] = ((),)  # the arguments of each; smaller than what a GPU computes by default
    constants: tuple[tuple[str, str], ...] = ()  # that are given other values, in copies, for the same reason
    options: tuple[str, ...] = ()  # of nvcc
    kernels: str = ""  # a source of what the program loads by the driver API: a fat binary, or PTX alone
    findings: tuple[str, ...] = ()
    why: str = ""  # those findings are right
    says: str = ""  # a pattern of what it prints where it is right, if it does not end with another status where not
    refuses: str = ""  # the function that the emulator does not have, by name

    @property
    def name(self) -> str:
        return Path(self.path).stem

    @property
    def called(self) -> str:
        """How the page names it: what it is given, and what is given other values in it."""
        choices = [" ".join(run) for run in self.runs]
        given = choices[0] if len(choices) == 1 else "{" + ",".join(choices) + "}"
        smaller = ", ".join(f"`{name} = {value}`" for name, value in self.constants)
        return f"`{f'{self.name} {given}'.strip()}`" + (f" with {smaller}" if smaller else "")


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
                tuple(tuple(run.split()) for run in known.get("runs", [known.get("arguments", "")])),
                tuple(known.get("constants", {}).items()),
                tuple(known.get("options", ())),
                known.get("kernels", ""),
                tuple(sorted(known.get("findings", ()))),
                known.get("why", "").strip(),
                known.get("says", row.get("says", "")),
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


class OtherSources(Exception):
    pass


def sources_of(program: Program, root: Path) -> list[Path]:
    """The files that nvcc is given."""
    place = (root / program.path).resolve()
    if place.is_file():
        files = [place]
    else:
        compiled = (path for path in code_in(place) if path.suffix in (".cu", ".cpp"))
        files = [path for path in compiled if path.name != program.kernels]
    if not program.constants:
        return files
    if len(files) == 1:  # and what it includes of the sources beside it, each under a name of this program's
        beside = (
            path for path in with_includes(files[0])[1:] if path.suffix == ".cu" and path.parent == files[0].parent
        )
        copies = {files[0]: files[0].with_name(f"{files[0].stem}{SMALLER}{files[0].suffix}")}
        copies |= {path: path.with_name(f"{path.stem}{SMALLER}.{files[0].name}") for path in beside}
    else:  # with their headers, in a folder of their own
        copies = {path: place / f"{place.name}{SMALLER}" / path.name for path in code_in(place)}
    write_with_constants(copies, program.constants)
    return [copies[path] for path in files]


def write_with_constants(copies: Mapping[Path, Path], constants: Iterable[tuple[str, str]]) -> None:
    """Copies of files in which each of these constants has its other value, and all lines keep their numbers."""
    texts = {path: path.read_text(encoding="utf-8") for path in copies}
    for name, value in constants:
        count = 0
        for path, text in texts.items():
            text, variables = re.subn(rf"\b((?:int|long|size_t|int64_t) +{name} *=) *\d[^;]*;", rf"\1 {value};", text)
            text, assignments = re.subn(rf"(?m)^( +{name} *=) *\d+;", rf"\1 {value};", text)
            texts[path], macros = re.subn(rf"(?m)^(#define +{name}) +\d+$", rf"\1 {value}", text)
            count += variables + assignments + macros
        if count != 1:
            among = ", ".join(path.name for path in texts)
            raise OtherSources(f"{among}: no, or more than one, constant {name} to give another value")
    for path, copy in copies.items():
        copy.parent.mkdir(exist_ok=True)
        for other, renamed in copies.items():
            texts[path] = texts[path].replace(f'#include "{other.name}"', f'#include "{renamed.name}"')
        copy.write_text(texts[path], encoding="utf-8")


def digest_of(program: Program, root: Path) -> str:
    """Of the program's own sources, headers included, and their names."""
    place = root / program.path
    files = with_includes(place) if place.is_file() else code_in(place)
    whole = hashlib.sha256()
    for path in files:
        content = path.read_bytes().replace(b"\r\n", b"\n")  # git may have written them with other ends of lines
        whole.update(f"{path.name} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:16]


def code_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in CODE and SMALLER not in path.name)


def with_includes(source: Path) -> list[Path]:
    """A file, and what it includes from where it stands."""
    files = [source]
    for path in files:
        named = re.findall(r'^ *# *include "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        included = [(path.parent / name).resolve() for name in named]
        files += [each for each in dict.fromkeys(included) if each.is_file() and each not in files]
    return files
