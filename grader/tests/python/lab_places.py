"""The places in which a lab stands, beside the lab.toml that decides, and what each of them lacks."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tmagrade.course.labs import Lab, Part

# A line of parts.def: the part, and its launcher's name, which is what stands before the parameters.
DECLARED = re.compile(r"^(?:TEMPLATE_)?PART\((\w+),.*?\b(\w+),\s*\([^()]*\)\)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Places:
    root: Path
    lab: Lab

    def gaps(self) -> list[str]:
        """What to do so that all places say the same; nothing where they do."""
        return [
            *self._of_the_list_of_parts(),
            *self._of_the_checks(),
            *self._of_the_students_file(),
            *self._of_the_sample_class(),
            *self._of_the_texts(),
        ]

    def _text(self, path: str) -> str:
        file = self.root / path
        return file.read_text() if file.is_file() else ""

    def _lacking(self, path: str, wanted: list[str]) -> Iterator[str]:
        text = self._text(path)
        yield from (f"{path} lacks: {words}" for words in wanted if words not in text)

    @property
    def _checks(self) -> str:
        return f"grader/checks/{self.lab.id}"

    @property
    def _declared(self) -> dict[str, str]:
        """The launcher of each part in parts.def."""
        found = DECLARED.findall(self._text(f"{self._checks}/parts.def"))
        return {name.replace("_", "-"): launcher for name, launcher in found}

    def _of_the_list_of_parts(self) -> Iterator[str]:
        path = f"{self._checks}/parts.def"
        ids = [part.id for part in self.lab.parts]
        yield from (f"{path} lacks: PART({in_cpp(id)}, ...)" for id in ids if id not in self._declared)
        yield from (f'labs/{self.lab.id}/lab.toml lacks: id = "{id}"' for id in self._declared if id not in ids)
        yield from self._lacking(f"{self._checks}/entry.cu", [f'#define ENTRY_PARTS "checks/{self.lab.id}/parts.def"'])

    def _of_the_checks(self) -> Iterator[str]:
        checks = f"{self._checks}/checks.cpp"
        text = "".join(self._text(f"{self._checks}/{name}") for name in ("cases.h", "checks.cpp"))
        for part in self.lab.parts:
            if not re.search(rf"\bparts::{in_cpp(part.id)}\b", text):
                yield f"{checks} lacks: a case of parts::{in_cpp(part.id)}"
            if part.architecture is not None and _for_later_gpus(part) not in text:
                yield f"{self._checks}/cases.h lacks: {_for_later_gpus(part)}"
        suite = in_cpp(self.lab.id)
        yield from self._lacking(checks, [f"INSTANTIATE_TEST_SUITE_P({suite},"])
        measured = re.findall(r"\bmeasure\(\{parts::(\w+)", text)
        wanted = [in_cpp(self.lab.bandwidth.part)] if self.lab.bandwidth else []
        yield from (f"{checks} lacks: measure({{parts::{part}, ...}})" for part in wanted if part not in measured)
        yield from (f"{checks} measures parts::{part}: lab.toml does not" for part in measured if part not in wanted)
        if wanted:
            yield from self._lacking(checks, [f"TEST_F({suite}_bandwidth,"])

    def _of_the_students_file(self) -> Iterator[str]:
        for folder in ("solutions", "labs"):
            path = f"{folder}/{self.lab.id}/{self.lab.source}"
            for id, launcher in self._declared.items():
                if not re.search(rf"\b{launcher}\(", self._text(path)):
                    yield f"{path} lacks: {launcher}, the launcher of {id}"

    def _of_the_sample_class(self) -> Iterator[str]:
        path = f"grader/tests/class/{self.lab.id}.toml"
        if not tomllib.loads(self._text(path)):
            yield f"{path} lacks: a student"

    def _of_the_texts(self) -> Iterator[str]:
        lab, points = self.lab, self.lab.points
        bandwidth = lab.bandwidth.part if lab.bandwidth else None
        readme, chapter = f"labs/{lab.id}/README.md", f"handout/labs/{lab.id}.md"
        rows = [(f"| `{part.id}` |", part.points) for part in lab.parts]
        rows += [("| | right ", points.hygiene)]
        rows += [(f"| | bandwidth of `{bandwidth}`", points.bandwidth)] if bandwidth else []
        for begin, points_of_row in rows:
            if not re.search(rf"^{re.escape(begin)}.* \| {points_of_row:g} \|$", self._text(readme), re.MULTILINE):
                yield f"{readme} lacks: {begin} ... | {points_of_row:g} |"
        headings = [
            f"### Part `{part.id}` ({part.points:g} points"
            + (f", and {points.bandwidth:g} for its bandwidth)" if part.id == bandwidth else ")")
            for part in lab.parts
        ]
        yield from self._lacking(chapter, headings)
        for path in (readme, chapter):
            yield from self._lacking(path, [f"**{lab.idea}**"])
        yield from self._lacking("README.md", [f"](handout/labs/{lab.id}.md) | {lab.idea} |"])
        source = f"[{lab.source}](../labs/{lab.id}/{lab.source})"
        yield from self._lacking("handout/index.md", [f"](labs/{lab.id}.md) | {lab.idea} | {source} |"])


def in_cpp(name: str) -> str:
    return name.replace("-", "_")


def _for_later_gpus(part: Part) -> str:
    return f"judge::for_sm({(part.architecture or '').rstrip('a')}, parts::{in_cpp(part.id)})"
