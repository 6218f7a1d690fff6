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
sys.path[:0] = [str(HERE.parent / "mutants"), str(HERE.parent / "real/running")]

from emulated import Ran, run  # noqa: E402
from source_text import UNREAD, Brackets, Span, blanked  # noqa: E402

from tmagrade.basics.paths import HERE as COURSE  # noqa: E402
from tmagrade.machine.toolkit import find_toolkit  # noqa: E402

PROGRAMS = COURSE.build / "tests/hazards"
TMAEMU = COURSE.build / "bin/tmaemu"
RUN_SECONDS = 60

# What one line hides: (program, pair), and why.
HIDDEN = {
    ("divergent-barrier", "half_the_warps_synchronize"): "two barriers of one line are taken for one that is unrolled",
    ("wait-wrong-parity.stages", "changes_with_each_lap"): "the producer's wait is of one line with its consumers'",
}


def on_one_line(source: str) -> str:
    """Each function of the device that has no directive in it; lines behind it keep their numbers."""
    code = blanked(source)
    text = UNREAD.sub(lambda match: blanked(match[0]) if match[0][:2] in ("//", "/*") else match[0], source)
    for _, block in reversed(Brackets(code).functions(code)):
        before = max(code.rfind(end, 0, block.begin) for end in ";}") + 1
        function = Span(block.begin - len(code[before : block.begin].lstrip()), block.end + 1)
        head, whole = code[function.begin : block.begin], function.of(text)
        if re.search("__(global|device)__", head) and not re.search(r"^[ \t]*#", whole, re.MULTILINE):
            joined = " ".join(line.strip() for line in whole.splitlines())
            text = text[: function.begin] + joined + "\n" * whole.count("\n") + text[function.end :]
    return text


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
    program = COURSE.build / "tests/hazard-forms" / form / source.stem
    program.parent.mkdir(parents=True, exist_ok=True)
    written = program.with_name(source.name)
    written.write_text(FORMS[form].write(source.read_text(encoding="utf-8")), encoding="utf-8")
    arch = ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"]
    command: list[str | Path] = [
        find_toolkit(COURSE).nvcc,
        "-cudart",
        "shared",
        *arch,
        "-std=c++20",
        "-g",
        *FORMS[form].options,
    ]
    command += [f"-I{HERE}", "-o", program, written, "-lcuda"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"hazard-forms: {source.name} as {form} does not compile:\n{done.stderr}")
    return program


def differences(form: str, source: Path) -> Iterator[str]:
    program, plain = compile_as(form, source), PROGRAMS / source.stem

    def emulated(which: Path, *words: str) -> Ran:
        return run([str(TMAEMU), str(which), *words], RUN_SECONDS)

    for pair in emulated(plain, "list").stdout.split():
        right = emulated(program, pair, "right")
        if wrong := right.unexpected(()) or ("" if right.stdout.strip() == "ok" else f"says {right.stdout.strip()}"):
            yield f"{form} {source.stem} {pair} right: {wrong}"
        if not FORMS[form].finds_the_same:
            continue
        expected = emulated(plain, pair, "mistaken").findings
        wrong = emulated(program, pair, "mistaken").unexpected(expected)
        if (wrong != "") != ((source.stem, pair) in HIDDEN):
            yield f"{form} {source.stem} {pair} mistaken: {wrong or 'nothing is hidden any more'}"


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
