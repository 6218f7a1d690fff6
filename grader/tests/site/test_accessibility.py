"""What axe has against a page: nothing. It knows what a keyboard and a screen reader need."""

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from conftest import HANDOUT, THEMES, Reader
from contents import pages_in_order

[AXE] = Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")

# A page of each kind, and all that run something.
PAGES = [
    "index.html",
    "emulator.html",
    "search.html?q=parity",
    "guide/tensor-map-explorer.html",
    "guide/matrix-descriptor-explorer.html",
    "labs/lab3-bulk-copy.html",
    "labs/lab8-swizzle.html",
    "reference/emulator.html",
    "findings/index.html",
    "findings/missing-proxy-fence.html",
    *(f"stepping/{kernel.stem}.html" for kernel in sorted((HANDOUT / "site/stepping/kernels").glob("*.cu"))),
]


def violations(reader: Reader) -> list[str]:
    """Each rule that is broken, with the first place."""
    reader.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = reader.page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_axe_has_nothing_against_a_page(reader: Reader, name: str, theme: str) -> None:
    path, _, query = name.partition("?")
    page = reader.open(path)
    if query:
        page.goto(f"{page.url}?{query}")
        page.wait_for_selector("#search-results li")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    if name.startswith(("stepping/", "findings/m")):
        page.wait_for_function("globalThis.steppingPlayer")
        page.get_by_role("button", name="to the end").click()
    assert violations(reader) == []


@pytest.mark.parametrize("name", [f"{page}.html" for page in pages_in_order(HANDOUT)])
def test_axe_has_nothing_against_a_page_of_the_book_on_a_phone(reader: Reader, name: str) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.open(name)
    assert violations(reader) == []
