"""The tensor-map explorer: each control, both pictures, links to states, and what the emulator says in it."""

import re
import subprocess
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest
from conftest import HANDOUT, ROOT, SITE, THEMES, WIDTHS, Reader
from playwright.sync_api import Page

PAGE = "guide/tensor-map-explorer.html"
LINK = re.compile(r"tensor-map-explorer\.md#([^)\s]*=[^)\s]*)\)")
LINKS = [
    (page.relative_to(HANDOUT).as_posix(), state)
    for page in sorted(HANDOUT.rglob("*.md"))
    for state in LINK.findall(page.read_text(encoding="utf-8"))
]
SMALL = "size=16,8&box=8,4&at=4,2"
BOX_BYTES = 8 * 4 * 4
NVCC = ROOT / ".venv/cuda/bin/nvcc"


def opened(reader: Reader, state: str = SMALL) -> Page:
    page = reader.open(f"{PAGE}#{state}")
    page.locator("#explorer-verdict strong").wait_for()
    return page


def verdict(page: Page) -> str:
    return page.locator("#explorer-verdict").get_attribute("data-verdict") or ""


def shown_state(page: Page) -> str:
    return str(page.evaluate("location.hash.slice(1)"))


def facts(page: Page) -> dict[str, str]:
    names = page.locator("#explorer-facts dt").all_inner_texts()
    return dict(zip(names, page.locator("#explorer-facts dd").all_inner_texts()))


def middle_of(page: Page, picture: str, what: str) -> dict[str, float]:
    """The middle of the frame that a picture has for `what`, an expression over the explorer `e`."""
    frame = page.evaluate(f"() => {{ const e = tensorMapExplorer; return e.{picture}.frameOf({what}); }}")
    return {"x": frame["x"] + frame["width"] / 2, "y": frame["y"] + frame["height"] / 2}


@pytest.mark.parametrize(
    ("control", "value"),
    [("type", "bf16"), ("swizzle", "128"), ("interleave", "16"), ("fill", "nan"), ("op", "store"), ("color", "rows")],
)
def test_a_choice_is_in_the_address_and_a_new_page_has_it(reader: Reader, control: str, value: str) -> None:
    page = opened(reader)
    page.locator(f"#explorer-{control}").select_option(value)
    state = shown_state(page)
    assert f"{control}={value}" in state
    reader.open("index.html")
    assert opened(reader, state).locator(f"#explorer-{control}").input_value() == value


@pytest.mark.parametrize(
    ("control", "value", "part"),
    [
        ("size-0", "20", "size=20,8"),
        ("size-1", "12", "size=16,12"),
        ("stride-1", "128", "stride=128"),
        ("box-0", "4", "box=4,4"),
        ("box-1", "2", "box=8,2"),
        ("step-1", "2", "step=1,2"),
        ("at-0", "-4", "at=-4,2"),
        ("at-1", "3", "at=4,3"),
    ],
)
@pytest.mark.parametrize("way", ["", "-slider"])
def test_a_number_is_in_the_address_by_its_field_and_by_its_slider(
    reader: Reader, control: str, value: str, part: str, way: str
) -> None:
    page = opened(reader)
    page.locator(f"#explorer-{control}{way}").fill(value)
    assert part in shown_state(page)
    assert page.locator(f"#explorer-{control}").input_value() == value


@pytest.mark.parametrize(("control", "value"), [("rank", "3"), ("shared", "256")])
def test_a_slider_on_its_own_is_in_the_address(reader: Reader, control: str, value: str) -> None:
    page = opened(reader)
    page.locator(f"#explorer-{control}").fill(value)
    assert f"{control}={value}" in shown_state(page)


@pytest.mark.parametrize("rank", range(1, 6))
def test_as_many_dimensions_are_shown_as_there_are(reader: Reader, rank: int) -> None:
    page = opened(reader, f"rank={rank}")
    assert page.locator(".explorer-dimension:visible").count() == rank
    assert verdict(page) == "accepted"


@pytest.mark.parametrize("text", ["", "-", "2.5"])
def test_a_field_without_a_whole_number_says_that_the_last_one_counts(reader: Reader, text: str) -> None:
    page = opened(reader)
    field, note = page.locator("#explorer-box-0"), page.locator("#explorer-unread")
    assert note.is_hidden()
    field.fill("")
    field.press_sequentially(text)
    # After "2.", the 2 counts; the 5 makes it none.
    last = "2" if text == "2.5" else "8"
    assert field.get_attribute("aria-invalid") == "true"
    assert note.inner_text() == f"The box of dimension 0 has no whole number now: {last}, the last one, still counts."
    field.fill("4")
    assert field.get_attribute("aria-invalid") is None
    assert note.is_hidden()
    assert "box=4,4" in shown_state(page)


def test_the_next_choice_writes_the_number_that_counts_into_an_empty_field(reader: Reader) -> None:
    page = opened(reader)
    page.locator("#explorer-box-0").fill("")
    page.locator("#explorer-swizzle").select_option("32")
    assert page.locator("#explorer-box-0").input_value() == "8"
    assert page.locator(".explorer [aria-invalid]").count() == 0


def test_strides_follow_the_sizes_until_they_are_set(reader: Reader) -> None:
    page = opened(reader)
    page.locator("#explorer-size-0").fill("32")
    assert page.locator("#explorer-stride-1").input_value() == "128"
    page.locator("#explorer-packed").uncheck()
    page.locator("#explorer-size-0").fill("16")
    assert page.locator("#explorer-stride-1").input_value() == "128"


def test_pointing_at_the_tensor_marks_the_tile(reader: Reader) -> None:
    page = opened(reader, f"{SMALL}&swizzle=32")
    page.locator("#explorer-global").hover(position=middle_of(page, "global", "[4, 6, 0, 0, 0]"))
    assert page.locator("#explorer-position").inner_text() == "(4, 6) is not in the tile"
    assert page.locator("#explorer-shared-memory-mark").is_hidden()
    page.locator("#explorer-global").hover(position=middle_of(page, "global", "[5, 4, 0, 0, 0]"))
    assert page.locator("#explorer-shared-memory-mark").is_visible()
    # Row 2 of the tile, 64 bytes in, and its element 1.
    assert "shared memory: 0x44, line 0, bank 17" in page.locator("#explorer-position").inner_text()


def test_pointing_at_the_tile_marks_the_tensor(reader: Reader) -> None:
    page = opened(reader)
    page.locator("#explorer-shared-memory").hover(position=middle_of(page, "shared", "e.tile.answer.pieces[9]"))
    assert page.locator("#explorer-global-mark").is_visible()
    assert page.locator("#explorer-position").inner_text().startswith("(5, 3)")
    page.locator("h1").hover()
    assert page.locator("#explorer-global-mark").is_hidden()


def test_a_tile_that_is_long_is_scrolled_to_what_is_marked(reader: Reader) -> None:
    page = opened(reader, "size=64,64&box=32,64&at=0,0")
    page.locator("#explorer-global").hover(position=middle_of(page, "global", "[3, 63, 0, 0, 0]"))
    inside = page.evaluate(
        """() => { const mark = document.getElementById("explorer-shared-memory-mark").getBoundingClientRect();
            const around = document.getElementById("explorer-shared-memory-scroll").getBoundingClientRect();
            return mark.top >= around.top && mark.bottom <= around.bottom; }"""
    )
    assert inside


def test_a_gap_that_a_swizzle_leaves_is_named(reader: Reader) -> None:
    page = opened(reader, "type=f16&size=64,32&box=16,8&at=0,0&swizzle=64")
    first = middle_of(page, "shared", "e.tile.answer.pieces[0]")
    page.locator("#explorer-shared-memory").hover(position={"x": first["x"] + 210, "y": first["y"]})
    assert "leaves it alone" in page.locator("#explorer-position").inner_text()
    assert facts(page)["In shared memory"] == "512 bytes, of which the engine leaves 256 alone"
    assert facts(page)["tx-count to expect"] == "256 bytes"


def test_arrow_keys_move_through_both_pictures(reader: Reader) -> None:
    page = opened(reader)
    page.locator("#explorer-global-scroll").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator("#explorer-position").inner_text().startswith("(5, 3)")
    page.locator("#explorer-shared-memory-scroll").focus()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.locator("#explorer-shared-memory-mark").is_visible()


@pytest.mark.parametrize(
    ("state", "who", "reason"),
    [
        ("type=f16&size=10,8&box=8,4&at=0,0", "driver", "globalStrides[0] = 20 bytes is not a multiple of 16"),
        ("size=64,64&box=64,8&at=0,0&swizzle=128", "driver", "256 bytes is more than the 128 bytes of SWIZZLE_128B"),
        ("type=u8&size=64,8&box=16,4&fill=nan", "driver", "UINT8 is not a floating-point type"),
        ("size=16,8&box=8,4&at=2,0", "engine", "the innermost coordinate must be a multiple of 4"),
        ("size=16,8&box=8,4&at=0,-1&op=store", "engine", "must not begin before the tensor"),
    ],
)
def test_a_refusal_is_in_the_emulators_words(reader: Reader, state: str, who: str, reason: str) -> None:
    page = opened(reader, state)
    assert verdict(page) == who
    assert reason in page.locator("#explorer-verdict").inner_text()
    assert facts(page) == {}


def test_no_reason_stands_in_the_pages_own_script() -> None:
    modules = "".join(file.read_text() for file in (HANDOUT / "site" / "explorer").glob("*.ts"))
    for word in ("is not a multiple", "is not in 1..", "floating-point type", "must not begin"):
        assert word not in modules


def test_bytes_and_tx_count_of_a_tile(reader: Reader) -> None:
    assert facts(opened(reader))["tx-count to expect"] == f"{BOX_BYTES} bytes"
    overhanging = facts(opened(reader, "size=8,6&box=8,4&at=-4,-1&fill=nan"))
    assert overhanging["tx-count to expect"] == f"{BOX_BYTES} bytes"
    assert overhanging["Outside the tensor"] == "80 bytes: arrives as NaN, 0x7ff77ff7"


# What mbarriers.md and expect-too-many.md say of boxes and element strides.
@pytest.mark.parametrize(("step", "columns_and_rows"), [("1,2", 8 * 4), ("1,3", 8 * 3), ("4,1", 8 * 8), ("1,1", 8 * 8)])
def test_the_count_is_of_the_tile_and_not_of_the_box(reader: Reader, step: str, columns_and_rows: int) -> None:
    page = opened(reader, f"size=32,16&box=8,8&step={step}&at=8,2")
    assert facts(page)["tx-count to expect"] == f"{columns_and_rows * 4} bytes"


@pytest.mark.parametrize(("swizzle", "wavefronts"), [("none", 32), ("128", 4)])
def test_a_swizzle_spreads_a_column_over_the_banks(reader: Reader, swizzle: str, wavefronts: int) -> None:
    page = opened(reader, f"size=64,64&box=32,32&at=0,0&swizzle={swizzle}")
    assert facts(page)["A warp reads a column"].startswith(f"{wavefronts} wavefronts")


def test_the_code_is_that_of_the_state(reader: Reader) -> None:
    page = opened(reader, f"{SMALL}&swizzle=32&fill=nan")
    page.locator(".explorer-code summary").click()
    code = page.locator("#explorer-code").inner_text()
    for part in ("size[] = {16, 8}", "stride[] = {64}", "box[] = {8, 4}", "SWIZZLE_32B", "NAN_REQUEST_ZERO_FMA"):
        assert part in code
    call = "make_tensor_map<float, 2>(address, {16, 8}, {64}, {8, 4},"
    assert f"{call}\n    {{.swizzle = CU_TENSOR_MAP_SWIZZLE_32B" in code


def shown_code(page: Page) -> str:
    return page.locator("#explorer-code").text_content() or ""


@pytest.mark.parametrize("rank", range(1, 6))
@pytest.mark.parametrize("op", ["load", "store"])
def test_the_code_goes_on_to_the_kernel(reader: Reader, rank: int, op: str) -> None:
    code = shown_code(opened(reader, f"rank={rank}&op={op}&at=4,2,1,0,0"))
    coordinates = ", ".join(["4", "2", "1", "0", "0"][:rank])
    expected = {
        "load": f"cp_async_bulk_tensor_{rank}d_global_to_shared(tile, &map, {coordinates}, &bar);",
        "store": f"cp_async_bulk_tensor_{rank}d_shared_to_global(&map, {coordinates}, tile);",
    }
    assert expected[op] in code
    tile_bytes = 16 * 4 if rank == 1 else 16 * 8 * 4
    assert (f"expect_bytes_and_arrive(&bar, {tile_bytes});" in code) == (op == "load")


def test_the_code_announces_the_tile_and_not_the_box(reader: Reader) -> None:
    code = shown_code(opened(reader, "size=32,16&box=8,8&step=1,2&at=8,2"))
    assert "expect_bytes_and_arrive(&bar, 128);" in code


@pytest.mark.parametrize(
    ("state", "who"), [("type=f16&size=10,8&box=8,4&at=0,0", "the driver"), ("size=16,8&box=8,4&at=2,0", "the engine")]
)
def test_the_code_has_no_instruction_that_is_refused(reader: Reader, state: str, who: str) -> None:
    code = shown_code(opened(reader, state))
    assert f"// no instruction: {who} refuses" in code
    assert "cp_async_bulk" not in code


@pytest.mark.skipif(not NVCC.exists(), reason="no nvcc in .venv/cuda")
def test_the_code_compiles(reader: Reader, tmp_path: Path) -> None:
    states = [f"rank={rank}&op={op}&at=4,2,1,0,0" for rank in range(1, 6) for op in ("load", "store")]
    states += [f"{SMALL}&swizzle=32&fill=nan&step=1,2", "type=f16&size=64,32&box=16,8&at=0,0"]
    program = ["#include <cuda_fp16.h>", '#include "tensor-map.cuh"', '#include "tma-interface.cuh"']
    for number, state in enumerate(states):
        host, kernel = shown_code(opened(reader, state)).split("// in one thread of the kernel")
        course, driver = host.split("// or by the driver's call")
        element = "__half" if "f16" in state else "float"
        program += [
            f"void course_{number}({element}* address) {{ {course} (void)map; }}",
            f"void driver_{number}(void* address) {{\n{driver} }}",
            f"__global__ void kernel_{number}(const __grid_constant__ CUtensorMap map) {{",
            f"__shared__ alignas(1024) char tile[8192]; __shared__ uint64_t bar;\n//{kernel}",
            "}",
        ]
    source = tmp_path / "shown.cu"
    source.write_text("\n".join(program), encoding="utf-8")
    options = ["-std=c++20", "-arch=sm_90", "-I", str(ROOT / "labs/common"), "-c", "-o", str(tmp_path / "shown.o")]
    compiled = subprocess.run([NVCC, *options, source], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr


# A row of six floats has 24 bytes: the engine writes 32 of them.
def test_a_store_over_the_end_of_a_row_writes_its_last_16_bytes(reader: Reader) -> None:
    page = opened(reader, "size=6,8&stride=32&box=8,2&at=0,0&op=store")
    assert "Outside the tensor" not in facts(page)
    assert facts(page)["Behind the end of rows"].startswith("16 bytes: written all the same")


def test_a_store_writes_nothing_further_out(reader: Reader) -> None:
    page = opened(reader, "size=6,8&stride=32&box=12,2&at=0,0&op=store")
    assert facts(page)["Outside the tensor"] == "32 bytes: not written"


def test_a_link_on_the_page_itself_changes_the_state(reader: Reader) -> None:
    page = opened(reader)
    page.locator("article a", has_text="A column without a swizzle").click()
    page.wait_for_function("document.getElementById('explorer-box-1').value === '32'")


@pytest.mark.parametrize("text", ["size=a,b&rank=x", "rank=99&swizzle=1000", "box=&at=,,&nothing", "%%%"])
def test_a_broken_link_still_shows_something(reader: Reader, text: str) -> None:
    page = opened(reader, quote(text, safe="=&,%"))
    assert verdict(page) in ("accepted", "driver")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_the_pictures_have_colors_and_fit(reader: Reader, width: int, theme: str) -> None:
    reader.page.set_viewport_size({"width": width, "height": 900})
    page = opened(reader)
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    page.wait_for_timeout(100)
    colors = page.locator("#explorer-shared-memory").evaluate(
        """canvas => { const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(data.buffer)).size; }"""
    )
    assert colors > 32
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_each_control_has_a_name(reader: Reader) -> None:
    page = opened(reader)
    nameless = page.locator(".explorer :is(input, select):visible").evaluate_all(
        "all => all.filter(one => !one.ariaLabel && one.labels.length === 0).map(one => one.id)"
    )
    assert nameless == []


def test_chapters_link_to_states() -> None:
    pages = {page for page, _ in LINKS}
    assert {"labs/lab4-single-tile.md", "labs/lab5-tensor-ranks.md", "labs/lab8-swizzle.md"} <= pages
    assert sum(not page.endswith("explorer.md") for page, _ in LINKS) >= 8


@pytest.mark.parametrize("state", sorted({state for _, state in LINKS}))
def test_a_link_of_the_book_restores_its_state(reader: Reader, state: str) -> None:
    page = opened(reader, state)
    # What the page itself would write of what it shows.
    page.locator("#explorer-size-0").fill(page.locator("#explorer-size-0").input_value())
    assert set(state.split("&")) <= set(shown_state(page).split("&"))


@pytest.mark.parametrize(("page", "state"), LINKS)
def test_a_page_links_to_the_explorer_with_its_state(page: str, state: str) -> None:
    html = (SITE / page).with_suffix(".html").read_text(encoding="utf-8")
    target = "" if page == "guide/tensor-map-explorer.md" else "tensor-map-explorer.html"
    assert f'{target}#{escape(state)}"' in html
