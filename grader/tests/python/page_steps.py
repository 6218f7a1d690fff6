"""A page that says what to do, step by step: its commands, its edits of files, and what is printed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The line before a block that belongs into a file: `labs/lab11/lab.toml`, in place of `points = 85`:
EDIT = re.compile(r"^`([^`]+)`, (at its end|before|in place of)(?: `([^`]+)`)?:$")


@dataclass(frozen=True)
class Command:
    text: str


@dataclass(frozen=True)
class Printed:
    """Lines that the last command has printed, these words in each."""

    lines: list[str]


@dataclass(frozen=True)
class Edit:
    path: str
    where: str
    anchor: str
    text: str
    language: str

    def apply(self, root: Path) -> None:
        file = root / self.path
        before = file.read_text()
        if self.where == "at its end":
            file.write_text(before + self.text)
            return
        assert before.count(self.anchor) == 1, f"{self.path} has {self.anchor!r} {before.count(self.anchor)} times"
        put = self.text + self.anchor if self.where == "before" else self.text.removesuffix("\n")
        file.write_text(before.replace(self.anchor, put))


def steps(page: str) -> Iterator[Command | Printed | Edit]:
    for block in BLOCK.finditer(page):
        language, text = block.groups()
        lead = page[: block.start()].rstrip("\n").rpartition("\n")[2]
        if (edit := EDIT.match(lead)) is not None:
            yield Edit(edit[1], edit[2], edit[3] or "", text, language)
        elif language == "sh":
            yield Command(text)
        else:
            assert lead.endswith("prints"), f"nothing says what this is for: {text}"
            yield Printed(text.splitlines())
