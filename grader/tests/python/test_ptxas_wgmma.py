"""What ptxas makes of the guide's main loop and of changes to it is what the handout's table says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.building.compiler_output import compiler_warnings
from tmagrade.machine.toolkit import find_toolkit

sys.path.insert(0, str(HERE.grader / "tests/ptxas"))

import verdicts

GUIDE = HERE.root / "handout/guide/wgmma.md"
# A row of the guide's table of remarks.
REMARK = re.compile(r"^\| (C75\d\d): (.*?) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def nvcc() -> Path:
    found = find_toolkit(HERE).nvcc
    if f"`ptxas` {verdicts.version(found)}," not in verdicts.PAGE.read_text():
        pytest.skip("the table is of another ptxas")
    return found


@pytest.fixture(scope="module")
def found(nvcc: Path) -> list[verdicts.Verdict]:
    return verdicts.verdicts(nvcc)


@pytest.mark.long
def test_each_change_has_the_verdict_that_is_expected_of_it(found: list[verdicts.Verdict]) -> None:
    expected = {each.change: (each.says, each.overlap) for each in verdicts.variants()}
    assert {each: (found[i].says, found[i].overlap) for i, each in enumerate(expected)} == expected


@pytest.mark.long
def test_the_page_has_the_table_that_was_found(nvcc: Path, found: list[verdicts.Verdict]) -> None:
    page = verdicts.PAGE.read_text()
    assert page == verdicts.with_table(page, verdicts.version(nvcc), found), "make ptxas"


def test_the_guide_explains_each_remark() -> None:
    said = {code for each in verdicts.variants() for code in each.says}
    assert {code for code, _ in REMARK.findall(GUIDE.read_text())} == said


@pytest.mark.long
def test_the_guide_quotes_the_remarks(found: list[verdicts.Verdict]) -> None:
    remarks = {code: words for each in found for code, words in each.remarks.items()}
    for code, quoted in REMARK.findall(GUIDE.read_text()):
        words = re.sub("[`*]", "", quoted)
        assert words in " ".join(remarks[code].replace("'", "").split()), code


def test_ptxas_takes_the_products_of_the_solution_as_they_are(nvcc: Path, tmp_path: Path) -> None:
    solution = HERE.solutions / "lab12-matmul/lab12.cu"
    command: list[str | Path] = [nvcc, "-cubin", "-arch=sm_90a", "-std=c++20", f"-I{HERE.labs / 'common'}", solution]
    made = subprocess.run([*command, "-o", tmp_path / "lab12.cubin"], capture_output=True, text=True, check=True)
    assert compiler_warnings(made.stdout + made.stderr) == ""


@pytest.mark.parametrize(
    ("waits_and_products", "overlap"),
    [
        ("pppP1 0", "of steps"),
        ("pppP0 0", "within a step"),
        ("P0 P0 P0 P0", "none"),
        ("PE1 0", "within a step"),  # all that the wait leaves is a group that ptxas has added
        ("pppP0 1 0", "within a step"),
    ],
)
def test_what_overlaps_follows_from_groups_and_waits(waits_and_products: str, overlap: str) -> None:
    """p: a product, P: one that ends a group, E: an empty group, a digit: a wait."""
    made = [
        verdicts.Instruction(each in "pP", each in "PE", int(each) if each.isdigit() else None)
        for each in waits_and_products.replace(" ", "")
    ]
    assert verdicts.overlap(made) == overlap
