"""The rooms of each house lie on floors, and what their files name points down."""

import re
from pathlib import Path

import pytest
from floors import EMULATOR, JUDGE, STAFF, TMAGRADE, House, imported

HOUSES = pytest.mark.parametrize("house", [EMULATOR, JUDGE, TMAGRADE, STAFF], ids=lambda house: house.folder.name)
WING = re.compile(r'^\s*#\s*include\s+"emulator/isa/([a-z_]+)/', re.MULTILINE)


@HOUSES
def test_every_room_has_a_floor(house: House) -> None:
    assert set(house.floors()) == house.rooms()


@HOUSES
def test_no_file_names_a_room_of_its_own_floor_or_above(house: House) -> None:
    assert house.upward_arrows() == []


PYTHON_HOUSES = pytest.mark.parametrize("house", [TMAGRADE, STAFF], ids=lambda house: house.folder.name)


@PYTHON_HOUSES
def test_no_modules_import_each_other(house: House) -> None:
    assert house.circle() == []


def staff_arrows(folder: Path) -> list[str]:
    """Each import of staff, which a release lacks, by tmagrade."""
    files = [(file, str(file.relative_to(folder))) for file in sorted(folder.rglob("*.py"))]
    return [name for file, name in files for named in imported(file, folder, "tmagrade") if named.startswith("staff")]


def test_what_grades_knows_nothing_of_what_runs_a_course() -> None:
    assert staff_arrows(TMAGRADE.folder) == []


@pytest.mark.parametrize("text", ["import staff.term\n", "def later() -> None:\n    from staff import term\n"])
def test_an_import_of_what_runs_a_course_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "explain.py").write_text(text)
    assert set(staff_arrows(tmp_path)) == {"explain.py"}


@PYTHON_HOUSES
def test_a_room_hands_nothing_on(house: House) -> None:
    faces = house.folder.glob("*/__init__.py")
    assert [face.parent.name for face in faces if face.read_text().count('"""') != 2 or "import " in _code(face)] == []


def _code(face: Path) -> str:
    return face.read_text().split('"""')[2]


def sideways_arrows(isa: Path) -> list[str]:
    """Each include that leads from a wing of isa into another one, or from isa itself into a wing."""
    arrows = []
    for file in sorted(isa.rglob("*.h")) + sorted(isa.rglob("*.cpp")):
        for wing in WING.findall(file.read_text()):
            if file.parent.name != wing:
                arrows.append(f"{file.relative_to(isa)} includes {wing}")
    return arrows


def test_no_wing_of_isa_includes_another() -> None:
    assert sideways_arrows(EMULATOR.folder / "isa") == []


@pytest.mark.parametrize("file", ["lanes.h", "memory/atomics.cpp"])
def test_an_include_of_a_wing_is_found(tmp_path: Path, file: str) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / file).write_text('#include "emulator/isa/scalar/floating.h"\n')
    assert sideways_arrows(tmp_path) == [f"{file} includes scalar"]


@pytest.mark.parametrize("include", ["isa/address.h", "runtime/state/error.h"])
def test_an_include_that_points_up_is_found(tmp_path: Path, include: str) -> None:
    (tmp_path / "tma").mkdir()
    (tmp_path / "tma" / "engine.h").write_text(f'#include "emulator/{include}"\n')
    assert EMULATOR.upward_arrows(tmp_path) == [f"tma/engine.h includes {include.split('/')[0]}"]


@pytest.mark.parametrize(
    "text",
    [
        "from tmagrade.commands.cli import app\n",
        "from tmagrade import commands\n",
        "import tmagrade.commands.cli\n",
        "from ..commands import cli\n",
        "def later() -> None:\n    from tmagrade.commands import cli\n",
    ],
)
def test_an_import_that_points_up_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "grading").mkdir()
    (tmp_path / "grading" / "flow.py").write_text(text)
    assert "grading/flow.py imports commands" in TMAGRADE.upward_arrows(tmp_path)


def test_modules_that_import_each_other_are_found(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "labs.py").write_text("from tmagrade.course.points import Points\n")
    (tmp_path / "course" / "points.py").write_text("def later() -> None:\n    from tmagrade.course import labs\n")
    assert set(TMAGRADE.circle(tmp_path)) == {"tmagrade.course.labs", "tmagrade.course.points"}
