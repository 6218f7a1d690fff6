"""The site's table of contents is the handout's index: each page of the handout is in it, once. What `make site` makes
of that is tested by `make test-site`."""

import importlib.util
import itertools
import posixpath
import re
from collections import Counter

import pytest

from tmagrade.basics.paths import HERE

HANDOUT = HERE.root / "handout"

# "Next: [title](page.md)", or the first link below "## Next"; the last one of the page.
NEXT = re.compile(r"(?:^## Next\n|\bNext\b[^\[\n]*: )[^\[]*\[[^\]]+\]\(([^)#]+)\.md\)", re.MULTILINE)
# What is looked up, and what is generated, leads nowhere.
LOOKED_UP = re.compile(r"findings/(?!index)|reference/")
FIRST_FOR_INSTRUCTORS = "instructors"

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


def next_of(page: str) -> str | None:
    """The page that a page says comes next."""
    found = NEXT.findall((HANDOUT / f"{page}.md").read_text(encoding="utf-8"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), found[-1])) if found else None


def test_each_page_says_which_one_comes_next(pages: list[str]) -> None:
    read = [page for page in pages if page != "index" and not LOOKED_UP.match(page)]
    # A lab that `make new-lab` has just made does not say it, and is passed over.
    read = [page for page in read if not page.startswith("labs/") or next_of(page)]
    following = dict(itertools.pairwise(read))
    [last_for_students] = [page for page, after in following.items() if after == FIRST_FOR_INSTRUCTORS]
    del following[last_for_students]  # students do not have what follows
    assert {page: next_of(page) for page in following} == following


def test_each_page_of_the_guide_says_what_to_read_first(pages: list[str]) -> None:
    guide = [page for page in pages if page.startswith("guide/")]
    texts = {page: (HANDOUT / f"{page}.md").read_text(encoding="utf-8") for page in guide}
    assert [page for page, text in texts.items() if "\n**Read first:** " not in text] == []


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
