"""README and the page of claims say of the small programs with a mistake what the measured table says."""

import json
import re
import sys

import pytest

from tmagrade.basics.paths import HERE

FOLDER = HERE.grader / "tests/hazards"
sys.path.insert(0, str(FOLDER))

import hazard_table  # noqa: E402
import measure  # noqa: E402

HANDOUT = HERE.root / "handout"


def flowing(path: str) -> str:
    """A page's words, without its line breaks."""
    return " ".join((HERE.root / path).read_text(encoding="utf-8").split())


def row_of(table: str, name: str) -> list[int]:
    [cells] = re.findall(rf"^\| {re.escape(name)} \| (.+) \|$", table, re.MULTILINE)
    return [int(cell) for cell in cells.split(" | ")]


@pytest.fixture(scope="module")
def figures() -> dict[str, int]:
    table = (HANDOUT / "reference/hazards.md").read_text(encoding="utf-8")
    programs, shown, reported, named = row_of(table, "**all**")
    (right, blamed), (looked_at, racecheck) = row_of(table, "tmaemu"), row_of(table, "racecheck")
    measured = hazard_table.programs_of(json.loads((FOLDER / "h200.json").read_text(encoding="utf-8")))
    idle = sum(measure.is_wrong(each.mistaken[measure.HARDWARE]) for each in measured if each.mistaken)
    assert blamed == 0
    return locals() | {"idle": idle}


def test_readme_has_the_sums_of_the_table(figures: dict[str, int]) -> None:
    said = (
        "Of {programs} small programs with one mistake each it names the mistake in {named}; a GPU shows {shown}, "
        "compute-sanitizer reports something in {reported}. Of {right} right ones it blames none."
    )
    assert said.format(**figures) in flowing("README.md")


def test_the_page_of_claims_has_the_sums_of_the_table(figures: dict[str, int]) -> None:
    said = (
        "Of {programs} small programs with one mistake each, a GPU gives a wrong result, an error or no end in {idle} "
        "when it is idle, and in {shown} when it is also tried busy (200 runs each). The four tools of "
        "compute-sanitizer report something in {reported}, and `tmaemu` names the mistake in {named}. Of {right} "
        "right ones, `tmaemu` blames none; of the {looked_at} that racecheck could look at, it blames {racecheck}"
    )
    assert said.format(**figures) in flowing("handout/inside/claims.md")


@pytest.mark.parametrize("page", ["README.md", "handout/inside/claims.md"])
def test_what_overtakes_a_read_is_the_highest_share_that_was_counted(page: str) -> None:
    counted = (HANDOUT / "reference/experiments.md").read_text(encoding="utf-8")
    reads = "".join(part for part in counted.split("\n## ") if re.match(r"`ld\w*\.?\w*`", part))
    shares = [float(share) for share in re.findall(r": no fence \| ([\d.]+)% \|$", reads, re.MULTILINE)]
    assert f"up to {max(shares):g}% of " in flowing(page)
