"""The search works without a server."""

import pytest
from conftest import SITE, Reader
from playwright.sync_api import Page


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


@pytest.mark.parametrize("words", ["multicast", "parity", "swizzle"])
def test_pages_of_findings_and_the_guide_come_first(reader: Reader, words: str) -> None:
    found = search(reader.open("index.html"), words)
    first = [name.startswith(("findings/", "guide/")) for name in found]
    assert any(first) and first == sorted(first, reverse=True), found


def test_a_result_can_be_followed(reader: Reader) -> None:
    page = reader.open("index.html")
    [first, *_] = search(page, "multicast")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(f"**/{first}*")
    assert "multicast" in page.locator("article").inner_text().lower()
