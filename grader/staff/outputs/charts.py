"""The numbers behind the report's pictures: positions in percent, so that a picture is as wide as its page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tmagrade.course.labs import Bandwidth, Lab
from tmagrade.judging.scoring import LabResult
from tmagrade.outputs.grades import Grades
from tmagrade.outputs.wording import lost, points, short_name

_BINS = 10
_DOT_WIDTH = 2.6  # percent; on a phone
_DOT_ROWS = tuple(9 * row for row in (0, 1, -1, 2, -2, 3, -3, 4, -4))  # pixels
_LABEL_WIDTH = 6  # percent; on a phone
_MOST_PLACES = 4


@dataclass(frozen=True)
class Bar:
    x: float  # percent
    width: float  # percent
    share: float  # of the highest bar
    count: int
    label: str


@dataclass(frozen=True)
class Histogram:
    lab: Lab
    bars: tuple[Bar, ...]
    count: int
    median: str


@dataclass(frozen=True)
class Dot:
    x: float  # percent
    y: int  # pixels from the middle
    label: str


@dataclass(frozen=True)
class Mark:
    x: float  # percent
    text: str
    raised: bool = False  # above the one before, which is too near


@dataclass(frozen=True)
class Strip:
    """One lab's bandwidths on the axis of the roofline."""

    lab: Lab
    part: str
    dots: tuple[Dot, ...]
    thresholds: tuple[Mark, ...]
    axis: tuple[Mark, ...]
    roofline_x: float
    roofline: str
    reference: str  # what that is
    median: str
    best: str


@dataclass(frozen=True)
class Mistake:
    """One code of the emulator's findings, and who met it."""

    code: str
    students: int
    share: float  # of the most common one's
    places: str  # the most frequent ones


def reached(result: LabResult) -> float | None:
    """The share of what could be reached; none where everything is pending."""
    reachable = result.max - result.pending
    return result.score / reachable if reachable else None


def histograms(grades: Grades) -> list[Histogram]:
    return [_histogram(lab, results) for lab in grades.labs if (results := results_of(grades, lab))]


def results_of(grades: Grades, lab: Lab) -> list[LabResult]:
    return [result for student in grades.students for result in student.labs if result.lab.id == lab.id]


def _histogram(lab: Lab, results: Sequence[LabResult]) -> Histogram:
    shares = [share for result in results if (share := reached(result)) is not None]
    # Full marks are a bar of their own.
    counts = Counter(min(int(share * _BINS), _BINS) for share in shares)
    highest = max(counts.values(), default=1)
    slot = 100 / (_BINS + 1)
    bars = tuple(
        Bar(
            x=bin * slot + slot * 0.08,
            width=slot * 0.84,
            share=counts[bin] / highest,
            count=counts[bin],
            label="full marks" if bin == _BINS else f"{bin * 100 // _BINS} % to below {(bin + 1) * 100 // _BINS} %",
        )
        for bin in range(_BINS + 1)
    )
    middle = f"median {100 * median(shares):.0f} %" if shares else "all pending"
    return Histogram(lab, bars, len(results), middle)


def strips(grades: Grades) -> list[Strip]:
    return [strip for lab in grades.labs if (strip := _strip(grades, lab)) is not None]


def _strip(grades: Grades, lab: Lab) -> Strip | None:
    measured = [
        (student.id, result.measured.fraction, result.measured.gb_per_s, result.measured.roofline_gb_per_s or 0.0)
        for student in grades.students
        for result in student.labs
        if result.lab.id == lab.id
        and result.measured is not None
        and result.measured.verdict == "pass"
        and result.measured.fraction is not None
        and result.measured.gb_per_s is not None
    ]
    if lab.bandwidth is None or not measured:
        return None
    rule = lab.bandwidth
    fractions = sorted(fraction for _, fraction, _, _ in measured)
    end = max(1.05, fractions[-1] * 1.02)
    named = sorted((fraction, f"{name}: {rule.figure(speed)}, {fraction:.3f}") for name, fraction, speed, _ in measured)
    return Strip(
        lab=lab,
        part=rule.part,
        dots=_swarm([(100 * fraction / end, label) for fraction, label in named]),
        thresholds=_thresholds(rule, end),
        axis=tuple(Mark(value / end, f"{value / 100:g}") for value in (0, 25, 50, 75)),
        roofline_x=100 / end,
        roofline=rule.figure(median(roofline for *_, roofline in measured)),
        reference="roofline" if rule.unit == "GB/s" else "cublasLt",
        median=f"{median(fractions):.3f}",
        best=rule.figure(max(speed for _, _, speed, _ in measured)),
    )


def _thresholds(rule: Bandwidth, end: float) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for threshold in rule.thresholds:
        x = 100 * threshold.fraction / end
        near = bool(marks) and x - marks[-1].x < _LABEL_WIDTH
        marks.append(Mark(x, points(threshold.points), raised=near and not marks[-1].raised))
    return tuple(marks)


def _swarm(marks: Sequence[tuple[float, str]]) -> tuple[Dot, ...]:
    """Dots beside each other where there is room, else above and below; in a crowd, where they overlap least."""
    end_of_row = dict.fromkeys(_DOT_ROWS, -_DOT_WIDTH)
    dots: list[Dot] = []
    for x, label in marks:
        free = (row for row in _DOT_ROWS if x - end_of_row[row] >= _DOT_WIDTH)
        row = next(free, min(_DOT_ROWS, key=end_of_row.__getitem__))
        end_of_row[row] = x
        dots.append(Dot(x, row, label))
    return tuple(dots)


def mistakes(grades: Grades) -> list[Mistake]:
    """The findings in the order of how many students met them."""
    students: dict[str, set[str]] = {}
    places: dict[str, Counter[str]] = {}
    for student in grades.students:
        for result in student.labs:
            for part in result.parts:
                for code in dict.fromkeys(finding.code for finding in part.findings) if lost(part) else ():
                    students.setdefault(code, set()).add(student.id)
                    places.setdefault(code, Counter())[f"{short_name(result.lab)} {part.id}"] += 1
    most = max((len(who) for who in students.values()), default=1)
    return [
        Mistake(code, len(who), len(who) / most, _most_common(places[code]))
        for code, who in sorted(students.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _most_common(places: Counter[str]) -> str:
    named = ", ".join(f"{place} ({count})" for place, count in places.most_common(_MOST_PLACES))
    more = len(places) - _MOST_PLACES
    return f"{named}, and {more} more" if more > 0 else named
