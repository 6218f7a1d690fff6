"""The pages that step through a kernel: every version under every policy, forward and backward."""

import re
import sys

import pytest
from conftest import HANDOUT, THEMES, WIDTHS, Reader
from stepping_page import opened, to_the_end

sys.path.insert(0, str(HANDOUT / "site/stepping"))

import finding_launches

FINDINGS = sorted(finding_launches.CODES)
KERNELS = sorted(kernel.stem for kernel in (HANDOUT / "site/stepping/kernels").glob("*.cu"))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_right_version_has_no_finding(reader: Reader, kernel: str) -> None:
    page = opened(reader, kernel)
    for policy in ("late", "early", "random"):
        page.locator(".stepping-policy select").select_option(policy)
        to_the_end(page)
        assert page.locator(".stepping-finding").is_hidden()
        assert page.locator(".stepping-engine").inner_text() == "nothing in flight"


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_line_taken_away_is_found(reader: Reader, kernel: str) -> None:
    page = opened(reader, kernel)
    names = page.locator("[data-version]").evaluate_all("all => all.map(one => one.dataset.version)")
    assert names.pop(0) == "right" and names
    for name in names:
        page.locator(f"[data-version={name}]").check()
        assert page.locator("[data-version]:checked").count() == 1
        to_the_end(page)
        assert re.search(r"(error|warning).*\[", page.locator(".stepping-finding").inner_text()), name


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_step_back_shows_what_was_there(reader: Reader, kernel: str) -> None:
    page = opened(reader, kernel)
    forward = page.get_by_role("button", name="step forward")
    for _ in range(4):
        forward.click()
    before = page.locator("#stepping").inner_text()
    forward.click()
    assert page.locator("#stepping").inner_text() != before
    page.get_by_role("button", name="step backward").click()
    assert page.locator("#stepping").inner_text() == before


def test_arrow_keys_step(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator(".stepping-source").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".stepping-count").inner_text().startswith("1 of")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".stepping-count").inner_text().startswith("0 of")


def test_arrow_keys_step_wherever_one_is_while_the_kernel_is_in_sight(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("steppingPlayer.at") == 1
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("steppingPlayer.at") == 2
    page.keyboard.press("Home")  # which is the page's
    assert page.evaluate("steppingPlayer.at") == 2


def test_arrow_keys_step_where_a_line_was_just_taken_away(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator("[data-version=fence]").click()
    page.evaluate("steppingPlayer.ready")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("steppingPlayer.at") == 1
    assert page.locator("[data-version=fence]").is_checked()
    page.keyboard.press("ArrowDown")
    assert not page.locator("[data-version=fence]").is_checked()


def test_in_short_speaks_of_the_step_that_is_shown_and_of_what_is_to_come(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    outlook = page.locator(".stepping-outlook")
    coming = "Its result will be right, and nothing will be found."
    assert outlook.inner_text() == f"In short: the kernel has not begun. {coming}"
    page.get_by_role("button", name="step forward").click()
    assert outlook.inner_text() == f"In short: 0 of 2 warps wait, and nothing is in flight. {coming}"
    page.evaluate("steppingPlayer.goTo(1 + steppingPlayer.recording.steps.findIndex(step => step.bulks))")
    present = r"In short: \d of 2 warps waits?, and 1 TMA operation is in flight\. "
    assert re.fullmatch(present + re.escape(coming), outlook.inner_text())
    to_the_end(page)
    assert outlook.inner_text() == "In short: The kernel has ended: its result is right, and nothing was found."


def test_what_is_found_is_said_at_once_and_leads_to_its_step(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    outlook = page.locator(".stepping-outlook")
    page.locator("[data-version=fence]").check()
    page.evaluate("steppingPlayer.ready")
    assert page.evaluate("steppingPlayer.at") == 0
    assert outlook.inner_text().startswith("In short: the kernel has not begun. Ahead: missing-proxy-fence at step ")
    assert outlook.inner_text().endswith("64 of the 64 words of its result will be wrong.")
    outlook.locator("[data-found=missing-proxy-fence]").click()
    assert "missing-proxy-fence" in page.locator(".stepping-finding").inner_text()
    assert 0 < page.evaluate("steppingPlayer.at") < page.evaluate("steppingPlayer.recording.steps.length")
    assert " Found: missing-proxy-fence at step " in outlook.inner_text()
    assert page.evaluate("document.activeElement.dataset.found") == "missing-proxy-fence"


# Of an element, whether all of it, or of its box, is in the window.
IN_SIGHT = """element => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""


@pytest.mark.parametrize("version", ["right", "wait"])
def test_the_main_loop_fits_a_screen_at_each_step(reader: Reader, version: str) -> None:
    page = opened(reader, "main-loop")
    page.locator(f"[data-version={version}]").check()
    page.evaluate("steppingPlayer.ready")
    page.locator("#stepping").evaluate("part => part.scrollIntoView({block: 'start', behavior: 'instant'})")
    last = page.evaluate("steppingPlayer.recording.steps.length")
    for step in range(1, last + 1, 9):
        page.evaluate(f"steppingPlayer.goTo({step})")
        for part in (
            "buttons",
            "words",
            "source",
            "all-warps",
            "mbarriers",
            "memory .stepping-tile figcaption >> nth=0",
        ):
            assert page.locator(f".stepping-{part}").evaluate(IN_SIGHT), (part, step)
        box = page.locator(".stepping-source").evaluate("box => box.getBoundingClientRect().toJSON()")
        line = page.locator("[data-now]").evaluate("line => line.getBoundingClientRect().toJSON()")
        assert box["top"] <= line["top"] and line["bottom"] <= box["bottom"], step
    assert page.evaluate("document.documentElement.scrollHeight") < 2000


def test_each_warp_of_the_main_loop_is_shown_with_its_line(reader: Reader) -> None:
    page = opened(reader, "main-loop")
    page.evaluate("steppingPlayer.goTo(40)")
    shown = page.locator(".stepping-all-warps .stepping-warp").all_inner_texts()
    lines = page.evaluate("[...steppingPlayer.recording.stateAfter(40).warps.values()].map(warp => warp.line)")
    assert shown == [f"W{index}: {line}" for index, line in enumerate(lines)] and len(shown) == 5


def test_a_large_tile_has_32_words_a_row_that_can_be_pointed_at(reader: Reader) -> None:
    page = opened(reader, "main-loop")
    to_the_end(page)
    cells = page.locator(".stepping-tile").first.locator(".stepping-cells").first.locator(".stepping-cell")
    tops = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().top)")
    assert [tops.index(top) for top in dict.fromkeys(tops)] == list(range(0, 1024, 32))
    assert cells.nth(33).get_attribute("title") == "a[byte 132]: 40a040a0"


@pytest.mark.parametrize("code", FINDINGS)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_a_kernel_is_cut_off(reader: Reader, code: str, width: int) -> None:
    reader.page.set_viewport_size({"width": width, "height": 900})
    page = reader.open(f"findings/{code}.html")
    page.wait_for_function("globalThis.steppingPlayer")
    cut = "lines => lines.filter(line => line.scrollWidth > line.clientWidth).map(line => line.innerText)"
    assert page.locator(".stepping-line").evaluate_all(cut) == []


def test_arrow_keys_are_the_pages_where_the_kernel_is_out_of_sight(reader: Reader) -> None:
    page = reader.open("findings/read-before-wait.html")
    page.wait_for_function("globalThis.steppingPlayer")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("steppingPlayer.at") == 0


def test_run_goes_on_until_paused(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator("[data-press=run]").click()
    page.wait_for_function("steppingPlayer.at >= 2")
    page.locator("[data-press=run]").click()
    assert page.locator("[data-press=run]").inner_text().strip() == "run"


def test_the_missing_fence_leaves_the_engine_with_stale_words(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    to_the_end(page)
    assert page.locator("[data-stale]").count() == 0
    page.locator("[data-version=fence]").check()
    to_the_end(page)
    assert page.locator("[data-stale]").count() == 64
    assert "missing-proxy-fence" in page.locator(".stepping-finding").inner_text()


def test_the_result_is_told_at_the_end_and_what_is_wrong_of_it(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    assert page.locator(".stepping-result").inner_text() == "shown when the kernel has ended"
    to_the_end(page)
    assert page.locator(".stepping-result .stepping-cell").count() == 64
    assert page.locator("[data-wrong]").count() == 0
    assert "its result is right, and nothing was found" in page.locator(".stepping-words").inner_text()
    page.locator("[data-version=fence]").check()
    to_the_end(page)
    assert page.locator("[data-wrong]").count() == 64
    assert "64 of the 64 words of its result are wrong" in page.locator(".stepping-words").inner_text()


def test_a_mistake_that_this_timing_hides_is_said_to_be_right_this_time(reader: Reader) -> None:
    page = opened(reader, "ring")
    page.locator("[data-version=wait]").check()
    page.locator(".stepping-policy select").select_option("early")
    to_the_end(page)
    assert "its result is right this time" in page.locator(".stepping-words").inner_text()


def test_each_finding_comes_at_the_step_at_which_it_is_seen(reader: Reader) -> None:
    page = opened(reader, "ring")
    page.locator("[data-version=wait]").check()
    page.evaluate("steppingPlayer.ready")
    seen: list[tuple[int, list[str]]] = page.evaluate(
        "steppingPlayer.recording.steps.flatMap((step, index) => step.findings ? [[index + 1, step.findings]] : [])"
    )
    told = page.locator(".stepping-found")
    page.evaluate(f"steppingPlayer.goTo({seen[0][0] - 1})")
    assert told.count() == 0
    for step, codes in seen:
        page.evaluate(f"steppingPlayer.goTo({step})")
        texts = told.all_inner_texts()
        assert texts and all(any(f"[{code}]" in text for text in texts) for code in codes)
    assert "read-before-wait" in seen[0][1]


def test_a_finding_leads_to_its_page(reader: Reader) -> None:
    for name, code in (("stepping/one-tile.html", "missing-proxy-fence"), ("findings/deadlock.html", "deadlock")):
        page = reader.open(name)
        page.wait_for_function("globalThis.steppingPlayer")
        if name.startswith("stepping/"):
            page.locator("[data-version=fence]").check()
        to_the_end(page)
        page.locator(".stepping-found a").first.click()
        assert page.locator("h1").inner_text().startswith(code)


def test_a_multicast_lands_in_both_ctas(reader: Reader) -> None:
    page = opened(reader, "multicast")
    to_the_end(page)
    assert page.locator(".stepping-tile").count() == 2
    assert page.locator(".stepping-unknown").count() == 0


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_it_fits(reader: Reader, kernel: str, width: int, theme: str) -> None:
    reader.page.set_viewport_size({"width": width, "height": 900})
    page = opened(reader, kernel)
    page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
    to_the_end(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_shows_the_buttons_and_the_words_beside_whatever_one_looks_at(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    page = opened(reader, "one-tile")
    page.locator(".stepping-tile").first.evaluate("tile => tile.scrollIntoView({block: 'end', behavior: 'instant'})")
    heights = [
        page.locator(f".stepping-{part}").evaluate("part => part.getBoundingClientRect().toJSON()")
        for part in ("buttons", "words", "tile")
    ]
    buttons, words, tile = ((box["top"], box["bottom"]) for box in heights)
    assert 0 < buttons[0] < buttons[1] <= words[0] + 8 < words[1] < tile[1] < 845  # a page is scrolled by whole pixels
    page.locator("[data-press='step forward']").click()
    assert page.locator(".stepping-count").inner_text().startswith("1 of")


def test_words_say_what_the_engine_did_and_which_phase_that_ends(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator(".stepping-source").focus()
    said = []
    while page.evaluate("steppingPlayer.at < steppingPlayer.recording.steps.length"):
        page.keyboard.press("ArrowRight")
        said.append(page.locator(".stepping-words").inner_text())
    ends = [words for words in said if words.startswith("TMA engine")]
    assert ends == [
        "TMA engine: load 0, from line 11, has landed. landed: the phase of parity 0 is over.",
        "TMA engine: store 1, from line 19, has read its source.",
        "TMA engine: store 1, from line 19, has written its bytes to global memory.",
    ]
    assert sum("is over" in words for words in said) == 1
    assert "Warp 0, 32 lanes: waits at line 14 for the phase of parity 0 of landed." in said
    assert "Warp 0, 1 lane: waits at line 21 until its bulk groups are complete." in said
    assert "Warp 0, 1 lane: issues load 0 into tile, on landed, at line 11." in said


def test_a_load_that_comes_when_its_cta_has_ended_lands_nowhere(reader: Reader) -> None:
    page = opened(reader, "one-tile")
    page.locator("[data-version=wait]").check()
    to_the_end(page)
    assert "comes too late: its CTA has ended" in page.locator(".stepping-words").inner_text()


def test_an_mbarrier_that_the_step_has_changed_is_framed(reader: Reader) -> None:
    page = opened(reader, "ring")
    page.locator(".stepping-source").focus()
    framed = page.locator(".stepping-mbarrier[data-new] b")
    seen: list[str] = []
    while page.evaluate("steppingPlayer.at < steppingPlayer.recording.steps.length") and len(seen) < 4:
        page.keyboard.press("ArrowRight")
        seen += framed.all_inner_texts()
    assert seen[:2] == ["full[0]", "full[1]"] and set(seen) == {"full[0]", "full[1]"}
    page.keyboard.press("Home")
    assert framed.count() == 0


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_jump_goes_from_event_to_event(reader: Reader, kernel: str) -> None:
    page = opened(reader, kernel)
    page.locator(".stepping-source").focus()
    visited = []
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
        visited.append(page.evaluate("steppingPlayer.at"))
    assert visited == page.evaluate("steppingPlayer.recording.events.slice(0, 4)")
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate("steppingPlayer.at") == visited[-2]


def test_home_and_end_go_to_the_ends(reader: Reader) -> None:
    page = opened(reader, "ring")
    page.locator(".stepping-source").focus()
    page.keyboard.press("End")
    assert page.evaluate("steppingPlayer.at === steppingPlayer.recording.steps.length")
    page.keyboard.press("Home")
    assert page.evaluate("steppingPlayer.at") == 0


def test_polls_are_told_in_one_step(reader: Reader) -> None:
    page = opened(reader, "warp-scheduler")
    page.locator("[data-version=arrive]").check()
    to_the_end(page)
    assert re.search(r"asks again \d+ times while nothing changes", page.locator(".stepping-words").inner_text())


def test_lines_that_belong_together_are_struck_out_together(reader: Reader) -> None:
    page = opened(reader, "multicast")
    page.locator("[data-version=cluster]").check()
    page.evaluate("steppingPlayer.ready")
    assert page.locator("[data-gone]").count() == 2


@pytest.mark.parametrize("code", FINDINGS)
def test_a_page_of_a_finding_steps_through_both_of_its_kernels(reader: Reader, code: str) -> None:
    page = reader.open(f"findings/{code}.html")
    page.wait_for_function("globalThis.steppingPlayer")
    assert page.locator("[data-version=wrong]").is_checked()
    to_the_end(page)
    assert f"[{code}]" in page.locator(".stepping-finding").inner_text()
    page.locator("[data-version=right]").check()
    to_the_end(page)
    assert page.locator(".stepping-finding").is_hidden()


def test_a_kernel_without_a_tile_is_said_to_have_none(reader: Reader) -> None:
    page = reader.open("findings/phase-overrun.html")
    page.wait_for_function("globalThis.steppingPlayer")
    assert page.locator(".stepping-memory").inner_text() == "no tile in this kernel"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_example_of_a_finding_fits(reader: Reader, width: int) -> None:
    reader.page.set_viewport_size({"width": width, "height": 900})
    page = reader.open("findings/barrier-of-another-cta.html")
    page.wait_for_function("globalThis.steppingPlayer")
    to_the_end(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
