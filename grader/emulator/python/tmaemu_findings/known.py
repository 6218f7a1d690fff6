"""The list of findings that are known and stay."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tmaemu_findings.findings import Found, UsageError


@dataclass(frozen=True)
class Known:
    """A row of the list of known findings."""

    code: str
    file: str  # a pattern
    line: int | None
    reason: str
    row: int

    def is_it(self, found: Found) -> bool:
        place = found.place
        if self.code != found.code or self.line not in (None, place.line):
            return False
        name = place.file or place.function
        # As in a .gitignore: what names no folder above is found in any.
        return fnmatch.fnmatchcase(name, self.file) or fnmatch.fnmatchcase(name, f"*/{self.file}")


@dataclass(frozen=True)
class Told:
    found: Found
    known: Known | None


def read_known(file: Path, codes: Collection[str]) -> list[Known]:
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the list of known findings {file}: {error}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = line.split(None, 2)
        if len(words) < 3:
            raise UsageError(f"{file}:{number}: a known finding is a code, a file with or without a line, and a reason")
        code, place, reason = words
        if code not in codes:
            raise UsageError(f"{file}:{number}: there is no finding {code!r}; tmaemu --explain lists all codes")
        pattern, colon, at = place.rpartition(":")
        is_line = bool(colon) and at.isdigit()
        rows.append(Known(code, pattern if is_line else place, int(at) if is_line else None, reason.strip(), number))
    return rows
