"""Gradescope: its export of submissions, results.json as it reads it, an autograder that looks up what was graded here,
since Gradescope takes grades from nothing else, and its export of an assignment's grades.

An export has a folder a submission, and submission_metadata.yml, which says whose it is. The file is written by a Ruby
program: its keys begin with a colon, and it may have tags of Ruby's classes. Only `:submitters` (each with `:name`,
`:sid`, `:email`) and `:created_at` are read. results.json: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from staff.collecting.archives import suffix_of
from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.tree import ROOT, Tree, read_archive, read_folder
from staff.collecting.unpacked import Store
from staff.platforms import look_up_autograder
from staff.term.grade_book import Book, Filled
from staff.term.remark_text import plain_of
from staff.term.remarks import Remarks
from staff.term.roster import Person, Roster
from staff.term.sheet import Cell, Sheet
from staff.term.table import Table
from tmagrade.basics.errors import UsageError
from tmagrade.basics.json_form import plain
from tmagrade.basics.untrusted import visible
from tmagrade.basics.zips import zip_of
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.grades import Facts, Student
from tmagrade.outputs.wording import points, said_to_student
from tmagrade.submissions.names import is_junk, printable
from tmagrade.submissions.submission import HandInTime

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_[0-9]+(\..+)?")
MAX_BYTES = 512 << 20
MAX_DEPTH = 50
MOST_REPETITION = 4

SETUP = """#!/bin/sh
# Gradescope runs this once, as root, when it builds the autograder's image.
command -v python3 >/dev/null || { apt-get update && apt-get install -y --no-install-recommends python3; }
"""
EMAIL, SID, SCORE, MOST = "Email", "SID", "Total Score", "Max Points"

# What was graded of a lab that a cell is about, if that is still known.
Graded = Callable[[Cell], tuple[Student, Facts] | None]


def is_gradescope_export(folder: Path) -> bool:
    """Beside students' own names the metadata is what one of them handed in, to say whose the others' work is."""
    return (folder / METADATA).is_file() and not any(
        entry.is_dir() or suffix_of(entry.name) is not None
        for entry in folder.iterdir()
        if not is_junk(entry.name) and SUBMISSION.fullmatch(entry.name) is None
    )


def read_gradescope(folder: Path, store: Store) -> ClassOf:
    found = ClassOf(platform="gradescope")
    metadata = _load(folder / METADATA)
    for name in sorted(entry.name for entry in folder.iterdir()):
        if name not in metadata and not is_junk(name) and name != METADATA:
            found.ignored.append(Ignored(f"{printable(name)}: {METADATA} does not say whose it is"))
    for name, about in sorted(metadata.items()):
        place = folder / name
        shown = printable(name)
        if "/" in name or name in ("", ".", "..") or place.is_symlink() or not place.exists():
            found.ignored.append(Ignored(f"{shown}: {METADATA} speaks of it, but it is not there"))
            continue
        students = list(_students(about))
        if not students:
            found.ignored.append(Ignored(f"{shown}: {METADATA} does not say whose it is"))
        for student in students:
            read = partial(_read, place=place, store=store)
            when = _time(about)
            time = HandInTime(datetime.fromtimestamp(when, UTC), "gradescope") if when else None
            found.hand_ins.append(HandIn(student, f"{printable(student)} {shown}", read, (when,), time))
    return found


def _read(tree: Tree, place: Path, store: Store) -> None:
    if place.is_dir():
        read_folder(tree, place, store)
    elif suffix_of(place.name) is not None:
        read_archive(tree, place, store, ROOT)
    else:
        tree.files[ROOT / place.name] = place


def _load(path: Path) -> dict[str, Any]:
    import yaml  # no other command needs it

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """The safe loader, to which Ruby's classes are the plain values that they hold."""

    def plain(loader: Any, suffix: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", plain)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
        with path.open("rb") as file:
            _demand_small(yaml.parse(file, Loader))
            file.seek(0)
            value = yaml.load(file, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {printable(str(error))}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} is not what Gradescope writes: it should map submissions to their submitters")
    return {str(name): about for name, about in value.items()}


def _demand_small(events: Iterable[Any]) -> None:
    """ValueError where the text says much more than it has bytes: by aliases of what has aliases, or by folders within
    folders. Gradescope's own file has an alias here and there."""
    sizes: dict[str, int] = {}  # of what has an anchor and is complete
    open_: list[tuple[str | None, int]] = []  # anchors, and how much had been said before them
    said = 0
    for count, event in enumerate(events):
        kind = type(event).__name__
        if kind == "AliasEvent":
            if event.anchor not in sizes:
                raise ValueError("an alias stands within what it stands for")
            said += sizes[event.anchor]
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            open_.append((event.anchor, said))
            said += 1
            if len(open_) > MAX_DEPTH:
                raise ValueError(f"it is nested more than {MAX_DEPTH} deep")
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            anchor, before = open_.pop()
            if anchor is not None:
                sizes[anchor] = said - before
        elif kind == "ScalarEvent":
            said += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        if said > MOST_REPETITION * count + 1000:
            raise ValueError("its aliases say much more than it has bytes")


def _students(about: Any) -> Iterator[str]:
    """The e-mail address, as the only name of a student's that no other has; else the number, else the name."""
    submitters = about.get(":submitters") if isinstance(about, dict) else None
    for submitter in submitters if isinstance(submitters, list) else []:
        if isinstance(submitter, dict):
            names = [submitter.get(key) for key in (":email", ":sid", ":name")]
            yield from [str(name) for name in names if name and isinstance(name, (str, int))][:1]


def _time(about: Any) -> float:
    value = about.get(":created_at")
    if isinstance(value, dict):  # one of Ruby's times
        value = value.get("utc") or value.get("time")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return 0.0
    if not isinstance(value, datetime):
        return 0.0
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


def gradescope_json(student: Student, facts: Facts, said: Mapping[str, str] | None = None) -> dict[str, Any]:
    """`said`: by the lab, what the course's staff has to say besides."""
    return {
        "score": plain(student.score),
        "execution_time": round(sum(_seconds(result) for result in student.labs), 2),
        "output": _summary(student),
        "output_format": "text",
        "test_name_format": "text",
        "test_output_format": "text",  # messages quote the student's text, which no page may take for HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",  # the grader's own output is for the course's staff
        "tests": [test for result in student.labs for test in _tests(result, (said or {}).get(result.lab.id, ""))],
        "leaderboard": [entry for result in student.labs for entry in _leaderboard(result)],
        "extra_data": {
            "backend": facts.backend,
            "toolkit": facts.toolkit,
            "grader": facts.grader,
            "labs": {
                result.lab.id: {
                    "score": plain(result.score),
                    "max": plain(result.max),
                    "pending": plain(result.pending),
                    "verdicts": {part.id: part.verdict for part in result.parts},
                    "groups": {
                        part.id: {group.title: group.verdict for group in part.groups}
                        for part in result.parts
                        if part.groups
                    },
                }
                for result in student.labs
            },
        },
    }


def _seconds(result: LabResult) -> float:
    return sum(judged.seconds for judged in result.outcomes.runs.values()) if result.outcomes else 0.0


def _summary(student: Student) -> str:
    text = f"{points(student.score)} of {points(student.max - student.pending)} points"
    text += f"; {points(student.pending)} more are pending: neither lost nor given" if student.pending else ""
    ignored = dict.fromkeys(line for result in student.labs for line in result.ignored)
    return "\n".join([text, *(f"not graded: {visible(line)}" for line in ignored)])


def _tests(result: LabResult, said: str) -> Iterator[dict[str, Any]]:
    yield from (_test(result, part) for part in result.parts)
    if said:
        yield {"name": f"{result.lab.id}: comments", "output": said, "visibility": "visible"}


def _test(result: LabResult, part: PartResult) -> dict[str, Any]:
    """A pending part is a test without points: neither lost nor given."""
    message = visible(said_to_student(part))
    test: dict[str, Any] = {
        "name": f"{result.lab.id}: {part.id}",
        "output": f"{part.verdict}: {message}" if message else part.verdict,
        "visibility": "visible",
    }
    if not part.pending:
        test |= {
            "score": plain(part.score),
            "max_score": plain(part.max),
            "status": "passed" if part.verdict == "pass" else "failed",
        }
    return test


def _leaderboard(result: LabResult) -> list[dict[str, Any]]:
    """Only what counts: no bandwidth of a wrong answer, and none that cannot be."""
    rule, measured = result.lab.bandwidth, result.measured
    counts = any(part.id == "bandwidth" and part.verdict == "pass" for part in result.parts)
    if not counts or rule is None or measured is None or measured.gb_per_s is None or measured.fraction is None:
        return []
    of = "the copy roofline" if rule.unit == "GB/s" else "cublasLt"
    speed = round(rule.in_unit(measured.gb_per_s), 1)
    figures = {rule.unit: speed, f"fraction of {of}": round(measured.fraction, 3)}
    return [{"name": f"{result.lab.id}: {name}", "value": value, "order": "desc"} for name, value in figures.items()]


def look_up_zip(sheet: Sheet, lab: str, cells: Mapping[str, str], graded: Graded, remarks: Remarks) -> Filled:
    """The zip of an autograder that gives each student the lab's cell, with what was said of the parts and each step
    from there to what counts."""
    results: dict[str, Any] = {}
    put: dict[str, str] = {}
    absent: list[str] = []
    for row in sheet.rows:
        email = (row.person.gradescope or row.person.email).casefold()
        if row.person.id not in cells:
            continue
        if not email:
            absent.append(row.person.id)
            continue
        put[row.person.id] = cells[row.person.id]
        results[email] = _result(row.cells[lab], cells[row.person.id], graded, remarks)
    files: dict[str, bytes | str] = {
        "setup.sh": SETUP,
        "run_autograder": Path(look_up_autograder.__file__).read_text(encoding="utf-8"),
        "results.json": json.dumps(results, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    }
    modes = {"setup.sh": 0o755, "run_autograder": 0o755, "results.json": 0o644}
    return Filled(zip_of(files, modes), put, (), (), tuple(absent))


def _result(cell: Cell, published: str, graded: Graded, remarks: Remarks) -> dict[str, Any]:
    """results.json of one lab, with the score that counts."""
    found = graded(cell)
    value: dict[str, Any] = {"tests": [], "output_format": "text"}
    if found is not None:
        student, facts = found
        value = gradescope_json(student, facts, plain_of(student, remarks))
    said = [str(value.get("output", "")), *(step.said for step in cell.counted.steps)]
    return value | {"score": float(published), "output": "\n".join(filter(None, said))}


def gradescope_book(content: bytes, roster: Roster) -> Book:
    """An assignment's "Download grades": it is read and compared, and Gradescope takes none back."""
    table = Table.of(content)
    header = table.header()
    if lacking := [name for name in (EMAIL, SCORE) if name not in header]:
        raise UsageError(f"these are no grades of Gradescope's: there is no {', no '.join(lacking)}")
    people: dict[int, Person] = {}
    unknown: list[str] = []
    for row in range(1, len(table.rows)):
        said = {name: table.value(row, index) for index, name in enumerate(header)}
        if not any(said.values()):
            continue
        found = roster.who("gradescope", said[EMAIL]) or roster.who("gradescope", said.get(SID, ""))
        if len(found) == 1:
            people[row] = found[0]
        else:
            unknown.append(said[EMAIL])
    points = (table.value(row, header.index(MOST)) for row in people) if MOST in header else ()
    return Book("Gradescope", table, header.index(SCORE), people, tuple(unknown), tuple(points))
