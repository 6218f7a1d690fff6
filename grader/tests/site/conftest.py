"""The site that `make site` has built, and a Chromium that reads it from its files, without a server."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
SITE = ROOT / "build" / "site"
HANDOUT = ROOT / "handout"
sys.path.insert(0, str(HANDOUT / "site"))

WIDTHS = (390, 1440)
THEMES = ("light", "dark")


# A machine that is busy with something else is no mistake of the page. It has more time, and its clock goes slowly: a
# launch that has run for three seconds is ended.
MILLISECONDS = 120_000
SLOW_CLOCK = """
    const now = performance.now.bind(performance);
    globalThis.clockRate = 0.05;
    performance.now = () => clockRate * now();
"""


def html_pages() -> list[str]:
    return sorted(str(file.relative_to(SITE)) for file in SITE.rglob("*.html"))


class Reader:
    """One page in a browser, and everything that a reader would not want to happen there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self._note(message.text, message.type in ("error", "warning")))
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("requestfailed", lambda request: self._note(f"failed: {request.url}"))
        page.on("request", lambda request: self._note(f"asks {request.url}", not self._is_own(request.url)))

    def open(self, name: str) -> Page:
        file, _, anchor = name.partition("#")
        self.page.goto((SITE / file).as_uri() + (f"#{anchor}" if anchor else ""))
        return self.page

    @staticmethod
    def _is_own(url: str) -> bool:
        return url.startswith((SITE.as_uri() + "/", "data:"))

    def _note(self, text: str, is_wrong: bool = True) -> None:
        if is_wrong:
            self.complaints.append(text)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"])
        yield chromium
        chromium.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    context.add_init_script(SLOW_CLOCK)
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.complaints == []
