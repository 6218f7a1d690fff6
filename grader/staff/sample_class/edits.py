"""Edits of a text. Each must fit in exactly one place, so that none is lost or misplaced when the text changes.

They are written as in a diff: lines that go begin with a minus, lines that come with a plus, and those that stay, which
say where, with a space. A line with nothing but @@ stands between two edits.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

SEPARATOR = "@@"


class EditError(ValueError):
    """An edit is not well-formed, or does not fit in exactly one place."""


def replace_once(text: str, old: str, new: str) -> str:
    """`text` with `new` in the place of `old`, which must be there exactly once."""
    count = len(re.findall(f"(?={re.escape(old)})", text))  # those that overlap, too
    if count != 1:
        raise EditError(f"matches {count} times, but must match exactly once")
    return text.replace(old, new)


@dataclass(frozen=True)
class Edit:
    old: tuple[str, ...]  # whole lines
    new: tuple[str, ...]

    def apply(self, text: str) -> str:
        """`text` is whole lines, too."""
        try:
            # With the ends of lines around, so that no part of a line is taken for a line.
            edited = replace_once("\n" + text, _block(self.old), _block(self.new))
        except EditError as error:
            raise EditError(f"{error}:\n{_shown(self.old)}\n{self._advice(text.splitlines())}") from None
        return edited.removeprefix("\n")

    def _advice(self, lines: list[str]) -> str:
        missing = next((line for line in self.old if line not in lines), None)
        if missing is not None:
            return f"This line is not there any more; write what has taken its place:\n{_shown([missing])}"
        if any(tuple(lines[i : i + len(self.old)]) == self.old for i in range(len(lines))):
            return "Add lines from around the place that is meant, until no other place fits."
        return "Each of these lines is there, but they do not follow one another."


def apply_edits(edits: list[Edit], text: str) -> str:
    for number, edit in enumerate(edits, start=1):
        try:
            text = edit.apply(text)
        except EditError as error:
            which = f"edit {number} of {len(edits)}" if len(edits) > 1 else "the edit"
            raise EditError(f"{which} {error}") from None
    return text


def parse_edits(text: str) -> list[Edit]:
    lines = enumerate(text.splitlines(), start=1)
    groups = itertools.groupby(lines, key=lambda line: line[1] == SEPARATOR)
    edits = [_edit(list(group)) for is_separator, group in groups if not is_separator]
    if not edits:
        raise EditError("the edit has no lines")
    return edits


def _edit(numbered: list[tuple[int, str]]) -> Edit:
    for number, line in numbered:
        if line[:1] not in ("", " ", "-", "+"):
            raise EditError(
                f"line {number} of the edit is {line!r}, but a line begins with a space (it stays), a minus (it goes) "
                f"or a plus (it comes), and {SEPARATOR} stands alone between two edits"
            )
    lines = [line for _, line in numbered]
    old = tuple(line[1:] for line in lines if not line.startswith("+"))
    new = tuple(line[1:] for line in lines if not line.startswith("-"))
    if old == new:
        raise EditError(f"the edit at line {numbered[0][0]} changes nothing")
    if not old:
        raise EditError(f"the edit at line {numbered[0][0]} does not say where: it has no line that stays or goes")
    return Edit(old, new)


def _block(lines: Iterable[str]) -> str:
    return "".join(f"\n{line}" for line in lines) + "\n"


def _shown(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}".rstrip() for line in lines)
