"""Messages for people: the student's line below each finding that names one, and no message without end."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from tmagrade.errors import GraderFault, UsageError
from tmagrade.outputs.words import FINDING
from tmagrade.scoring import LabResult
from tmagrade.submissions import open_submitted, submitted_files

_LONGEST_LINE = 160
_LONGEST_MESSAGE = 8000


def readable(result: LabResult, folder: Path) -> LabResult:
    """The result whose messages quote the lines of the submission in `folder` that they are about."""
    source = _Source(folder)
    return replace(
        result, parts=tuple(replace(part, message=_quote(_cut(part.message), source)) for part in result.parts)
    )


def _cut(message: str) -> str:
    more = len(message) - _LONGEST_MESSAGE
    return f"{message[:_LONGEST_MESSAGE]}\n... and {more} more characters" if more > 0 else message


class _Source:
    """The submission's lines. A `#line` can make a finding name any file at all, so only what was handed in is read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: dict[str, list[str]] = {}

    @cached_property
    def _files(self) -> dict[str, Path]:
        try:
            return {str(path.relative_to(self._folder)): path for path in submitted_files(self._folder)}
        except (OSError, UsageError, GraderFault):
            return {}

    def line(self, name: str, number: int) -> str | None:
        if name not in self._files:
            return None
        if name not in self._lines:
            self._lines[name] = self._read(self._files[name])
        lines = self._lines[name]
        return lines[number - 1][:_LONGEST_LINE].rstrip() if 0 < number <= len(lines) else None

    def _read(self, path: Path) -> list[str]:
        try:
            with open_submitted(self._folder, path) as file:
                return file.read().decode(errors="replace").split("\n")
        except (OSError, GraderFault):  # gone since it was graded
            return []


def _quote(message: str, source: _Source) -> str:
    lines: list[str] = []
    for line in message.split("\n"):
        lines.append(line)
        found = FINDING.match(line)
        quoted = source.line(found["file"], int(found["line"])) if found else None
        if found and quoted:
            lines.append(f"{found['line']:>5} | {quoted}")
    return "\n".join(lines)
