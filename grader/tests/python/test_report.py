"""report.html: one file that shows the class and obeys nothing that stands in it."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from conftest import Course
from test_outputs import FACTS, grades_of

from staff.outputs.charts import histograms, mistakes, strips
from staff.outputs.report import cell, report_html
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab
from tmagrade.findings.finding import Finding, Span
from tmagrade.judging.scoring import LabResult, Outcomes, PartResult
from tmagrade.judging.verdicts import Judged, Measured
from tmagrade.outputs.grades import Grades, Student

CSS = (HERE.grader / "staff/outputs/report.css").read_text()
VOID = {"meta", "rect", "line", "circle", "link", "br", "img"}
HOSTILE = [
    "<script>alert(1)</script>",
    "\"><b onclick='x'>",
    "&lt;b&gt;",
    "{{ 7 * 7 }}",
    "\u202egnp",
    "\x1b[31m",
    "דנה",
]


class Page(HTMLParser):
    """A page's elements and text; a tag that is not closed where it should be is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def class_of(course: Course, *names: str, message: str = "", found: str = "") -> Grades:
    """Everybody handed in lab 3; `message` is what is said of its parts, `found` the code of a finding in them."""
    lab = course.labs[0]
    findings = (Finding(code=found, message="x", text=((Span("plain", "x"),),)),) if found else ()
    verdict = "fail" if message else "pass"
    parts = tuple(PartResult(part.id, verdict, 0, part.points, message, findings) for part in lab.parts)
    return Grades(FACTS, (lab,), tuple(Student(name, (LabResult(lab, parts),)) for name in names))


def at_fraction(lab: Lab, fraction: float, verdict: str = "pass") -> LabResult:
    judged = Judged("NVIDIA H200", (), Measured("pipeline", verdict, "", 4260 * fraction, 4260.0, fraction))
    return LabResult(lab, (PartResult("bandwidth", verdict, 20, 25),), Outcomes(judged, {}))


def measured_class(lab: Lab, *fractions: float) -> Grades:
    return Grades(FACTS, (lab,), tuple(Student(f"s{f}", (at_fraction(lab, f),)) for f in fractions))


def test_the_page_is_whole(course: Course) -> None:
    page = Page(report_html(grades_of(course, ada="pipeline any fail", ben="#error", cleo="judge dies")))
    assert "ada" in page.text and "lab3.cu(1): error: told to" in page.text


def test_the_page_needs_nothing_else(course: Course) -> None:
    html = report_html(grades_of(course, ada="pipeline any fail"))
    tags = {tag for tag, _ in Page(html).tags}
    attributes = {name for _, found in Page(html).tags for name in found}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert not {"src", "srcset", "action"} & attributes
    assert not re.search(r"https?:|url\(|@import", html)
    assert all((found["href"] or "").startswith("#") for tag, found in Page(html).tags if tag == "a")


def test_nothing_could_run_even_if_it_got_in(course: Course) -> None:
    assert "default-src 'none'; style-src 'unsafe-inline'" in report_html(class_of(course))


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_messages_are_text(course: Course, text: str) -> None:
    plain = Page(report_html(class_of(course, "ada", message="wrong")))
    hostile = Page(report_html(class_of(course, text, message=f"lab3.cu(1): error: {text}")))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert text.replace("\u202e", "<U+202E>").replace("\x1b", "␛") in hostile.text


def test_names_of_either_direction_stand_apart(course: Course) -> None:
    assert "<bdi>דנה</bdi>" in report_html(class_of(course, "דנה"))


def test_links_lead_to_students(course: Course) -> None:
    page = Page(report_html(class_of(course, "ada", "ben")))
    ids = {found["id"] for _, found in page.tags if "id" in found}
    assert {(found["href"] or "")[1:] for tag, found in page.tags if tag == "a"} <= ids


def test_students_are_folded(course: Course) -> None:
    page = Page(report_html(class_of(course, "ada", "ben")))
    assert [found for tag, found in page.tags if tag == "details"] == [{}, {}]


def test_a_class_that_handed_in_nothing_has_a_page() -> None:
    Page(report_html(Grades(FACTS, (), ())))


# Colors


def colors(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def schemes() -> dict[str, dict[str, str]]:
    light, dark = (colors(block) for block in re.findall(r":root \{(.*?)\n *\}", CSS, re.DOTALL))
    return {"light": light, "dark": dark}


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, "contrast ratio"."""

    def luminance(color: str) -> float:
        channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


SHADES = ["full", "most", "half", "some", "none", "fault"]
TEXTS = [(f"on-{shade}", shade) for shade in SHADES] + [
    ("ink", "page"),
    ("ink", "panel"),
    ("quiet", "page"),
    ("quiet", "panel"),
    ("link", "page"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_has_the_contrast_that_wcag_asks_for(scheme: str, text: str, ground: str) -> None:
    palette = schemes()[scheme]
    assert contrast(palette[text], palette[ground]) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("mark", ["bar", "dot", "roofline"])
def test_marks_in_pictures_can_be_told_from_the_page(scheme: str, mark: str) -> None:
    palette = schemes()[scheme]
    assert contrast(palette[mark], palette["page"]) >= 3


# What is shown


def test_a_cell_is_shaded_by_what_was_within_reach(lab3: Lab) -> None:
    parts = (PartResult("one-tile", "pass", 20, 20), PartResult("bandwidth", "pending", 0, 80))
    shown = cell(Student("ada", (LabResult(lab3, parts),)), lab3.id)
    assert shown is not None
    assert (shown.shade, shown.score, shown.pending) == ("full", "20", "80")


def test_almost_full_marks_do_not_look_full(lab3: Lab) -> None:
    nearly = LabResult(lab3, (PartResult("one-tile", "pass", 99.99, 100),))
    shown = cell(Student("ada", (nearly,)), lab3.id)
    assert shown is not None and (shown.shade, shown.score) == ("most", "99.9")


def test_what_was_not_handed_in_has_no_cell(lab3: Lab) -> None:
    assert cell(Student("ada", ()), lab3.id) is None


def test_full_marks_have_a_bar_of_their_own(course: Course) -> None:
    [histogram] = histograms(grades_of(course, ada="", ben="", cleo="pipeline any fail", dan="#error"))
    assert [bar.count for bar in histogram.bars] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2]


def test_a_bandwidth_stands_at_its_fraction_of_the_roofline(lab3: Lab) -> None:
    [strip] = strips(measured_class(lab3, 0.525, 1.05))
    assert [round(dot.x) for dot in strip.dots] == [49, 98]
    assert strip.dots[0].label == "s0.525: 2236 GB/s, 0.525"


def test_equal_bandwidths_are_told_apart(lab3: Lab) -> None:
    [strip] = strips(measured_class(lab3, 0.9, 0.9, 0.9))
    assert len({dot.y for dot in strip.dots}) == 3


def test_a_bandwidth_that_cannot_be_is_not_in_the_picture(lab3: Lab) -> None:
    cheat = Student("mallory", (at_fraction(lab3, 9.0, "cheated"),))
    assert strips(Grades(FACTS, (lab3,), (cheat,))) == []


def test_a_class_without_a_gpu_has_no_picture_of_bandwidth(course: Course) -> None:
    assert 'id="bandwidth"' not in report_html(grades_of(course, ada=""))


def test_mistakes_are_counted_by_students(lab3: Lab, course: Course) -> None:
    grades = class_of(course, "ada", "ben", message="wrong", found="missing-proxy-fence")
    other = class_of(course, "cleo", message="wrong", found="trap")
    found = mistakes(replace(grades, students=grades.students + other.students))
    assert [(mistake.code, mistake.students) for mistake in found] == [("missing-proxy-fence", 2), ("trap", 1)]
    assert found[0].places == "lab3 one-tile (2), lab3 pipeline (2)"
