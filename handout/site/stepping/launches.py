"""One launch of a program's kernel as text, which a page of the book runs: its PTX, its shape, its parameters, and what
is in memory. tmaemu writes it where TMAEMU_LAUNCH names a file: grader/emulator/record/launch_text.h describes it.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TMAEMU = ROOT / "build/bin/tmaemu"
FLAGS = ["-cudart", "shared", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-lineinfo", "-std=c++20"]
INCLUDES = [f"-I{ROOT / 'labs/common'}"]

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
    """The program of a source."""
    program = source.with_suffix("")
    done = run([nvcc, *FLAGS, *INCLUDES, *options, "-o", program, source], source.parent)
    if done.returncode != 0:
        raise SystemExit(f"nvcc refuses {source.name}: {done.stderr}")
    return program


def launch_of(program: Path, source_name: str, source: list[str], *arguments: str) -> str:
    """The text of the program's first launch, which may be wrong."""
    file = program.with_suffix(".launch")
    done = run([TMAEMU, program, *arguments], program.parent, TMAEMU_LAUNCH=str(file))
    launch = file.read_text(encoding="utf-8")
    if not launch:
        raise SystemExit(f"{program.name} has no launch that could be written as text: {done.stderr}")
    head, ptx = launch.split("\nptx\n", 1)
    kernel = head.partition("\n")[0].removeprefix("kernel ")
    return "\n".join([head, f"source {source_name} {len(source)}", *source, "ptx", _alone(ptx, kernel)])


def recorded(program: Path, sources: Path, timing: str, *arguments: str) -> dict[str, Any]:
    """What the program does under tmaemu: its `recording`, and its `findings`."""
    file = program.with_suffix(".jsonl")
    done = run([TMAEMU, f"--async={timing}", f"--record={file}", "--check=json", program, *arguments], sources)
    findings = [json.loads(line) for line in done.stderr.splitlines() if line.startswith('{"code":')]
    return {"recording": json.loads(file.read_text(encoding="utf-8")), "findings": findings}


def _alone(ptx: str, kernel: str) -> str:
    """The module with this kernel alone, and with files' names instead of places on this machine."""
    kept = ENTRY.sub(lambda entry: entry[0] if entry[1] == kernel else "", ptx)
    used = set(re.findall(r"function_name (\$L__info_string\d+)", kept))
    kept = STRING.sub(lambda text: text[0] if text[1] in used else "", kept)
    kept = FILE.sub(r'\1"\2"', kept).strip("\0\n") + "\n"
    return re.sub(r"\n{2,}", "\n", kept)
