"""What a class has handed in for an assignment, fetched by Canvas' API into one zip, named as Canvas names its own bulk
download of it; and in it `submissions.json`, which says when, as that download does not.

Files are fetched once: what an earlier zip has, and what came before a kill, stays. The zip is written when all are
there.
"""

import io
import json
import re
import shutil
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from staff.collecting.archives import DAMAGE
from staff.platforms.canvas import SUBMISSIONS, canvas_file
from staff.platforms.canvas_api import Canvas
from staff.platforms.canvas_course import Submission
from tmagrade.basics.cache import make_private, replace_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.zips import EPOCH
from tmagrade.submissions.names import printable

FORBIDDEN = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')  # sanitize_attachment_filename() in lib/content_zipper.rb
MOST_CALLED = 40  # characters of a person's name, which nobody reads it for
MOST_BYTES = 255  # of a file's name
SAID = ("user_id", "submitted_at", "attempt", "late")  # of a submission


@dataclass(frozen=True)
class Wanted:
    """One file of the zip."""

    name: str
    number: int  # Canvas' of the file, whose content never changes; 0: of a text, which is `text`
    size: int
    url: str = ""
    text: str = ""


@dataclass(frozen=True)
class Plan:
    """What the zip is to have, and what of it is still to come."""

    submissions: tuple[Submission, ...]  # of those who have handed in
    files: tuple[Wanted, ...]
    kept: frozenset[int]  # numbers of files that are there

    @property
    def missing(self) -> list[Wanted]:
        """Each file once, as members of a group have the same ones."""
        return list({one.number: one for one in self.files if one.number and one.number not in self.kept}.values())


def plan_of(submissions: Iterable[Submission], to: Path) -> Plan:
    """UsageError where there is something else than such a zip."""
    handed_in = tuple(one for one in submissions if one.get("submitted_at"))
    files = tuple(wanted for one in handed_in for wanted in _files(one))
    sizes = {one.number: one.size for one in files}
    there = {**_in_zip(to), **_fetched(to)}
    return Plan(handed_in, files, frozenset(number for number, size in there.items() if sizes.get(number) == size))


def fetch(asked: Canvas, plan: Plan, to: Path) -> None:
    """Fetches what is missing, and writes the zip."""
    place = _unfinished(to)
    make_private(place)
    for one in plan.missing:
        asked.download(one.url, one.size, place / str(one.number), printable(one.name))
    replace_atomically(to, lambda unfinished: _pack(unfinished, plan, place, to))
    shutil.rmtree(place)


def _files(one: Submission) -> Iterator[Wanted]:
    called = "".join(c for c in str(one["user"].get("sortable_name", "")).lower() if unicodedata.category(c)[0] in "LM")
    whose = f"{called[:MOST_CALLED]}{'_LATE' if one.get('late') else ''}_{int(one['user_id'])}"
    for file in one.get("attachments") or []:
        number = int(file["id"])
        yield Wanted(
            _named(f"{whose}_{number}_", _name_of(file)), number, int(file["size"]), str(file.get("url") or "")
        )
    for kind, field in (("text", "body"), ("link", "url")):
        if one.get(field) and not one.get("attachments"):
            yield Wanted(f"{whose}_{kind}.html", 0, 0, text=str(one[field]))


def _name_of(file: Any) -> str:
    return FORBIDDEN.sub("_", str(file.get("display_name") or file["filename"]))


def _named(before: str, name: str) -> str:
    """A name that a disk takes: of a longer one the end says what it is."""
    while len(f"{before}{name}".encode()) > MOST_BYTES:
        name = name[1:]
    return f"{before}{name}"


def _in_zip(path: Path) -> dict[int, int]:
    """Sizes by the files' numbers."""
    if not path.exists():
        return {}
    try:
        with zipfile.ZipFile(path) as archive:
            if SUBMISSIONS not in archive.namelist():
                raise UsageError(f"{path} is another one's: it has no {SUBMISSIONS}. Give --out another name")
            found = ((canvas_file(Path(one.filename)), one.file_size) for one in archive.infolist())
            return {file.number: size for file, size in found if file is not None}
    except (OSError, *DAMAGE) as error:
        raise UsageError(f"{path} is no zip that can be read: {error}") from error


def _fetched(to: Path) -> dict[int, int]:
    place = _unfinished(to)
    files = place.iterdir() if place.is_dir() else ()
    return {int(one.name): one.stat().st_size for one in files if one.name.isdigit()}


def _unfinished(to: Path) -> Path:
    return to.with_name(f".{to.name}.unfinished")


def _opened(path: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(path) if path.exists() else zipfile.ZipFile(io.BytesIO(), "w")


def _pack(unfinished: Path, plan: Plan, place: Path, before: Path) -> None:
    said = [{name: one.get(name) for name in SAID} for one in plan.submissions]
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive, _opened(before) as old:
        archive.writestr(zipfile.ZipInfo(SUBMISSIONS, EPOCH), json.dumps(said, indent=1) + "\n", zipfile.ZIP_DEFLATED)
        names = {file.number: name for name in old.namelist() if (file := canvas_file(Path(name)))}
        for one in plan.files:
            entry = zipfile.ZipInfo(one.name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            if not one.number:
                archive.writestr(entry, one.text)
                continue
            fetched = place / str(one.number)
            opened = fetched.open("rb") if fetched.exists() else old.open(names[one.number])
            with opened as source, archive.open(entry, "w") as packed:
                shutil.copyfileobj(source, packed)
