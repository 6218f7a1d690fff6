"""Writes what ptxas_differences.toml says: the table of handout/reference/ptxas.md between its marks, or with
--cpp the table that the random programs are drawn by, to stdout."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[2] / "handout/reference/ptxas.md"
BEGIN, END = "<!-- begin: ptxas_differences.toml -->\n", "<!-- end -->\n"


def differences() -> list[dict[str, str]]:
    rows: list[dict[str, str]] = tomllib.loads((HERE / "ptxas_differences.toml").read_text())["difference"]
    return rows


def table() -> str:
    lines = ["| instructions | PTX | ptxas, on the GPU | the emulator follows |", "|---|---|---|---|"]
    lines += [f"| {row['instructions']} | {row['ptx']} | {row['ptxas']} | {row['emulator']} |" for row in differences()]
    return "\n".join(lines) + "\n"


def with_table(page: str) -> str:
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


def cpp() -> str:
    rows = "".join(
        f'    {{"{row["forms"]}", Treatment::{row["programs"]}, "{row.get("behind", "")}"}},\n' for row in differences()
    )
    return (
        '#include <array>\n\n#include "tests/conformance/ptxas_differences.h"\n\nnamespace conformance {\n\n'
        "std::span<const PtxasDifference> ptxas_differences() {\n"
        f"  static constexpr std::array<PtxasDifference, {len(differences())}> table{{{{\n{rows}  }}}};\n"
        "  return table;\n}\n\n"
        "}  // namespace conformance\n"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--cpp"]:
        print(cpp(), end="")
    else:
        PAGE.write_text(with_table(PAGE.read_text()))
