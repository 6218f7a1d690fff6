"""What a finding advises leads to the right program. Of a hazard program the help names what its right twin does and it
does not; and right hazard programs in which one line is changed are told by what was changed, and by nothing that would
lead elsewhere."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from test_hazard_programs import PAIRS, SECONDS, SOURCES, TMAEMU, Expected, code_of, findings_of, run

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import TARGET
from tmagrade.machine.toolkit import find_toolkit

# What the right twin alone calls, and a word of the help for it.
CALLED = (
    (r"__syncthreads|named_barrier\w*|synchronize_warpgroup|cluster_sync|cluster\.sync|cluster_(?:wait|arrive)",
     r"__syncthreads|barrier|synchroni|meet|tell"),
    (r"__syncwarp", r"__syncwarp|synchroni"),
    (r"fence_proxy_async", r"fence\.proxy\.async"),
    (r"fence_proxy_async_shared", r"fence\.proxy\.async\b(?!\.global)"),
    (r"fence_proxy_async_global", r"fence\.proxy\.async\.global"),
    (r"commit_\w+|cp_async_commit", r"commit"),
    (r"wait_parity\w*|wait_state|try_wait|wait_group\w*|wait_products|cp_async_wait\w*|wait_for_\w+|second_waits"
     r"|cuda\w+Synchronize|cudaStreamWaitEvent", r"[Ww]ait|synchroni|acquire"),
    (r"arrive\w*", r"arriv|mbarrier|give the stage back|release"),
    (r"fence_registers", r"wgmma\.fence"),
    (r"fence_barrier_init", r"fence\.mbarrier_init"),
    (r"invalidate_barrier", r"invalidat"),
    (r"expect", r"expect"),
    (r"cudaMemset", r"cudaMemset|reset the flag"),
    (r"__threadfence", r"release"),
    (r"give_registers_back", r"give registers|setmaxnreg"),
)  # fmt: skip
CALL = re.compile(r"\b([A-Za-z_][\w.]*)(?:<[^<>;]*>)?\(")
ONLY_RIGHT = re.compile(r"if (?:constexpr )?\(!mistaken\) ")
EITHER = re.compile(r"if (?:constexpr )?\(mistaken\) ")
# Where what the right twin calls is not its remedy: its load is shorter, and it uses the mbarrier that is left.
NOT_THE_REMEDY = {"loaded_over"}
# Of a flag that stood already, or that leaves threads out, the note at the flag's line says what to do.
ADVICE_OF_A_NOTE = re.compile("reset the flag|let them meet|let the threads of the CTA meet")


def statement_at(text: str, begin: int) -> str:
    """The block or the statement that begins there."""
    if text[begin] != "{":
        return text[begin : text.index(";", begin) + 1]
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[begin : place + 1]
    raise AssertionError("a block that does not end")


def calls_of_the_right_one(pair: Expected) -> set[str]:
    text = pair.source.read_text(encoding="utf-8")
    text = re.split(rf"^//: pair {pair.pair}$", text, flags=re.MULTILINE)[1]
    text = re.split(r"^//: pair \w+$|^(?:static )?const(?:expr)? Pair ", text, flags=re.MULTILINE)[0]
    called = set()
    for guard in ONLY_RIGHT.finditer(text):
        called |= set(CALL.findall(statement_at(text, guard.end())))
    for guard in EITHER.finditer(text):
        mistaken = statement_at(text, guard.end())
        behind = guard.end() + len(mistaken)
        if text.startswith(" else {", behind):
            right = statement_at(text, behind + len(" else "))
            called |= set(CALL.findall(right)) - set(CALL.findall(mistaken))
    return called


def words_for(called: set[str]) -> list[str]:
    return [word for name, word in CALLED if any(re.fullmatch(name, each) for each in called)]


WITH_REMEDY = [
    (pair, words)
    for pair in PAIRS
    if pair.findings and pair.pair not in NOT_THE_REMEDY and (words := words_for(calls_of_the_right_one(pair)))
]


def test_most_twins_differ_by_a_call() -> None:
    assert len(WITH_REMEDY) >= 200


@pytest.mark.parametrize(("pair", "words"), WITH_REMEDY, ids=lambda each: getattr(each, "pair", ""))
def test_the_help_names_what_the_right_twin_calls(pair: Expected, words: list[str]) -> None:
    findings = findings_of(run(pair, "mistaken", "--check=json").stderr)
    own = [finding for finding in findings if finding["code"] == code_of(pair.source)]
    notes = [note["message"] for finding in own for note in finding.get("notes", [])]
    helps = [finding["help"] for finding in own] + [note for note in notes if ADVICE_OF_A_NOTE.search(note)]
    assert any(re.search(word, told) for word in words for told in helps), (words, helps)


@pytest.mark.parametrize(
    ("name", "waited"),
    [("the_other_barrier", True), ("the_next_stage", True), ("only_the_issuer_waits", False), ("relaxed_wait", False)],
)
def test_a_read_behind_a_wait_for_another_load_shows_that_wait(name: str, waited: bool) -> None:
    pair = next(pair for pair in PAIRS if pair.pair == name)
    notes = findings_of(run(pair, "mistaken", "--check=json").stderr)[0]["notes"]
    assert any("on another mbarrier than that of the load" in note["message"] for note in notes) == waited


@dataclass(frozen=True)
class Mutant:
    """A right twin with one change, all that is told of it, and what the last help says."""

    program: str
    pair: str
    old: str
    new: str
    told: tuple[str, ...]
    says: str


RINGS, STAGES, DEADLOCKS = "load-over-unread-data.rings", "wait-wrong-parity.stages", "deadlock"
MUTANTS = (
    # A ring's prologue fills one stage fewer, or its consumers never hand one back: no parity is wrong.
    Mutant(RINGS, "prologue_and_loop", "lap < 2;", "lap < 1;", ("deadlock",), "a load is missing"),
    Mutant(RINGS, "prologue_and_loop", "arrive(&empty[stage]);", "", ("deadlock",), "or an arrival"),
    # The producer comes to one round fewer than its consumers.
    Mutant(RINGS, "first_warp_produces", "lap < LAPS;", "lap < LAPS - 1;", ("deadlock",), "same number of rounds"),
    # The announced load is held up by what the other CTA does not hand back.
    Mutant(RINGS, "peer_is_not_asked", "? 64 : 128", "? 64 : 129", ("deadlock",), "init the number of arrivals"),
    Mutant(RINGS, "producer_does_not_wait", "arrive(&empty[stage]);", "arrive(&full[stage]);",
           ("arrival-overflow", "deadlock"), "begin with what is told before this"),
    # A prologue that announces, and does not load.
    Mutant(STAGES, "zero_in_the_first_round", "load_bulk(", "if (false) load_bulk(", ("expect-too-many", "deadlock"),
           "begin with what is told before this"),
    # All lanes arrive, and the count is one too small.
    Mutant(DEADLOCKS, "one_lane_releases", "&full[stage], 32", "&full[stage], 31", ("arrival-overflow",),
           "the number of threads that arrive in a phase"),
    Mutant(DEADLOCKS, "count_beyond_the_threads", "129 : 128", "129 : 127", ("arrival-overflow",),
           "the number of threads that arrive in a phase"),
)  # fmt: skip


def mutated(text: str, mutants: list[Mutant]) -> str:
    for mutant in mutants:
        begin = text.index(f"//: pair {mutant.pair}\n")
        place = text.index(mutant.old, begin)
        text = text[:place] + mutant.new + text[place + len(mutant.old) :]
    return text


def told_of(mutants: list[Mutant], folder: Path) -> dict[Mutant, list[dict[str, Any]]]:
    """Mutants of different pairs of one program, which are compiled together."""
    name = mutants[0].program
    source = folder / f"{name}.cu"
    source.write_text(mutated((SOURCES / source.name).read_text(encoding="utf-8"), mutants), encoding="utf-8")
    program = folder / "program"
    command: list[str | Path] = [
        find_toolkit(HERE).nvcc,
        *TARGET,
        f"-I{SOURCES.parent}",
        "-o",
        program,
        source,
        "-lcuda",
    ]
    subprocess.run(command, check=True)
    told = {}
    for mutant in mutants:
        command = [TMAEMU, "--check=json", program, mutant.pair, "right"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        told[mutant] = findings_of(ran.stderr)
    return told


def batches() -> list[list[Mutant]]:
    """Of each program, with at most one of a pair."""
    rounds: defaultdict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for place, mutant in enumerate(MUTANTS):
        before = sum((other.program, other.pair) == (mutant.program, mutant.pair) for other in MUTANTS[:place])
        rounds[mutant.program, before].append(mutant)
    return list(rounds.values())


@pytest.mark.parametrize("mutants", batches(), ids=lambda mutants: mutants[0].program)
def test_one_change_is_told_by_what_was_changed(mutants: list[Mutant], tmp_path: Path) -> None:
    for mutant, findings in told_of(mutants, tmp_path).items():
        codes = tuple(dict.fromkeys(finding["code"] for finding in findings))
        assert codes == mutant.told, (mutant, [finding["message"] for finding in findings])
        assert mutant.says in findings[-1]["help"], mutant
