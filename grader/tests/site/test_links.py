"""Each link of the site leads to a file of the site, and to a place in it."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import SITE, html_pages


class Places(HTMLParser):
    """Where a page's links lead, and where links into it may lead."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attributes if value}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag != "a":
            self.loaded += [values[name] for name in ("src", "href") if name in values]


@cache
def places(file: Path) -> Places:
    parser = Places()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser


@pytest.mark.parametrize("name", html_pages())
def test_a_page_links_to_what_there_is(name: str) -> None:
    file = SITE / name
    for link in places(file).links + places(file).loaded:
        split = urlsplit(link)
        if split.scheme:
            continue
        target = (file.parent / unquote(split.path)).resolve() if split.path else file
        assert target.is_file() and target.is_relative_to(SITE), link
        if target.name.endswith("-explorer.html") and "=" in split.fragment:
            continue  # a state; test_explorer.py and test_descriptor_explorer.py open each
        if split.fragment and target.suffix == ".html":
            assert unquote(split.fragment) in places(target).anchors, link


@pytest.mark.parametrize("name", html_pages())
def test_a_page_loads_nothing_from_elsewhere(name: str) -> None:
    assert [link for link in places(SITE / name).loaded if urlsplit(link).scheme not in ("", "data")] == []
