"""The emulator's folders lie on floors, and includes point down."""

import re
from pathlib import Path

import pytest

EMULATOR = Path(__file__).parents[2] / "emulator"
INCLUDE = re.compile(r'^\s*#\s*include\s+"emulator/([a-z_0-9]+)/', re.MULTILINE)
WING = re.compile(r'^\s*#\s*include\s+"emulator/isa/([a-z_]+)/', re.MULTILINE)


def floors() -> dict[str, int]:
    """The floor of each folder, the lowest being 0."""
    text = (EMULATOR / "floors.txt").read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {folder: number for number, line in enumerate(lines) for folder in re.split(r"\s{2,}", line)[0].split()}


def upward_arrows(emulator: Path) -> list[str]:
    """Each include of a folder that is not on a floor below, as "file includes folder"."""
    levels = floors()
    arrows = []
    for file in sorted(emulator.rglob("*.h")) + sorted(emulator.rglob("*.cpp")):
        own = file.relative_to(emulator).parts[0]
        for folder in INCLUDE.findall(file.read_text()):
            if folder != own and levels[folder] >= levels[own]:
                arrows.append(f"{file.relative_to(emulator)} includes {folder}")
    return arrows


def test_every_folder_has_a_floor() -> None:
    folders = {path.name for path in EMULATOR.iterdir() if path.is_dir()}
    assert set(floors()) == folders


def test_no_file_includes_a_folder_of_its_own_floor_or_above() -> None:
    assert upward_arrows(EMULATOR) == []


def sideways_arrows(isa: Path) -> list[str]:
    """Each include that leads from a wing of isa into another one, or from isa itself into a wing."""
    arrows = []
    for file in sorted(isa.rglob("*.h")) + sorted(isa.rglob("*.cpp")):
        for wing in WING.findall(file.read_text()):
            if file.parent.name != wing:
                arrows.append(f"{file.relative_to(isa)} includes {wing}")
    return arrows


def test_no_wing_of_isa_includes_another() -> None:
    assert sideways_arrows(EMULATOR / "isa") == []


@pytest.mark.parametrize("file", ["lanes.h", "memory/atomics.cpp"])
def test_an_include_of_a_wing_is_found(tmp_path: Path, file: str) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / file).write_text('#include "emulator/isa/scalar/floating.h"\n')
    assert sideways_arrows(tmp_path) == [f"{file} includes scalar"]


@pytest.mark.parametrize("include", ["isa/address.h", "runtime/state/error.h"])
def test_an_include_that_points_up_is_found(tmp_path: Path, include: str) -> None:
    (tmp_path / "tma").mkdir()
    (tmp_path / "tma" / "engine.h").write_text(f'#include "emulator/{include}"\n')
    assert upward_arrows(tmp_path) == [f"tma/engine.h includes {include.split('/')[0]}"]
