"""lab.toml: what it says, and what it must not say."""

from pathlib import Path

import pytest
from conftest import LAB_TOML, Course, write_lab

from staff.sample_class.edits import replace_once
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, labs_with, load_lab, load_labs, select_labs


def test_a_lab_is_what_its_file_says(lab3: Lab) -> None:
    assert (lab3.id, lab3.source, lab3.points.total) == ("lab3-bulk-copy", "lab3.cu", 100)
    assert [(part.id, part.points) for part in lab3.parts] == [("one-tile", 20), ("pipeline", 40)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Bulk copies"', "", "title is missing"),
        ('title = "Bulk copies"', "title = 3", "title: Input should be a valid string, not 3"),
        ("hygiene = 15", "hygiene = true", "points.hygiene: Input should be a valid number, not True"),
        ("hygiene = 15", "hygiene = -15", "points.hygiene: Input should be greater than or equal to 0, not -15"),
        ("hygiene = 15", "hygiene = 15\nstyle = 5", "points.style: there is no such setting"),
        ("points = 40", "points = 39", "the parts have 59 points together, correctness has 60"),
        ('id = "pipeline"', 'id = "one-tile"', "the same id"),
        ('part = "pipeline"', 'part = "pipelines"', "is no part of this lab"),
        ("fraction = 0.9,", "fraction = 0.4,", "must rise"),
        ("points = 25 }", "points = 24 }", "the last threshold must give all 25"),
        ("bandwidth = 25", "bandwidth = 0", "belong together"),
        ("points = 40", 'points = 40\narchitecture = "100a"', "no Hopper GPU can measure"),
        ("[points]", "[points", "lab.toml"),
    ],
)
def test_a_mistake_in_a_lab_is_named(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    path = write_lab(tmp_path, LAB_TOML)
    path.write_text(replace_once(LAB_TOML, old, new))
    with pytest.raises(GraderFault, match=complaint):
        load_lab(path)


def with_points(one_tile: int, pipeline: int) -> str:
    text = replace_once(LAB_TOML, "points = 40", f"points = {pipeline}")
    text = replace_once(text, "correctness = 60", f"correctness = {one_tile + pipeline}")
    return replace_once(text, "points = 20\n", f"points = {one_tile}\n")


def test_a_part_with_0_points_is_one_that_the_course_does_not_ask_for(tmp_path: Path) -> None:
    lab = load_lab(write_lab(tmp_path, with_points(0, 60)))
    assert [part.id for part in lab.parts] == ["pipeline"]


@pytest.mark.parametrize(
    ("points", "complaint"), [((0, 0), "nothing is asked for"), ((60, 0), "'pipeline' has 0 points")]
)
def test_something_is_asked_for_and_the_bandwidth_part_is(
    tmp_path: Path, points: tuple[int, int], complaint: str
) -> None:
    with pytest.raises(GraderFault, match=complaint):
        load_lab(write_lab(tmp_path, with_points(*points)))


def test_a_labs_id_is_its_folders_name(tmp_path: Path) -> None:
    path = tmp_path / "lab9" / "lab.toml"
    path.parent.mkdir()
    path.write_text(LAB_TOML)
    with pytest.raises(GraderFault, match="its folder is lab9"):
        load_lab(path)


@pytest.mark.parametrize(
    ("fraction", "points"), [(0.0, 0), (0.49, 0), (0.5, 0), (0.7, 10), (0.9, 20), (0.95, 22.5), (1.0, 25), (1.2, 25)]
)
def test_bandwidth_points_are_linear_between_thresholds(lab3: Lab, fraction: float, points: float) -> None:
    assert lab3.bandwidth is not None
    assert lab3.bandwidth.points_at(fraction) == pytest.approx(points)


def test_a_speed_is_in_bytes_or_in_operations(tmp_path: Path) -> None:
    path = tmp_path / "lab3-bulk-copy" / "lab.toml"
    path.parent.mkdir()
    path.write_text(LAB_TOML.replace("[bandwidth]", '[bandwidth]\nunit = "parsecs"'))
    with pytest.raises(GraderFault, match="unit: Input should be 'GB/s' or 'TFLOP/s', not 'parsecs'"):
        load_lab(path)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (None, ["lab3-bulk-copy", "lab4-single-tile"]),
        ("lab4", ["lab4-single-tile"]),
        ("lab4,lab3-bulk-copy", ["lab3-bulk-copy", "lab4-single-tile"]),
    ],
)
def test_labs_are_chosen_by_the_beginnings_of_their_names(course: Course, names: str | None, chosen: list[str]) -> None:
    assert [lab.id for lab in select_labs(course.labs, names)] == chosen


@pytest.mark.parametrize("names", ["lab", "lab33", "lab3,lab99", "bulk"])
def test_a_lab_that_does_not_exist_is_an_error_that_lists_those_that_do(course: Course, names: str) -> None:
    with pytest.raises(UsageError, match="there are lab3-bulk-copy, lab4-single-tile"):
        select_labs(course.labs, names)


def test_a_lab_that_is_named_in_full_is_read_alone(course: Course) -> None:
    lab3, lab4 = course.labs
    assert labs_with(course.repository.labs, lab3.id) == [lab3]
    assert labs_with(course.repository.labs, "lab3") == [lab3, lab4]


def test_every_lab_of_this_course_is_well_formed_and_has_100_points() -> None:
    assert {lab.points.total for lab in load_labs(HERE.labs)} == {100}
