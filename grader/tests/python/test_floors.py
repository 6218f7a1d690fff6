"""Each house names only the houses that it may, and inside a house what files name points down (grader/floors.txt)."""

import re
from pathlib import Path

import pytest
from floors import HOUSES, Street, houses

from tmagrade.basics.paths import HERE

STREET = Street()
TMAGRADE = "grader/tmagrade"
PYTHON_HOUSES = pytest.mark.parametrize("house", [TMAGRADE, "grader/staff"])
EACH = pytest.mark.parametrize("house", HOUSES)
OUTSIDE = ("grader/tests", "build")  # the tests look into all of them
WING = re.compile(r'^\s*#\s*include\s+"emulator/isa/([a-z_]+)/', re.MULTILINE)


def test_every_file_is_in_a_house() -> None:
    folders = [folder for folder in (*HERE.grader.iterdir(), *HERE.root.iterdir()) if folder.is_dir()]
    names = [str(folder.relative_to(HERE.root)) for folder in folders if folder != HERE.grader]
    outside = [name for name in names if not name.startswith((".", *OUTSIDE)) and name not in HOUSES]
    assert [file for name in outside for file in STREET.files(name) if STREET.house_of(file) is None] == []


@EACH
def test_every_room_has_a_floor(house: str) -> None:
    rooms = {STREET.room_of(file) for file in STREET.files(house)} - {None}
    assert set(HOUSES[house].floors) == rooms


@EACH
def test_a_house_stands_on_houses_below_it(house: str) -> None:
    below = list(HOUSES)[: list(HOUSES).index(house)]
    assert set(HOUSES[house].may_name) <= set(below)


@EACH
def test_no_file_names_what_it_may_not(house: str) -> None:
    assert STREET.wrong_arrows(house) == []


def built(root: Path, file: str, text: str, *others: str) -> Street:
    """A street of a file with this text, and of empty ones."""
    for name in (file, *others):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text if name == file else "")
    return Street(root)


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("grader/common/text.h", "grader/contract/findings/codes.h"),
        ("grader/contract/protocol/protocol.h", "grader/emulator/model/ids.h"),
        ("grader/contract/findings/codes.h", "grader/contract/rendering/json_line.h"),
        ("grader/emulator/tma/engine.cpp", "grader/emulator/isa/address.h"),
        ("grader/emulator/tma/engine.cpp", "grader/emulator/runtime/state/error.h"),
        ("grader/emulator/tma/engine.cpp", "grader/judge/cases/parts.h"),
        ("grader/emulator/tma/engine.cpp", "grader/runner/worker.h"),
        ("grader/emulator/tma/engine.cpp", "grader/checks/lab6-memcpy/cases.h"),
        ("grader/emulator/tma/engine.cpp", "labs/common/tma-interface.cuh"),
        ("grader/emulator/model/kinds.def", "grader/judge/cases/parts.h"),
        ("grader/runner/worker.cpp", "grader/emulator/model/ids.h"),
        ("grader/runner/worker.cpp", "grader/judge/cases/parts.h"),
        ("grader/judge/time/median.h", "grader/emulator/model/ids.h"),
        ("grader/judge/time/median.h", "grader/runner/worker.h"),
        ("grader/judge/time/snapshot.cu", "labs/common/tma-interface.cuh"),
        ("grader/checks/lab6-memcpy/checks.cpp", "grader/emulator/model/ids.h"),
        ("labs/common/tma-interface.cuh", "grader/common/text.h"),
        ("labs/lab6-memcpy/lab6.cu", "grader/runner/worker.h"),
        ("solutions/lab6-memcpy/lab6.cu", "grader/judge/cases/parts.h"),
        ("solutions/bench/race.cpp", "grader/emulator/model/ids.h"),
        ("handout/guide/try.cu", "solutions/bench/race.h"),
    ],
)
def test_an_include_that_a_house_may_not_have_is_found(tmp_path: Path, file: str, named: str) -> None:
    for folder in ("grader", "labs/common", "solutions"):
        if named.startswith(f"{folder}/"):
            street = built(tmp_path, file, f'#include "{named.removeprefix(f"{folder}/")}"\n', named)
    house = street.house_of(tmp_path / file)
    assert house is not None
    assert street.wrong_arrows(house.name) == [f"{file} names {named}"]


def test_an_include_by_way_of_the_folder_above_is_found(tmp_path: Path) -> None:
    street = built(
        tmp_path, "grader/runner/worker.cpp", '#include "../judge/time/median.h"\n', "grader/judge/time/median.h"
    )
    assert street.wrong_arrows("grader/runner") == ["grader/runner/worker.cpp names grader/judge/time/median.h"]


@pytest.mark.parametrize(
    "text",
    [
        "from tmagrade.commands.cli import app\n",
        "from tmagrade.commands import cli\n",
        "import tmagrade.commands.cli\n",
        "from ..commands import cli\n",
        "def later() -> None:\n    from tmagrade.commands import cli\n",
    ],
)
def test_an_import_that_points_up_is_found(tmp_path: Path, text: str) -> None:
    file, named = "grader/tmagrade/grading/flow.py", "grader/tmagrade/commands/cli.py"
    assert built(tmp_path, file, text, named).wrong_arrows(TMAGRADE) == [f"{file} names {named}"]


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("grader/setup/lock.py", "tmagrade"),
        ("grader/emulator/launcher/embed_pages.py", "tmagrade"),
        ("handout/pictures/draw.py", "tmagrade"),
        ("grader/tmagrade/commands/explain.py", "staff"),
    ],
)
def test_an_import_that_a_house_may_not_have_is_found(tmp_path: Path, file: str, package: str) -> None:
    named = f"grader/{package}/commands/cli.py"
    street = built(tmp_path, file, f"from {package}.commands import cli\n", named)
    house = street.house_of(tmp_path / file)
    assert house is not None
    assert street.wrong_arrows(house.name) == [f"{file} names {named}"]


def test_the_roof_is_named_by_nobody(tmp_path: Path) -> None:
    file, roof = "grader/tmagrade/commands/cli.py", "grader/tmagrade/__main__.py"
    street = built(tmp_path, file, "from tmagrade import __main__\n", roof)
    assert street.wrong_arrows(TMAGRADE) == [f"{file} names {roof}"]


@PYTHON_HOUSES
def test_no_modules_import_each_other(house: str) -> None:
    assert STREET.circle(house) == []


def test_modules_that_import_each_other_are_found(tmp_path: Path) -> None:
    labs, points = "grader/tmagrade/course/labs.py", "grader/tmagrade/course/points.py"
    street = built(tmp_path, labs, "from tmagrade.course.points import Points\n", points)
    (tmp_path / points).write_text("def later() -> None:\n    from tmagrade.course import labs\n")
    assert set(street.circle(TMAGRADE)) == {labs, points}


@PYTHON_HOUSES
def test_a_room_hands_nothing_on(house: str) -> None:
    faces = (HERE.root / house).glob("*/__init__.py")
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
    assert sideways_arrows(HERE.grader / "emulator/isa") == []


@pytest.mark.parametrize("file", ["lanes.h", "memory/atomics.cpp"])
def test_an_include_of_a_wing_is_found(tmp_path: Path, file: str) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / file).write_text('#include "emulator/isa/scalar/floating.h"\n')
    assert sideways_arrows(tmp_path) == [f"{file} includes scalar"]


def test_rooms_of_one_line_share_a_floor() -> None:
    house = houses("[judge: common]  decides\narrays process   numbers\n\n# said\ncases   a test\n")["judge"]
    assert (house.may_name, house.floors) == (("common",), {"arrays": 0, "process": 0, "cases": 1})


def test_only_one_room_names_a_processors_own_vectors() -> None:
    """What is written in vectors elsewhere is for any processor: GCC's and clang's extensions."""
    own = re.compile(r"<(?:\w*intrin|arm_neon|arm_sve|wasm_simd128)\.h>|\b_mm\d*_\w+|__builtin_ia32_(?!pause)")
    naming = {file for house in HOUSES for file in STREET.files(house) if own.search(file.read_text())}
    assert {file.parent for file in naming} == {HERE.grader / "emulator/numeric"}
