#!/usr/bin/env python3
"""Makes the recordings that the stepping pages play: every kernel of kernels/, right and with each of its marked lines
taken away, under two timing policies: `make recordings`.

A line that ends in `//: name` is taken away in the version of that name; several may share one. What the emulator says
of a version is kept in its own words.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TMAEMU = ROOT / "build/bin/tmaemu"
KERNELS = sorted((HERE / "kernels").glob("*.cu"))
RECORDINGS = HERE / "recordings"
RIGHT = "right"
MARK = re.compile(r"\s*//: (\w+)$")
POLICIES = ("late", "early")
FLAGS = ["-cudart", "shared", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-lineinfo", "-std=c++20"]


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


def run(command: list[str | Path], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    # What the caller asks of the emulator is not asked of the recordings.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TMAEMU_")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def compiled(nvcc: Path, kernel: Path, name: str, folder: Path) -> Path:
    """The program of one version."""
    text = folder / kernel.name
    text.write_text(version(kernel.read_text(encoding="utf-8"), name), encoding="utf-8")
    program = text.with_suffix("")
    done = run([nvcc, *FLAGS, f"-I{kernel.parent}", f"-I{ROOT / 'labs/common'}", "-o", program, text])
    if done.returncode != 0:
        raise SystemExit(f"nvcc refuses {kernel.name} in its version {name!r}: {done.stderr}")
    return program


def played(program: Path, policy: str, *arguments: str) -> dict[str, Any]:
    """What one run of a program recorded, and what was said of it."""
    file = program.with_suffix(f".{policy}.jsonl")
    done = run([TMAEMU, f"--async={policy}", f"--record={file}", program, *arguments], program.parent)
    launches = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if len(launches) != 1:
        raise SystemExit(f"{program.name}: {len(launches)} launches were recorded instead of one: {done.stderr}")
    recording: dict[str, Any] = json.loads(launches[0])
    return recording | {"said": done.stderr}


def record_version(nvcc: Path, kernel: Path, name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(nvcc, kernel, name, Path(folder))
        runs = {policy: played(program, policy) for policy in POLICIES}
    return {"without": taken_away(kernel.read_text(encoding="utf-8"), name)} | runs


def place_of(kernel: Path) -> Path:
    return RECORDINGS / f"{kernel.stem}.json"


def read(kernel: Path) -> dict[str, Any]:
    recording: dict[str, Any] = json.loads(place_of(kernel).read_text(encoding="utf-8"))
    return recording


def source_of(kernel: Path) -> list[str]:
    """The lines of the version that is right."""
    return version(kernel.read_text(encoding="utf-8"), RIGHT).splitlines()


def write(nvcc: Path, kernel: Path) -> None:
    versions = {name: record_version(nvcc, kernel, name) for name in versions_of(kernel.read_text(encoding="utf-8"))}
    made = {"name": kernel.stem, "source": source_of(kernel), "versions": versions}
    place_of(kernel).write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", type=Path, required=True)
    nvcc = parser.parse_args().nvcc.absolute()
    RECORDINGS.mkdir(exist_ok=True)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda kernel: write(nvcc, kernel), KERNELS))


if __name__ == "__main__":
    main()
