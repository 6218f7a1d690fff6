"""The folders of the grader's C++ lie on floors, and includes point down."""

import re
from pathlib import Path

import pytest

GRADER = Path(__file__).parents[2]
HOUSES = ["emulator", "judge"]


def floors(house: str) -> dict[str, int]:
    """The floor of each folder of emulator/ or judge/, the lowest being 0."""
    text = (GRADER / house / "floors.txt").read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {folder: number for number, line in enumerate(lines) for folder in re.split(r"\s{2,}", line)[0].split()}


def upward_arrows(house: str, place: Path) -> list[str]:
    """Each include of a folder that is not on a floor below, as "file includes folder"."""
    include = re.compile(rf'^\s*#\s*include\s+"{house}/([a-z_0-9]+)/', re.MULTILINE)
    levels = floors(house)
    arrows = []
    for file in sorted(file for suffix in ("h", "cpp", "cu", "cuh") for file in place.rglob(f"*.{suffix}")):
        own = file.relative_to(place).parts[0]
        for folder in include.findall(file.read_text()):
            if folder != own and levels[folder] >= levels[own]:
                arrows.append(f"{file.relative_to(place)} includes {folder}")
    return arrows


@pytest.mark.parametrize("house", HOUSES)
def test_every_folder_has_a_floor(house: str) -> None:
    folders = {path.name for path in (GRADER / house).iterdir() if path.is_dir()}
    assert set(floors(house)) == folders


@pytest.mark.parametrize("house", HOUSES)
def test_every_source_is_in_a_folder(house: str) -> None:
    assert [path.name for path in (GRADER / house).iterdir() if path.suffix in (".h", ".cpp", ".cu", ".cuh")] == []


@pytest.mark.parametrize("house", HOUSES)
def test_no_file_includes_a_folder_of_its_own_floor_or_above(house: str) -> None:
    assert upward_arrows(house, GRADER / house) == []


@pytest.mark.parametrize("include", ["isa/address.h", "runtime/state/error.h"])
def test_an_include_that_points_up_is_found(tmp_path: Path, include: str) -> None:
    (tmp_path / "tma").mkdir()
    (tmp_path / "tma" / "engine.h").write_text(f'#include "emulator/{include}"\n')
    assert upward_arrows("emulator", tmp_path) == [f"tma/engine.h includes {include.split('/')[0]}"]
