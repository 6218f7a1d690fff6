"""The handout's page on ptxas and the random programs have one source."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance"))

import ptxas_differences


def test_the_page_has_the_table_that_random_programs_are_drawn_by() -> None:
    page = ptxas_differences.PAGE.read_text()
    assert page == ptxas_differences.with_table(page), "make ptxas"


@pytest.mark.parametrize("row", ptxas_differences.differences(), ids=lambda row: row["forms"])
def test_a_row_says_what_random_programs_do(row: dict[str, str]) -> None:
    header = (Path(ptxas_differences.__file__).parent / "ptxas_differences.h").read_text()
    assert f"  {row['programs']}," in header
