"""A finding in Python: read from JSON, kept whole, and put into words for every output alike."""

import io
import json
import re
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from conftest import Course
from jsonschema import Draft202012Validator
from rich.console import Console
from test_handout import anchors_of
from test_outputs import FACTS, SCHEMA
from test_report import Page
from written_grades import grades_json

from staff.outputs.explain import explanation
from staff.outputs.report import report_html
from staff.platforms.gradescope import gradescope_json
from tmagrade.basics.json_form import from_json, to_json
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab
from tmagrade.findings.finding import REGISTRY, Finding, Span, codes
from tmagrade.findings.finding_text import headline, html, plain_text, terminal_lines
from tmagrade.judging.scoring import LabResult, Outcomes, score
from tmagrade.judging.verdicts import Case, Judged
from tmagrade.outputs.feedback import feedback_text
from tmagrade.outputs.grades import Grades, Student
from tmagrade.outputs.tables import print_parts
from tmagrade.outputs.wording import remark

# Every form of a finding, as the emulator renders it (grader/tests/emulator/finding_text_test.cpp).
FORMS = [json.loads(line) for line in (HERE.grader / "tests/findings/diagnostics.jsonl").read_text().splitlines()]


def name_of(form: Any) -> str:
    return str(form["name"])


def finding_of(form: Any) -> Finding:
    return from_json(form["finding"], Finding)


def found(code: str) -> Finding:
    return next(finding for finding in map(finding_of, FORMS) if finding.code == code)


FENCE = found("missing-proxy-fence")
DEADLOCK = found("deadlock")
# What the judge makes of findings that it cannot read.
NOT_TOLD = Finding(
    code="not-told",
    message="3 mistakes cannot be told",
    text=((Span("error", "error: "), Span("plain", "3 mistakes")),),
)


@pytest.mark.parametrize("form", FORMS, ids=name_of)
def test_what_is_printed_is_what_the_emulator_prints(form: Any) -> None:
    assert plain_text(finding_of(form)) + "\n" == form["text"]


@pytest.mark.parametrize("finding", [*map(finding_of, FORMS), NOT_TOLD], ids=lambda finding: finding.code)
def test_what_is_written_is_what_was_read(finding: Finding) -> None:
    assert from_json(json.loads(json.dumps(to_json(finding))), Finding) == finding


@pytest.mark.parametrize("finding", [*map(finding_of, FORMS), NOT_TOLD], ids=lambda finding: finding.code)
def test_a_finding_is_as_the_schema_says(finding: Finding) -> None:
    schema = SCHEMA["$defs"] | {"$defs": SCHEMA["$defs"], "$ref": "#/$defs/Finding"}
    Draft202012Validator(schema).validate(to_json(finding))


def test_a_finding_with_unknown_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no 'more'"):
        from_json(to_json(FENCE) | {"more": 1}, Finding)


def test_a_finding_without_a_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"text is \[\]"):
        from_json(to_json(FENCE) | {"text": []}, Finding)


def test_a_finding_of_an_earlier_version_is_refused() -> None:
    earlier = to_json(FENCE)
    del earlier["text"]
    with pytest.raises(ValueError, match="'text' is missing"):
        from_json(earlier, Finding)


def test_the_page_of_a_finding_is_the_one_that_its_text_names() -> None:
    assert FENCE.page == "handout/findings/missing-proxy-fence.md"


# The registry


def test_the_registry_is_the_emulators() -> None:
    """Written by `make findings`."""
    printed = subprocess.run([HERE.build / "bin/tmaemu", "--findings=json"], capture_output=True, text=True, check=True)
    assert REGISTRY.read_text() == printed.stdout


@pytest.mark.parametrize("code", codes())
def test_a_code_has_a_page_that_is_there(code: str) -> None:
    path, _, anchor = codes()[code].page.partition("#")
    assert (HERE.root / path).is_file()
    assert not anchor or anchor in anchors_of(HERE.root / path)


# Safety: file names, names of variables and lines of source are a student's.

HOSTILE = "<script>`\x1b]8;;http://example.org\x07\u202e\nerror: [trap]"


def hostile_finding() -> Finding:
    value = to_json(finding_of(FORMS[0]))

    def replaced(inner: Any) -> Any:
        if isinstance(inner, dict):
            return {name: each if name in ("code", "use") else replaced(each) for name, each in inner.items()}
        if isinstance(inner, list):
            return [inner[0], HOSTILE] if isinstance(inner[0], str) else [replaced(each) for each in inner]
        return HOSTILE if isinstance(inner, str) else inner

    return from_json(replaced(value), Finding)


def test_no_text_of_a_program_is_obeyed_or_begins_a_line() -> None:
    text = plain_text(hostile_finding())
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
    assert len(text.splitlines()) == len(plain_text(FENCE).splitlines())


def test_no_text_of_a_program_is_html() -> None:
    page = Page(f"<pre>{html(hostile_finding())}</pre>")
    assert page.tags == Page(f"<pre>{html(FENCE)}</pre>").tags


def test_html_says_the_same() -> None:
    for finding in map(finding_of, FORMS):
        assert Page(f"<pre>{html(finding)}</pre>").text == plain_text(finding)


def test_a_terminal_is_told_the_same() -> None:
    for finding in map(finding_of, FORMS):
        assert "\n".join(line.plain for line in terminal_lines(finding)) == plain_text(finding)


# Whole in every output


def result_with(lab: Lab, *findings: Finding, verdict: str = "hazard") -> LabResult:
    cases = (
        Case("one-tile", "4 ints", verdict, "right by luck", findings=findings),
        Case("pipeline", "4 ints", "pass", ""),
    )
    run = Judged("NVIDIA H200", cases, seed="7")
    return score(lab, Outcomes(run, {"late": run}))


def grades_with(lab: Lab, *findings: Finding) -> Grades:
    return Grades(FACTS, (lab,), (Student("ada", (result_with(lab, *findings),)),))


def indented(finding: Finding, by: str) -> str:
    return "".join(f"{by}{line}\n" for line in plain_text(finding).splitlines())


@pytest.mark.parametrize("finding", list(map(finding_of, FORMS)), ids=lambda finding: finding.code)
class TestEveryOutput:
    def test_feedback(self, lab3: Lab, finding: Finding) -> None:
        [student] = grades_with(lab3, finding).students
        assert plain_text(finding) in feedback_text(student, FACTS)

    def test_results(self, lab3: Lab, finding: Finding) -> None:
        [student] = grades_with(lab3, finding).students
        assert plain_text(finding) in gradescope_json(student, FACTS)["tests"][0]["output"]

    def test_report(self, lab3: Lab, finding: Finding) -> None:
        assert plain_text(finding) in Page(report_html(grades_with(lab3, finding))).text

    def test_explain(self, lab3: Lab, finding: Finding) -> None:
        result = result_with(lab3, finding)
        text = "\n".join(explanation(Student("ada", (result,)), result, FACTS)) + "\n"
        assert indented(finding, "      ") in text

    def test_terminal(self, lab3: Lab, finding: Finding) -> None:
        console = Console(width=20, record=True, file=io.StringIO())
        print_parts(console, result_with(lab3, finding))
        assert indented(finding, "    ").expandtabs(8) in console.export_text()

    def test_grades(self, lab3: Lab, finding: Finding) -> None:
        [student] = grades_json(grades_with(lab3, finding))["students"]
        [lab] = student["labs"]
        assert lab["parts"][0]["findings"] == [to_json(finding)]
        assert lab["runs"][0]["cases"][0]["findings"] == [to_json(finding)]


def test_all_findings_of_a_case_are_told(lab3: Lab) -> None:
    [student] = grades_with(lab3, FENCE, DEADLOCK).students
    text = feedback_text(student, FACTS)
    assert plain_text(FENCE) in text and plain_text(DEADLOCK) in text


def test_feedback_names_the_pages_of_all_findings(lab3: Lab) -> None:
    [student] = grades_with(lab3, FENCE, DEADLOCK).students
    findings = "`handout/findings/missing-proxy-fence.md`; `handout/findings/deadlock.md`"
    pages = f"{findings}; `handout/labs/lab3-bulk-copy.md`"
    assert f"- Read: {pages}\n" in feedback_text(student, FACTS)


def test_explain_tells_a_mistake_once_whatever_the_engine(lab3: Lab) -> None:
    runs = {
        engine: Judged(
            "NVIDIA H200",
            (Case("one-tile", "4 ints", "hazard", "by luck", findings=(found,)), Case("pipeline", "4", "pass", "")),
        )
        for engine, found in {"late": FENCE, "early": replace(FENCE, count=3), "random:1": DEADLOCK}.items()
    }
    result = score(lab3, Outcomes(runs["late"], runs))
    text = "\n".join(explanation(Student("ada", (result,)), result, FACTS))
    assert text.count(headline(FENCE)) == 1
    assert text.count(headline(DEADLOCK)) == 1


def test_a_line_about_a_lab_names_the_finding_rather_than_the_numbers_that_it_explains(lab3: Lab) -> None:
    result = result_with(lab3, FENCE, verdict="fail")
    assert remark(result) == f"one-tile: fail: {headline(FENCE)}"


def test_findings_come_from_the_judge_to_the_student(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "pipeline any hazard"))
    part = next(part for part in job.result().parts if part.id == "pipeline")
    assert [finding.code for finding in part.findings] == ["trap"]
