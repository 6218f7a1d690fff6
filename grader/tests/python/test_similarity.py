"""Which hand-ins are alike: copies whatever was done to them, and nobody who wrote alone."""

import re
import shlex
import stat
import statistics
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from conftest import Course, Tmagrade
from long_cases import long_but

from staff.similarity.alike import HandedIn, alike
from staff.similarity.given import given_texts
from staff.similarity.plain_assignments import with_longer_assignments
from staff.similarity.plain_loops import with_plain_loops
from staff.similarity.plain_statements import without_idle_statements, without_repeated_statements
from staff.similarity.tokens import has_too_many_words, tokens_of
from staff.similarity.words import words_of
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import load_labs

sys.path.append(str(HERE.grader / "tests/similarity"))

from copies import independent_texts, measure, table
from disguises import WAYS, renamed, with_while

LABS = {lab.id.split("-")[0]: lab for lab in load_labs(HERE.labs)}
MEASURED = ("lab3", "lab6", "lab8")


measured = cache(measure)


@pytest.mark.parametrize("lab", long_but({"lab6"}, MEASURED))
def test_every_way_to_hide_a_copy_is_seen_through_and_nobody_is_blamed(lab: str) -> None:
    one = measured(LABS[lab])
    assert one.blamed() == [] and one.independent >= 12
    assert {way for _, way in one.missed()} <= {"all of them"} and len(WAYS) > 20


@pytest.mark.parametrize("lab", long_but({"lab6"}, MEASURED))
def test_what_is_found_does_not_hang_by_a_hair(lab: str) -> None:
    one = measured(LABS[lab])
    assert max(one.common.values()) < 0.35
    assert statistics.median(one.shares.values()) > 0.9


@pytest.mark.long
def test_the_page_shows_what_is_measured() -> None:
    assert table([measured(LABS[lab]) for lab in MEASURED]) in (HERE.root / "handout/instructors.md").read_text()


def test_a_line_that_goes_on_in_the_next_one_ends_no_word_and_counts_as_a_line() -> None:
    words = [(word.text, word.line) for word in words_of("co\\\nunt = \\ \n1;\nlast;\n")]
    assert words == [("count", 1), ("=", 2), ("1", 3), (";", 3), ("last", 4), (";", 4)]


def test_signs_are_spelled_as_most_people_do() -> None:
    assert [word.text for word in words_of("a<:0:> and b<%%>")] == ["a", "[", "0", "]", "&&", "b", "{", "}"]
    assert [word.text for word in words_of("vector<::T>")] == ["vector", "<", "::", "T", ">"]
    assert [word.text for word in words_of("%:define X 1")] == ["#define X 1"]


def test_what_somebody_says_between_all_statements_says_nothing() -> None:
    said = "".join(f"one(a{number} + {number} * 2, b); x += {number};" for number in range(20))
    padded = said.replace(";", "; two(1, c);")
    assert [one.said for one in without_repeated_statements(tokens_of("f(a, b); g[1] = 2;"))] == [
        one.said for one in tokens_of("f(a, b); g[1] = 2;")
    ]
    assert not without_repeated_statements(tokens_of(padded))


def test_two_who_handed_in_the_skeleton_are_no_pair() -> None:
    given = given_texts(HERE, LABS["lab3"])
    skeleton = (HERE.labs / LABS["lab3"].id / "lab3.cu").read_text()
    assert alike([HandedIn("ada", skeleton), HandedIn("ben", skeleton)], given) == []


def test_what_most_of_a_class_have_is_nobodys_own() -> None:
    given = given_texts(HERE, LABS["lab3"])
    text = independent_texts(LABS["lab3"])["ada-right"]
    assert alike([HandedIn(f"s{number}", text) for number in range(20)], given) == []
    others = [HandedIn(f"s{number}", f"int f{number}() {{ return {number}; }}") for number in range(20)]
    assert len(alike([*others, HandedIn("ada", text), HandedIn("ben", text)], given)) == 1


def test_earlier_classes_are_compared_with_this_one_alone() -> None:
    given = given_texts(HERE, LABS["lab3"])
    text = independent_texts(LABS["lab3"])["ada-right"]
    earlier = [HandedIn("old", text, is_earlier=True), HandedIn("older", text, is_earlier=True)]
    pairs = alike([HandedIn("ada", text), *earlier], given)
    assert {(pair.one.who, pair.other.who) for pair in pairs} == {("ada", "old"), ("ada", "older")}


def test_matched_lines_are_the_same_on_both_sides() -> None:
    text = independent_texts(LABS["lab6"])["past-the-engine"]
    [pair] = alike([HandedIn("ada", text), HandedIn("ben", "\n\n\n" + text)], given_texts(HERE, LABS["lab6"]))
    assert pair.share == 1
    assert all(match.there == (match.here[0] + 3, match.here[1] + 3) for match in pair.matches)


def test_names_comments_and_numbers_are_no_tokens_of_their_own() -> None:
    said = [[token.said for token in tokens_of(text)] for text in ("int a = 1; // x", "int\nbb /* y */ = 0x20u;")]
    assert said[0] == said[1] == ["int", "name", "=", "number", ";"]


@pytest.mark.parametrize(
    "text",
    ['R"x(' + '\\" ' * 50_000, "/*" * 100_000, "'\n\"\n" * 20_000, "\\'" * 50_000, " " * 300_000, "/* */" * 50_000],
)
def test_what_is_not_closed_is_linear_to_read(text: str) -> None:
    """The library's matching counts no instructions: quadratic, this would take many minutes."""
    has_too_many_words(text * 4)


@pytest.mark.parametrize(
    "text",
    [
        "#define a a\n" + "a " * 290_000,
        "".join(f"#define a{n} a{n + 1} a{n + 1}\n" for n in range(100)) + "a0 " * 1000,
        "".join(f"#define a{n} a{n + 1} a{n + 1}\n" for n in range(15)) + "#define a15\n" + "a0 " * 1000,
        "#define m(a) " + "a " * 100_000 + "\nm(" + "b " * 100_000 + ")",
        "#define m(a) a\n" + "m(" * 100_000,
        "#define b " + "b " * 700_000,
        "using x = " * 210_000,
    ],
)
def test_macros_without_end_are_more_than_anybody_writes(text: str) -> None:
    """Expanded, they would take hours, or all of the memory."""
    assert has_too_many_words(text)


@pytest.mark.parametrize(
    "hidden",
    [
        lambda text: re.sub(r";$", ";;", text, flags=re.MULTILINE),
        lambda text: re.sub(r";$", "; (void)0;", text, flags=re.MULTILINE),
        lambda text: re.sub(r";$", "; ((0)); (void)(blockIdx);", text, flags=re.MULTILINE),
        lambda text: re.sub(r"\b(\d+)\b(?=[;,)])", r"((\1))", text),
    ],
)
def test_what_does_nothing_hides_no_copy(hidden: Callable[[str], str]) -> None:
    text = independent_texts(LABS["lab3"])["ada-right"]
    [pair] = alike([HandedIn("ada", text), HandedIn("ben", hidden(text))], given_texts(HERE, LABS["lab3"]))
    assert pair.share > 0.9 and hidden(text) != text


def plain(text: str) -> str:
    return " ".join(token.said for token in with_plain_loops(tokens_of(text)))


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; ++i) f(i);",
        "for (int i = 0; i < n; ++i) { f(i); }",
        "{ int i = 0; while (i < n) { f(i); ++i; } }",
    ],
)
def test_a_loop_may_be_written_any_way(loop: str) -> None:
    assert plain(loop + " g();").replace("name", "n") == "int n = number ; while ( n < n ) n ( n ) ; ++ n ; n ( ) ;"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("for (;;) f();", "while (true) f();"),
        ("for (a; b; c) for (d; e; f) g();", "a; while (b) { d; while (e) { g(); f; } c; }"),
        ("for (a; b; c) if (d) e(); else f(); g();", "a; while (b) { if (d) e(); else f(); c; } g();"),
        ("for (a; b; c) if constexpr (d) e(); g();", "a; while (b) { if constexpr (d) e(); c; } g();"),
        ("for (f([] { a; b; }); c; d) e();", "f([] { a; b; }); while (c) { e(); d; }"),
    ],
)
def test_loops_in_each_other(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize("text", ["for (int x : xs) f(x);", "for (a; b", ") for }", "{ for (a; b; c"])
def test_what_is_no_such_loop_is_left_as_it_is(text: str) -> None:
    kept = [token.said for token in tokens_of(text) if token.said not in ("{", "}")]
    assert plain(text) == " ".join(kept)


def test_a_thousand_loops_in_each_other_are_a_text_like_any_other() -> None:
    assert plain("for (a; b; c) " * 5000 + ";").count("while") == 5000


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("#define F for\nF (;;) f();", "for (;;) f();"),
        ("#define LOOP(a, b) for (a; b(1, 2);)\nLOOP(int i, g) f();", "for (int i; g(1, 2);) f();"),
        ("#define A B\n#define B \\\n  return\nA 1;", "return 1;"),
        ("using T = unsigned long;\nT* p;", "unsigned long* p;"),
        ("#if 0\n#if X\na\n#endif\n#else\nb;\n#endif\nc();", "b; c();"),
        ("#define M(a) a\nint M;", "int M;"),
    ],
)
def test_macros_and_aliases_stand_for_what_they_are(hidden: str, shown: str) -> None:
    assert [token.said for token in tokens_of(hidden)] == [token.said for token in tokens_of(shown)]


@pytest.mark.parametrize("step", ["++i", "i++", "i += 1", "i = i + 1"])
def test_a_step_may_be_written_any_way(step: str) -> None:
    said = [token.said for token in with_longer_assignments(tokens_of(f"f(); {step}; g();"))]
    assert " ".join(said) == "name ( ) ; name = name + number ; name ( ) ;"


@pytest.mark.parametrize("other", ["++a[i]", "p->i++", "*p++", "a[i++]"])
def test_a_step_of_anything_else_is_left(other: str) -> None:
    tokens = tokens_of(f"{other};")
    assert with_longer_assignments(tokens) == tokens


# The command

TEXT = independent_texts(LABS["lab3"])["ada-right"]
OTHER = independent_texts(LABS["lab3"])["ben-another-way"]


@pytest.fixture
def handed_in(course: Course) -> Path:
    course.submit("ada", TEXT)
    course.submit("ben", renamed(TEXT, frozenset()))
    course.submit("cy", OTHER)
    return course.handed_in


def similar(tmagrade: Tmagrade, handed_in: Path, *more: object) -> str:
    to = handed_in.parent / "similar.html"
    status, printed = tmagrade("similar", "--submissions", handed_in, "--labs", "lab3", "--to", to, *more)
    assert status == 0, printed
    return printed


def test_the_pairs_are_listed_and_the_page_is_for_staff(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    printed = similar(tmagrade, handed_in)
    assert "100 %  ada  ben\n" in printed and "1 pairs of 3 hand-ins" in printed and "cy" not in printed
    page = course.repository.root / "similar.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert "ada and ben: 100 %" in page.read_text()


def test_an_earlier_class_stands_beside_it(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    old = course.repository.root / "last year"
    (old / "zoe/lab3-bulk-copy").mkdir(parents=True)
    (old / "zoe/lab3-bulk-copy/lab3.cu").write_text(renamed(with_while(OTHER), frozenset()))
    assert "%  cy  earlier 1: zoe\n" in similar(tmagrade, handed_in, "--earlier", old)


def test_a_group_of_the_term_is_no_pair(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    folder = course.repository.term
    folder.mkdir()
    (folder / "roster.csv").write_text("id,name,group\nada,Ada,one\nben,Ben,one\ncy,Cy,\n")
    (folder / "term.toml").write_text('title = "T"\ntime_zone = "UTC"\nlabs = []\n')
    assert "0 pairs of 3 hand-ins" in similar(tmagrade, handed_in)


def test_in_a_term_people_are_called_as_the_roster_calls_them(course: Course, tmagrade: Tmagrade) -> None:
    folder = course.repository.term
    folder.mkdir()
    (folder / "roster.csv").write_text("id,name,canvas\nada,Ada,40000\nben,Ben,40001\n")
    (folder / "term.toml").write_text('title = "T"\ntime_zone = "UTC"\nlabs = []\n')
    for name in ("abbottada_40000_11", "bellben_40001_12", "nobody_40002_13"):
        (course.handed_in / f"{name}_lab3.cu").write_text(TEXT)
    to = course.repository.root / "jplag"
    printed = similar(tmagrade, course.handed_in, "--jplag", to)
    assert "100 %  ada  ben\n" in printed and "ada  nobody_40002\n" in printed and "abbott" not in printed
    assert sorted(path.name for path in to.iterdir()) == ["ada", "base", "ben", "nobody_40002"]


def test_jplag_takes_the_same_class(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    to = course.repository.root / "jplag"
    similar(tmagrade, handed_in, "--jplag", to)
    assert sorted(path.name for path in to.iterdir()) == ["ada", "base", "ben", "cy"]
    assert (to / "ada/lab3-bulk-copy.cpp").read_text().endswith(TEXT)


def test_more_than_anybody_writes_is_said_and_not_compared(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    course.submit("dan", TEXT + "a b c\n" * 100_001)
    printed = similar(tmagrade, handed_in)
    assert "not compared: dan: more than 300,000 words" in printed and "100 %  ada  ben\n" in printed


def test_a_students_markup_is_text_on_the_page(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    course.submit("ada", TEXT + "\n// <script>alert(1)</script>")
    similar(tmagrade, handed_in)
    page = (course.repository.root / "similar.html").read_text()
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_the_page_types_what_there_is(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    page = (HERE.root / "handout/instructors.md").read_text().split("\n## Who wrote what\n")[1].split("\n## ")[0]
    _, *words = shlex.split(page.split("```sh\n")[1].split("\n```")[0])
    places = {"fall/lab3.zip": handed_in, "last-year/lab3.zip": handed_in}
    to = course.repository.root / "similar.html"
    assert tmagrade(*[places.get(word, word) for word in words], "--to", to)[0] == 0 and to.exists()


def test_feedback_says_nothing_of_it(course: Course, handed_in: Path, tmagrade: Tmagrade) -> None:
    similar(tmagrade, handed_in)
    assert tmagrade("grade", "--submissions", handed_in)[0] == 0
    assert "similar" not in (course.repository.grades / "ada/feedback.md").read_text()


def test_a_statement_in_braces_that_does_nothing_is_one_too_and_what_it_stands_in_stays() -> None:
    said = "if (f(a)) { if (0) {} g[1] = 2; do {} while (0); } {} while (0); struct A { int a; };"
    kept = "if (f(a)) { g[1] = 2; } struct A { int a; };"
    assert [one.said for one in without_idle_statements(tokens_of(said))] == [one.said for one in tokens_of(kept)]
