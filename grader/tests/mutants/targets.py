"""What is mutated and how it is built and run: the labs' solutions with the judge's tests, and the right variants of
the hazard programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fatbin import with_other_kernels
from mutations import Region, Source

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import TARGET, library_command
from tmagrade.course.labs import Lab, load_lab
from tmagrade.machine.toolkit import find_toolkit

MUTANTS = Path(__file__).parent
HAZARDS = MUTANTS.parent / "hazards"
TMAEMU_CANNOT_RUN = 126
PROGRAM_SECONDS = 4
CASE_SECONDS = 30
JUDGE_SECONDS = 300
COMPILER_SECONDS = 180
NO_MISTAKES = ("not-modeled", "not-told")


@dataclass(frozen=True)
class Ran:
    """What one run came to."""

    verdict: str  # "survives", "found", "fails" or "hangs"
    codes: tuple[str, ...] = ()  # "code:line"
    said: str = ""


class NotCompiled(Exception):
    pass


class NotRun(Exception):
    """The machine's fault, which says nothing of the mutant."""


def run(command: Sequence[str | Path], seconds: float, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False, **options
    )


def order(engine: str) -> dict[str, str]:
    """What tells the emulator when the TMA engine works and in which order warps run: random:SEED varies both."""
    seed = engine.partition(":")[2]
    return {"TMAEMU_THREADS": "1", "TMAEMU_ASYNC": engine} | ({"TMAEMU_SCHEDULE": seed} if seed else {})


# Of these the emulator says nothing where it does not know the kernel's registers, which the machine code says.
REGISTERS = "take_registers<"


def fewer(command: list[str]) -> list[str]:
    """Without machine code: the emulator takes the PTX."""
    return [word.replace("code=[sm_90a,compute_90a]", "code=compute_90a") for word in command]


# Numbers with which each statement of a solution is executed: its own are tuned, and a ring may never come around.
NUMBERS = {"lab5.cu": ("STENCIL_Z = 4;", "STENCIL_Z = 32;")}


class Target(ABC):
    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        if path.name in NUMBERS:
            tuned, longer = NUMBERS[path.name]
            if self.text.count(tuned) != 1:
                raise SystemExit(f"mutants: {path} does not have {tuned!r}, which is to become {longer!r}")
            self.text = self.text.replace(tuned, longer)

    @property
    def name(self) -> str:
        return str(self.path.relative_to(HERE.root))

    @cached_property
    def source(self) -> Source:
        return Source(self.name, self.text, self.regions(), self.end())

    def end(self) -> int:
        """What stands behind it no test runs."""
        return len(self.text)

    @abstractmethod
    def regions(self) -> list[Region]: ...

    @abstractmethod
    def command(self, folder: Path) -> list[str]:
        """What makes the program of the files that write() leaves in the folder."""

    @abstractmethod
    def write(self, text: str, folder: Path) -> None: ...

    @property
    @abstractmethod
    def program(self) -> str:
        """The file that the command makes."""

    @abstractmethod
    def run(self, folder: Path, region: str, engine: str) -> Ran: ...

    @cached_property
    def host(self) -> Path:
        """The unchanged program, whose host code all mutants have."""
        kept = HERE.build / "mutants/host" / self.path.stem
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        self.write(self.text, kept)
        self._nvcc([*self.command(kept), "-no-compress"], kept)
        return kept / self.program

    def compile(self, text: str, folder: Path) -> None:
        """Leaves what is run, and its PTX, in the folder. NotCompiled where the text is no program."""
        host = self.host
        self.write(text, folder)
        keep = folder / "kept"
        keep.mkdir()
        command = only_kernels(self.command(folder), folder / "kernels.fatbin")
        self._nvcc([*command, "-keep", "-keep-dir", str(keep)], folder)
        for file in keep.glob("*.ptx"):
            file.rename(folder / file.name)
        shutil.rmtree(keep)
        with_other_kernels(host, folder / "kernels.fatbin", folder / self.program)

    def _nvcc(self, command: list[str], folder: Path) -> None:
        try:
            compiled = run(command if REGISTERS in self.text else fewer(command), COMPILER_SECONDS, cwd=folder)
        except subprocess.TimeoutExpired as error:
            raise NotCompiled("the compiler takes too long") from error
        if compiled.returncode != 0:
            errors = [line for line in compiled.stderr.splitlines() if "error" in line]
            raise NotCompiled(errors[0] if errors else compiled.stderr[-300:])


def only_kernels(command: list[str], fatbin: Path) -> list[str]:
    """The same without host code, which does not change."""
    words = iter(command)
    kept: list[str] = []
    for word in words:
        if word in ("-Xcompiler", "-Xlinker", "-cudart", "-o"):
            next(words)
        elif (word != "-shared" and not word.startswith("-l")) or word == "-lineinfo":
            kept.append(word)
    return [*kept, "-fatbin", "-o", str(fatbin)]


def regions_from(text: str, begins: re.Pattern[str]) -> list[Region]:
    matches = list(begins.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return [Region(match["name"], match.start(), end) for match, end in zip(matches, ends)]


class Program(Target):
    """A region is a pair."""

    def regions(self) -> list[Region]:
        return regions_from(self.text, re.compile(r"^//: pair (?P<name>\w+)$", re.MULTILINE))

    program = "program"

    def write(self, text: str, folder: Path) -> None:
        (folder / self.path.name).write_text(text, encoding="utf-8")

    def command(self, folder: Path) -> list[str]:
        return [str(find_toolkit(HERE).nvcc), *TARGET, f"-I{HAZARDS}", "-o", self.program, self.path.name, "-lcuda"]

    def run(self, folder: Path, region: str, engine: str) -> Ran:
        names = [region] if region else [each.name for each in self.regions()]
        return worst([self._run_pair(folder, name, engine) for name in names])

    def _run_pair(self, folder: Path, name: str, engine: str) -> Ran:
        command: list[str | Path] = [HERE.build / "bin/tmaemu", "--check=json", folder / "program", name, "right"]
        environment = os.environ | order(engine)
        try:
            ran = run(command, PROGRAM_SECONDS, env=environment)
        except subprocess.TimeoutExpired:
            return Ran("hangs", said=f"no end after {PROGRAM_SECONDS} s")
        if ran.returncode == TMAEMU_CANNOT_RUN:
            raise NotRun(ran.stderr.strip())
        lines = [json.loads(line) for line in ran.stderr.splitlines() if line.startswith('{"code"')]
        said = (ran.stdout.strip().splitlines() or [ran.stderr.strip()[-100:] or f"status {ran.returncode}"])[-1]
        return decided(lines, ran.returncode == 0, "" if said == "ok" else said)


class Solution(Target):
    """A region is a part of the lab, to the end of its last launcher: what stands behind that is for several parts."""

    def regions(self) -> list[Region]:
        parts = {part.id for part in self.lab.parts}
        headings = re.compile(r"^// Parts? (?P<name>[\w-]+(?: and [\w-]+)?)", re.MULTILINE)
        launcher = re.compile(r"^void launch_.*?^}$", re.MULTILINE | re.DOTALL)
        regions = []
        for region in regions_from(self.text, headings):
            last = [*launcher.finditer(self.text, region.begin, region.end)][-1:]
            if parts.issuperset(region.name.split(" and ")):
                regions.append(Region(region.name, region.begin, last[0].end() if last else region.end))
        return regions

    def end(self) -> int:
        self_test = re.search(r"^//[^\n]*(?:\n//[^\n]*)? runs many more cases", self.text, re.MULTILINE)
        return self_test.start() if self_test else len(self.text)

    @cached_property
    def lab(self) -> Lab:
        return load_lab(HERE.labs / self.path.parent.name / "lab.toml")

    program = "submission.so"

    def write(self, text: str, folder: Path) -> None:
        (folder / self.path.name).write_text(f'#include "weaker.cuh"\n#line 1 "{self.path.name}"\n{text}')
        (folder / "submission.cuh").write_text(f'#include "{self.path.name}"\n')

    def command(self, folder: Path) -> list[str]:
        return [*library_command(find_toolkit(HERE), HERE, self.lab, folder.resolve()), f"-I{MUTANTS}"]

    def run(self, folder: Path, region: str, engine: str) -> Ran:
        parts = region.split(" and ") if region else [part.id for part in self.lab.parts]
        return worst([self._judged(folder, part, engine) for part in parts])

    def _judged(self, folder: Path, part: str, engine: str) -> Ran:
        library = folder / "submission.so"
        output = folder / f"verdicts-{os.getpid()}-{part}.json"
        command: list[str | Path] = [
            HERE.judge(self.lab.id),
            "--submission",
            library,
            "--output",
            output,
            "--filter",
            part,
        ]
        command += ["--seed", "1", "--timeout-seconds", str(CASE_SECONDS), "--", HERE.runner, library]
        environment = os.environ | order(engine) | {"LD_LIBRARY_PATH": str(HERE.emulator_libraries)}
        try:
            ran = run(command, JUDGE_SECONDS, env=environment, cwd=folder)
        except subprocess.TimeoutExpired:
            return Ran("hangs", said=f"no end after {JUDGE_SECONDS} s")
        try:
            report = json.loads(output.read_text())
        except (OSError, ValueError) as error:
            raise NotRun(f"judge: {ran.stderr.strip()[-200:]}") from error
        cases = report["cases"]
        findings = [finding for case in cases for finding in case.get("findings", ())]
        bad = [case for case in cases if case["verdict"] not in ("pass", "hazard")]
        result = decided(findings, not bad, f"{bad[0]['case']}: {bad[0]['message']}"[:200] if bad else "")
        if result.verdict == "fails" and all(case["verdict"] == "timeout" for case in bad):
            return Ran("hangs", said=result.said)
        return result


def decided(findings: list[dict[str, Any]], right: bool, said: str) -> Ran:
    codes = {f"{each['code']}:{each.get('place', {}).get('line', '?')}" for each in findings}
    mistakes = {code for code in codes if not code.startswith(NO_MISTAKES)}
    if mistakes:
        return Ran("found", tuple(sorted(mistakes)), said)
    return Ran("survives" if right else "fails", tuple(sorted(codes)), said)


def worst(runs: list[Ran]) -> Ran:
    """All that was found; without a finding, the run that went wrong."""
    codes = {code for each in runs if each.verdict == "found" for code in each.codes}
    if codes:
        return Ran("found", tuple(sorted(codes)), next((each.said for each in runs if each.said), ""))
    return next((each for each in runs if each.verdict != "survives"), runs[0])


def all_targets() -> list[Target]:
    def number(path: Path) -> int:
        return int(re.sub(r"\D", "", path.stem) or 0)

    solutions = sorted(HERE.solutions.glob("lab*/lab*.cu"), key=number)
    programs = sorted((HAZARDS / "programs").glob("*.cu"))
    return [*map(Solution, solutions), *map(Program, programs)]
