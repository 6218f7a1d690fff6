"""What a page shows where nothing runs: without JavaScript, or in a book made without what its pages run. Such a book
was asked for: else no page may lack anything."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import HANDOUT, SITE
from playwright.sync_api import Browser
from sphinx.errors import ExtensionError
from sphinx.highlighting import PygmentsBridge

sys.path[:0] = [str(HANDOUT / "site"), str(HANDOUT / "site/stepping")]

import stepping_pages  # noqa: E402
import tensor_map_explorer  # noqa: E402

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


def book(folder: Path, *compiled: str, pages_run: bool) -> Any:
    """What Sphinx knows when it makes a page, where these files were compiled."""
    (folder / "build/browser").mkdir(parents=True)
    for name in compiled:
        (folder / "build/browser" / name).touch()
    (folder / "handout").symlink_to(HANDOUT)
    return SimpleNamespace(
        srcdir=folder / "handout",
        builder=SimpleNamespace(highlighter=PygmentsBridge("html", "default")),
        config=SimpleNamespace(pages_run=pages_run),
        add_js_file=lambda *_names, **_how: None,
    )


def test_a_book_made_without_the_emulator_says_so_and_shows_the_kernel(tmp_path: Path) -> None:
    context = {"body": '<div id="stepping"><p class="stepping-missing">In a browser.</p></div>'}
    stepping_pages._add_scripts(book(tmp_path, pages_run=False), "stepping/ring", "", context, None)
    assert "made without all that its pages run" in context["body"]
    assert "expect_bytes_and_arrive" in context["body"]


@pytest.mark.parametrize("page", tensor_map_explorer.SCRIPTS)
def test_a_book_made_without_the_explorers_says_so(tmp_path: Path, page: str) -> None:
    context = {"body": '<p class="explorer-missing">In a browser.</p>'}
    tensor_map_explorer._add_script(book(tmp_path, pages_run=False), page, "", context, None)
    assert "made without all that its pages run" in context["body"]


@pytest.mark.parametrize("missing", [stepping_pages.WASM, stepping_pages.SCRIPT])
def test_a_stepping_page_that_lacks_what_it_runs_is_an_error_that_names_both(tmp_path: Path, missing: str) -> None:
    app = book(tmp_path, *{stepping_pages.WASM, stepping_pages.SCRIPT} - {missing}, pages_run=True)
    with pytest.raises(ExtensionError, match=f"stepping/ring lacks what it runs, build/browser/{missing}"):
        stepping_pages._add_scripts(app, "stepping/ring", "", {"body": ""}, None)


@pytest.mark.parametrize(("page", "script"), tensor_map_explorer.SCRIPTS.items())
def test_an_explorer_that_lacks_what_it_runs_is_an_error_that_names_both(
    tmp_path: Path, page: str, script: str
) -> None:
    app = book(tmp_path, tensor_map_explorer.WASM, pages_run=True)
    with pytest.raises(ExtensionError, match=f"{page} lacks what it runs, build/browser/{script}"):
        tensor_map_explorer._add_script(app, page, "", {"body": ""}, None)
