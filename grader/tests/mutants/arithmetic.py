"""make arithmetic: spoils one value of a solution in one way, and asks whether the judge's cases show it. All must.

A place is a line of a part, with the values that are spoiled; what is done to them stands in arithmetic.cuh.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

MUTANTS = Path(__file__).parent
sys.path[:0] = [str(MUTANTS), str(MUTANTS.parents[1])]

from mutations import Edit, applied  # noqa: E402
from targets import Solution  # noqa: E402

from tmagrade.basics.paths import HERE  # noqa: E402

WORK = HERE.build / "mutants/arithmetic"
ENGINE = "early"  # nothing here is about timing
ALL = (
    "drops_the_sign",
    "truncates",
    "rounds",
    "saturates",
    "flushes_subnormals",
    "loses_the_sign_of_zero",
    "makes_infinities_finite",
    "takes_nan_for_zero",
    "exchanges_the_lowest_bits",
)
OF_INTS = ("drops_the_sign", "truncates", "rounds", "saturates", "flushes_subnormals", "exchanges_the_lowest_bits")
# Of three elements at the end few are special.
OF_TAILS = ("drops_the_sign", "truncates", "rounds", "saturates", "exchanges_the_lowest_bits")
# No case draws a NaN or a subnormal for what the engine adds, nor two zeros of axpy's with a sign.
OF_SUMS = (*OF_TAILS, "loses_the_sign_of_zero", "makes_infinities_finite")
OF_AXPY = (*OF_TAILS, "flushes_subnormals", "makes_infinities_finite", "takes_nan_for_zero")
# Of a zero that is a sum, nobody says which sign it has.
OF_STENCIL = tuple(kind for kind in ALL if kind != "loses_the_sign_of_zero")
# Sums of products of whole numbers times a power of two: there is no infinity and no NaN among them.
OF_PRODUCTS = ("drops_the_sign", "truncates", "rounds", "saturates", "exchanges_the_lowest_bits")
ROUNDINGS = ("rounds_to_zero", "rounds_down", "rounds_up")


@dataclass(frozen=True)
class Place:
    lab: str
    part: str
    line: str  # which stands in the part once
    value: str  # in it
    kinds: tuple[str, ...] = ALL


PLACES = (
    Place("lab0", "copy", "dest[i] = src[i];", "src[i]"),
    Place("lab0", "vector-copy", "reinterpret_cast<const float4*>(src)[i]", "reinterpret_cast<const float4*>(src)[i]"),
    Place("lab0", "vector-copy", "dest[leftover] = src[leftover]", "src[leftover]", OF_TAILS),
    Place("lab2", "phases", "mine += values[parity][neighbor];", "values[parity][neighbor]", OF_INTS),
    Place("lab2", "several-arrivals", "mine += data[i];", "data[i]", OF_INTS),
    Place("lab2", "work-while-waiting", "staged[i] - smallest", "staged[i]", OF_INTS),
    Place("lab2", "ping-pong", "= buffer[ints - 1 - i];", "buffer[ints - 1 - i]", OF_INTS),
    Place("lab4", "load", "dest[i] = tile[i];", "tile[i]"),
    Place("lab4", "store", "tile[i] = src[i];", "src[i]"),
    Place("lab4", "reduce", "tile[i] = src[i];", "src[i]", OF_SUMS),
    Place("lab5", "stencil", "first_x + x]), sum);", "sum", OF_STENCIL),
    Place("lab6", "tma-copy", "= src[leftover];", "src[leftover]", OF_TAILS),
    Place("lab6", "memcpy", "if (i < bytes) dest[i] = src[i];", "src[i]", OF_INTS),
    Place("lab7", "pipeline", "= src[leftover];", "src[leftover]", OF_TAILS),
    Place("lab7", "axpy", "const float4 u = x[i], v = y[i];", "x[i]", OF_AXPY),
    Place("lab7", "axpy", "const float4 u = x[i], v = y[i];", "y[i]", OF_AXPY),
    Place("lab7", "axpy", "a * x[leftover] + y[leftover]", "x[leftover]", OF_TAILS),
    Place("lab8", "transpose", "= mine[i].element[j];", "mine[i].element[j]"),
    Place("lab8", "any-shape", "= from[turn][j][column];", "from[turn][j][column]"),
    Place("lab9", "multicast", "to[i] = tile[i] + rank;", "tile[i]", OF_INTS),
    Place("lab9", "rotate", "= tiles[hops % 2][i];", "tiles[hops % 2][i]", OF_INTS),
    Place("lab9", "cache-policy", "tile[i] += added[i];", "added[i]", OF_INTS),
    Place("lab12", "swizzle-64 and swizzle-128", "row_of(i)] = d[i];", "d[i]", OF_PRODUCTS),
    Place("lab12", "descriptors", "row_of(i)] = d[i];", "d[i]", OF_PRODUCTS),
    Place("lab12", "fragments", "__floats2bfloat162_rn(p[step]", "__floats2bfloat162_rn", ROUNDINGS),
    Place("lab12", "fragments", "row_of(i)] = sums[i];", "sums[i]", OF_PRODUCTS),
    Place("lab12", "ring", "__float2bfloat16(sums[i / 8][i % 8])", "sums[i / 8][i % 8]", OF_PRODUCTS[:-1]),
    Place("lab12", "ring", "__float2bfloat16(sums[i / 8][i % 8])", "__float2bfloat16", ROUNDINGS),
    Place("lab12", "specialized", "__floats2bfloat162_rn(sums[", "__floats2bfloat162_rn", ROUNDINGS),
    Place("lab12", "any-shape and persistent", "__floats2bfloat162_rn(sums[", "__floats2bfloat162_rn", ROUNDINGS),
)


@dataclass(frozen=True)
class Mutant:
    place: Place
    kind: str

    def __str__(self) -> str:
        return f"{self.place.lab}, {self.place.part}: `{self.place.line}`: {self.place.value} {self.kind}"


def mutants(lab: str) -> list[Mutant]:
    return [Mutant(place, kind) for place in PLACES if place.lab == lab for kind in place.kinds]


def targets(labs: str) -> Iterator[Solution]:
    """Of the labs that these names, with commas, name; all where there are none."""
    for lab in dict.fromkeys(place.lab for place in PLACES):
        if not labs or lab in labs.split(","):
            [path] = HERE.solutions.glob(f"{lab}-*/{lab}.cu")
            yield Solution(path)


def spoiled(target: Solution, mutant: Mutant) -> str:
    """The solution with this mistake."""
    place = mutant.place
    regions = [region for region in target.regions() if region.name == place.part]
    # A function that several parts share stands in front of them.
    begin, end = (regions[0].begin, regions[0].end) if regions else (0, target.end())
    if target.text.count(place.line, begin, end) != 1:
        raise SystemExit(f"arithmetic: {target.path}: part {place.part} does not have {place.line!r} just once")
    at = target.text.index(place.line, begin, end) + place.line.index(place.value)
    is_function = place.kinds is ROUNDINGS
    new = f"mutant::{mutant.kind}" if is_function else f"mutant::{mutant.kind}({place.value})"
    return '#include "arithmetic.cuh"\n' + applied(target.text, [Edit(at, at + len(place.value), new)])


def survives(target: Solution, mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        target.compile(spoiled(target, mutant), Path(folder))
        return target.run(Path(folder), mutant.place.part, ENGINE).verdict == "survives"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labs", default="", help="lab3,lab6")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    count, alive = 0, []
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for target in targets(chosen.labs):
            _ = target.host  # made once, before several threads want it
            of_lab = mutants(target.lab.id.partition("-")[0])
            found = pool.map(lambda mutant, of=target: survives(of, mutant), of_lab)
            survivors = [mutant for mutant, lives in zip(of_lab, found) if lives]
            for mutant in survivors:
                print(f"no case shows {mutant}", flush=True)
            alive += survivors
            count += len(of_lab)
    print(f"{count} mistakes of arithmetic, of which no case shows {len(alive)}")
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
