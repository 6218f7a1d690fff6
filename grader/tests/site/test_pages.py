"""Each page as a reader has it on a phone and on a screen, in both themes. The fixture `reader` fails a test in which
a request failed or went elsewhere, or the console was written to."""

import re

import pytest
from conftest import SITE, THEMES, WIDTHS, Reader, html_pages
from contents import pages_in_order
from playwright.sync_api import Locator

NEXT = re.compile(r'<a class="next-page" href="([^"]+)">')
BOOK = [f"{page}.html" for page in pages_in_order(SITE.parents[1] / "handout")]

# In each theme, what reaches beyond the right edge of the window and is not scrolled by a block or table around it.
SPILLED = """themes => {
    document.querySelectorAll("details").forEach(part => { part.open = true; });
    const isScrolled = element => {
        for (let around = element.parentElement; around.tagName !== "ARTICLE"; around = around.parentElement)
            if (getComputedStyle(around).overflowX !== "visible"
                && around.getBoundingClientRect().right <= innerWidth + 1) return true;
        return false;
    };
    return themes.flatMap(theme => {
        document.body.dataset.theme = theme;
        const reachesOut = element => element.getBoundingClientRect().right > innerWidth + 1;
        const spilled = [...document.querySelectorAll("article *")].filter(element =>
            reachesOut(element) && element.checkVisibility() && !isScrolled(element));
        const wide = document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : [];
        return wide.concat(spilled.map(element => `${theme}: ${element.outerHTML.slice(0, 80)}`));
    });
}"""


@pytest.mark.parametrize("name", html_pages())
def test_a_page_fits_the_phone_and_the_screen_in_both_themes(reader: Reader, name: str) -> None:
    page = reader.open(name)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(SPILLED, THEMES) == [], f"{width} pixels"


# Words of code in a table whose first and last character are on different lines, although they hold nothing at which a
# line may break.
CUT_WORDS = """() => [...document.querySelectorAll("article table code .pre")].flatMap(code => {
    const pieces = [...code.childNodes].filter(node => node.nodeType === Node.TEXT_NODE);
    return pieces.flatMap(piece => piece.data.split(/(?<=-)/).map((word, at, words) => {
        const range = document.createRange();
        const begin = words.slice(0, at).join("").length;
        range.setStart(piece, begin);
        range.setEnd(piece, begin + word.length);
        return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1 ? [word] : [];
    })).flat();
})"""


@pytest.mark.parametrize("name", ["emulator", "stats", "guide/mbarriers", "guide/clusters", "labs/lab3-bulk-copy"])
def test_no_table_cuts_a_name_within_a_word(reader: Reader, name: str) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    page = reader.open(f"{name}.html")
    assert page.evaluate(CUT_WORDS) == []


def more_of(table: Locator) -> tuple[bool, bool, bool]:
    """Whether a table is said to go on at the left and at the right, and whether it fades there."""
    left, right = (table.get_attribute(f"data-more-{side}") is not None for side in ("left", "right"))
    return left, right, table.evaluate("table => getComputedStyle(table).maskImage !== 'none'")


def test_a_table_that_is_cut_off_fades_at_the_sides_where_there_is_more(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    page = reader.open("guide/elsewhere.html")
    table = page.locator(".table-wrapper:has(th:nth-child(4))").first
    assert more_of(table) == (False, True, True)
    table.evaluate("table => { table.scrollLeft = 40 }")
    page.wait_for_function("table => table.hasAttribute('data-more-left')", arg=table.element_handle())
    assert more_of(table) == (True, True, True)
    table.evaluate("table => { table.scrollLeft = table.scrollWidth }")
    page.wait_for_function("table => !table.hasAttribute('data-more-right')", arg=table.element_handle())
    assert more_of(table) == (True, False, True)


def test_a_table_that_is_shown_whole_does_not_fade(reader: Reader) -> None:
    page = reader.open("guide/elsewhere.html")
    for table in page.locator(".table-wrapper").all():
        assert more_of(table) == (False, False, False)


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_its_background(reader: Reader, theme: str) -> None:
    page = reader.open("labs/lab3-bulk-copy.html")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    shades = page.evaluate(
        """() => [getComputedStyle(document.querySelector("article p")).color,
                  getComputedStyle(document.body).backgroundColor]"""
    )
    ink, paper = (sum(map(int, shade[4:-1].split(", "))) for shade in shades)
    assert (ink > paper) == (theme == "dark")
    assert abs(ink - paper) > 450


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_is_shown_once_and_in_the_pages_theme(reader: Reader, theme: str) -> None:
    page = reader.open("guide/proxies.html")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    shown = [image.get_attribute("src") or "" for image in page.locator("article img:visible").all()]
    assert [source.split("/")[-2] for source in shown] == [theme]


def test_the_button_changes_the_theme_and_the_next_page_keeps_it(reader: Reader) -> None:
    page = reader.open("guide/proxies.html")
    before = page.evaluate("document.body.dataset.theme")
    page.locator(".theme-toggle:visible").first.click()
    chosen = page.evaluate("document.body.dataset.theme")
    assert chosen != before
    reader.open("guide/loads.html")
    assert page.evaluate("document.body.dataset.theme") == chosen


def test_next_leads_through_the_whole_book() -> None:
    seen = [BOOK[0]]
    while link := NEXT.search((SITE / seen[-1]).read_text(encoding="utf-8")):
        seen.append((SITE / seen[-1]).parent.joinpath(link[1]).resolve().relative_to(SITE).as_posix())
    assert seen == BOOK


def test_previous_leads_back(reader: Reader) -> None:
    page = reader.open(BOOK[2])
    page.locator("a.prev-page").click()
    assert page.url.endswith(BOOK[1])


def test_the_phones_menu_leads_to_a_chapter(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    page = reader.open("index.html")
    page.locator("label.nav-overlay-icon").click()
    page.locator(".sidebar-tree a", has_text="Lab 3").click()
    assert page.url.endswith("labs/lab3-bulk-copy.html")


def test_cuda_is_highlighted(reader: Reader) -> None:
    page = reader.open("findings/missing-proxy-fence.html")
    code = page.locator(".highlight-cuda").first
    comment = code.locator(".c1").first
    color = "element => getComputedStyle(element).color"
    assert comment.evaluate(color) != code.locator("pre").evaluate(color)
    assert code.locator(".k").first.evaluate(color) != comment.evaluate(color)
