"""The attacks: read from attacks.toml and the files beside it, handed in as a class, and looked for afterward."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import crafted

from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import ENTRY_FILES
from tmagrade.course.labs import load_labs
from tmagrade.findings.finding import findings_of
from tmagrade.outputs.wording import told

FOLDER = Path(__file__).parent

# Graded beside the attacks; their grades must be what they always are.
HONEST = ("honest-ada", "honest-zoe")
HONEST_LABS = ("lab1-async-copy", "lab3-bulk-copy", "lab4-single-tile")

# Where the headers are that attacks include and bring: what attacks have in common, and the grader's own, which
# students have too.
HEADERS = (FOLDER, HERE.grader)


@dataclass(frozen=True)
class Attack:
    name: str
    place: str  # "emulator", "gpu" or "crafted"
    family: str
    tries: str
    fails: str
    lab: str = crafted.LAB
    verdicts: dict[str, str] | str = field(default_factory=dict)
    points: float = 0.0
    gains: float = 0.0
    students: tuple[str, ...] = ()
    absent: bool = False
    says: str | None = None

    @property
    def source(self) -> Path:
        """Its file, if it is no function of crafted.py."""
        return FOLDER / self.place / f"{self.name}.cu"

    @property
    def unlisted(self) -> set[str]:
        """The parts of which attacks.toml says nothing."""
        always = self.place == "gpu" or "bandwidth" in self.verdicts
        return {"hygiene"} if always else {"hygiene", "bandwidth"}

    def allowed(self, part: str) -> list[str]:
        """The verdicts of a part with which all is as it should be."""
        wanted = self.verdicts if isinstance(self.verdicts, str) else self.verdicts.get(part, "missing or crash")
        return wanted.split(" or ")


def read_attacks() -> list[Attack]:
    families: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "attacks.toml").read_text())
    return [_attack(name, family, facts) for family, table in families.items() for name, facts in table.items()]


def _attack(name: str, family: str, facts: dict[str, Any]) -> Attack:
    place, text = _described(name)
    tries, fails = _paragraphs(text)
    students = tuple(facts.pop("students", [name]))
    return Attack(name, place, family, tries=tries, fails=fails, students=students, **facts)


def _described(name: str) -> tuple[str, str]:
    """Where the attack is, and what its author says of it."""
    if name in crafted.CRAFTED:
        return "crafted", crafted.CRAFTED[name].__doc__ or ""
    for place in ("emulator", "gpu"):
        if (source := FOLDER / place / f"{name}.cu").exists():
            comment = re.match(r"(//.*\n)+", source.read_text())
            return place, re.sub(r"^//", "", comment.group(), flags=re.MULTILINE) if comment else ""
    raise ValueError(f"attacks.toml has {name}, of which there is neither a file {name}.cu nor a function")


def _paragraphs(text: str) -> tuple[str, str]:
    tries, fails = re.split(r"\b(?=Fails: |No harm done: |Remains: )", " ".join(text.split()), maxsplit=1)
    return tries.strip(), fails.strip()


def names_on_disk() -> set[str]:
    """All that is there to be listed in attacks.toml."""
    files = {path.stem for place in ("emulator", "gpu") for path in (FOLDER / place).iterdir()}
    return files | set(crafted.CRAFTED)


def make_class(folder: Path, attacks: list[Attack]) -> None:
    """Writes the class that hands in these attacks, and the honest students among them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for student in HONEST:
        for lab in HONEST_LABS:
            shutil.copytree(HERE.solutions / lab, folder / student / lab)
            for source in (folder / student / lab).glob("*.cu"):
                # Not letter for letter the same, so that each is graded by itself.
                source.write_text(f"{source.read_text()}\n// {student}\n")
    names = {lab.id: lab.source for lab in load_labs(HERE.labs)}
    lab1 = HERE.solutions / crafted.LAB
    here = crafted.Class(folder, RIGHT, lab1, folder / HONEST[0] / crafted.LAB)
    for attack in attacks:
        if attack.place == "crafted":
            crafted.CRAFTED[attack.name](here, attack.name)
        else:
            _hand_in(attack.source, folder / attack.name / attack.lab / names[attack.lab])


# What a crafted attack hands in besides, where it hopes for points: right for the first part of lab 1.
RIGHT = (
    (FOLDER / "reverse.h").read_text().replace("#pragma once\n", "")
    + """
__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
}
"""
)


def _hand_in(attack: Path, source: Path) -> None:
    source.parent.mkdir(parents=True)
    shutil.copy(attack, source)
    unread = [source]
    while unread:
        for header in re.findall(r'^#include "(.+)"', unread.pop().read_text(), re.MULTILINE):
            brought = source.parent / header
            if (found := _to_bring(header)) and not brought.exists():
                brought.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(found, brought)
                unread.append(brought)


def _to_bring(header: str) -> Path | None:
    """The file of an include, if it is not one that a build has anyway, or that an attack asks of the machine."""
    if header in ENTRY_FILES:
        return None
    candidates = (((folder / header).resolve(), folder) for folder in HEADERS)
    return next((path for path, folder in candidates if path.is_file() and path.is_relative_to(folder)), None)


def deviations(attacks: list[Attack], grades: dict[str, Any]) -> list[str]:
    """Where the grades are not what attacks.toml says, a line each."""
    graded = {entry["id"]: entry for entry in grades["students"]}
    return [line for attack in attacks for line in _deviations(attack, graded)]


def _deviations(attack: Attack, graded: dict[str, Any]) -> Iterator[str]:
    for student in attack.students:
        if attack.absent:
            if student in graded:
                yield f"{attack.name}: {student} is graded"
            continue
        if student not in graded:
            yield f"{attack.name}: {student} is not among the graded"
            continue
        labs = graded[student]["labs"]
        parts = [part for lab in labs for part in lab["parts"] if part["id"] not in attack.unlisted]
        got = {part["id"]: part["verdict"] for part in parts}
        messages = "\n".join(told(part["message"], findings_of(part)) for part in parts)
        if any(verdict not in attack.allowed(part) for part, verdict in got.items()):
            yield f"{attack.name}: {got}, expected {attack.verdicts}: {messages[:500]}"
        if (points := sum(lab["score"] for lab in labs)) > attack.points + attack.gains:
            yield f"{attack.name}: {points:g} points, of which {points - attack.points:g} are gained"
        if attack.says is not None and not re.search(attack.says, messages):
            yield f"{attack.name}: no message matches {attack.says!r}: {messages[:500]}"
