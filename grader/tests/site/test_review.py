"""The page on which a course's staff reads hand-ins, in a browser: what is shown, typed, said and lost."""

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import MILLISECONDS, THEMES, WIDTHS
from playwright.sync_api import Browser, Page, expect
from review_served import ReviewedClass, Served, write_class
from test_accessibility import AXE

STUDENTS = 500
HAND_IN = "#hand-in?student=s001&lab=lab3-bulk-copy&only=lab3-bulk-copy"
EDITED = "#hand-in?student=s005&lab=lab3-bulk-copy&only=lab3-bulk-copy"
EDITED_SAYINGS: list[dict[str, object]] = [
    {"kind": "comment", "text": "Why?", "points": "-1", "file": "lab3.cu", "line": 41},
    {"kind": "edit", "about": "saying-0", "text": "Why here?", "points": "-2"},
]
REQUEST = "#hand-in?student=s003&lab=lab3-bulk-copy&only=lab3-bulk-copy"
LINE = 41  # of every finding

Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ReviewedClass, Served]]:
    """A class of which nothing is changed."""
    reviewed = write_class(tmp_path_factory.mktemp("large"), STUDENTS)
    with reviewed.served() as server:
        for number, saying in enumerate(EDITED_SAYINGS):
            reviewed.say(server, {**saying, "student": "s005", "lab": "lab3-bulk-copy", "id": f"saying-{number}"})
        yield reviewed, server


@pytest.fixture
def small(tmp_path: Path) -> ReviewedClass:
    return write_class(tmp_path, 10)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Opens the page, of which nothing may be complained in the browser's console."""
    complaints: list[str] = []
    contexts = []

    def open_(server: Served, place: str = "", width: int = 1440, theme: str = "light") -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        contexts.append(context)
        context.set_default_timeout(MILLISECONDS)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(server.address + place)
        page.wait_for_selector("#main h1")
        return page

    yield open_
    for context in contexts:
        context.close()
    # That a server is gone, or has refused what was asked, a browser says as well as the page.
    known = ("ERR_CONNECTION_REFUSED", "400 (Bad Request)")
    assert [text for text in complaints if not any(said in text for said in known)] == []


def rows(page: Page) -> int:
    """As the page says it: those that no screen shows at once follow the others."""
    return int((page.locator(".count").text_content() or "").split()[0])


def comment(page: Page, text: str) -> None:
    page.get_by_role("button", name="Comment on the hand-in").click()
    page.get_by_role("textbox", name="Comment on the hand-in").fill(text)
    page.get_by_role("button", name="Say it").click()


# What axe has against it, and what does not fit


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("place", "key"),
    [
        ("", ""),
        ("#?lab=", ""),
        (HAND_IN, ""),
        (HAND_IN, "]c"),
        (EDITED, "]e"),
        (REQUEST, "da"),
        ("#figures", ""),
        ("", "?"),
    ],
)
def test_axe_has_nothing_against_the_page_and_all_of_it_fits(
    large: tuple[ReviewedClass, Served], opened: Opened, place: str, key: str, width: int, theme: str
) -> None:
    page = opened(large[1], place, width, theme)
    for one in key:
        page.keyboard.press(one)
    found = page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    assert "exceptionDetails" not in found
    broken = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")["violations"]
    assert [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in broken] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The table


def test_the_table_filters_and_sorts(large: tuple[ReviewedClass, Served], opened: Opened) -> None:
    page = opened(large[1])
    assert rows(page) == STUDENTS
    expect(page.locator("tbody tr")).to_have_count(STUDENTS + 1)  # one has handed in nothing
    page.get_by_label("finding").select_option("data-race")
    with_race = rows(page)
    assert 0 < with_race < STUDENTS / 2
    page.get_by_label("section").select_option("A")
    assert rows(page) == 0  # all who are in A are right
    page.get_by_label("section").select_option("")
    page.get_by_role("searchbox").fill("first011")
    assert rows(page) == 1
    page.get_by_role("searchbox").fill("")
    page.get_by_label("finding").select_option("")
    page.get_by_label("part").select_option("any-length")
    page.get_by_label("verdict").select_option("fail")
    assert "fail" in (page.locator("tbody tr").first.text_content() or "")
    page.get_by_role("button", name="points").click()
    expect(page.get_by_role("columnheader", name="points")).to_have_attribute("aria-sort", "ascending")


def test_points_that_are_not_measured_yet_are_no_zero(large: tuple[ReviewedClass, Served], opened: Opened) -> None:
    page = opened(large[1])
    page.get_by_label("part").select_option("bandwidth")
    expect(page.locator("tbody tr a").first).to_be_visible()
    expect(page.locator("tbody tr", has=page.locator("a")).first).to_contain_text("pending –/25")
    page.locator("tbody a").first.click()
    expect(page.locator("table.parts")).to_contain_text("–/25")


def test_who_handed_in_nothing_can_be_listed(large: tuple[ReviewedClass, Served], opened: Opened) -> None:
    page = opened(large[1])
    page.get_by_label("review").select_option("absent")
    expect(page.locator("tbody tr")).to_have_text([re.compile("Absent.*nothing handed in")])


def test_a_way_back_leads_to_the_table_as_it_was(large: tuple[ReviewedClass, Served], opened: Opened) -> None:
    page = opened(large[1])
    page.get_by_label("finding").select_option("data-race")
    before = rows(page)
    page.locator("tbody a").first.click()
    page.wait_for_selector(".code")
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(before)


# With the keyboard alone


def test_a_hand_in_is_found_commented_and_reviewed_with_the_keyboard_alone(
    small: ReviewedClass, opened: Opened
) -> None:
    with small.served() as server:
        page = opened(server)
        keys = page.keyboard
        keys.press("/")
        keys.type("first001")
        keys.press("Escape")
        keys.press("j")
        keys.press("Enter")
        page.wait_for_selector(".code")
        keys.press("]")
        expect(page.locator(":focus")).to_have_text(str(LINE))
        keys.press("c")
        keys.type("No fence here.")
        keys.press("Tab")
        keys.type("-2,5")
        keys.press("Control+Enter")
        expect(page.locator(".notes .remark .said")).to_have_text("No fence here.")
        assert f"Comment on line {LINE} of `lab3.cu`: −2.5 points" in small.feedback("s001")
        assert "add -2.5" in small.run("tmagrade", "explain", "s001", "lab3")
        keys.press("t")
        page.get_by_role("searchbox").fill("")
        keys.press("Escape")
        keys.press("n")
        page.wait_for_selector(".code")
        first = page.locator("h1").text_content()
        keys.press("r")
        expect(page.locator("h1")).not_to_have_text(first or "")


def test_after_a_comment_the_keys_go_on_from_its_line_in_the_same_view(small: ReviewedClass, opened: Opened) -> None:
    with small.served() as server:
        page = opened(server, HAND_IN)
        keys = page.keyboard
        for key in ("d", "]", "c"):
            keys.press(key)
        keys.type("Here.")
        top = page.evaluate("scrollY")
        keys.press("Control+Enter")
        expect(page.locator(".notes .remark .said")).to_have_text("Here.")
        expect(page.locator(":focus")).to_have_text(str(LINE))
        expect(page.get_by_role("button", name="Only what differs")).to_have_attribute("aria-pressed", "true")
        assert abs(page.evaluate("scrollY") - top) < 300


def test_what_is_typed_where_no_line_has_the_focus_is_a_comment_and_no_keys(
    small: ReviewedClass, opened: Opened
) -> None:
    with small.served() as server:
        page = opened(server, HAND_IN)
        page.keyboard.press("c")
        page.keyboard.type("Remember the fence.")  # r would mark it as reviewed, and open the next
        expect(page.get_by_role("textbox", name="Comment on the hand-in")).to_have_value("Remember the fence.")


def test_a_comment_is_edited_with_the_keyboard_and_its_earlier_words_stay_known(
    small: ReviewedClass, opened: Opened
) -> None:
    with small.served() as first, small.served() as second:
        page, other = opened(first, HAND_IN), opened(second, HAND_IN)
        keys = page.keyboard
        for key in ("]", "c"):
            keys.press(key)
        keys.type("No fence.")
        keys.press("Tab")
        keys.type("-2")
        keys.press("Control+Enter")
        expect(page.locator(".notes .remark .said")).to_have_text("No fence.")
        other.reload()
        other.wait_for_selector(".remark")
        keys.press("e")
        expect(page.get_by_role("textbox", name="Edit the comment")).to_have_value("No fence.")
        expect(page.get_by_role("textbox", name="points")).to_have_value("-2")
        keys.press("Control+A")
        keys.type("A fence in vain.")
        keys.press("Control+Enter")
        expect(page.locator(".notes .remark > .said")).to_have_text("A fence in vain.")
        expect(page.locator(".remark details")).to_contain_text("No fence.")
        expect(page.locator(":focus")).to_have_text(str(LINE))
        other.get_by_role("button", name="edit this comment").click()
        other.get_by_role("textbox", name="Edit the comment").fill("Mine.")
        other.get_by_role("button", name="Keep it").click()
        expect(other.get_by_role("alert")).to_contain_text("has changed that meanwhile, to: A fence in vain.")
        expect(other.locator("textarea")).to_have_value("Mine.")
    assert "A fence in vain." in small.feedback("s001") and "No fence." not in small.feedback("s001")


# Two at once, and a server that is killed


def test_two_assistants_at_once_see_and_lose_nothing(small: ReviewedClass, opened: Opened) -> None:
    with small.served() as first, small.served() as second:
        one, two = opened(first, HAND_IN), opened(second, HAND_IN)
        comment(one, "the first says")
        comment(two, "the second says")
        expect(two.locator(".remark .said")).to_have_text(["the first says", "the second says"])
        one.get_by_role("button", name="Reviewed, next").click()
        expect(one.locator("h1")).not_to_have_text("First001 Last001")
        reviewed = 1
        while one.get_by_role("button", name="Reviewed, next").count() and reviewed < 9:
            name = one.locator("h1").text_content() or ""
            one.get_by_role("button", name="Reviewed, next").click()
            expect(one.locator("h1")).not_to_have_text(name)
            reviewed += 1
        last = one.locator("h1").text_content() or ""
        two.keyboard.press("n")  # the only one that the other has left
        expect(two.locator("h1")).to_have_text(last)
        assert "the first says" in small.feedback("s001") and "the second says" in small.feedback("s001")


def test_what_was_said_before_a_kill_is_there_and_what_was_typed_stays(small: ReviewedClass, opened: Opened) -> None:
    with small.served() as other:
        with small.served() as killed:
            page = opened(killed, HAND_IN)
            comment(page, "before the kill")
            expect(page.locator(".remark .said")).to_have_text("before the kill")
            killed.kill()
            comment(page, "after the kill")
            expect(page.get_by_role("alert")).to_contain_text("does not answer")
            expect(page.locator("textarea")).to_have_value("after the kill")
        comment(opened(other, HAND_IN), "the other goes on")
        with small.served() as again:
            page = opened(again, HAND_IN)
            expect(page.locator(".remark .said")).to_have_text(["before the kill", "the other goes on"])
    assert "before the kill" in small.feedback("s001")


# Requests


def test_a_request_is_answered_and_the_answer_published(small: ReviewedClass, opened: Opened) -> None:
    with small.served() as server:
        page = opened(server)
        page.get_by_label("review").select_option("request")
        page.locator("tbody a").click()
        page.wait_for_selector(".request")
        page.keyboard.press("a")
        page.keyboard.type("It is not.")
        page.keyboard.press("Control+Enter")
        expect(page.locator(".request .said")).to_have_text("It is not.")
        page.keyboard.press("t")
        expect(page.locator("tbody tr")).to_have_count(0)
    assert "### Your request for a regrade\n\nIt is not.\n" in small.feedback("s003")


# What others try


def test_no_text_of_a_student_is_html(large: tuple[ReviewedClass, Served], opened: Opened) -> None:
    page = opened(large[1])
    assert page.locator("#main :is(img, script)").count() == 0
    page.goto(large[1].address + HAND_IN.replace("s001", "s007"))
    expect(page.locator("h1")).to_contain_text("<img src=x")
    expect(page.locator(".code")).to_contain_text("<script>")
    assert page.locator("#main :is(img, script)").count() == 0
    assert page.title() != "run"


EVIL = """<!doctype html><title>evil</title><iframe name="frame" src="{address}"></iframe>
<form method="post" action="{address}say" target="frame" enctype="text/plain">
<input name='{{"id":"evil-0001","student":"s001","lab":"lab3-bulk-copy","kind":"comment","text":"evil'
 value='"}}'></form>
<script>
const said = JSON.stringify({{id: "evil-0001", student: "s001", lab: "lab3-bulk-copy", kind: "comment", text: "evil"}});
document.forms[0].submit();
const tries = [
  fetch("{address}say", {{method: "POST", mode: "no-cors", body: said}}),
  fetch("{address}say", {{method: "POST", body: said, headers: {{"Content-Type": "application/json"}}}}),
  fetch("{address}class").then((answer) => answer.text()).then((text) => {{ document.title = text; }}),
];
Promise.allSettled(tries).then(() => {{ document.body.dataset.tried = "yes"; }});
</script>"""


def test_another_site_gets_and_says_nothing_even_with_the_address(small: ReviewedClass, browser: Browser) -> None:
    with small.served() as server:
        text = EVIL.format(address=server.address).encode()

        class Evil(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil) as evil:
            threading.Thread(target=evil.serve_forever, daemon=True).start()
            page = browser.new_page()
            page.goto(f"http://localhost:{evil.server_port}/")
            page.wait_for_selector("body[data-tried]", timeout=MILLISECONDS)
            assert page.title() == "evil"
            page.close()
            evil.shutdown()
    assert "evil" not in small.feedback("s001")
