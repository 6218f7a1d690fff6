"""Mutants of different regions of a source are compiled together: the compiler is what takes long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest

from mutations import Mutant


def batches(mutants: list[Mutant], most: int = 12) -> Iterator[list[Mutant]]:
    """Each has at most one mutant a region; one of no region is alone."""
    queues: defaultdict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        queues[mutant.region].append(mutant)
    for mutant in queues.pop("", []):
        yield [mutant]
    for row in zip_longest(*queues.values()):
        together = [mutant for mutant in row if mutant is not None]
        for begin in range(0, len(together), most):
            yield together[begin : begin + most]
