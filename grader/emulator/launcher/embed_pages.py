#!/usr/bin/env python3
"""Writes a C++ source that holds the pages of the findings, so that tmaemu needs no file to explain one.

Usage: embed_pages.py FOLDER > finding_pages.cpp
"""

from __future__ import annotations

import sys
from pathlib import Path

DELIMITER = "page"  # of raw strings, R"page(...)page"


def entry_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if f"){DELIMITER}" in text:
        raise SystemExit(f"{page} has the characters ){DELIMITER}, which end its string in C++")
    return f'    FindingPage{{"{page.stem}", R"{DELIMITER}({text}){DELIMITER}"}},\n'


def main() -> None:
    folder = Path(sys.argv[1])
    pages = sorted(folder.glob("*.md"))
    if not pages:
        raise SystemExit(f"{folder} has no pages")
    entries = "".join(map(entry_of, pages))
    sys.stdout.write(
        f"""// Written by embed_pages.py from handout/findings.
#include <array>

#include "emulator/launcher/explain.h"

namespace launcher {{
namespace {{
constexpr std::array pages{{
{entries}}};
}}  // namespace

std::span<const FindingPage> finding_pages() {{
  return pages;
}}

}}  // namespace launcher
"""
    )


if __name__ == "__main__":
    main()
