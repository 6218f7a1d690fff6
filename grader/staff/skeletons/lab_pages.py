"""What pages tell of labs, made from each lab.toml: names, ideas, parts and points.

Whatever else a page says is its author's. Of a lab's README that is the middle column of its table; a new part has its
title there.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tmagrade.basics.errors import GraderFault
from tmagrade.course.labs import Lab, Part, parts_left_out

LIST_ROW = re.compile(r"\| \[(?:Lab )?\d+:? [^\]]*\]\((?:handout/)?labs/lab")
NAME = re.compile(r"# Lab \d+: .*")
IDEA = re.compile(r"^\*\*(?!Read first)[^*]+\*\*", re.MULTILINE)
PART_HEADING = re.compile(r"^### Part `(?P<part>[^`]+)`.*$", re.MULTILINE)
ROW = re.compile(r"^\| (?:`(?P<part>[^`\n]+)` )?\| (?P<told>.*) \| [^|\n]*\|$", re.MULTILINE)
HYGIENE = "right under every timing policy of the emulator"
BANDWIDTH = re.compile(r"bandwidth of `[^`]+`")


def lists(root: Path, labs: Iterable[Lab]) -> Iterator[tuple[Path, str]]:
    """The pages with a row for each lab, as they should be."""
    in_order = sorted(labs, key=lambda lab: lab.number)
    rows = {
        "README.md": [f"| [{lab.number} {lab.name}](handout/labs/{lab.id}.md) | {lab.idea} |" for lab in in_order],
        "handout/index.md": [
            f"| [Lab {lab.number}: {lab.name}](labs/{lab.id}.md) | {lab.idea} "
            f"| [{lab.source}](../labs/{lab.id}/{lab.source}) |"
            for lab in in_order
        ],
    }
    for name, of_labs in rows.items():
        yield root / name, _with_rows((root / name).read_text(encoding="utf-8"), LIST_ROW, of_labs, str(root / name))


def pages_of(root: Path, lab: Lab) -> Iterator[tuple[Path, str]]:
    """The lab's own pages, as they should be."""
    readme, chapter = root / f"labs/{lab.id}/README.md", _chapter_of(root, lab)
    yield readme, _readme(_headed(readme, lab), lab, str(readme))
    yield chapter, _chapter(_headed(chapter, lab), lab, parts_left_out(_settings_of(root, lab)))


def _headed(path: Path, lab: Lab) -> str:
    named = NAME.sub(f"# Lab {lab.number}: {lab.name}", path.read_text(encoding="utf-8"), count=1)
    return IDEA.sub(f"**{lab.idea}**", named, count=1)


def lacking(root: Path, labs: Iterable[Lab]) -> Iterator[str]:
    """What no command can make: that a chapter tells of each part, and of no other, and the idea to begin with."""
    for lab in labs:
        path = _chapter_of(root, lab)
        text = path.read_text(encoding="utf-8")
        told, ids = PART_HEADING.findall(text), [part.id for part in lab.parts]
        yield from (f"{path} lacks: ### Part `{id}`" for id in ids if id not in told)
        ids += parts_left_out(_settings_of(root, lab))
        yield from (f"{path} has a part that lab.toml has not: {id}" for id in told if id not in ids)
        yield from (
            f"{page} lacks: **{lab.idea}**"
            for page in (root / f"labs/{lab.id}/README.md", path)
            if not IDEA.search(page.read_text(encoding="utf-8"))
        )


def _chapter_of(root: Path, lab: Lab) -> Path:
    return root / f"handout/labs/{lab.id}.md"


def _settings_of(root: Path, lab: Lab) -> Path:
    return root / f"labs/{lab.id}/lab.toml"


def _chapter(text: str, lab: Lab, left_out: Iterable[str]) -> str:
    headings = {part.id: f"### Part `{part.id}` ({_points(lab, part)})" for part in lab.parts}
    headings |= {id: f"### Part `{id}` (not asked for)" for id in left_out}
    return PART_HEADING.sub(lambda found: headings.get(found["part"], found[0]), text)


def _points(lab: Lab, part: Part) -> str:
    has_bandwidth = lab.bandwidth is not None and lab.bandwidth.part == part.id
    return f"{part.points:g} points" + (f", and {lab.points.bandwidth:g} for its bandwidth" if has_bandwidth else "")


def _readme(text: str, lab: Lab, name: str) -> str:
    told = {row["part"]: row["told"] for row in ROW.finditer(text) if row["part"]}
    others = [row["told"] for row in ROW.finditer(text) if not row["part"]]
    rows = [f"| `{part.id}` | {told.get(part.id, part.title)} | {part.points:g} |" for part in lab.parts]
    hygiene = next((words for words in others if not BANDWIDTH.match(words)), HYGIENE)
    rows.append(f"| | {hygiene} | {lab.points.hygiene:g} |")
    if lab.bandwidth is not None:
        of_part = f"bandwidth of `{lab.bandwidth.part}`"
        words = next((BANDWIDTH.sub(of_part, words) for words in others if BANDWIDTH.match(words)), of_part)
        rows.append(f"| | {words} | {lab.points.bandwidth:g} |")
    return _with_rows(text, ROW, rows, name)


def _with_rows(text: str, row: re.Pattern[str], rows: list[str], name: str) -> str:
    """The text with these rows in place of those that are there, which follow each other."""
    lines = text.splitlines()
    there = [index for index, line in enumerate(lines) if row.match(line)]
    if not there:
        raise GraderFault(f"{name} has no row of a table that this could make: {rows[0]}")
    kept = [line for index, line in enumerate(lines) if index not in there]
    return "\n".join([*kept[: there[0]], *rows, *kept[there[0] :], ""])
