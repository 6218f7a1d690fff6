"""The pages that step through a kernel, under another timing and with PTX of the reader's own."""

import json
import re

from conftest import Reader
from playwright.sync_api import Page
from stepping_page import opened, to_the_end


def choose_seed(page: Page, seed: int) -> None:
    page.locator(".stepping-policy select").select_option("random")
    page.get_by_label("seed", exact=True).last.fill(str(seed))
    page.get_by_label("seed", exact=True).last.press("Tab")
    page.evaluate("steppingPlayer.ready")


def steps(page: Page) -> str:
    text: str = page.evaluate("JSON.stringify(steppingPlayer.recording.steps)")
    return text


def test_a_seed_is_asked_for_where_timing_is_random(reader: Reader) -> None:
    page = opened(reader, "ring")
    assert page.locator(".stepping-seed").is_hidden()
    page.locator(".stepping-policy select").select_option("random")
    assert page.locator(".stepping-seed").is_visible()


def test_another_seed_is_another_run_and_the_same_seed_the_same(reader: Reader) -> None:
    page = opened(reader, "ring")
    seen = []
    for seed in (1, 2, 1):
        choose_seed(page, seed)
        seen.append(steps(page))
    assert seen[0] == seen[2] != seen[1]


def run_ptx(page: Page, change: str) -> None:
    """Opens the PTX, changes it by an expression over `text`, and runs it."""
    if page.locator(".stepping-ptx[open]").count() == 0:
        page.locator(".stepping-ptx summary").click()
    page.locator(".stepping-ptx-text").evaluate(f"area => {{ const text = area.value; area.value = {change} }}")
    page.locator("[data-press='run this PTX']").click()
    page.evaluate("steppingPlayer.ready")


def test_ptx_without_its_fences_has_the_finding(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replaceAll('fence.proxy.async;', '')")
    to_the_end(page)
    assert "[missing-proxy-fence]" in page.locator(".stepping-finding").inner_text()
    page.locator("[data-press='as it was compiled']").click()
    to_the_end(page)
    assert page.locator(".stepping-finding").is_hidden()


def test_ptx_of_the_readers_own_stays_under_another_timing_and_beside_another_version(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replaceAll('fence.proxy.async;', '') + '// mine'")
    page.locator(".stepping-policy select").select_option("early")
    to_the_end(page)
    assert "[missing-proxy-fence]" in page.locator(".stepping-finding").inner_text()
    page.locator("[data-version=wait]").check()
    page.evaluate("steppingPlayer.ready")
    assert "// mine" not in page.locator(".stepping-ptx-text").input_value()
    page.locator("[data-version=right]").check()
    page.evaluate("steppingPlayer.ready")
    assert page.locator(".stepping-ptx-text").input_value().endswith("// mine")


def test_ptx_that_is_none_is_refused_with_its_line_and_what_ran_before_fades(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replace('bar.sync', 'bar..sync')")
    assert re.search(r"line \d+", page.locator(".stepping-refused").inner_text())
    assert page.locator(".stepping[data-refused]").count() == 1
    assert "does not run" in page.locator(".stepping-own").inner_text()
    page.locator("[data-press='as it was compiled']").click()
    page.evaluate("steppingPlayer.ready")
    assert page.locator(".stepping[data-refused]").count() == 0
    assert page.locator(".stepping-own").is_hidden()


def test_ptx_that_runs_is_said_to_be_the_readers_and_what_it_finds(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replaceAll('fence.proxy.async;', '')")
    assert "This is your PTX" in page.locator(".stepping-own").inner_text()
    assert re.search(
        r"\d+ steps, and the emulator finds missing-proxy-fence", page.locator(".stepping-ran").inner_text()
    )


def test_ptx_that_was_not_run_yet_is_there_when_one_comes_back(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator(".stepping-ptx summary").click()
    page.locator(".stepping-ptx-text").press_sequentially("// mine")
    text = page.locator(".stepping-ptx-text").input_value()
    for version in ("wait", "right"):
        page.locator(f"[data-version={version}]").check()
        page.evaluate("steppingPlayer.ready")
    assert page.locator(".stepping-ptx-text").input_value() == text


def test_an_instruction_that_nobody_knows_may_be_a_typing_mistake(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replace('bar.sync', 'frobnicate.s32 %r1, %r1;\\nbar.sync')")
    said = page.locator(".stepping-ptx").inner_text()
    assert "typing mistake" in said or page.locator(".stepping-refused").is_visible(), said


def test_what_cannot_run_in_a_page_says_so_by_name(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, "text.replace('bar.sync', '.reg .f32 %f; add.rz.f32 %f, 0f3F800000, 0f3F800000;\\nbar.sync')")
    to_the_end(page)
    finding = page.locator(".stepping-finding").inner_text()
    assert "add.rz.f32" in finding and "[not-modeled]" in finding


def prints(words: str) -> str:
    """The change of PTX that lets each thread of a kernel print the words, with 7 for a conversion in them, as an
    expression over `text`."""
    declared = (
        ".extern .func (.param .b32 count) vprintf(.param .b64 format, .param .b64 arguments);\n"
        f".global .align 1 .b8 words[] = {{{', '.join(map(str, [*words.encode(), 0]))}}};\n"
        ".global .align 8 .b32 numbers[2] = {7, 0};\n"
    )
    call = (
        "{ .reg .b64 %words, %numbers; .param .b64 format; .param .b64 arguments; .param .b32 count;\n"
        "mov.u64 %words, words; cvta.global.u64 %words, %words;\n"
        "mov.u64 %numbers, numbers; cvta.global.u64 %numbers, %numbers;\n"
        "st.param.b64 [format], %words; st.param.b64 [arguments], %numbers;\n"
        "call.uni (count), vprintf, (format, arguments); }\n"
    )
    return (
        f"text.replace('.visible .entry', {json.dumps(declared)} + '.visible .entry')"
        f".replace('bar.sync', {json.dumps(call)} + 'bar.sync')"
    )


def test_what_a_kernel_prints_has_its_own_place_and_is_no_finding(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    assert page.locator(".stepping-printed").is_hidden()
    run_ptx(page, prints("hello\n"))
    assert page.locator(".stepping-printed").inner_text() == "shown when the kernel has ended"
    to_the_end(page)
    assert page.locator(".stepping-printed").inner_text() == "hello\n" * 64
    assert page.locator(".stepping-finding").is_hidden()
    assert "its result is right, and nothing was found" in page.locator(".stepping-words").inner_text()
    assert "and the emulator finds nothing" in page.locator(".stepping-ran").inner_text()


def test_flags_width_and_precision_of_what_is_printed_are_read_in_order(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, prints("[%-8.3d]\n"))
    to_the_end(page)
    assert page.locator(".stepping-printed").inner_text() == "[007     ]\n" * 64


def test_a_printed_line_that_looks_like_a_finding_is_not_believed(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    run_ptx(page, prints("x.cu:9:1: error: boom [deadlock]\n"))
    to_the_end(page)
    assert "boom [deadlock]" in page.locator(".stepping-printed").inner_text()
    assert page.locator(".stepping-finding").is_hidden()
    assert "never ends" not in page.locator(".stepping-words").inner_text()


def test_a_loop_without_an_end_is_ended(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.evaluate("globalThis.clockRate = 1")
    run_ptx(page, "text.replace('bar.sync', 'HERE: bra HERE;\\nbar.sync')")
    to_the_end(page)
    assert "is still running at one-tile.cu:" in page.locator(".stepping-finding").inner_text()
    assert "was still running when its time was over" in page.locator(".stepping-words").inner_text()
