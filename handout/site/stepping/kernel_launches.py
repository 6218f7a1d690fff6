"""The launches that the stepping pages run: every kernel of kernels/, right and with each of its marked lines taken
away.

A line that ends in `//: name` is taken away in the version of that name; several may share one.
"""

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from launches import compiled, launch_of

HERE = Path(__file__).resolve().parent
KERNELS = sorted((HERE / "kernels").glob("*.cu"))
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


def name_of(kernel: Path, version_name: str) -> str:
    """What the archive calls the launch of a version."""
    return f"{kernel.stem}/{version_name}"


def all_launches(nvcc: Path) -> dict[str, str]:
    """The text of every launch, by its name in the archive."""
    versions = [(kernel, name) for kernel in KERNELS for name in versions_of(kernel.read_text(encoding="utf-8"))]
    with ThreadPoolExecutor(2) as threads:
        texts = threads.map(lambda of: launch(nvcc, *of), versions)
        return dict(zip((name_of(*of) for of in versions), texts, strict=True))
