"""Puts the student's line below each finding that names one."""

from dataclasses import replace
from pathlib import Path

from tmagrade.errors import UsageError
from tmagrade.outputs.words import FINDING
from tmagrade.scoring import LabResult
from tmagrade.submissions import submitted_files

_MOST_CHARACTERS = 160


def with_source(result: LabResult, folder: Path) -> LabResult:
    """The result whose messages quote the lines of the submission in `folder` that they are about."""
    if not any(FINDING.search(part.message) for part in result.parts):
        return result
    source = _Source(folder)
    return replace(result, parts=tuple(replace(part, message=_quote(part.message, source)) for part in result.parts))


class _Source:
    """The submission's lines. A `#line` can make a finding name any file at all, so only what was handed in is read."""

    def __init__(self, folder: Path) -> None:
        try:
            self._files = {str(path.relative_to(folder)): path for path in submitted_files(folder)}
        except (OSError, UsageError):
            self._files = {}
        self._lines: dict[str, list[str]] = {}

    def line(self, name: str, number: int) -> str | None:
        if name not in self._files:
            return None
        if name not in self._lines:
            self._lines[name] = self._files[name].read_text(encoding="utf-8", errors="replace").split("\n")
        lines = self._lines[name]
        return lines[number - 1][:_MOST_CHARACTERS].rstrip() if 0 < number <= len(lines) else None


def _quote(message: str, source: _Source) -> str:
    lines: list[str] = []
    for line in message.split("\n"):
        lines.append(line)
        found = FINDING.match(line)
        quoted = source.line(found["file"], int(found["line"])) if found else None
        if found and quoted:
            lines.append(f"{found['line']:>5} | {quoted}")
    return "\n".join(lines)
