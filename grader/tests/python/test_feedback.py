"""feedback.md, and what of others' text it quotes."""

import re
from pathlib import Path

import pytest
from conftest import Course
from test_handout import HANDOUT, anchors_of, text_of
from test_outputs import FACTS

from tmagrade.errors import GraderFault
from tmagrade.labs import Lab
from tmagrade.outputs.feedback import escaped, feedback_text, fenced
from tmagrade.outputs.grades import Student
from tmagrade.outputs.pointers import PAGES
from tmagrade.outputs.quoting import readable
from tmagrade.paths import HERE
from tmagrade.scoring import LabResult, PartResult

FINDING = "lab3.cu:2:5: error: TMA store reads shared memory [missing-proxy-fence]"


def feedback(course: Course, text: str, gpus: int = 0) -> str:
    [job] = course.grade(course.submit("ada", text), gpus=gpus)
    return feedback_text(Student("ada", (job.result(),)), FACTS)


def result_with(lab: Lab, message: str, verdict: str = "fail") -> LabResult:
    return LabResult(lab, (PartResult("one-tile", verdict, 0, 20, message),))


def feedback_on(lab: Lab, message: str, verdict: str = "fail") -> str:
    return feedback_text(Student("ada", (result_with(lab, message, verdict),)), FACTS)


def test_every_part_has_its_points(course: Course) -> None:
    assert "| `pipeline` | A pipeline | fail | 0 of 40 |" in feedback(course, "pipeline any fail")


def test_what_costs_points_is_told_with_the_command_to_see_it_again(course: Course) -> None:
    text = feedback(course, "pipeline any fail")
    assert "### `pipeline`: 40 points missing\n\nFail: a wrong result.\n\n```text\nsmall: it is a fail\n" in text
    assert "- Try it: `make -C labs/lab3-bulk-copy`\n" in text
    assert "- Read: `handout/labs/lab3-bulk-copy.md`\n" in text


def test_a_right_submission_has_nothing_missing(course: Course) -> None:
    assert "missing" not in feedback(course, "")


def test_pending_points_are_no_mistake(course: Course) -> None:
    text = feedback(course, "")
    assert "**75 of 75, 25 pending**" in text and "###" not in text


def test_what_the_compiler_refuses_is_told_once(course: Course) -> None:
    text = feedback(course, "#error")
    assert text.count("told to") == 1
    assert "### `one-tile`, `pipeline`, `hygiene`, `bandwidth`: 100 points missing" in text


def test_missing_bandwidth_points_are_worked_out(course: Course) -> None:
    text = feedback(course, "", gpus=1)
    assert "### `bandwidth`: 2.5 points missing" in text
    assert "0.9500 is between 0.9 (20 points) and 1 (25): 20 + (0.9500 - 0.9) / (1 - 0.9) × 5 = 22.5" in text


def test_a_finding_leads_to_its_page(lab3: Lab) -> None:
    assert '- Read: `handout/guide/proxies.md`; `handout/emulator.md`, "Findings";' in feedback_on(lab3, FINDING)


def test_every_finding_of_the_handout_has_a_page() -> None:
    tables = text_of(HANDOUT / "emulator.md").split("\n## Findings\n")[1]
    assert set(PAGES) == set(re.findall(r"^\| `([a-z-]+)` \|", tables, re.MULTILINE))


@pytest.mark.parametrize("page", sorted({page for pages in PAGES.values() for page in pages}))
def test_the_pages_exist(page: str) -> None:
    path, _, heading = page.partition(", ")
    assert (HERE.root / path).is_file()
    assert not heading or heading.strip('"').lower() in anchors_of(HERE.root / path)


def test_a_fault_of_the_grader_is_not_the_students_to_read(course: Course) -> None:
    text = feedback(course, "judge dies")
    assert "last words" not in text and "no points are lost" in text
    assert "100 pending" in text


@pytest.mark.parametrize("run", ["`", "```", "``````"])
def test_no_message_ends_its_block(run: str) -> None:
    fence, *inside, end = fenced(f"before\n{run}\n<script>").splitlines()
    assert fence.removesuffix("text") == end
    assert all(line != end and not line.startswith(end) for line in inside)


def test_a_message_keeps_no_escape_sequence(lab3: Lab) -> None:
    text = feedback_on(lab3, "lab3.cu(1): error: \x1b]8;;http://example.org\x07 \u202e")
    assert "␛]8;;" in text and "<U+202E>" in text
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)


def test_a_name_is_only_letters_to_markdown() -> None:
    assert escaped("<b>*a*_[x](y)`\n# b") == r"\<b\>\*a\*\_\[x\](y)\`␤\# b"
    assert escaped("Ada-Lena O'Neil") == "Ada-Lena O'Neil"


# Quoted lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    handed_in = tmp_path / "work"
    handed_in.mkdir()
    (handed_in / "lab3.cu").write_text("first\n    store(tile);\nthird")
    return handed_in


def test_a_finding_quotes_the_students_line(lab3: Lab, folder: Path) -> None:
    result = readable(result_with(lab3, f"4 ints: wrong\n{FINDING}\nhelp: fence"), folder)
    assert result.parts[0].message == f"4 ints: wrong\n{FINDING}\n    2 |     store(tile);\nhelp: fence"


@pytest.mark.parametrize("place", ["lab3.cu:4444:1", "lab3.cu:0:1", "other.cu:1:1", f"lab3.cu:{'9' * 5000}:1"])
def test_a_line_that_was_not_handed_in_is_not_quoted(lab3: Lab, folder: Path, place: str) -> None:
    result = result_with(lab3, f"{place}: error: x [trap]")
    assert readable(result, folder) == result


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "link.cu"])
def test_no_finding_makes_the_grader_quote_a_file_of_others(lab3: Lab, folder: Path, name: str) -> None:
    (folder.parent / "secret").write_text("the solution")
    (folder / "link.cu").symlink_to("../secret")
    result = result_with(lab3, f"{name}:1:1: error: x [trap]")
    assert readable(result, folder) == result


@pytest.mark.parametrize(
    ("where", "error"),
    [("open_submitted", FileNotFoundError()), ("submitted_files", GraderFault())],
)
def test_a_submission_that_has_gone_since_it_was_graded_is_not_quoted(
    lab3: Lab, folder: Path, monkeypatch: pytest.MonkeyPatch, where: str, error: Exception
) -> None:
    """And the grades of the class are written all the same."""

    def refuse(*_: object, **__: object) -> str:
        raise error

    monkeypatch.setattr(f"tmagrade.outputs.quoting.{where}", refuse)
    result = result_with(lab3, FINDING)
    assert readable(result, folder) == result


def test_a_very_long_line_is_cut(lab3: Lab, folder: Path) -> None:
    (folder / "lab3.cu").write_text("x" * 5000)
    message = readable(result_with(lab3, "lab3.cu:1:1: error: x [trap]"), folder).parts[0].message
    assert len(message) < 250


def test_a_message_without_end_is_cut(lab3: Lab, folder: Path) -> None:
    message = readable(result_with(lab3, "x" * 10_000_000), folder).parts[0].message
    assert len(message) < 10_000 and message.endswith("\n... and 9992000 more characters")
