"""The explorer of matrix descriptors: its controls, links to states, the table, and that it reads where the emulator's
own matrix instructions do."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import HANDOUT, ROOT, Reader
from playwright.sync_api import Page

PAGE = "guide/matrix-descriptor-explorer.html"
LINK = re.compile(r"matrix-descriptor-explorer\.md#([^)\s]*=[^)\s]*)\)")
LINKS = [state for page in sorted(HANDOUT.rglob("*.md")) for state in LINK.findall(page.read_text(encoding="utf-8"))]
ADDRESSES = "e => e.module.ask(e.state).chunks.map(chunk => chunk.address)"

# Prints the addresses of what is read by a descriptor: start, leading, stride, base offset, swizzle, rows, transposed.
NATIVE = """
#include <cstdio>
#include <cstdlib>
#include "emulator/tensor/shared_matrix.h"
using namespace tmaemu;
int main(int, char** texts) {
  u64 at[7];
  for (int i = 0; i < 7; ++i) at[i] = std::strtoull(texts[i + 1], nullptr, 10);
  const u64 bits = at[0] / 16 | at[1] / 16 << 16 | at[2] / 16 << 32 | at[3] << 49 | at[4] << 62;
  tensor::SharedMatrix(tensor::MatrixDescriptor(bits), at[6] != 0)
      .for_each_unit(0, static_cast<u32>(at[5]), 32, [](u32 address) { std::printf("%u ", address); });
}
"""
# As a link says it, and as the program above is asked.
ASKED = [
    ("lines=64&swizzle=128&stride=1024", (0, 16, 1024, 0, 1, 64, 0)),
    ("start=32&stride=1024&lines=256", (32, 16, 1024, 0, 1, 256, 0)),
    ("swizzle=64&stride=512&start=4096&base=2", (4096, 16, 512, 2, 2, 64, 0)),
    ("swizzle=none&leading=128&stride=256&lines=24", (0, 128, 256, 0, 0, 24, 0)),
    ("major=mn&swizzle=32&leading=512&stride=256&lines=16", (0, 512, 256, 0, 3, 16, 1)),
    ("major=mn&swizzle=none&leading=1024&stride=128", (0, 1024, 128, 0, 0, 64, 1)),
]


def opened(reader: Reader, state: str = "") -> Page:
    page = reader.open(f"{PAGE}#{state}")
    page.locator(".descriptor-memory td").first.wait_for()
    return page


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("matrix")
    source, program = folder / "ask.cpp", folder / "ask"
    source.write_text(NATIVE)
    grader = ROOT / "grader"
    matrix = grader / "emulator/tensor/shared_matrix.cpp"
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-std=c++20", f"-I{grader}", source, matrix, "-o", program], check=True)
    return program


@pytest.mark.parametrize(("state", "numbers"), ASKED)
def test_the_page_reads_where_the_emulator_does(reader: Reader, native: Path, state: str, numbers: tuple[int]) -> None:
    printed = subprocess.run([native, *map(str, numbers)], check=True, capture_output=True, text=True).stdout
    page = opened(reader, state)
    assert page.evaluate(f"({ADDRESSES})(descriptorExplorer)") == [int(address) for address in printed.split()]


@pytest.mark.parametrize("state", LINKS)
def test_a_link_of_the_book_leads_to_its_state(reader: Reader, state: str) -> None:
    page = opened(reader, state)
    shown = page.evaluate("Object.entries(descriptorExplorer.state).map(([name, value]) => `${name}=${value}`)")
    assert set(state.split("&")) <= set(shown)


@pytest.mark.parametrize(
    ("control", "value"),
    [("lines", "16"), ("start", "32"), ("leading", "128"), ("stride", "256"), ("base", "1")],
)
def test_a_number_is_in_the_address_and_a_new_page_has_it(reader: Reader, control: str, value: str) -> None:
    page = opened(reader)
    page.locator(f"#descriptor-{control}").fill(value)
    state = page.evaluate("location.hash.slice(1)")
    assert state == f"{control}={value}"
    reader.open("index.html")
    assert opened(reader, state).locator(f"#descriptor-{control}").input_value() == value


@pytest.mark.parametrize(("control", "value"), [("swizzle", "64"), ("major", "mn")])
def test_a_choice_is_in_the_address(reader: Reader, control: str, value: str) -> None:
    page = opened(reader)
    page.locator(f"#descriptor-{control}").select_option(value)
    assert page.evaluate("location.hash.slice(1)") == f"{control}={value}"


def test_a_number_that_no_matrix_has_changes_nothing_and_is_marked(reader: Reader) -> None:
    page = opened(reader)
    field = page.locator("#descriptor-lines")
    field.fill("12")
    assert field.get_attribute("aria-invalid") == "true"
    assert page.evaluate("descriptorExplorer.state.lines") == 64
    field.fill("16")
    assert field.get_attribute("aria-invalid") is None


def test_what_a_descriptor_has_no_room_for_is_said(reader: Reader) -> None:
    page = opened(reader, "stride=1032")
    assert page.locator("[role=status]").inner_text() == (
        "The stride byte offset becomes 1024: a descriptor holds multiples of 16."
    )


def test_arrow_keys_go_through_the_table_and_each_cell_is_said(reader: Reader) -> None:
    page = opened(reader)
    page.locator(".descriptor-memory td").first.focus()
    said = page.locator(".explorer-position")
    assert said.inner_text() == "Bytes 0x0000 to 0x000f, banks 0 to 3: row 0, k 0 to 7."
    page.keyboard.press("ArrowDown")
    assert said.inner_text() == "Bytes 0x0080 to 0x008f, banks 0 to 3: row 1, k 8 to 15."
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert said.inner_text() == "Bytes 0x00a0 to 0x00af, banks 8 to 11: not read."


def test_only_one_cell_is_in_the_order_of_the_tabulator_key(reader: Reader) -> None:
    page = opened(reader)
    page.locator(".descriptor-memory td").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator('.descriptor-memory [tabindex="0"]').count() == 1
    assert page.evaluate("document.activeElement.dataset.address") == "16"


def test_lines_that_are_not_read_are_one_row(reader: Reader) -> None:
    page = opened(reader, "swizzle=none&lines=16&leading=128&stride=1024")
    assert page.locator(".descriptor-gap").all_inner_texts() == ["6 lines that are not read"]
