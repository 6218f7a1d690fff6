"""Writes what ptxas_differences.toml says: the table of handout/reference/ptxas.md between its marks, or with
--cpp the table that the random programs are drawn by, to stdout."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[2] / "handout/reference/ptxas.md"
BEGIN, END = "<!-- begin: ptxas_differences.toml -->\n", "<!-- end -->\n"


def rows_of(kind: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = tomllib.loads((HERE / "ptxas_differences.toml").read_text()).get(kind, [])
    return rows


def differences() -> list[dict[str, str]]:
    return rows_of("difference")


def table() -> str:
    lines = ["| instructions | PTX | ptxas, on the GPU | the emulator follows |", "|---|---|---|---|"]
    lines += [f"| {row['instructions']} | {row['ptx']} | {row['ptxas']} | {row['emulator']} |" for row in differences()]
    return "\n".join(lines) + "\n"


def with_table(page: str) -> str:
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


def cpp_table(element: str, function: str, rows: list[str]) -> str:
    lines = "".join(f"    {{{row}}},\n" for row in rows)
    return (
        f"std::span<const {element}> {function}() {{\n"
        f"  static constexpr std::array<{element}, {len(rows)}> table{{{{\n{lines}  }}}};\n  return table;\n}}\n\n"
    )


def cpp() -> str:
    forms = [f'"{row["forms"]}", Treatment::{row["programs"]}, "{row.get("behind", "")}"' for row in differences()]
    programs = [f'"{row["name"]}", {row["compared"]}' for row in rows_of("program")]
    return (
        '#include <array>\n\n#include "tests/conformance/ptxas_differences.h"\n\nnamespace conformance {\n\n'
        + cpp_table("PtxasDifference", "ptxas_differences", forms)
        + cpp_table("DifferingProgram", "differing_programs", programs)
        + "}  // namespace conformance\n"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--cpp"]:
        print(cpp(), end="")
    else:
        PAGE.write_text(with_table(PAGE.read_text()))
