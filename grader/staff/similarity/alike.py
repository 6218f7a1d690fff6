"""Pairs of hand-ins of one lab that have more in common than the task explains."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from staff.similarity.fingerprints import Lines, all_runs, fingerprints
from staff.similarity.plain_assignments import with_longer_assignments
from staff.similarity.plain_loops import with_plain_loops
from staff.similarity.plain_statements import without_idle_statements, without_repeated_statements
from staff.similarity.plain_types import without_types
from staff.similarity.tokens import Token, tokens_of
from staff.similarity.words import names_in

# Of the smaller one's runs: from here on a pair is shown. grader/tests/similarity/copies.py says what that finds.
SHOWN_FROM = 0.5
FEWEST_RUNS = 8  # with fewer of its own a text says nothing
# Where each run of a text stands in it.
Runs = Mapping[int, Lines]
# What so large a share of a class has, nobody has from another; a few who copy from each other are no such share.
COMMON_SHARE, FEWEST_COMMON = 0.3, 8


@dataclass(frozen=True)
class HandedIn:
    """One text: all sources of a lab, one behind the other."""

    who: str
    text: str
    is_earlier: bool = False  # an earlier class's: compared with this class, and not with its own


@dataclass(frozen=True)
class Match:
    here: Lines
    there: Lines


@dataclass(frozen=True)
class Pair:
    one: HandedIn
    other: HandedIn
    share: float  # of the smaller one's runs that the other has, too
    matches: tuple[Match, ...]


def alike(class_: Sequence[HandedIn], given: Sequence[str]) -> list[Pair]:
    """The pairs, those with most in common first. `given`: what the course gave everybody, such as the skeleton."""
    own = _own_runs(class_, Given.of(given))
    pairs = [pair for one, other in combinations(class_, 2) if (pair := _compared(one, other, own)) is not None]
    return sorted(
        (pair for pair in pairs if pair.share >= SHOWN_FROM),
        key=lambda pair: (-pair.share, pair.one.who, pair.other.who),
    )


@dataclass(frozen=True)
class Given:
    """What the course gave everybody: names, and runs that are nobody's own."""

    names: frozenset[str]
    runs: frozenset[int]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Given":
        names = frozenset().union(*map(names_in, texts))
        runs = frozenset(run for text in texts for run in all_runs(plain(text, names)))
        return cls(names, runs)


def plain(text: str, names: frozenset[str]) -> list[Token]:
    """Without what somebody may write in many ways, parentheses that change nothing among it."""
    statements = without_idle_statements(without_types(tokens_of(text, names)))
    tokens = with_plain_loops(without_repeated_statements(statements))
    return [token for token in with_longer_assignments(tokens) if token.said not in ("(", ")")]


def runs_of(text: str, given: Given) -> Runs:
    """What a text has beside what was given."""
    found = fingerprints(plain(text, given.names))
    return {run: lines for run, lines in found.items() if run not in given.runs}


def share_of(one: Runs, other: Runs) -> float:
    """Of the smaller one's runs that the other has, too. Nothing where a text is too short to say anything."""
    smaller = min(len(one), len(other))
    return 0 if smaller < FEWEST_RUNS else len(one.keys() & other.keys()) / smaller


def _own_runs(class_: Sequence[HandedIn], given: Given) -> dict[HandedIn, Runs]:
    """Without what many in the class have."""
    runs = {one: runs_of(one.text, given) for one in class_}
    count = Counter(run for one in class_ if not one.is_earlier for run in runs[one])
    size = sum(not one.is_earlier for one in class_)
    most = max(COMMON_SHARE * size, FEWEST_COMMON)
    return {one: {run: lines for run, lines in found.items() if count[run] <= most} for one, found in runs.items()}


def _compared(one: HandedIn, other: HandedIn, own: Mapping[HandedIn, Runs]) -> Pair | None:
    if one.is_earlier and other.is_earlier:
        return None
    share = share_of(own[one], own[other])
    shared = own[one].keys() & own[other].keys()
    matches = sorted((Match(own[one][run], own[other][run]) for run in shared), key=lambda match: match.here)
    return Pair(one, other, share, tuple(_joined(matches)))


def _joined(matches: Sequence[Match]) -> Iterator[Match]:
    """Matches that follow each other in both texts, as one."""
    last: Match | None = None
    for match in matches:
        if last is not None and _follows(last.here, match.here) and _follows(last.there, match.there):
            here, there = _both(last.here, match.here), _both(last.there, match.there)
            last = Match(here, there)
            continue
        if last is not None:
            yield last
        last = match
    if last is not None:
        yield last


def _follows(first: Lines, next_: Lines) -> bool:
    return first[0] <= next_[0] <= first[1] + 1


def _both(one: Lines, other: Lines) -> Lines:
    return min(one[0], other[0]), max(one[1], other[1])
