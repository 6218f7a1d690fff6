"""STUDENT/feedback.md: what a student reads. It shows that student's work alone."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tmagrade.basics.untrusted import visible, visible_line
from tmagrade.judging.scoring import PENDING, LabResult, PartResult
from tmagrade.outputs.arithmetic import bandwidth_points, bandwidth_rule
from tmagrade.outputs.further_reading import chapter, command, lab_name, pages_for
from tmagrade.outputs.grades import Facts, Student
from tmagrade.outputs.wording import MEANING, lost, points, said_to_student, title_of

WHO = {"gpu": "on a Hopper GPU, and on the emulator for what hardware hides", "emulator": "on the emulator"}


@dataclass(frozen=True)
class LabCounts:
    """What a lab counts in the course's term, and the steps from what was graded to that."""

    said: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Counts:
    """What counts of a student's labs, after lateness and what the course's staff has decided."""

    said: str
    labs: Mapping[str, LabCounts]


def feedback_text(
    student: Student,
    facts: Facts,
    said: Mapping[str, Sequence[str]] | None = None,
    counts: Counts | None = None,
) -> str:
    """`said`: by the lab, lines of what the course's staff has to say besides. `counts`: where that is something else
    than what was graded."""
    return "\n".join(_lines(student, facts, said or {}, counts)) + "\n"


def _lines(student: Student, facts: Facts, said: Mapping[str, Sequence[str]], counts: Counts | None) -> Iterator[str]:
    yield f"# Feedback for {escaped(student.id)}"
    yield ""
    graded = _of(student.score, student.max, student.pending)
    if counts is None:
        yield f"Graded {_who(student, facts)}: **{graded}**."
    else:
        yield f"Counts, after lateness and decisions: **{counts.said}**. Graded {_who(student, facts)}: {graded}."
    if student.pending:
        yield "Pending points are neither lost nor given."
    yield ""
    if len(student.labs) > 1:
        yield "| lab | points |" if counts is None else "| lab | graded | counts |"
        yield "|---|---|" if counts is None else "|---|---|---|"
        for result in student.labs:
            cells = [lab_name(result.lab), _of(result.score, result.max, result.pending)]
            of_lab = counts.labs.get(result.lab.id) if counts is not None else None
            cells += [] if counts is None else [of_lab.said if of_lab is not None else "not in the term"]
            yield f"| {' | '.join(cells)} |"
        yield ""
    for result in student.labs:
        yield from lab_lines(result)
        if counts is not None and result.lab.id in counts.labs:
            yield from _counting_lines(counts.labs[result.lab.id])
        yield from said.get(result.lab.id, ())
    yield from _ignored_lines(student)


def _who(student: Student, facts: Facts) -> str:
    backends = {student.graded.get(result.lab.id, facts).backend for result in student.labs} or {facts.backend}
    return WHO[facts.backend] if len(backends) == 1 else f"some labs {WHO['gpu']}, others {WHO['emulator']} alone"


def _counting_lines(counts: LabCounts) -> Iterator[str]:
    yield f"### Counts: {counts.said}"
    yield ""
    if counts.steps:
        yield from (f"- {escaped(step)}" for step in counts.steps)
        yield ""


def lab_lines(result: LabResult) -> Iterator[str]:
    """What feedback says of one lab."""
    lab = result.lab
    yield f"## {lab_name(lab)}"
    yield ""
    yield f"{_of(result.score, result.max, result.pending)}. The chapter is `{chapter(lab)}`."
    yield ""
    yield "| part | asks for | result | points |"
    yield "|---|---|---|---|"
    for part in result.parts:
        yield f"| `{part.id}` | {title_of(lab, part)} | {part.verdict} | {_of(part.score, part.max, part.pending)} |"
    yield ""
    for parts in mistakes(result):
        yield from _mistake_lines(result, parts)


def mistakes(result: LabResult) -> list[list[PartResult]]:
    """The parts that lack points: each mistake's together, since one that the compiler refuses can cost several parts,
    and is told once."""
    wrong = [part for part in result.parts if part.verdict != PENDING and (lost(part) or part.pending)]
    return [list(same) for _, same in itertools.groupby(wrong, key=lambda part: (part.verdict, part.reasons))]


def missing_text(parts: list[PartResult]) -> str:
    """What a mistake costs."""
    missing = sum(part.max - part.score - part.pending for part in parts)
    return f"{points(missing)} points missing" if missing else "pending"


def _mistake_lines(result: LabResult, parts: list[PartResult]) -> Iterator[str]:
    first = parts[0]
    yield f"### {', '.join(f'`{part.id}`' for part in parts)}: {missing_text(parts)}"
    yield ""
    if first.verdict == "pass":
        yield from _slow_lines(result, first)
        return
    yield f"{first.verdict.capitalize()}: {MEANING[first.verdict]}."
    yield ""
    if message := said_to_student(first):
        yield fenced(message)
        yield ""
    if first.pending:
        return
    pages = dict.fromkeys([*pages_for(first), chapter(result.lab)])
    yield f"- Try it: `{command(result.lab, first)}`"
    yield f"- Read: {'; '.join(f'`{page}`' for page in pages)}"
    yield ""


def _slow_lines(result: LabResult, part: PartResult) -> Iterator[str]:
    """Bandwidth that was measured and is not enough for all points."""
    rule, measured = result.lab.bandwidth, result.measured
    yield f"{part.message}."
    yield ""
    if rule is not None and measured is not None and measured.fraction is not None:
        yield f"- Points by the fraction of {rule.reference}: {bandwidth_rule(rule)}"
        yield f"- {measured.fraction:.4f} is {bandwidth_points(rule, measured.fraction)}"
    yield f"- Try it: `{command(result.lab, part)}`"
    yield f"- Read: `{chapter(result.lab)}`"
    yield ""


def _ignored_lines(student: Student) -> Iterator[str]:
    ignored = dict.fromkeys(line for result in student.labs for line in result.ignored)
    if not ignored:
        return
    yield "## Not graded"
    yield ""
    yield "This was in what you handed in, and does not count:"
    yield ""
    yield from (f"- {escaped(line)}" for line in ignored)
    yield ""


def _of(score: float, most: float, pending: float) -> str:
    if pending and pending == most:
        return f"{points(pending)} pending"
    text = f"{points(score)} of {points(most - pending)}"
    return text + (f", {points(pending)} pending" if pending else "")


def fenced(text: str) -> str:
    """A block of code that nothing in the text can end."""
    shown = visible(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def escaped(text: str) -> str:
    """The text within a line, with nothing in it that Markdown or HTML would take for more than letters."""
    return re.sub(r"([\\`*_{}\[\]<>&|~^$#])", r"\\\1", visible_line(text))
