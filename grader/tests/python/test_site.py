"""The site's table of contents is the handout's index: each page of the handout is in it, once. What `make site` makes
of that is tested by `make test-site`."""

import importlib.util
from collections import Counter

import pytest

from tmagrade.paths import HERE

HANDOUT = HERE.root / "handout"

specification = importlib.util.spec_from_file_location("contents", HANDOUT / "site" / "contents.py")
assert specification
assert specification.loader
contents = importlib.util.module_from_spec(specification)
specification.loader.exec_module(contents)


@pytest.fixture(scope="module")
def pages() -> list[str]:
    return list(contents.pages_in_order(HANDOUT))


def test_each_page_of_the_handout_stands_once_in_the_contents(pages: list[str]) -> None:
    written = [str(page.relative_to(HANDOUT).with_suffix("")) for page in HANDOUT.rglob("*.md")]
    assert Counter(pages) == Counter(written)


def test_the_book_follows_the_course(pages: list[str]) -> None:
    begun = ["index", "labs/lab0-hello-hopper", "guide/proxies", "findings/index", "inside/how-the-emulator-works"]
    assert sorted(begun, key=pages.index) == begun
    labs = [page for page in pages if page.startswith("labs/")]
    assert labs == sorted(labs, key=lambda page: int(page.removeprefix("labs/lab").partition("-")[0]))


@pytest.mark.parametrize(
    ("row", "pages"),
    [
        ("| [A](labs/a.md) | text |", ["labs/a"]),
        ("| [A](../labs/a.md) | a file that is no page |", []),
        ("| [A](labs/a.cu) | no page |", []),
        ("| see [A](labs/a.md) | a link among words |", []),
        ("[A](labs/a.md) in a sentence", []),
    ],
)
def test_a_row_that_begins_with_a_link_to_a_page_is_an_entry(row: str, pages: list[str]) -> None:
    found = contents.parts_of(f"# Title\n\n## Part\n\n| | |\n|---|---|\n{row}\n")
    assert [page for part in found for page in part.pages] == pages
