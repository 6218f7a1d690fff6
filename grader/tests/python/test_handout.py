"""The handout says what is true: excerpts, outputs, links, pictures and the table of findings follow the sources."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from page_steps import Edit, steps
from test_add_a_lab import PAGE as ADD_A_LAB

from tmagrade.basics.paths import HERE
from tmagrade.building.compiler import COMPILER_SECONDS, COMPILER_TIMEOUT_SECONDS
from tmagrade.findings.finding import codes

ROOT = HERE.root
HANDOUT = ROOT / "handout"
EMULATOR = ROOT / "grader" / "emulator"
PAGES = sorted(HANDOUT.rglob("*.md"))

# What tests do step by step.
DONE = {ADD_A_LAB}
# One page for each code of a finding; test_finding_pages.py runs their examples.
FINDINGS = HANDOUT / "findings"

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# <!-- excerpt: path --> or <!-- output: path -->, and the fenced block below it.
QUOTE = re.compile(r"^<!-- (excerpt|output): (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[([^]]*)\]\(")
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A quoted source line of a diagnostic: "   60 |     code".
DIAGNOSED_LINE = re.compile(r"^ +\d+ \| (.+)$", re.MULTILINE)
# A row of a table of findings or faults: its code and its other cells.
CODE_ROW = re.compile(r"^\| `([a-z-]+)` \|(.*)\|$", re.MULTILINE)


def name_of(page: Path) -> str:
    return str(page.relative_to(HANDOUT))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors_of(page: Path) -> set[str]:
    """The anchors that forges give to headings."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_quotation_stands_in_its_source(page: Path) -> None:
    for _, source, quoted in QUOTE.findall(text_of(page)):
        assert quoted in text_of(ROOT / source), f"not in {source}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != FINDINGS], ids=name_of)
def test_every_block_of_code_is_an_excerpt_or_done_by_a_test(page: Path) -> None:
    quotations = QUOTE.findall(text_of(page))
    marked = sum(kind == "excerpt" and not source.endswith(".txt") for kind, source, _ in quotations)
    done = [step for step in steps(text_of(page)) if isinstance(step, Edit)] if page in DONE else []
    marked += sum(step.language in ("cuda", "cpp") for step in done)
    marked += text_of(page).count("<!-- into: ")  # test_add_a_finding.py
    assert len(re.findall(r"^```(?:cuda|cpp)$", text_of(page), re.MULTILINE)) == marked


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_stand_in_blocks_that_the_site_lets_one_copy(page: Path) -> None:
    assert not re.findall(r"^```\n(?:make|nvcc|build/bin/\S+|\.venv/\S+) .*", text_of(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_diagnosed_line_is_a_line_of_a_solution(page: Path) -> None:
    lines = {line for source in (ROOT / "solutions").glob("*/*.cu") for line in text_of(source).splitlines()}
    for line in DIAGNOSED_LINE.findall(text_of(page)):
        assert line in lines


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_picture_s_alternative_says_what_it_shows(page: Path) -> None:
    for alternative in PICTURE.findall(text_of(page)):
        assert len(alternative.split()) >= 9, f"{alternative!r} names a picture, and says nothing of what is on it"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCED.sub("", text_of(page))):
        if link.startswith("https://"):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.is_file(), f"{link}: the book has no page for a folder"
        if file.name.endswith("-explorer.md") and "=" in anchor:
            continue  # a state of the explorer; grader/tests/site/test_*explorer.py open each
        assert not anchor or anchor in anchors_of(file), link


def test_every_page_can_be_reached_from_the_index() -> None:
    index = HANDOUT / "index.md"
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in (index, FINDINGS / "index.md")
        for link in LINK.findall(text_of(page))
    }
    assert FINDINGS / "index.md" in linked
    assert set(PAGES) - {index} <= linked


def rows_of(section: str) -> dict[str, str]:
    """The rows of a section's table in the emulator's reference, by their codes."""
    text = text_of(HANDOUT / "reference/emulator.md").split(f"\n## {section}\n")[1].split("\n## ")[0]
    return dict(CODE_ROW.findall(text))


@pytest.mark.parametrize(("section", "goes_on"), [("Findings", True), ("Faults", False)])
def test_the_tables_of_findings_are_the_emulators_registry(section: str, goes_on: bool) -> None:
    registry = [code for code in codes().values() if (code.kind == "finding") == goes_on]
    rows = rows_of(section)
    assert list(rows) == [code.code for code in registry]
    for code in registry:
        page = code.page.removeprefix("handout/")
        assert f"(../{page})" in rows[code.code], code.code
        assert goes_on or rows[code.code].split("|")[-1].strip() == f"`{code.cuda_error}`"


def test_the_second_laps_first_element_follows_from_the_solutions_constants() -> None:
    solution = text_of(ROOT / "solutions" / "lab3-bulk-copy" / "lab3.cu")
    stages, ints = (
        int(re.search(rf"\b{name} = (\d+);", solution)[1])  # type: ignore[index]
        for name in ("STAGES", "STAGE_INTS")
    )
    chapter = " ".join(text_of(HANDOUT / "labs" / "lab3-bulk-copy.md").split())
    said = re.search(r"And (\d+) is exactly .*?: (\d+) stages . (\d+) ints", chapter)
    assert said
    element, said_stages, said_ints = map(int, said.groups())
    assert (said_stages, said_ints) == (stages, ints)
    assert element == stages * ints
    assert f"element {element} is 2, expected {element + 1}" in chapter


def test_the_pictures_are_what_their_program_draws() -> None:
    draw = HANDOUT / "pictures" / "draw.py"
    checked = subprocess.run([sys.executable, "-B", draw, "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_the_page_on_limits_says_how_long_a_compiler_may_take() -> None:
    page = text_of(HANDOUT / "inside/sandbox.md")
    minutes = f"{COMPILER_TIMEOUT_SECONDS / 60:g} minutes"
    assert f"| time | {COMPILER_SECONDS:g} s of processors, in {minutes} at most |" in page
    assert f"({COMPILER_SECONDS:g} s of processors for a compiler, in {minutes} at most" in " ".join(page.split())
    assert 2 * COMPILER_SECONDS <= 120, "a hand-in that comes to no end is compiled twice"
