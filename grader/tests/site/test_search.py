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


def test_a_result_can_be_followed(reader: Reader) -> None:
    page = reader.open("index.html")
    [first, *_] = search(page, "multicast")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(f"**/{first}*")
    assert "multicast" in page.locator("article").inner_text().lower()
