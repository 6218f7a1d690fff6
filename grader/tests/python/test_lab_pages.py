"""What stands in lab.toml is told elsewhere as it is made from there, and the checks are of the same parts."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from staff.sample_class.edits import replace_once
from staff.skeletons.lab_pages import lacking, lists, pages_of
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_lab, load_labs, parts_left_out

LABS = load_labs(HERE.labs)
LAB = "lab3-bulk-copy"
README, CHAPTER = f"labs/{LAB}/README.md", f"handout/labs/{LAB}.md"


def id_of(lab: Lab) -> str:
    return lab.id


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the repository tells of one lab, and the lists of all."""
    for name in (f"labs/{LAB}/lab.toml", README, CHAPTER, "README.md", "handout/index.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE.root / name, tmp_path / name)
    return tmp_path


def change(copy: Path, name: str, *changes: tuple[str, str]) -> None:
    text = (copy / name).read_text()
    for old, new in changes:
        text = replace_once(text, old, new)
    (copy / name).write_text(text)


def lab_of(copy: Path) -> Lab:
    return load_lab(copy / f"labs/{LAB}/lab.toml")


def made(copy: Path) -> dict[str, str]:
    lab = lab_of(copy)
    return {str(path.relative_to(copy)): text for path, text in (*lists(copy, [lab]), *pages_of(copy, lab))}


def test_another_title_and_idea_are_told_everywhere(copy: Path) -> None:
    title, idea = ("Bulk copies", "Copies in bulk"), ("One thread, one instruction, a whole array.", "One is enough.")
    change(copy, f"labs/{LAB}/lab.toml", title, idea)
    told = made(copy)
    for name in (README, CHAPTER):
        assert told[name].splitlines()[0] == "# Lab 3: copies in bulk"
        assert "\n**One is enough.**" in told[name]
    assert f"| [3 copies in bulk](handout/labs/{LAB}.md) | One is enough. |\n" in told["README.md"]
    source = f"[lab3.cu](../labs/{LAB}/lab3.cu)"
    assert f"| [Lab 3: copies in bulk](labs/{LAB}.md) | One is enough. | {source} |\n" in told["handout/index.md"]


def test_other_points_are_told_and_what_is_to_do_stays(copy: Path) -> None:
    change(copy, f"labs/{LAB}/lab.toml", ("points = 20\n", "points = 19.5\n"), ("points = 15\n", "points = 15.5\n"))
    told = made(copy)
    assert "| `any-length` | `add_one`: any length, even if it is not a multiple of 16 bytes | 19.5 |\n" in told[README]
    assert "### Part `any-length` (19.5 points)\n" in told[CHAPTER]


def test_the_part_whose_bandwidth_counts_is_told(copy: Path) -> None:
    change(copy, f"labs/{LAB}/lab.toml", ('part = "pipeline"', 'part = "any-length"'))
    told = made(copy)
    assert "| | bandwidth of `any-length`, against a plain copy on the same GPU | 25 |\n" in told[README]
    assert "### Part `any-length` (20 points, and 25 for its bandwidth)\n" in told[CHAPTER]
    assert "### Part `pipeline` (25 points)\n" in told[CHAPTER]


def test_a_part_with_another_name_has_its_title_until_somebody_says_more(copy: Path) -> None:
    change(copy, f"labs/{LAB}/lab.toml", ('id = "any-length"', 'id = "every-length"'))
    rows = [line for line in made(copy)[README].splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == ["one-tile", "every-length", "pipeline"]
    assert rows[1] == "| `every-length` | Add one to an array of any length | 20 |"


def test_a_part_that_is_left_out_is_in_no_table_and_the_chapter_says_so(copy: Path) -> None:
    change(copy, f"labs/{LAB}/lab.toml", ("points = 20\n", "points = 0\n"), ("points = 15\n", "points = 35\n"))
    told = made(copy)
    assert "`any-length`" not in told[README]
    assert "### Part `any-length` (not asked for)\n" in told[CHAPTER]
    assert list(lacking(copy, [lab_of(copy)])) == []


def test_what_a_chapter_lacks_is_named(copy: Path) -> None:
    assert list(lacking(copy, [lab_of(copy)])) == []
    change(copy, f"labs/{LAB}/lab.toml", ('id = "any-length"', 'id = "every-length"'))
    change(copy, README, ("**One thread", "One thread"))
    assert [line.removeprefix(f"{copy}/") for line in lacking(copy, [lab_of(copy)])] == [
        f"{CHAPTER} lacks: ### Part `every-length`",
        f"{CHAPTER} has a part that lab.toml has not: any-length",
        f"{README} lacks: **One thread, one instruction, a whole array.**",
    ]


def test_a_page_without_a_table_is_refused(copy: Path) -> None:
    (copy / "README.md").write_text("# TMA labs\n")
    with pytest.raises(GraderFault, match=r"README\.md has no row of a table"):
        made(copy)


@pytest.mark.parametrize(
    "places", ["grader/checks/lab*", "solutions/lab*", "labs/lab*", "grader/tests/class/lab*.toml", "handout/labs/*.md"]
)
def test_every_lab_of_any_place_has_a_lab_toml(places: str) -> None:
    found = {path.name.removesuffix(".md").removesuffix(".toml") for path in HERE.root.glob(places)}
    assert found == {lab.id for lab in LABS}


@pytest.mark.parametrize("lab", LABS, ids=id_of)
def test_every_lab_has_a_student_who_is_wrong(lab: Lab) -> None:
    assert tomllib.loads((HERE.grader / f"tests/class/{lab.id}.toml").read_text())


@pytest.mark.parametrize("lab", LABS, ids=id_of)
def test_the_checks_are_of_the_labs_parts(lab: Lab) -> None:
    def in_cpp(part: str) -> str:
        return part.replace("-", "_")

    checks = HERE.grader / "checks" / lab.id
    declared = re.findall(r"^(?:TEMPLATE_)?PART\((\w+),", (checks / "parts.def").read_text(), re.MULTILINE)
    of_lab = [*(part.id for part in lab.parts), *parts_left_out(HERE.labs / lab.id / "lab.toml")]
    assert sorted(declared) == sorted(map(in_cpp, of_lab))

    text = (checks / "cases.h").read_text() + (checks / "checks.cpp").read_text()
    measured = re.findall(r"\bmeasure\(\{parts::(\w+)", text)
    assert measured == ([in_cpp(lab.bandwidth.part)] if lab.bandwidth else [])
    later = re.findall(r"judge::for_sm\((\d+), parts::(\w+)\)", text)
    wanted = {(part.architecture.rstrip("a"), in_cpp(part.id)) for part in lab.parts if part.architecture}
    assert set(later) == wanted
