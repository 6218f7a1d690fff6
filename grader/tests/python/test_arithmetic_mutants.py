"""make arithmetic: values of the solutions that are spoiled. Here every place is found, and a few are judged."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "mutants"))

import arithmetic

FEWEST = 180


def test_every_place_is_in_its_solution_just_once() -> None:
    made = Counter(
        arithmetic.spoiled(target, mutant)
        for target in arithmetic.targets("")
        for mutant in arithmetic.mutants(target.path.stem)
    )
    assert len(made) >= FEWEST
    assert max(made.values()) == 1


def test_what_is_spoiled_is_wrong_and_the_solution_is_right() -> None:
    arithmetic.WORK.mkdir(parents=True, exist_ok=True)
    [target] = arithmetic.targets("lab0")
    spoiled = [mutant for mutant in arithmetic.mutants("lab0") if mutant.kind == "flushes_subnormals"][-1]
    assert not arithmetic.survives(target, spoiled)
    nothing = arithmetic.Mutant(spoiled.place, "nothing")
    assert arithmetic.survives(target, nothing)
