"""A term from its first week to its last: sixty students, four labs, two platforms, and all that happens to them."""

import re
from collections.abc import Iterator
from fractions import Fraction

import pytest
from graded_apart import temporary_course
from pretended_term import (
    ABSENT,
    APPEALS,
    EXCUSED,
    EXTENDED,
    LABS,
    PAIRS,
    STUDENTS,
    PlayedTerm,
    canvas_export,
    id_of,
    play,
    read_book,
)

Sheet = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def term() -> Iterator[PlayedTerm]:
    with pytest.MonkeyPatch.context() as patch, temporary_course() as course:
        patch.setenv("PATH", f"{course.repository.root / 'bin'}:/usr/bin:/bin")
        yield play(course, patch)


@pytest.fixture(scope="module")
def sheet(term: PlayedTerm) -> Sheet:
    return term.sheet()


def explained_twice(term: PlayedTerm, number: int, lab: str) -> list[str]:
    """The lines about a lab that say what the term makes of it."""
    lines = term.explained(number, lab).splitlines()
    return lines[next(place for place, line in enumerate(lines) if line.startswith("in the term: ")) :]


def test_everybody_has_a_row_and_a_stranger_has_none(term: PlayedTerm, sheet: Sheet) -> None:
    assert list(sheet) == [id_of(number) for number in STUDENTS]
    for lab in LABS:
        assert "not on the roster, so not in the term: " in term.said[f"graded {lab}"]
        assert "kept in the term: 59 results" in term.said[f"graded {lab}"] or lab == "lab3-bulk-copy"
        assert "0 for s32\n  not on the roster, so not in the term: " in term.said[f"0 in doubt of {lab}"]


def test_a_pair_has_one_score(sheet: Sheet) -> None:
    for first, second in PAIRS:
        assert [sheet[id_of(first)][lab] for lab in LABS] == [sheet[id_of(second)][lab] for lab in LABS]


def test_who_shares_a_hand_in_is_shown_whose(term: PlayedTerm) -> None:
    assert term.explained(2, "lab3").startswith(
        "s02 shares what s01 has handed in:\ns01, lab3-bulk-copy (Bulk copies): "
    )


def test_late_days_go_where_they_bring_most_and_penalties_take_the_rest(sheet: Sheet) -> None:
    """Two days late in each lab, with two late days of which a lab takes one: they go where most is to be had."""
    row = sheet["s22"]
    assert [row[f"{lab}/days late"] for lab in LABS] == ["2", "2", "2", "2"]
    whole = dict.fromkeys(LABS, Fraction(100)) | {"lab3-bulk-copy": Fraction("97.5"), "lab5-store": Fraction("97.5")}
    assert [Fraction(row[lab]) / whole[lab] for lab in LABS] == [Fraction(part, 10) for part in (8, 9, 8, 9)]


def test_a_mark_without_a_time_costs_nothing_and_is_said(term: PlayedTerm, sheet: Sheet) -> None:
    assert (sheet["s21"]["lab3-bulk-copy"], sheet["s21"]["lab3-bulk-copy/handed in"]) == ("97.5", "late")
    assert "canvas says that it was late, and not by how much" in term.explained(21, "lab3")


def test_the_grace_and_an_extension_across_the_change_of_clocks(sheet: Sheet) -> None:
    assert sheet["s24"]["lab5-store/days late"] == ""
    assert sheet[id_of(EXTENDED)]["lab5-store/days late"] == "1"
    assert sheet[id_of(EXTENDED)]["lab6-reduce/days late"] == "3"


def test_excused_is_no_score_and_absent_is_none_that_is_excused(sheet: Sheet) -> None:
    excused, absent = sheet[id_of(EXCUSED)], sheet[id_of(ABSENT)]
    assert (excused["lab3-bulk-copy"], excused["lab3-bulk-copy/max"], excused["max"]) == ("", "0", "200")
    assert ([absent[lab] for lab in LABS], absent["max"]) == (["0"] * 4, "300")


def test_an_appeal_outlives_every_regrade(term: PlayedTerm, sheet: Sheet) -> None:
    assert sheet[id_of(APPEALS)]["lab3-bulk-copy"] == "71.5"
    status, history = term.run("term", "history", id_of(APPEALS), "lab3")
    assert status == 0
    said = re.findall(r"Europe/Berlin  (graded|override|published in canvas)", history)
    assert sorted(said) == ["graded", "graded", "override", "published in canvas", "published in canvas"]


WRONGED = ["s26", "s36", "s46", "s56"]  # by the check of lab 4 that was wrong


def lines_with(text: str, pattern: str) -> list[str]:
    return [found[1] for line in text.splitlines() if (found := re.fullmatch(pattern, line.strip()))]


def test_a_dry_run_shows_each_changed_score_and_why(term: PlayedTerm) -> None:
    said = term.said["would regrade"]
    assert lines_with(said, r"(s\d+), lab4-single-tile: 0/100 before, 100/100 now") == WRONGED
    assert said.count("  load: fail, 0 of 85 before; pass, 85 of 85 now") == len(WRONGED)
    assert lines_with(said, r"(s\d+): 0 -> 100; canvas has 0") == WRONGED


def test_a_dry_run_keeps_nothing(term: PlayedTerm) -> None:
    step = list(term.said).index("would regrade")
    assert term.stores[step] == term.stores[step - 1] and term.graded[step] == term.graded[step - 1]


def test_what_was_published_changes_only_after_a_word(term: PlayedTerm) -> None:
    assert lines_with(term.said["changes"], r"(s\d+): 0 -> 100: graded again .*") == WRONGED
    assert lines_with(term.said["asked first"], r"(s\d+): 0 -> 100: .*") == WRONGED
    step = list(term.said).index("asked first")
    assert term.stores[step] == term.stores[step - 1]
    assert "60 scores, 4 of them others than published before" in term.said["published lab4-single-tile again"]


def test_bandwidth_comes_later_and_changes_nothing_else(term: PlayedTerm, sheet: Sheet) -> None:
    timed = lines_with(
        term.said["timed lab3-bulk-copy"], r"(s\d+), lab3-bulk-copy: 75/75 \+25 pending before, 97.5/100 now"
    )
    assert "s27" in timed and not {"s23", "s26"} & set(timed)
    assert {row[f"{lab}/pending"] for row in sheet.values() for lab in LABS} == {"0"}
    assert sheet["s23"]["lab3-bulk-copy"] == "25"
    assert "correctness and hygiene are as they were" in term.said["timed lab5-store"]


def test_reading_the_exports_again_gives_the_same_scores(term: PlayedTerm, sheet: Sheet) -> None:
    for lab in LABS:
        read = dict(read_book(term, lab))
        excused = {id_of(EXCUSED): "EX"} if lab == "lab3-bulk-copy" else {}
        assert read == {who: row[lab] for who, row in sheet.items()} | excused
        assert f"{lab}: 60 of 60 students have there what counts here" in term.said[f"compared {lab}"]


def test_everything_else_in_the_grade_book_is_as_it_was(term: PlayedTerm) -> None:
    def others(text: str) -> list[str]:
        return [
            re.sub(r'^("[^"]*"|[^,]*)((?:,[^,]*){4}),[^,]*,[^,]*,', r"\1\2,,,", line) for line in text.split("\r\n")
        ]

    written = (term.folder / "canvas.csv").read_bytes().decode()
    assert others(written) == others(canvas_export())


def test_every_figure_is_explained(term: PlayedTerm, sheet: Sheet) -> None:
    for number in (1, 2, 5, 21, 22, 23, 24, 25, 26, EXCUSED, ABSENT, APPEALS):
        row = sheet[id_of(number)]
        for lab in LABS:
            *steps, counts = explained_twice(term, number, lab)
            score = f"{row[lab]} of {row[lab + '/max']}" if row[lab] else "no score"
            assert counts == f"  counts: {score}"
            for before, percent, after in re.findall(r": ([\d.]+) × ([\d.]+) % = ([\d.]+)", "\n".join(steps)):
                assert Fraction(before) * Fraction(percent) / 100 == Fraction(after)


def test_every_total_is_explained(term: PlayedTerm, sheet: Sheet) -> None:
    for number in (1, 22, EXCUSED, ABSENT, APPEALS):
        row = sheet[id_of(number)]
        *labs, total = term.explained(number).splitlines()
        terms, sum_, most = re.fullmatch(r"  total: (.*) = ([\d.]+) of (\d+)", total).groups()  # type: ignore[union-attr]
        assert (sum_, most) == (row["total"], row["max"]) and sum(map(Fraction, terms.split(" + "))) == Fraction(sum_)
        assert [line.split(":")[0].strip() for line in labs if "dropped" in line] == row["dropped"].split()


def test_nothing_that_was_once_written_is_gone(term: PlayedTerm) -> None:
    for before, after in zip(term.stores, term.stores[1:]):
        assert all(new[: len(old)] == old for old, new in zip(before, after))
    for old, new in zip(term.graded, term.graded[1:]):
        assert old <= new
    assert len(term.stores[-1][2]) > 240
