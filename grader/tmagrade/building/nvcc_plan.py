"""What nvcc is about to do, as `nvcc --dryrun` tells it: commands, and the files that one hands to another."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# nvcc's own words on a line that is part of the plan.
MARK = "#$ "
VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")

CICC = "$CICC_PATH/cicc"
PROGRAMS = ("gcc", "g++", "cudafe++", CICC, "ptxas", "fatbinary")

# What a shell reads as more than a word, and what would have another value there.
MORE_THAN_WORDS = re.compile(r"[$`\\;|&<>()*?\[\]{}~#!'\n]")
# nvcc quotes arguments in double quotes, and in those these are no more than characters.
QUOTED = re.compile(r'"[^"$`\\!\n]*"')

# The word before a file that a command writes, and what stands before it in the same word.
WRITTEN_AFTER = ("-o", "--gen_c_file_name", "--gen_device_file_name", "--stub_file_name")
WRITTEN_IN_WORD = ("--create=", "--embedded-fatbin=")
# cudafe++ writes it, cicc reads it.
MODULE_ID = "--module_id_file_name"
WRITES_MODULE_ID = "--gen_module_id_file"


@dataclass(frozen=True)
class Step:
    """One command of nvcc's, and the files of the folder in between that it reads and writes, by name."""

    words: tuple[str, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    module_id: str | None = None  # the one of `reads` that tells it the text's module ID


@dataclass(frozen=True)
class Plan:
    """nvcc's commands in its order. `product` is what the last one writes."""

    folder: Path
    product: str
    variables: dict[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()


class NotUnderstood(Exception):
    """The plan is none that this program knows."""


def read_plan(printed: str, folder: Path, product: str) -> Plan:
    """Of what `nvcc --dryrun --keep --keep-dir folder` prints. NotUnderstood where anything in it is unknown."""
    variables: dict[str, str] = {}
    steps: list[Step] = []
    for line in printed.splitlines():
        if not line.startswith(MARK):
            raise NotUnderstood(f"nvcc says: {line}")
        told = line.removeprefix(MARK)
        if (variable := VARIABLE.fullmatch(told)) is not None:
            if steps:
                raise NotUnderstood(f"a variable behind the commands: {told}")
            variables[variable[1]] = variable[2]
        else:
            steps.append(_step(told, folder, variables))
    plan = Plan(folder, product, variables, tuple(_with_what_is_included(steps)))
    _demand_whole(plan)
    return plan


def _step(line: str, folder: Path, variables: dict[str, str]) -> Step:
    unquoted = QUOTED.sub("", line.replace(f'"{CICC}"', "", 1))
    if MORE_THAN_WORDS.search(unquoted) or '"' in unquoted:
        raise NotUnderstood(f"more than words: {line}")
    words = shlex.split(line)
    if not words or words[0] not in PROGRAMS:
        raise NotUnderstood(f"an unknown command: {line}")
    if words[0] == CICC:
        if "CICC_PATH" not in variables:
            raise NotUnderstood(f"nobody says where cicc is: {line}")
        words[0] = f"{variables['CICC_PATH']}/cicc"
    written_after = (*WRITTEN_AFTER, MODULE_ID) if WRITES_MODULE_ID in words else WRITTEN_AFTER
    writes, reads, module_id = set[str](), set[str](), None
    for before, word in zip(["", *words], words):
        for name in _files_in(word, folder):
            if before in written_after or word.startswith(WRITTEN_IN_WORD):
                writes.add(name)
            else:
                reads.add(name)
                module_id = name if before == MODULE_ID else module_id
    return Step(tuple(words), frozenset(reads), frozenset(writes), module_id)


def _files_in(word: str, folder: Path) -> list[str]:
    """The files of the folder that a word names."""
    return re.findall(rf"{re.escape(str(folder))}/([^/,]+)", word)


def _with_what_is_included(steps: list[Step]) -> Iterator[Step]:
    """The host's compiler reads a text that includes what the device's compilers wrote, which no word of it tells."""
    written: frozenset[str] = frozenset()
    for step in steps:
        compiles = step.words[0] in ("gcc", "g++") and "-c" in step.words
        yield Step(step.words, step.reads | written, step.writes, step.module_id) if compiles else step
        written |= step.writes


def _demand_whole(plan: Plan) -> None:
    """NotUnderstood unless every file has one writer, before its readers, and the last command makes the product."""
    written: set[str] = set()
    for step in plan.steps:
        if unknown := step.reads - written:
            raise NotUnderstood(f"nobody has written {', '.join(sorted(unknown))}")
        if again := step.writes & written:
            raise NotUnderstood(f"written twice: {', '.join(sorted(again))}")
        written |= step.writes
    makers = [step for step in plan.steps if _makes(step, plan.product)]
    if not plan.steps or makers != [plan.steps[-1]]:
        raise NotUnderstood(f"the last command is not the only one that writes {plan.product}")


def _makes(step: Step, product: str) -> bool:
    return any(before == "-o" and word == product for before, word in zip(step.words, step.words[1:]))
