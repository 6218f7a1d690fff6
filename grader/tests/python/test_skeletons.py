"""Skeletons and solutions are one text."""

import subprocess
from pathlib import Path

import pytest

from staff.sample_class.edits import replace_once
from staff.skeletons.made import all_made, differences, write
from staff.skeletons.skeleton import MarkerError, handed_in, skeleton_of, skeletons
from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

SOLUTION = """\
int before;
  // BEGIN SOLUTION
  //: // TODO: load the tile.
  //:
  load();
  // END SOLUTION
int after;
"""


def test_what_students_receive_and_pages_tell_of_labs_is_as_it_is_made() -> None:
    assert "".join(differences(all_made(HERE), HERE.labs)) == ""


@pytest.mark.parametrize("source", sorted(HERE.labs.glob("lab*/*.cu")), ids=lambda source: source.stem)
def test_what_students_receive_compiles_without_a_warning(source: Path, tmp_path: Path) -> None:
    as_ptx: list[str | Path] = [
        find_toolkit(HERE).nvcc,
        "-ptx",
        "-std=c++20",
        "-arch=compute_90a",
        "-Werror",
        "all-warnings",
    ]
    done = subprocess.run(
        [*as_ptx, "-I", HERE.labs / "common", "-o", tmp_path / "skeleton.ptx", source], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_region_becomes_its_todo_text() -> None:
    assert skeleton_of(SOLUTION) == "int before;\n  // TODO: load the tile.\n\nint after;\n"


def test_what_is_handed_in_has_neither_markers_nor_todo_text() -> None:
    assert handed_in(SOLUTION) == "int before;\n  load();\nint after;\n"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("  // END SOLUTION\n", "", "without '// END SOLUTION'"),
        ("  // BEGIN SOLUTION\n", "", "outside of a region"),
        ("  //: // TODO: load the tile.\n  //:\n", "", "region without a line"),
        ("  load();", "  // BEGIN SOLUTION", "region inside that of line 2"),
    ],
)
def test_markers_that_make_no_sense_are_an_error(old: str, new: str, complaint: str) -> None:
    with pytest.raises(MarkerError, match=complaint):
        skeleton_of(replace_once(SOLUTION, old, new))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    solution = tmp_path / "solutions/lab3/lab3.cu"
    solution.parent.mkdir(parents=True)
    solution.write_text(SOLUTION)
    write(made(tmp_path))
    return tmp_path


def made(root: Path) -> dict[Path, str]:
    return dict(skeletons(root / "solutions", root / "labs"))


def test_a_skeleton_that_was_just_written_does_not_differ(written: Path) -> None:
    assert differences(made(written), written / "labs") == []


def test_a_skeleton_edited_by_hand_differs(written: Path) -> None:
    (written / "labs/lab3/lab3.cu").write_text("int edited;\n")
    assert "-int edited;\n" in differences(made(written), written / "labs")


def test_a_skeleton_without_a_solution_differs(written: Path) -> None:
    (written / "labs/lab3/stray.cu").write_text("int stray;\n")
    assert "-int stray;\n" in differences(made(written), written / "labs")
