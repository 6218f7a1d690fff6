"""The page "The same kernel elsewhere": its programs are right, and its mistakes have the findings that it names."""

import re
import subprocess
from pathlib import Path

import pytest
from long_cases import long_but

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

FOLDER = HERE.root / "handout/guide/elsewhere"
PAGE = FOLDER.with_suffix(".md")
# What compiles with a CUDA toolkit alone: its libcu++ has cuda::ptx and cuda::barrier.
PROGRAMS = ("course", "cuda-ptx", "cuda-barrier")
# <!-- mistake: course -->, and the block below it: lines that are taken away, lines that are added, and its findings.
MISTAKE = re.compile(r"^<!-- mistake: (\S+) -->\n```diff\n(.*?)^```\n\n`tmaemu`: (.*?)$", re.MULTILINE | re.DOTALL)
LINKED = re.compile(r"\[([a-z-]+)\]")
MISTAKES = MISTAKE.findall(PAGE.read_text(encoding="utf-8"))


def run(folder: Path, source: str, policy: str = "late") -> subprocess.CompletedProcess[str]:
    """Compiles the text and runs it on the emulator."""
    file, program = folder / "kernel.cu", folder / "kernel"
    file.write_text(source, encoding="utf-8")
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"]
    subprocess.run([*command, f"-I{HERE.root / 'labs/common'}", f"-I{FOLDER}", "-o", program, file], check=True)
    emulator: list[str | Path] = [HERE.build / "bin/tmaemu", f"--async={policy}", program]
    return subprocess.run(emulator, capture_output=True, text=True, timeout=120)


def text_of(program: str) -> str:
    return (FOLDER / f"{program}.cu").read_text(encoding="utf-8")


def changed(source: str, diff: str) -> str:
    """The source with the diff's lines changed at the only place that it fits."""
    lines = [(line[:1], line[1:].strip()) for line in diff.splitlines()]
    old = [line.strip() for line in source.splitlines()]
    before = [text for mark, text in lines if mark != "+"]
    [place] = [at for at in range(len(old)) if old[at : at + len(before)] == before]
    after = [text for mark, text in lines if mark != "-"]
    return "\n".join([*old[:place], *after, *old[place + len(before) :]]) + "\n"


@pytest.mark.parametrize("program", long_but({"course"}, PROGRAMS))
def test_a_program_is_right_and_has_no_finding(tmp_path: Path, program: str) -> None:
    ran = run(tmp_path, text_of(program))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("0 of ")


def test_each_program_has_its_mistake_on_the_page() -> None:
    assert {program for program, _, _ in MISTAKES} == set(PROGRAMS)


@pytest.mark.parametrize(
    ("program", "diff", "findings"),
    long_but({"course"}, MISTAKES, lambda mistake: str(mistake[0])),
    ids=[each[0] for each in MISTAKES],
)
def test_a_mistake_has_the_findings_that_the_page_names(tmp_path: Path, program: str, diff: str, findings: str) -> None:
    found = re.findall(r"error: .*\[([a-z-]+)\]$", run(tmp_path, changed(text_of(program), diff)).stderr, re.MULTILINE)
    assert set(found) == set(LINKED.findall(findings))
