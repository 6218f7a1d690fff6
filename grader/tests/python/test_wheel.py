"""The wheel of make wheel: installed beside nothing else, it runs a program and makes a report of what was found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_finding_reports import compile_races

from tmagrade.basics.paths import HERE

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("with a space")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(
        ["make", "-s", "wheel"], cwd=HERE.root, env=environment | {"TO": str(folder)}, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program, and a Python that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
    pip = folder / "python/bin/pip"
    subprocess.run([pip, "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel], check=True)
    compile_races(folder)
    return folder


def run(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{place}/python/bin:/usr/bin:/bin"}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def test_its_name_says_on_which_systems_it_runs(wheel: Path) -> None:
    # Which symbols of these systems are used is held for the same programs: test_prebuilt.py.
    assert wheel.name.endswith("-py3-none-manylinux_2_31_x86_64.whl")


def test_a_program_runs_and_its_race_is_named(place: Path) -> None:
    done = run(place, "tmaemu", "./races")
    assert done.returncode == 0
    assert done.stderr.startswith("races.cu:5:3: error: ")


def test_the_page_that_a_finding_names_is_there(place: Path) -> None:
    said = run(place, "tmaemu", "./races").stderr.splitlines()
    (page,) = (line.removeprefix("read: ") for line in said if line.startswith("read: "))
    assert Path(page).read_text().startswith("# data-race")


def test_a_report_is_made_of_what_was_found(place: Path) -> None:
    run(place, "tmaemu", "--findings-file=found.jsonl", "./races")
    done = run(place, "tmaemu", "python", "-m", "tmaemu_findings", "found.jsonl", "--sarif", "found.sarif")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 new, 0 known")
    assert (place / "found.sarif").exists()


def test_the_module_is_the_command(place: Path) -> None:
    assert run(place, "python", "-m", "tmaemu", "--version").stdout == run(place, "tmaemu", "--version").stdout != ""
