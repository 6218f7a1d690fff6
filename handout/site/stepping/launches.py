"""One launch of a program's kernel as text, which a page of the book runs: its PTX, its shape, its parameters, and what
is in memory. grader/emulator/browser/launch_text.h describes the form.

The program is compiled with capture.cpp and run under tmaemu, which writes down what the program asks of the device and
does nothing of it: the events of grader/emulator/runtime/state/call_log_format.h.
"""

import json
import os
import re
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TMAEMU = ROOT / "build/bin/tmaemu"
FLAGS = ["-cudart", "shared", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-lineinfo", "-std=c++20"]
INCLUDES = [f"-I{ROOT / 'labs/common'}"]

# Kinds of events, and their fields.
LOAD, ALLOCATE, WRITE, FILL, LAUNCH = 3, 5, 7, 9, 10
HEADER = struct.Struct("<IIQ")
ALLOCATION = struct.Struct("<QQ")
COPY = struct.Struct("<9Q")
FILLED = struct.Struct("<6QII")
LAUNCHED = struct.Struct("<2I9I3IQ")

# A kernel, up to what a module has next: within a body no line begins like that.
ENTRY = re.compile(
    r"^\.visible \.entry (\w+)\(.*?(?=^\.(?:visible|weak|func|extern|global|file|section)\b|\Z)",
    re.MULTILINE | re.DOTALL,
)
STRING = re.compile(r"^(\$L__info_string\d+):\n(?:\.b8 .*\n)+", re.MULTILINE)
# The last folder of the course's headers stays: by it the emulator knows whose functions to name in its advice.
FILE = re.compile(r'^(\s*\.file\s+\d+\s+)"(?:[^"]*?/)??((?:(?:tma|wgmma)/)?[^/"]+)"', re.MULTILINE)


def run(command: list[str | Path], folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    # What the caller asks of the emulator is not asked of these programs.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TMAEMU_")} | more
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def compiled(nvcc: Path, source: Path, *options: str) -> Path:
    """The program of a source, which writes down its launch where CAPTURED_LAUNCH names a file."""
    program = source.with_suffix("")
    command: list[str | Path] = [nvcc, *FLAGS, *INCLUDES, *options, "-o", program, source, HERE / "capture.cpp"]
    done = run(command, source.parent)
    if done.returncode != 0:
        raise SystemExit(f"nvcc refuses {source.name}: {done.stderr}")
    return program


def launch_of(program: Path, source_name: str, source: list[str], *arguments: str) -> str:
    """The text of the program's one launch."""
    file = program.with_suffix(".captured")
    done = run([TMAEMU, program, *arguments], program.parent, CAPTURED_LAUNCH=str(file))
    if done.returncode != 0:
        raise SystemExit(f"{program.name}: its launch was not captured: {done.stderr}")
    return _text(file.read_bytes(), [f"source {source_name} {len(source)}", *source])


def recorded(program: Path, sources: Path, timing: str, *arguments: str) -> dict[str, Any]:
    """What the program does under tmaemu: its `recording`, and its `findings`."""
    file = program.with_suffix(".jsonl")
    done = run([TMAEMU, f"--async={timing}", f"--record={file}", "--check=json", program, *arguments], sources)
    findings = [json.loads(line) for line in done.stderr.splitlines() if line.startswith('{"code":')]
    return {"recording": json.loads(file.read_text(encoding="utf-8")), "findings": findings}


def _events(recording: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + HEADER.size <= len(recording):
        kind, _, size = HEADER.unpack_from(recording, at)
        if kind == 0:
            return
        yield kind, recording[at + HEADER.size : at + HEADER.size + size]
        at += HEADER.size + size


def _text(recording: bytes, source: list[str]) -> str:
    ptx = ""
    memory: dict[int, bytearray] = {}
    sizes: dict[int, int] = {}
    shape: list[str] = []

    def put(address: int, data: bytes) -> None:
        [start] = [start for start, size in sizes.items() if start <= address < start + size]
        bytes_there = memory.setdefault(start, bytearray(sizes[start]))
        bytes_there[address - start : address - start + len(data)] = data

    for kind, data in _events(recording):
        if kind == LOAD:
            ptx = data.decode()
        elif kind == ALLOCATE:
            size, address = ALLOCATION.unpack(data)
            sizes[address] = size
        elif kind == WRITE:
            put(COPY.unpack_from(data)[0], data[COPY.size :])
        elif kind == FILL:
            address, _, _, width, height, depth, value, element = FILLED.unpack(data)
            put(address, value.to_bytes(element, "little") * (width * height * depth))
        elif kind == LAUNCH:
            shape = _shape(data)
    kernel = shape[0].removeprefix("kernel ")
    lines = [
        f"memory {start} {size} {memory[start].hex() if start in memory else '-'}" for start, size in sizes.items()
    ]
    return "\n".join([*shape, *lines, *source, "ptx", _alone(ptx, kernel)])


def _shape(data: bytes) -> list[str]:
    _, name_bytes, *extents, is_explicit, is_cooperative, _, shared = LAUNCHED.unpack_from(data)
    if is_cooperative:
        raise SystemExit("a cooperative launch has no text")
    name = data[LAUNCHED.size : LAUNCHED.size + name_bytes].decode()
    grid, block, cluster = (" ".join(map(str, extents[first : first + 3])) for first in (0, 3, 6))
    return [
        f"kernel {name}",
        f"grid {grid}",
        f"block {block}",
        *([f"cluster {cluster}"] if is_explicit else []),
        f"shared {shared}",
        f"parameters {data[LAUNCHED.size + name_bytes :].hex()}",
    ]


def _alone(ptx: str, kernel: str) -> str:
    """The module with this kernel alone, and with files' names instead of places on this machine."""
    kept = ENTRY.sub(lambda entry: entry[0] if entry[1] == kernel else "", ptx)
    used = set(re.findall(r"function_name (\$L__info_string\d+)", kept))
    kept = STRING.sub(lambda text: text[0] if text[1] in used else "", kept)
    kept = FILE.sub(r'\1"\2"', kept).strip("\0\n") + "\n"
    return re.sub(r"\n{2,}", "\n", kept)
