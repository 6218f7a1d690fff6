"""Measures peers that are torch's as race.cpp measures the others: many calls on rotating buffers, median of rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

ROUNDS = 15
CALLS = 16
BYTES_OF_ALL_SETS = 8 << 30

Tensors = Sequence[Any]


def rounds(calls: Sequence[Callable[..., object]], make: Callable[[], Tensors]) -> list[float]:
    """Seconds of one of each call, the median of all rounds: each call in each round, in turns."""
    first = make()
    set_bytes = sum(tensor.numel() * tensor.element_size() for tensor in first)
    sets = [first] + [make() for _ in range(max(2, BYTES_OF_ALL_SETS // set_bytes) - 1)]
    seconds: list[list[float]] = [[] for _ in calls]
    for round_number in range(-1, ROUNDS):  # the first one warms up
        # Each second round the other way around: nobody comes always after the same one.
        for number in range(len(calls))[:: -1 if round_number % 2 else 1]:
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for i in range(CALLS):
                calls[number](*sets[i % len(sets)])
            torch.cuda.synchronize()
            if round_number >= 0:
                seconds[number].append(time.perf_counter() - begin)
    return [statistics.median(times) / CALLS for times in seconds]


def tell(lab: str, case: str, role: str, name: str, figure: float) -> None:
    print(lab, case, role, name, f"{figure:.2f}", sep="\t", flush=True)


def peer(lab: str, case: str, name: str, work: float, make: Callable[[], Tensors], call: Callable[..., object]) -> None:
    """Prints one peer's line. `work` is the bytes that one call moves; `make` makes one set of tensors, and `call` is
    called with a set's tensors."""
    [seconds] = rounds([call], make)
    tell(lab, case, "peer", name, work / seconds / 1e9)


def race(
    lab: str,
    case: str,
    runners: Mapping[tuple[str, str], Callable[..., object]],
    work: float,
    make: Callable[[], Tensors],
    target: tuple[str, float],
    unit: tuple[str, float],
) -> None:
    """Prints a race of its own: the runners, by role and name, call after call in one process. `unit` has a name, and
    how much of `work` it is."""
    name, amount = unit
    tell(lab, case, "target", *target)
    tell(lab, case, "unit", name, 0)
    for (role, runner), seconds in zip(runners, rounds(list(runners.values()), make), strict=True):
        tell(lab, case, role, runner, work / seconds / amount)
