"""Each element ends inside the one in which it began: browsers guess otherwise, each in its way."""

from html.parser import HTMLParser

import pytest
from conftest import SITE, html_pages

CHECKED = ("article", "div", "section", "details", "table", "ul", "ol", "pre")


class Nesting(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.crossed: list[str] = []

    def handle_starttag(self, tag: str, _attributes: list[tuple[str, str | None]]) -> None:
        if tag in CHECKED:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in CHECKED and (not self.open or self.open.pop() != tag):
            self.crossed.append(f"line {self.getpos()[0]}: </{tag}>")


@pytest.mark.parametrize("name", html_pages())
def test_the_elements_of_a_page_do_not_cross(name: str) -> None:
    nesting = Nesting()
    nesting.feed((SITE / name).read_text(encoding="utf-8"))
    assert nesting.crossed + nesting.open == []
