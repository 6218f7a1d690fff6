#!/usr/bin/env python3
"""Writes the launches that the stepping pages run: every kernel of kernels/, right and with each of its marked lines
taken away: `make recordings`.

A line that ends in `//: name` is taken away in the version of that name; several may share one.
"""

import argparse
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from launches import compiled, launch_of

HERE = Path(__file__).resolve().parent
KERNELS = sorted((HERE / "kernels").glob("*.cu"))
LAUNCHES = HERE / "launches"
RIGHT = "right"
MARK = re.compile(r"\s*//: (\w+)$")


def versions_of(source: str) -> list[str]:
    """The names of a kernel's versions, in the order of its lines; the first is the one that is right."""
    names = [mark[1] for line in source.splitlines() if (mark := MARK.search(line))]
    return [RIGHT, *dict.fromkeys(names)]


def version(source: str, name: str) -> str:
    """The kernel as a student would read it: without marks, and without the lines of this name."""
    lines = []
    for line in source.splitlines():
        mark = MARK.search(line)
        lines.append("" if mark and mark[1] == name else MARK.sub("", line))
    return "\n".join(lines) + "\n"


def taken_away(source: str, name: str) -> list[int]:
    """The numbers of the lines that a version lacks."""
    marks = (MARK.search(line) for line in source.splitlines())
    return [number for number, mark in enumerate(marks, 1) if mark and mark[1] == name]


def program_of(nvcc: Path, kernel: Path, name: str, folder: Path) -> Path:
    """The program of one version, compiled in the folder."""
    text = folder / kernel.name
    text.write_text(version(kernel.read_text(encoding="utf-8"), name), encoding="utf-8")
    return compiled(nvcc, text, f"-I{kernel.parent}")


def launch(nvcc: Path, kernel: Path, name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        program = program_of(nvcc, kernel, name, Path(folder))
        # The page strikes out what is taken away, so it shows the lines that are right.
        return launch_of(program, kernel.name, version(kernel.read_text(encoding="utf-8"), RIGHT).splitlines())


def place_of(kernel: Path, name: str) -> Path:
    return LAUNCHES / kernel.stem / f"{name}.txt"


def write(nvcc: Path, kernel: Path) -> None:
    shutil.rmtree(LAUNCHES / kernel.stem, ignore_errors=True)
    (LAUNCHES / kernel.stem).mkdir(parents=True)
    for name in versions_of(kernel.read_text(encoding="utf-8")):
        place_of(kernel, name).write_text(launch(nvcc, kernel, name), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", type=Path, required=True)
    nvcc = parser.parse_args().nvcc.absolute()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda kernel: write(nvcc, kernel), KERNELS))


if __name__ == "__main__":
    main()
