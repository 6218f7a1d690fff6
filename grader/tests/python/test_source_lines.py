"""Findings stand at the line of the mistake, also where helpers are inlined into helpers, loops are unrolled and the
optimizer has moved what they do. Where the compiler does not say which of several calls an instruction is part of, the
finding names each of them. line_programs.py makes the programs."""

from __future__ import annotations

import json
import subprocess
from bisect import bisect
from pathlib import Path
from typing import Any

import pytest
from line_programs import HEADER, SECOND_RACE, Program, program, racing_kernel
from long_cases import long_but

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

TMAEMU = HERE.build / "bin/tmaemu"
KERNELS = 60
AT_ONCE = 10  # a process prints 50 findings at most
# The order of a loop's copies decides (inline_chains.h), and the optimizer may have mixed them: of the kernels of all
# programs 3 are told at a wrong line.
WRONG_AT_MOST = 1
MAY_BE = ("or here", "or from here")


def compiled(folder: Path, made: Program) -> Path:
    (folder / "helpers.cuh").write_text(HEADER)
    source = folder / "made.cu"
    source.write_text(made.text)
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20", "-w"]
    command += ["-gencode", "arch=compute_90a,code=compute_90a", f"-I{HERE.root / 'labs/common'}"]
    subprocess.run([*command, "-o", source.with_suffix(""), source], check=True)
    return source.with_suffix("")


def findings_of(binary: Path, first: int) -> list[dict[str, Any]]:
    command: list[str | Path] = [TMAEMU, "--check=json", binary, str(first), str(first + AT_ONCE)]
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=120).stderr
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    return [line for line in lines if "code" in line]


def lines_of(finding: dict[str, Any]) -> list[int]:
    """The lines of the source that the finding is told at: its own, those that call what it is in, and those that it
    says may be meant."""
    lines = [finding["place"]["line"]]
    for note in finding.get("notes", []):
        if note["message"] == "called from here" or note["message"].startswith(MAY_BE):
            lines.append(note["place"]["line"])
    return lines


@pytest.mark.parametrize("seed", long_but({"0", "1"}, range(9)))
def test_finding_names_line_of_mistake(seed: int, tmp_path: Path) -> None:
    made = program(seed, KERNELS)
    binary = compiled(tmp_path, made)
    silent = set(range(KERNELS))
    wrong = set()
    for first in range(0, KERNELS, AT_ONCE):
        for finding in findings_of(binary, first):
            lines = lines_of(finding)
            kernel = bisect(made.firsts, lines[0]) - 1
            silent.discard(kernel)
            if made.mistakes[kernel] not in lines:
                wrong.add((kernel, made.mistakes[kernel], *lines))
    assert not silent
    assert len({kernel for kernel, *_ in wrong}) <= WRONG_AT_MOST, wrong


def test_two_mistakes_in_one_pair_of_helpers_are_two_findings(tmp_path: Path) -> None:
    made = program(0, KERNELS, racing_kernel)
    binary = compiled(tmp_path, made)
    told: list[list[list[int]]] = [[] for _ in range(KERNELS)]
    for first in range(0, KERNELS, AT_ONCE):
        for finding in findings_of(binary, first):
            lines = lines_of(finding)
            told[bisect(made.firsts, lines[0]) - 1].append(lines)
    for kernel, findings in enumerate(told):
        first, second = made.mistakes[kernel], made.mistakes[kernel] + SECOND_RACE
        assert any(first in lines for lines in findings), (kernel, findings)
        assert any(second in lines for lines in findings), (kernel, findings)
        assert len(findings) >= 2, (kernel, findings)
