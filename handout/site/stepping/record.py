"""Makes the recordings that the stepping pages play: every kernel of kernels/, right and with each of its marked lines
taken away, under two timing policies. Run by `make site`.

A line that ends in `//: name` is taken away in the version of that name; several may share one. What the emulator says
of a version is kept in its own words.

Usage: record.py REPOSITORY NVCC TMAEMU FOLDER; writes FOLDER/NAME.js for each kernel, or the reason why not to
FOLDER/missing.txt
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

MARK = re.compile(r"\s*//: (\w+)$")
POLICIES = ("late", "early")
FLAGS = ["-cudart", "shared", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-lineinfo", "-std=c++20"]


def versions_of(source: str) -> list[str]:
    """The names of a kernel's versions, in the order of its lines; the first is the one that is right."""
    names = [mark[1] for line in source.splitlines() if (mark := MARK.search(line))]
    return ["right", *dict.fromkeys(names)]


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


def run(command: list[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=300, check=False
    )


def played(tmaemu: Path, program: Path, policy: str) -> dict[str, Any]:
    """What one run of a program recorded, and what was said of it."""
    file = program.with_suffix(f".{policy}.jsonl")
    done = run([tmaemu, f"--async={policy}", f"--record={file}", program])
    recordings = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if len(recordings) != 1:
        raise RuntimeError(f"{program.name}: {len(recordings)} launches recorded: {done.stderr}")
    recording: dict[str, Any] = json.loads(recordings[0])
    return recording | {"said": done.stderr}


def recordings(repository: Path, nvcc: Path, tmaemu: Path, folder: Path, kernel: Path) -> dict[str, Any]:
    """All versions of one kernel."""
    source = kernel.read_text(encoding="utf-8")
    made: dict[str, Any] = {}
    for name in versions_of(source):
        sources = folder / name
        sources.mkdir(parents=True, exist_ok=True)
        text = sources / kernel.name
        text.write_text(version(source, name), encoding="utf-8")
        program = text.with_suffix("")
        include = [f"-I{kernel.parent}", f"-I{repository / 'labs/common'}"]
        compiled = run([nvcc, *FLAGS, *include, "-o", program, text])
        if compiled.returncode != 0:
            raise RuntimeError(f"nvcc refuses {kernel.name} without {name}: {compiled.stderr}")
        made[name] = {"without": taken_away(source, name)} | {
            policy: played(tmaemu, program, policy) for policy in POLICIES
        }
    return {"name": kernel.stem, "source": version(source, "").splitlines(), "versions": made}


def main() -> int:
    repository, nvcc, tmaemu, folder = (Path(argument).absolute() for argument in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    missing = folder / "missing.txt"
    missing.unlink(missing_ok=True)
    for tool, what in ((nvcc, "nvcc, which `make setup` installs"), (tmaemu, "the emulator, which `make build` makes")):
        if not tool.exists():
            missing.write_text(f"there was no {what}.", encoding="utf-8")
            print(f"site: the stepping pages will lack their recordings: there is no {tool}", file=sys.stderr)
            return 0
    kernels = sorted((Path(__file__).parent / "kernels").glob("*.cu"))

    def write(kernel: Path) -> None:
        made = recordings(repository, nvcc, tmaemu, folder / "programs", kernel)
        text = json.dumps(made, separators=(",", ":"), ensure_ascii=True)
        (folder / f"{kernel.stem}.js").write_text(f"globalThis.STEPPING_RECORDINGS = {text};\n", encoding="utf-8")

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write, kernels))
    (folder / ".recorded").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
