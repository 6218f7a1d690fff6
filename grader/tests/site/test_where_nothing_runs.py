"""What a stepping page shows where the emulator does not run: without JavaScript, or in a book made without it."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import HANDOUT, SITE
from playwright.sync_api import Browser
from sphinx.highlighting import PygmentsBridge

sys.path[:0] = [str(HANDOUT / "site"), str(HANDOUT / "site/stepping")]

import stepping_pages  # noqa: E402

KERNELS = sorted((HANDOUT / "site/stepping/kernels").glob("*.cu"))


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.stem)
def test_a_page_shows_its_kernel_without_javascript(browser: Browser, kernel: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((SITE / f"stepping/{kernel.stem}.html").as_uri())
    shown = page.locator("#stepping pre").inner_text()
    written = re.sub(r"\s*//: \w+$", "", kernel.read_text(), flags=re.MULTILINE).partition("\nint main(")[0]
    assert shown.split() == written.split()
    context.close()


def test_a_book_without_the_emulator_says_why_and_shows_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "build/browser").mkdir(parents=True)
    (tmp_path / "build/browser/missing.txt").write_text("the compiler failed.\n")
    (tmp_path / "handout").symlink_to(HANDOUT)
    app: Any = SimpleNamespace(
        srcdir=tmp_path / "handout", builder=SimpleNamespace(highlighter=PygmentsBridge("html", "default"))
    )
    context = {"body": '<div id="stepping"><p class="stepping-missing">In a browser.</p></div>'}
    stepping_pages._add_scripts(app, "stepping/ring", "", context, None)
    assert "built without the emulator: the compiler failed." in context["body"]
    assert "expect_bytes_and_arrive" in context["body"]
