"""What is said once, although it is found again and again: a mistake in each case that shows it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text

from tmagrade.findings.finding import Finding, Place
from tmagrade.findings.finding_text import terminal_lines

# So many lines that were all told before are not told again: what the host says of a tensor map lists all of its rules.
MANY_LINES = 3

_NUMBER = re.compile(r"0x[0-9a-f]+|-?\b(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf)\b", re.IGNORECASE)


_REMARK = re.compile(r" \(in this case [^()]*\)")


def kind_of(message: str) -> str:
    """The message without its numbers, and without how many elements it names: the same of an array of any length."""
    message = _REMARK.sub("", message)  # what is said of a case whatever is wrong in it
    words = re.sub(r"\b(element|byte|int)s?\b", r"\1", _NUMBER.sub("#", message)).replace(" is wrong", " are wrong")
    pieces = (piece for piece in re.split(r"; |: (?=\w+\[)", words) if piece not in ("...", ""))
    return "; ".join(dict.fromkeys(piece.replace("it holds", "each holds") for piece in pieces))


class Repeats:
    """Remembers what it was given."""

    def __init__(self) -> None:
        self._lines: set[str] = set()
        self._findings: set[tuple[str, Place | None]] = set()

    def message(self, text: str) -> Iterator[str]:
        first, *rest = text.strip().splitlines() or [""]
        if first:
            yield first
        for known, run in groupby(rest, key=lambda line: kind_of(line) in self._lines):
            lines = list(run)
            if known and len(lines) >= MANY_LINES:
                yield f"({len(lines)} lines as above)"
            else:
                yield from lines
        self._lines.update(map(kind_of, rest))

    def findings(self, findings: Sequence[Finding]) -> Iterator[Text]:
        before = frozenset(self._findings)
        here: Counter[tuple[str, Place | None]] = Counter()
        for finding in findings:
            key = (finding.code, finding.place)
            here[key] += 1
            if key not in self._findings:
                self._findings.add(key)
                yield from terminal_lines(finding)
        if above := dict.fromkeys(code for code, place in here if (code, place) in before):
            yield Text(f"found here, too, as above: {', '.join(above)}")
        for (code, place), count in here.items():
            if count > 1 and (code, place) not in before:
                ways = "1 more way" if count == 2 else f"{count - 1} more ways"
                yield Text(f"[{code}] was found on this line in {ways}")
