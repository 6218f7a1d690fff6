"""feedback.md."""

import re
from dataclasses import replace

import pytest
from conftest import Course
from test_outputs import FACTS

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs
from tmagrade.judging.scoring import LabResult, PartResult
from tmagrade.outputs.feedback import escaped, feedback_text, fenced
from tmagrade.outputs.grades import Student
from tmagrade.outputs.wording import bounded, title_of


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


def test_what_of_a_hand_in_does_not_count_is_told_once(lab3: Lab) -> None:
    result = replace(result_with(lab3, ""), ignored=("kernel.cpp: only .cu files are compiled",))
    text = feedback_text(Student("ada", (result, result)), FACTS)
    assert text.count("- kernel.cpp: only .cu files are compiled\n") == 1


def test_what_counts_for_nothing_is_told_after_grading(course: Course) -> None:
    submission = replace(course.submit("ada", ""), ignored=("homework: no lab has this name",))
    [job] = course.grade(submission)
    assert "- homework: no lab has this name\n" in feedback_text(Student("ada", (job.result(),)), FACTS)


@pytest.mark.parametrize(("lab", "peer"), [("lab3", "this GPU's copy roofline"), ("lab12", "cublasLt on the same GPU")])
def test_a_speed_names_what_it_is_held_against(lab: str, peer: str) -> None:
    [found] = [each for each in load_labs(HERE.labs) if each.id.startswith(f"{lab}-")]
    assert title_of(found, PartResult("bandwidth", "pass", 25, 25)).endswith(f", against {peer}")


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


def test_a_message_without_end_is_cut(lab3: Lab) -> None:
    message = bounded(result_with(lab3, "x" * 10_000_000)).parts[0].message
    assert len(message) < 10_000 and message.endswith("\n... and 9992000 more characters")
