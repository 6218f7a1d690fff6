"""What the student's loop prints: a mistake once, and what it keeps from being seen."""

from collections.abc import Sequence

import pytest
from conftest import Course, Tmagrade

from tmagrade.basics.paths import HERE
from tmagrade.findings.finding import Finding, SourcePlace, Span
from tmagrade.judging.student_loop import CaseUnderPolicies, Tried
from tmagrade.judging.verdicts import Case, CaseId
from tmagrade.outputs.loop_text import lines
from tmagrade.outputs.repeats import kind_of

POLICIES = ("late", "early", "random:1")


def case(name: str, message: str = "", policies: Sequence[str] = POLICIES, **more: object) -> CaseUnderPolicies:
    wrong = Case("one-tile", name, "fail", message, **more)  # type: ignore[arg-type]
    right = Case("one-tile", name, "pass", "")
    return CaseUnderPolicies({policy: wrong if message and policy in policies else right for policy in POLICIES})


def shown(*cases: CaseUnderPolicies, **more: object) -> list[str]:
    tried = Tried(cases=cases, seed=11, **more)  # type: ignore[arg-type]
    return [line.plain for line in lines(tried, None)]


def untouched(count: int) -> str:
    places = "; ".join(f"data[{i}]: expected {7 * i - 9}, got {i}" for i in range(min(count, 4)))
    said = f"{count} of {count} element{'s are' if count > 1 else ' is'} wrong: {places}{'; ...' if count > 4 else ''}"
    return f"{said}; {'each holds' if count > 1 else 'it holds'} what was there before the launch"


# The same in other sizes.


def test_what_is_the_same_but_for_numbers_is_told_once() -> None:
    printed = shown(*(case(f"{count} ints", untouched(count)) for count in (1, 4, 1024, 8192)))
    assert printed == [
        "one-tile  1 ints     FAIL  under every timing policy",
        f"    {untouched(1)}",
        "    again: make PART=one-tile CASE='1 ints' POLICY=late SEED=11",
        "    also wrong: 4 ints, 1024 ints, 8192 ints (the same)",
    ]


def test_of_right_cases_that_print_the_first_is_shown() -> None:
    def prints(name: str, printed: str) -> CaseUnderPolicies:
        return CaseUnderPolicies({policy: Case("one-tile", name, "pass", "", printed=printed) for policy in POLICIES})

    printed = shown(prints("0 ints", ""), prints("4 ints", "i = 4\n"), prints("8 ints", "i = 8\n"))
    assert [line.strip() for line in printed[2:]] == ["it printed:", "i = 4", "one-tile  8 ints  OK"]


def test_what_is_said_of_a_case_alone_keeps_nothing_apart() -> None:
    remark = " (in this case wgmma turns some signs: see there)"
    printed = shown(case("4 ints", untouched(4)), case("4 ints, with turned signs", untouched(4) + remark))
    assert printed[-1] == "    also wrong: 4 ints, with turned signs (the same)"


def test_what_is_wrong_in_another_way_is_told_too() -> None:
    printed = shown(case("4 ints", untouched(4)), case("8 ints", "the process died of SIGSEGV"))
    assert [line for line in printed if "FAIL" in line] == [
        "one-tile  4 ints  FAIL  under every timing policy",
        "one-tile  8 ints  FAIL  under every timing policy",
    ]


def test_of_many_cases_the_first_are_named() -> None:
    printed = shown(*(case(f"{count} ints", untouched(count)) for count in range(4, 20)))
    assert printed[-1] == "    also wrong: 5 ints, 6 ints, 7 ints, 8 ints, 9 ints, 10 ints and 9 more (the same)"


def test_what_all_cases_show_together_is_repeated_with_all_of_them() -> None:
    printed = shown(case("4 ints"), case("all cases together", "the results are right"))
    assert printed[-1] == "    again: make PART=one-tile POLICY=late SEED=11"


def test_a_case_that_is_wrong_under_other_policies_says_so() -> None:
    printed = shown(case("4 ints", untouched(4)), case("8 ints", untouched(8), ["early"]))
    assert printed[-1] == "    also wrong: 8 ints under early (the same)"


def test_one_policy_is_named_also_where_no_other_was_asked_for() -> None:
    wrong = CaseUnderPolicies({"late": Case("one-tile", "4 ints", "fail", "no")})
    assert shown(wrong)[0] == "one-tile  4 ints  FAIL  under late"


def test_where_values_are_right_by_luck_makes_no_difference() -> None:
    def wrong(name: str, *lucky: str) -> CaseUnderPolicies:
        verdicts = {policy: "hazard" if policy in lucky else "fail" for policy in POLICIES}
        return CaseUnderPolicies(
            {policy: Case("one-tile", name, verdicts[policy], untouched(4)) for policy in POLICIES}
        )

    printed = shown(wrong("4 ints", "early"), wrong("8 ints", "early", "random:1"))
    assert printed[-1] == "    also wrong: 8 ints (the same)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("data[3]: expected 4, got 5", "data[3]: expected nan, got 0x1f"),
        ("3 bytes of 1.5e-3", "1 byte of -2"),
    ],
)
def test_numbers_make_no_difference(one: str, other: str) -> None:
    assert kind_of(one) == kind_of(other)


def test_names_do() -> None:
    assert kind_of("data[3]: expected 4, got 5") != kind_of("dest[3]: expected 4, got 5")


def hazard(*policies: str) -> CaseUnderPolicies:
    """Wrong values under `late` alone, and the same mistake found under the `policies`."""
    right = Case("one-tile", "4 ints", "pass", "")
    luck = Case("one-tile", "4 ints", "hazard", "the result is right by luck", findings=(trap("is read"),))
    wrong = Case("one-tile", "4 ints", "fail", untouched(4), findings=(trap("is read"),))
    found = {policy: luck if policy in policies else right for policy in POLICIES}
    return CaseUnderPolicies(found | {"late": wrong})


def test_values_are_called_wrong_only_where_they_are() -> None:
    printed = shown(hazard("early", "random:1"))
    assert printed[0] == "one-tile  4 ints  FAIL  under late; HAZARD (right by luck alone) under early, random:1"
    assert printed[1] == f"    {untouched(4)}"
    assert "the result is right by luck" not in "\n".join(printed)


def test_wrong_values_are_told_rather_than_right_ones() -> None:
    late_first = hazard("early", "random:1").verdicts
    early_first = CaseUnderPolicies({policy: late_first[policy] for policy in ("early", "late", "random:1")})
    printed = shown(early_first)
    assert printed[0] == "one-tile  4 ints  FAIL  under late; HAZARD (right by luck alone) under early, random:1"
    assert "    again: make PART=one-tile CASE='4 ints' POLICY=late SEED=11" in printed


# Findings.


def trap(message: str, line: int = 3) -> Finding:
    text = (Span("strong", f"lab3.cu:{line}:1: "), Span("error", "error: "), Span("strong", f"{message} [trap]"))
    return Finding(code="trap", message=message, text=(text,), place=SourcePlace("lab3.cu", line, 1))


def test_a_finding_in_two_ways_on_one_line_is_told_once() -> None:
    printed = shown(case("4 ints", "no", findings=(trap("is read"), trap("is written"))))
    assert sum("error: " in line for line in printed) == 1
    assert "    [trap] was found on this line in 1 more way" in printed
    assert not any("as above" in line for line in printed)


def test_a_finding_on_another_line_is_told() -> None:
    printed = shown(case("4 ints", "no", findings=(trap("is read"), trap("is read", line=4))))
    assert sum("error: " in line for line in printed) == 2


def test_lines_that_were_told_are_not_told_again() -> None:
    rules = "  a rule\n  another rule\n  a third of 16 bytes"
    other = CaseUnderPolicies({"late": Case("pipeline", "4 ints", "crash", f"it ended\n{rules}\n(0 of 3 cases pass)")})
    printed = shown(case("4 ints", f"it ended\n{rules}"), other)
    assert sum("a third" in line for line in printed) == 1
    assert printed[-5:-1] == [
        "pipeline  4 ints  CRASH  under late",
        "    it ended",
        "    (3 lines as above)",
        "    (0 of 3 cases pass)",
    ]


# Cases that are right.


def test_each_case_has_its_line_where_all_are_right() -> None:
    assert len(shown(*(case(f"{count} ints") for count in range(5)))) == 5


def test_beside_a_wrong_case_right_ones_are_told_together() -> None:
    cases = [case(f"{count} ints", untouched(3) if count == 3 else "") for count in range(8)]
    printed = shown(*cases)
    assert printed[0] == "one-tile  3 cases  OK"
    assert printed[1].startswith("one-tile  3 ints   FAIL")
    assert printed[-1] == "one-tile  4 cases  OK"


def test_one_right_case_keeps_its_name() -> None:
    assert shown(case("0 ints"), case("4 ints", untouched(4)))[0] == "one-tile  0 ints  OK"


def test_a_right_case_that_printed_keeps_its_name_and_its_words() -> None:
    printing = CaseUnderPolicies({"late": Case("one-tile", "2 ints", "pass", "", printed="i = 3\n")})
    printed = shown(case("0 ints"), case("1 ints"), printing, case("3 ints"), case("4 ints", untouched(4)))
    assert [line.split("  ")[1] for line in printed if line.endswith("OK")] == ["2 cases", "2 ints", "3 ints"]


def test_right_cases_of_two_parts_are_told_apart() -> None:
    other = CaseUnderPolicies({"late": Case("pipeline", "0 ints", "pass", "")})
    printed = shown(case("0 ints"), other, case("4 ints", untouched(4)))
    assert [line.split()[0] for line in printed if line.endswith("OK")] == ["one-tile", "pipeline"]


# What was not run, and what was printed.


def test_cases_that_a_hung_part_kept_from_running_are_counted() -> None:
    hung = CaseUnderPolicies({"late": Case("one-tile", "4 ints", "timeout", "not finished after 3 s")})
    left = tuple(CaseId("one-tile", f"{count} ints") for count in range(7))
    printed = shown(hung, not_run=left, not_begun=("early", "random:1"))
    assert "    7 cases not run: this part hung" in printed
    assert printed[-1] == "not begun, since a call hung: early, random:1"


def test_policies_that_were_not_begun_are_none_of_every() -> None:
    hung = Case("one-tile", "4 ints", "timeout", "not finished after 3 s")
    printed = shown(CaseUnderPolicies({"late": hung, "early": hung}), not_begun=("random:1",))
    assert printed[0] == "one-tile  4 ints  TIMEOUT  under late, early"


def test_what_a_case_printed_is_shown_and_obeyed_by_no_terminal() -> None:
    printed = shown(CaseUnderPolicies({"late": Case("one-tile", "4 ints", "pass", "", printed="i = 3\n\x1b[2J\n")}))
    assert printed[-3:] == ["    it printed:", "      i = 3", "      ␛[2J"]


def test_warnings_are_shown() -> None:
    assert shown(case("4 ints"), warnings='lab3.cu(7): warning #177-D: "q" is unused')[0].startswith("lab3.cu(7): warn")


@pytest.mark.parametrize(
    "words",
    [["test", "--backend", "emulator"], ["check"], ["test", "--part", "pipeline"]],
    ids=lambda words: " ".join(words),
)
def test_every_command_shows_the_compilers_warnings_once(tmagrade: Tmagrade, course: Course, words: list[str]) -> None:
    command, *options = words
    folder = course.submit("ada", "#warning").folder
    for _ in range(2):  # the second time from what is remembered
        _, printed = tmagrade(command, folder, *options)
        assert printed.count("lab3.cu(1): warning: told to") == 1


# Of a text that does not compile, and of no text at all.


@pytest.mark.parametrize("words", [["test", "--backend", "emulator"], ["check"]], ids=lambda words: words[0])
def test_an_error_of_the_compiler_is_told_once(tmagrade: Tmagrade, course: Course, words: list[str]) -> None:
    command, *options = words
    status, printed = tmagrade(command, course.submit("ada", "#error").folder, *options)
    assert status == 1
    assert printed.count("error: told to") == 1
    assert printed.count("BUILD ERROR") == 1


def test_the_labs_headers_are_named_from_the_labs_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.labs / "lab3-bulk-copy")
    (printed,) = lines(Tried(problem="build error: labs/common/tma/mbarrier.cuh(48): error: no"), None)
    assert printed.plain == "build error: ../common/tma/mbarrier.cuh(48): error: no"
