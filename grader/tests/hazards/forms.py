"""make hazard-forms: the small programs with a mistake, written or compiled another way.

one-line: each function of the device stands on one line, so that no line tells two of its statements apart. The same
    is found as in the program itself.
debug: compiled by `nvcc -G`, so that all values live in memory, and functions are called. Less may be found than in
    the program itself, but nothing in what is right.

python3 forms.py [FORM...] [--jobs 2]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PROGRAMS = ROOT / "build/tests/hazards"
TMAEMU = ROOT / "build/bin/tmaemu"
RUN_SECONDS = 60
CODE = re.compile(r"^\S.*: error: .*\[([a-z-]+)\]$", re.MULTILINE)
FUNCTION = re.compile(r"template <|__global__ |__device__ ")

# What one line hides: (program, pair), and why.
HIDDEN = {
    ("divergent-barrier", "half_the_warps_synchronize"): "two barriers of one line are taken for one that is unrolled",
    ("wait-wrong-parity.stages", "changes_with_each_lap"): "the producer's wait is of one line with its consumers'",
}


def without_comment(line: str) -> str:
    quoted = False
    for at, character in enumerate(line):
        quoted ^= character == '"' and line[at - 1 : at] != "\\"
        if not quoted and line.startswith("//", at):
            return line[:at].rstrip()
    return line.rstrip()


def on_one_line(source: str) -> str:
    """Each function of the device that has no directive in it; lines behind it keep their numbers."""
    lines = [without_comment(line) for line in source.splitlines()]
    at = 0
    joined: list[str] = []
    while at < len(lines):
        end = end_of_function(lines, at) if FUNCTION.match(lines[at]) else None
        if end is None:
            joined.append(lines[at])
            at += 1
        else:
            joined += [" ".join(line.strip() for line in lines[at:end]), *[""] * (end - at - 1)]
            at = end
    return "\n".join(joined) + "\n"


def end_of_function(lines: list[str], begin: int) -> int | None:
    """The line behind it; nothing where what begins here is no function of the device with a body."""
    depth, head = 0, ""
    for at in range(begin, len(lines)):
        line = lines[at]
        if line.startswith("#") or (depth == 0 and line.endswith(";")):
            return None
        if depth == 0:
            head += line
        depth += line.count("{") - line.count("}")
        if depth == 0 and "{" in head:
            return at + 1 if "__global__" in head or "__device__" in head else None
    return None


@dataclass(frozen=True)
class Form:
    write: Callable[[str], str]
    options: tuple[str, ...]
    finds_the_same: bool


FORMS = {
    "one-line": Form(on_one_line, ("-lineinfo",), finds_the_same=True),
    "debug": Form(lambda source: source, ("-G",), finds_the_same=False),
}


def compile_as(form: str, source: Path) -> Path:
    program = ROOT / "build/tests/hazard-forms" / form / source.stem
    program.parent.mkdir(parents=True, exist_ok=True)
    written = program.with_name(source.name)
    written.write_text(FORMS[form].write(source.read_text(encoding="utf-8")), encoding="utf-8")
    nvcc = Path(os.environ.get("CUDA_HOME", ROOT / ".venv/cuda")) / "bin/nvcc"
    arch = ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"]
    command: list[str | Path] = [nvcc, "-cudart", "shared", *arch, "-std=c++20", "-g", *FORMS[form].options]
    command += [f"-I{HERE}", "-o", program, written, "-lcuda"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"hazard-forms: {source.name} as {form} does not compile:\n{done.stderr}")
    return program


def run(program: Path, *words: str) -> tuple[str, set[str]]:
    """What it prints, and the codes of what is found; nothing is printed by one that does not end in time."""
    try:
        ran = subprocess.run(
            [TMAEMU, program, *words], capture_output=True, text=True, timeout=RUN_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "", set()
    return ran.stdout.strip(), set(CODE.findall(ran.stderr))


def differences(form: str, source: Path) -> Iterator[str]:
    program, plain = compile_as(form, source), PROGRAMS / source.stem
    for pair in run(plain, "list")[0].split():
        printed, found = run(program, pair, "right")
        if printed != "ok" or found:
            yield f"{form} {source.stem} {pair} right: {printed}, {', '.join(sorted(found)) or 'nothing is found'}"
        if not FORMS[form].finds_the_same:
            continue
        expected, told = run(plain, pair, "mistaken")[1], run(program, pair, "mistaken")[1]
        if (expected != told) != ((source.stem, pair) in HIDDEN):
            yield f"{form} {source.stem} {pair} mistaken: {sorted(expected)} became {sorted(told)}"


def compare(forms: Iterable[str], jobs: int) -> int:
    """How many differences there are; prints each as it comes."""
    tasks = [(form, source) for form in forms for source in sorted((HERE / "programs").glob("*.cu"))]
    count = 0
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda task: list(differences(*task)), tasks):
            for difference in found:
                count += 1
                print(difference, flush=True)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forms", nargs="*", metavar="FORM", help=", ".join(FORMS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are compiled and run at once")
    asked = parser.parse_args()
    unknown = [form for form in asked.forms if form not in FORMS]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are: {', '.join(FORMS)}")
    count = compare(asked.forms or list(FORMS), asked.jobs)
    print(f"hazard-forms: {count or 'no'} differences")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
