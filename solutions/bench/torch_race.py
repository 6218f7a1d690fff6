"""Measures peers that are torch's as race.cpp measures the others: many calls on rotating buffers, median of rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

ROUNDS = 15
CALLS = 16
BYTES_OF_ALL_SETS = 8 << 30

Tensors = Sequence[Any]


def peer(
    lab: str,
    case: str,
    name: str,
    work: float,
    make: Callable[[], Tensors],
    call: Callable[..., object],
    of_unit: float = 1e9,
) -> None:
    """Prints one peer's line.

    `work` is what one call does: bytes that it moves, or what else is counted by `of_unit`; `make` makes one set of
    tensors, `call` is called with a set's tensors.
    """
    first = make()
    set_bytes = sum(tensor.numel() * tensor.element_size() for tensor in first)
    sets = [first] + [make() for _ in range(max(2, BYTES_OF_ALL_SETS // set_bytes) - 1)]
    seconds = []
    for round_number in range(-1, ROUNDS):  # the first one warms up
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for i in range(CALLS):
            call(*sets[i % len(sets)])
        torch.cuda.synchronize()
        if round_number >= 0:
            seconds.append(time.perf_counter() - begin)
    figure = work * CALLS / statistics.median(seconds) / of_unit
    print(lab, case, "peer", name, f"{figure:.1f}", sep="\t", flush=True)
