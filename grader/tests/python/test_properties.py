"""What holds for every class, on every machine: tested with classes, layouts, faults, limits and kills that Hypothesis
draws.

`make test-properties` draws more of them. Each prints, when it fails, the smallest example that it has found, and a
line `@reproduce_failure(...)`, which repeats it when it stands above the test.
"""

import math
import os
import re
import resource
import signal
from typing import Any

from conftest import Course
from graded_apart import Graded, Marks, grade_apart, temporary_course
from hypothesis import event, given, settings
from hypothesis import strategies as st
from pretended_machine import FILE_FAULTS, KILL, PROGRAM_FAULTS, Fault
from random_classes import SOURCES, Class, HandIn, classes

from tmagrade.basics.paths import HERE
from tmagrade.building.compiler import COMPILER_TIMEOUT_SECONDS
from tmagrade.commands.command_line import FAULT_STATUS, LEFT_OUT_STATUS, USAGE_STATUS
from tmagrade.course.labs import load_labs
from tmagrade.judging.judge import JUDGE_TIMEOUT_SECONDS
from tmagrade.judging.scoring import GRADER_FAULT
from tmagrade.machine.limits import LIMITS, Limit

# With less, no process gets far enough to look at its limits: Python itself cannot go on.
LEAST_TO_START = {resource.RLIMIT_AS: 4 << 30, resource.RLIMIT_DATA: 4 << 30, resource.RLIMIT_NOFILE: 64}
LEAST_TO_START |= {resource.RLIMIT_CPU: 60, resource.RLIMIT_FSIZE: 1 << 20}

# How many classes are drawn, for all properties together.
CLASSES = int(os.environ.get("PROPERTIES_CLASSES", "18"))
PROPERTIES = 6

random_classes = classes(load_labs(HERE.labs))
for_many_classes = settings(max_examples=math.ceil(CLASSES / PROPERTIES), deadline=None, print_blob=True, database=None)

# One stretch of time in which programs fail, and one in which files do. A machine that fails, works and fails again,
# each time just then, cannot be told from a submission that does.
program_faults = st.builds(Fault, st.sampled_from(PROGRAM_FAULTS), st.integers(1, 40), st.sampled_from([1, 2, 3, 1000]))
file_faults = st.builds(Fault, st.sampled_from(FILE_FAULTS), st.integers(1, 1500), st.sampled_from([1, 2, 10, 10**6]))
troubles = st.one_of(st.tuples(program_faults), st.tuples(file_faults), st.tuples(program_faults, file_faults))
kills = st.builds(Fault, st.just(KILL), st.integers(1, 1500))

# What the grader says that it takes (handout/inside/sandbox.md).
MOST_BYTES_MORE = 128 << 20  # of memory, than for a class of one who has done nothing wrong
MOST_BYTES_UNPACKED = 64 << 20  # of a hand-in
MOST_BYTES_KEPT = 1 << 20  # of what became of one
MOST_PROGRAMS = 20  # for one student's lab

honest = Class("plain", (HandIn("ada", {"lab3-bulk-copy": ""}, "folders"),))


def grade(course: Course, a_class: Class, state: str, **trouble: Any) -> Graded:
    """Grades the class, written to a folder of its own the first time, and looks at how that ended."""
    folder = course.repository.root / f"class of {state}"
    if not folder.exists():
        a_class.write(folder)
    graded = grade_apart(course, folder, state, "--layout", a_class.layout, **trouble)
    event(f"status {graded.status}")
    demand_that_the_status_says_what_happened(graded)
    return graded


def demand_that_the_status_says_what_happened(graded: Graded) -> None:
    said = graded.said
    assert "Traceback" not in said and "nobody foresaw this" not in said, said
    faults = [verdicts for _, _, verdicts in (graded.marks or {}).values() if GRADER_FAULT in verdicts]
    if graded.status in (0, LEFT_OUT_STATUS):
        now = "\n".join(
            line for line in said.splitlines() if " before; " not in line
        )  # what came before may have been one
        assert graded.marks and not faults and "grader fault" not in now, said
    elif graded.status == USAGE_STATUS:
        assert re.search(r"^tmagrade: .*(holds no submission|cannot be read)", said, re.MULTILINE), said
    elif graded.status == FAULT_STATUS:
        assert re.search(r"^tmagrade: (grader fault: .|cannot write .)", said, re.MULTILINE), said
    else:
        assert graded.status == -signal.SIGKILL, said


def by_student(a_class: Class, graded: Graded) -> Marks:
    """The marks by the names that students have in the class's own layout."""
    names = {safe: name for name, safe in a_class.safe_names().items()}
    return {(names[student], lab): mark for (student, lab), mark in (graded.marks or {}).items()}


@for_many_classes
@given(a_class=random_classes, data=st.data())
def test_a_score_does_not_depend_on_who_else_is_in_the_class(a_class: Class, data: st.DataObject) -> None:
    order = data.draw(st.permutations(a_class.hand_ins))
    some = a_class.of(tuple(order[: data.draw(st.integers(1, len(order)))]))
    with temporary_course() as course:
        among_all = by_student(a_class, grade(course, a_class, "all"))
        among_some = by_student(some, grade(course, some, "some"))
    names = {hand_in.name for hand_in in some.hand_ins}
    assert {key: mark for key, mark in among_all.items() if key[0] in names} == among_some


@for_many_classes
@given(a_class=random_classes, faults=troubles)
def test_a_fault_of_the_machine_lowers_no_score(a_class: Class, faults: tuple[Fault, ...]) -> None:
    with temporary_course() as course:
        quiet = grade(course, a_class, "quiet").marks or {}
        troubled = grade(course, a_class, "troubled", faults=faults)
        demand_no_less(quiet, troubled.marks or {})
        again = grade(course, a_class, "troubled")
    assert (again.marks or {}) == quiet, "the machine's fault was remembered"


def demand_no_less(quiet: Marks, troubled: Marks) -> None:
    for key, mark in troubled.items():
        # What cannot be read counts for all labs: one of them may not be there at all.
        is_pending = set(mark[2]) == {GRADER_FAULT}
        assert is_pending or mark == quiet.get(key), f"{key}: {mark}, on a quiet machine {quiet.get(key)}"


@for_many_classes
@given(a_class=random_classes, moments=st.lists(kills, min_size=1, max_size=2))
def test_a_grader_killed_at_any_file_goes_on_to_the_same_grades(a_class: Class, moments: list[Fault]) -> None:
    with temporary_course() as course:
        quiet = grade(course, a_class, "quiet").marks
        for moment in moments:
            killed = grade(course, a_class, "killed", faults=[moment])
            assert killed.marks in (None, quiet)
        assert grade(course, a_class, "killed").marks == quiet


@for_many_classes
@given(a_class=random_classes, limit=st.sampled_from(LIMITS), share=st.floats(0, 2))
def test_under_a_limit_of_the_machines_all_are_graded_or_nobody(a_class: Class, limit: Limit, share: float) -> None:
    with temporary_course() as course:
        quiet = grade(course, a_class, "quiet").marks
        value = max(int(limit.least * share), LEAST_TO_START.get(limit.resource, 0))
        limited = grade(course, a_class, "limited", limits={limit.resource: value})
    if value < limit.least:
        assert limited.status == FAULT_STATUS and limited.marks is None
        assert f"ulimit {limit.option}" in limited.said
    else:
        assert limited.marks == quiet


@for_many_classes
@given(a_class=random_classes)
def test_no_hand_in_takes_more_of_the_machine_than_is_said(a_class: Class) -> None:
    with temporary_course() as course:
        little = grade(course, honest, "little")
        graded = grade(course, a_class, "all")
    students = len(a_class.hand_ins)
    assert graded.peak_bytes <= little.peak_bytes + MOST_BYTES_MORE
    assert graded.disk_bytes <= little.disk_bytes + students * (MOST_BYTES_UNPACKED + MOST_BYTES_KEPT)
    assert graded.programs <= little.programs + students * len(SOURCES) * MOST_PROGRAMS
    assert graded.longest_wait <= max(COMPILER_TIMEOUT_SECONDS, JUDGE_TIMEOUT_SECONDS)


@for_many_classes
@given(
    a_class=random_classes, file=st.floats(0, 1, exclude_max=True), damage=st.binary(max_size=40), at=st.floats(0, 1)
)
def test_what_a_disk_has_damaged_is_made_anew(a_class: Class, file: float, damage: bytes, at: float) -> None:
    with temporary_course() as course:
        quiet = grade(course, a_class, "kept").marks
        state = course.repository.root / "kept"
        files = sorted(path for path in state.rglob("*.json") if "grades" not in path.parts)
        damaged = files[int(file * len(files))]
        data = damaged.read_bytes()
        place = int(at * len(data))
        damaged.write_bytes(data[:place] + damage + data[place + 2 * len(damage) :])
        again = grade(course, a_class, "kept")
    assert again.marks == quiet
