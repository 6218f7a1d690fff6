"""The search works without a server."""

import re

import pytest
from conftest import HANDOUT, SITE, Reader
from docutils import nodes
from docutils.core import publish_doctree
from playwright.sync_api import Page
from search_excerpts import sections_of
from sphinx.addnodes import pending_xref

TITLE = re.compile(r"# (Lab \d+): (.*)")
LABS = {f"labs/{page.stem}.html": TITLE.match(page.read_text()) for page in sorted(HANDOUT.glob("labs/*.md"))}


def search(page: Page, words: str) -> list[str]:
    """Types words into the search field; the pages found, without the site's folder."""
    page.locator(".sidebar-search").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.innerText.includes('finished')")
    links = page.locator("#search-results li a").evaluate_all("links => links.map(link => link.href)")
    return [link.removeprefix(SITE.as_uri() + "/").partition("#")[0] for link in links]


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("parity", "guide/mbarriers.html"),
        ("missing-proxy-fence", "findings/missing-proxy-fence.html"),
        ("multicast", "labs/lab9-clusters.html"),
        ("tma_commit_group", "guide/stores.html"),
    ],
)
def test_a_word_leads_to_its_page(reader: Reader, words: str, page: str) -> None:
    assert page in search(reader.open("labs/lab0-hello-hopper.html"), words)


@pytest.mark.parametrize(
    ("words", "excerpt"),
    [
        ("parity", "parity"),
        ("no end", "end"),
        ("wait_until", "wait_until"),
    ],
)
def test_each_result_shows_the_words_around_what_was_asked(reader: Reader, words: str, excerpt: str) -> None:
    page = reader.open("labs/lab0-hello-hopper.html")
    search(page, words)
    shown = page.locator("#search-results li p.context").all_inner_texts()
    assert len(shown) == page.locator("#search-results li").count() > 0
    assert excerpt in shown[0].lower()
    assert max(map(len, shown)) < 300
    assert excerpt in page.locator("#search-results li p.context b").first.inner_text().lower()


@pytest.mark.parametrize(("lab", "title"), LABS.items(), ids=LABS)
def test_a_lab_is_found_first_by_its_title_and_by_its_number(reader: Reader, lab: str, title: re.Match[str]) -> None:
    for words in (title[2], title[1]):
        assert search(reader.open("index.html"), words)[0] == lab


def test_a_lab_is_found_first_by_a_word_of_its_title(reader: Reader) -> None:
    assert search(reader.open("index.html"), "swizzle")[0] == "labs/lab8-swizzle.html"


@pytest.mark.parametrize("words", ["parity", "tx-count"])
def test_of_pages_without_the_word_in_the_title_those_of_findings_and_the_guide_come_first(
    reader: Reader, words: str
) -> None:
    found = search(reader.open("index.html"), words)
    first = [name.startswith(("findings/", "guide/")) for name in found]
    assert any(first) and first == sorted(first, reverse=True), found


TABLE = """
Title
=====

Words *of* one block,
with more.

=====  =======
head   another
one    ``two``
=====  =======

Behind it.

Below
-----

Own words.
"""


def test_cells_and_headings_are_set_apart_in_what_is_shown_and_the_words_of_a_block_are_not() -> None:
    document = publish_doctree(TABLE, settings_overrides={"doctitle_xform": False})
    [emphasis] = document.findall(nodes.emphasis)
    emphasis.replace_self(pending_xref("", nodes.inline("of", "of")))  # as a link is before it is resolved
    assert dict(sections_of(document)) == {
        "title": "Title · Words of one block, with more. · head · another · one · two · Behind it.",
        "below": "Below · Own words.",
    }


def test_a_result_can_be_followed(reader: Reader) -> None:
    page = reader.open("index.html")
    [first, *_] = search(page, "multicast")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(f"**/{first}*")
    assert "multicast" in page.locator("article").inner_text().lower()
