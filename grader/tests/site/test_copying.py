"""The button on a block of code: it is where there is something to paste, and copies that and nothing else."""

import pytest
from conftest import SITE, THEMES, Reader
from playwright.sync_api import Browser, Locator, Page

ROOT = SITE.parents[1]


def opened(reader: Reader, name: str) -> Page:
    page = reader.open(name)
    page.wait_for_function("document.querySelector('button.copybtn')")
    return page


def copied_by(page: Page, button: Locator) -> str:
    """What a paste gives after a click. A page without a server may not read the clipboard in any other way."""
    button.click()
    page.wait_for_function("document.querySelector('button.copybtn.success')")
    page.evaluate(
        """() => {
            const field = document.createElement("textarea");
            document.querySelector("article").append(field);
            field.id = "pasted";
            field.focus();
        }"""
    )
    page.keyboard.press("Control+V")
    return str(page.locator("#pasted").input_value())


def test_a_block_of_cuda_is_copied_as_it_stands(reader: Reader) -> None:
    page = opened(reader, "findings/missing-proxy-fence.html")
    block = page.locator(".highlight-cuda").first
    text = block.locator("pre").inner_text()
    assert "cp_async_bulk_shared_to_global(target, tile, bytes);" in text
    block.hover()
    assert copied_by(page, block.locator("button.copybtn")) == text.strip()


def test_of_a_source_the_numbers_of_its_lines_are_not_copied(reader: Reader) -> None:
    source = "labs/lab3-bulk-copy/lab3.cu"
    page = opened(reader, f"sources/{source}.html")
    assert page.locator(".source-page .linenos").count() > 50
    copied = copied_by(page, page.locator(".source-page button.copybtn"))
    assert copied.strip() == (ROOT / source).read_text(encoding="utf-8").strip()


def test_commands_are_copied(reader: Reader) -> None:
    page = opened(reader, "emulator.html")
    block = page.locator(".highlight-sh").first
    copied = copied_by(page, block.locator("button.copybtn")).splitlines()
    assert copied[0] == "make build"
    assert copied[1].startswith("nvcc ") and copied[1].endswith("-o lab3")


def test_prompts_and_what_is_printed_are_not_copied(reader: Reader) -> None:
    page = opened(reader, "emulator.html")
    block = page.locator(".highlight-sh").first
    shown = (
        "$ make -C labs/lab3-bulk-copy \\\n    PART=one-tile\none-tile  1024 ints  FAIL\n$ make doctor\nall is there"
    )
    block.locator("pre").evaluate("(block, text) => { block.textContent = text; }", shown)
    copied = copied_by(page, block.locator("button.copybtn"))
    assert copied == "make -C labs/lab3-bulk-copy \\\n    PART=one-tile\nmake doctor"


@pytest.mark.parametrize("name", ["labs/lab3-bulk-copy", "findings/missing-proxy-fence", "stats", "guide/elsewhere"])
def test_what_a_program_printed_and_pictures_of_letters_have_no_button(reader: Reader, name: str) -> None:
    page = opened(reader, f"{name}.html")
    printed = page.locator(".highlight-text, .highlight-diff")
    assert printed.count() > 0
    assert printed.locator("button.copybtn").count() == 0
    others = page.locator("article [class^=highlight-]:not(.highlight-text):not(.highlight-diff)")
    assert others.count() == page.locator("button.copybtn").count() > 0


STANDS_OUT = """button => {
    const sum = shade => shade.match(/[0-9.]+/g).slice(0, 3).reduce((all, part) => all + Number(part), 0);
    const ink = sum(getComputedStyle(button.querySelector("svg")).stroke);
    const paper = sum(getComputedStyle(button.parentElement).backgroundColor);
    return Number(getComputedStyle(button).opacity) > 0.6 && Math.abs(ink - paper) > 300;
}"""


@pytest.mark.parametrize("theme", THEMES)
def test_the_button_stands_out_from_the_block_under_the_pointer(reader: Reader, theme: str) -> None:
    page = opened(reader, "findings/missing-proxy-fence.html")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    button = page.locator("button.copybtn").first
    assert not button.evaluate(STANDS_OUT)
    page.locator(".highlight-cuda").first.hover()
    page.wait_for_function(STANDS_OUT, arg=button.element_handle())


@pytest.mark.parametrize("theme", THEMES)
def test_the_keyboard_sees_the_button_that_it_has_reached(reader: Reader, theme: str) -> None:
    page = opened(reader, "findings/missing-proxy-fence.html")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    button = page.locator("button.copybtn").first
    page.keyboard.press("Tab")  # so that the browser shows where the focus is
    button.focus()
    page.wait_for_function(STANDS_OUT, arg=button.element_handle())


@pytest.mark.parametrize("theme", THEMES)
def test_a_finger_sees_the_button_without_hovering(browser: Browser, theme: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = Reader(context.new_page())
    page = opened(phone, "findings/missing-proxy-fence.html")
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    page.wait_for_function(STANDS_OUT, arg=page.locator("button.copybtn").first.element_handle())
    context.close()
    assert phone.complaints == []
