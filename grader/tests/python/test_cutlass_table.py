"""What `make test-cutlass` says of a case: grader/tests/real/cutlass/cutlass_cases.py."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

CUTLASS = Path(__file__).parents[1] / "real/cutlass"
sys.path.append(str(CUTLASS))

from cutlass_cases import NOT_RECORDED, Known, known_cases, page, record, verdict  # noqa: E402
from emulated import Ran  # noqa: E402

DIGEST = "457ad88aa7242209"
FOUND = "a.hpp:7:5: error: a wgmma reads too early [read-before-wait]\n"
RIGHT = Ran(0, f"digest {DIGEST}\nok\n", "")


def test_the_result_of_an_h100_passes() -> None:
    assert verdict(Known(DIGEST), RIGHT) == ""


def test_another_result_fails() -> None:
    assert verdict(Known("0" * 16), RIGHT) == f"FAILED: {DIGEST} is not an H100's {'0' * 16}"


def test_a_result_that_nobody_recorded_does_not_pass() -> None:
    assert verdict(Known(), RIGHT) == NOT_RECORDED


@pytest.mark.parametrize("ran", [replace(RIGHT, stdout=f"digest {DIGEST}\n"), replace(RIGHT, returncode=1)])
def test_what_the_cpu_does_not_find_fails(ran: Ran) -> None:
    assert verdict(Known(DIGEST), ran).startswith("FAILED: it does not find what the CPU finds")


def test_a_finding_that_is_not_explained_fails() -> None:
    assert verdict(Known(DIGEST), replace(RIGHT, stderr=FOUND)) == "FAILED: found read-before-wait, expected nothing"


def test_an_explained_finding_passes_and_is_missed_where_it_is_gone() -> None:
    known = Known(DIGEST, ("read-before-wait",), "it does")
    assert verdict(known, replace(RIGHT, stderr=FOUND + FOUND)) == ""
    assert verdict(known, RIGHT) == "FAILED: found nothing, expected read-before-wait"


def test_a_result_that_a_mistake_leaves_open_is_not_compared() -> None:
    known = Known("0" * 16, ("read-before-wait",), "it does", is_open=True)
    assert verdict(known, Ran(1, f"digest {DIGEST}\nfailed\n", FOUND)) == ""
    assert verdict(known, Ran(1, "", FOUND)).startswith("FAILED")


def test_what_a_gpu_gave_is_recorded_beside_what_was_there() -> None:
    before = '# head\n\n[a]\ndigest = ""\nfindings = ["x"]\nwhy = "y"\n'
    cases = known_cases(record(before, f"a {DIGEST}\nb {'0' * 16}\nc FAILED: element 1\n"))
    assert cases == {"a": Known(DIGEST, ("x",), "y"), "b": Known("0" * 16)}


def test_each_finding_is_explained_on_the_page() -> None:
    cases = known_cases((CUTLASS / "cases.toml").read_text(encoding="utf-8"))
    assert [name for name, case in cases.items() if bool(case.findings) != bool(case.why)] == []


def test_the_page_has_a_row_for_each_case_that_was_run() -> None:
    text = page({"a": Known(DIGEST, ("x",), "y"), "b": Known()}, {"a": 1.25, "b": 2})
    assert "| `a` | 1.2 | an H100's | [x](../findings/x.md) |\n| `b` | 2.0 | not recorded | none |\n" in text
    assert "- `a`: y\n" in text
