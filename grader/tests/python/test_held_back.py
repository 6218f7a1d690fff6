"""What only the grader tries stands in no release: no size, shape, text or list of cases of any grader_checks.cpp."""

import re
from collections import Counter

import pytest
from held_back import COMMENT, Text, leaks, names_of, text_of, values_of

from staff.release.write import write_release
from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import HELD_BACK_ENTRY

LABS = sorted(path.parent.name for path in HERE.grader.glob("checks/*/grader_checks.cpp"))


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> list[Text]:
    folder = tmp_path_factory.mktemp("release") / "for students"
    write_release(HERE, folder, force=False)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [Text.of(str(path.relative_to(folder)), text_of(path)) for path in sorted(files)]


def checks(lab: str, name: str) -> str:
    return (HERE.grader / "checks" / lab / name).read_text()


@pytest.mark.parametrize("lab", LABS)
def test_no_value_of_a_case_that_only_the_grader_has_is_in_a_release(released: list[Text], lab: str) -> None:
    assert values_of(checks(lab, "grader_checks.cpp"))
    assert list(leaks(lab, checks(lab, "grader_checks.cpp"), checks(lab, "checks.cpp"), released)) == []


def test_what_makes_cases_that_only_the_grader_has_is_not_in_a_release(released: list[Text]) -> None:
    """A function that a release defines is called there, too, or stands where only the grader's cases are."""
    words = Counter(
        word for text in released if text.name.startswith("grader/") for word in re.findall(r"\w+", code(text.text))
    )
    called = {name for lab in LABS for name in re.findall(r"\b(\w+)\(", code(checks(lab, "grader_checks.cpp")))}
    assert len(called) > 20
    assert {name for name in called if words[name] == 1 and not re.match(r"[A-Z]", name)} == set()


def code(text: str) -> str:
    return COMMENT.sub("", text)


@pytest.mark.parametrize("lab", LABS)
def test_a_launcher_is_made_for_further_values_only_where_the_grader_tries_them(lab: str) -> None:
    entry = HERE.grader / "checks" / lab / HELD_BACK_ENTRY
    if not entry.exists():
        assert "grader_entry" not in checks(lab, "entry.cu")
        return
    assert f'#include "checks/{lab}/{HELD_BACK_ENTRY}"' in checks(lab, "entry.cu")
    tried = values_of(checks(lab, "grader_checks.cpp"))
    made = [tuple(re.findall(r"\d+", values)) for values in re.findall(r"Values<([\d, ]+)>", entry.read_text())]
    assert made
    # Lab 8 names the width of a swizzle once more.
    assert [values for values in made if values not in tried and values[:-1] not in tried] == []


# The rule itself


CASES = """
#include "checks/lab4-single-tile/cases.h"
constexpr TileShape further_shapes[] = {{17, 40}, {1, 8}};
class ManyTiles : public Tiles {};  // 132 of them
INSTANTIATE(testing::Values(Length{1'000'019}, Length{4096}), testing::Values(257), name);
examine("a GPU that nobody knows", Plane{{68, 3, 5}, 2, 0});
"""


def test_values_are_those_of_each_case_and_names_are_texts_and_classes() -> None:
    assert {
        ("17", "40"),
        ("1", "8"),
        ("1000019",),
        ("4096",),
        ("257",),
        ("68", "3", "5", "2", "0"),
        ("68", "3", "5"),
    } <= (values_of(CASES))
    assert ("132",) not in values_of(CASES)
    assert names_of(CASES) == {"ManyTiles", "a GPU that nobody knows"}


def told(name: str, text: str, public: str = "") -> list[str]:
    return [leak.partition(": ")[2] for leak in leaks("lab4-single-tile", CASES, public, [Text.of(name, text)])]


@pytest.mark.parametrize(
    "text",
    ["Values<17, 40>", "a tile of 17 x 40.", "17×40", "float_17x40_offset", "17 rows of 40", "{17, 40, 3}", "17\n40"],
)
def test_a_shape_is_found_however_it_is_written(text: str) -> None:
    assert told("labs/lab4-single-tile/README.md", text) == ["17 x 40"]


@pytest.mark.parametrize("text", ["117, 40", "17, 400", "17.5, 40", "17, 40.5", "17 and then a tile of 40", "17 of 40"])
def test_other_numbers_are_none(text: str) -> None:
    assert told("labs/lab4-single-tile/README.md", text) == []


@pytest.mark.parametrize(
    ("name", "text", "leak"),
    [
        ("labs/lab4-single-tile/README.md", "257 ints", ["257"]),
        ("handout/guide/tiles.md", "257 ints", []),  # three digits are anything there
        ("handout/guide/tiles.md", "1000019 ints", ["1000019"]),
        ("grader/emulator/a.cpp", "1'000'019", ["1000019"]),
        ("labs/lab4-single-tile/README.md", "4096 bytes, 1 x 8", []),
        ("handout/emulator.md", "Plane{{68, 3, 5}, 2, 0}", ["68 x 3 x 5 x 2 x 0"]),
        ("handout/labs/lab6-memcpy.md", "1000019 elements, ManyTiles", []),  # what another lab says of itself
        ("handout/emulator.md", "ManyTiles, and a GPU that nobody knows", ["ManyTiles", "a GPU that nobody knows"]),
    ],
)
def test_what_tells_depends_on_where_it_stands(name: str, text: str, leak: list[str]) -> None:
    assert told(name, text) == leak


def test_what_students_have_too_is_no_secret() -> None:
    assert told("labs/lab4-single-tile/README.md", "17 x 40", public="testing::Values(TileShape{17, 40})") == []


def test_what_a_release_packs_is_read_too() -> None:
    packed = list((HERE.root / "handout").rglob("*.xz"))
    assert packed
    assert all(text_of(path) for path in packed)
