"""What a student has done of the course: the last verdict of each part, as `make` in a lab's folder gave it.

It is for the student alone. No score comes from it, and without it nothing is lost but the list.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.cache import digest_files, write_json
from tmagrade.basics.json_form import UNREADABLE, from_json, to_json
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import Lab

RIGHT = "pass"


@dataclass(frozen=True)
class Verdict:
    verdict: str
    text: str  # the digest of what was judged


@dataclass(frozen=True)
class Standing:
    """How a part stands."""

    lab: Lab
    part: str
    verdict: str = ""  # none where nobody has tried it
    is_of_today: bool = True  # the text is still the one that was judged

    @property
    def is_done(self) -> bool:
        """Also where the text has changed since, as by the work on the next part."""
        return self.verdict == RIGHT


def note(repository: Repository, lab: Lab, folder: Path, verdicts: Mapping[str, str]) -> None:
    """Notes the verdicts of some parts, if the folder is the course's own: what others hand in is not the student's."""
    if folder.resolve() != (repository.labs / lab.id).resolve():
        return
    text = _digest(folder)
    noted = _noted(repository, lab) | {part: Verdict(verdict, text) for part, verdict in verdicts.items()}
    write_json(_file(repository, lab), to_json(noted))


def standing(repository: Repository, lab: Lab) -> list[Standing]:
    """How each part of a lab stands, in the lab's order."""
    text = _digest(repository.labs / lab.id)
    noted = _noted(repository, lab)
    return [
        Standing(lab, part.id, known.verdict, known.text == text)
        if (known := noted.get(part.id))
        else Standing(lab, part.id)
        for part in lab.parts
    ]


def _file(repository: Repository, lab: Lab) -> Path:
    return repository.state / "done" / f"{lab.id}.json"


def _noted(repository: Repository, lab: Lab) -> dict[str, Verdict]:
    try:
        return from_json(json.loads(_file(repository, lab).read_text()), dict[str, Verdict])
    except (OSError, *UNREADABLE):
        return {}


def _digest(folder: Path) -> str:
    files = sorted(file for ending in ("*.cu", "*.cuh") for file in folder.glob(ending))
    return digest_files(folder, files)
