"""A page that steps through a kernel, open in the browser."""

from conftest import Reader
from playwright.sync_api import Page


def opened(reader: Reader, kernel: str) -> Page:
    page = reader.open(f"stepping/{kernel}.html")
    page.wait_for_function("globalThis.steppingPlayer")
    return page


def to_the_end(page: Page) -> None:
    page.evaluate("steppingPlayer.ready")
    page.get_by_role("button", name="to the end").click()
