"""Gradescope's export of submissions: a folder a submission, and submission_metadata.yml, which says whose it is.

The file is written by a Ruby program: its keys begin with a colon, and it may have tags of Ruby's classes. Only
`:submitters` (each with `:name`, `:sid`, `:email`) and `:created_at` are read.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from staff.collecting.archives import suffix_of
from staff.collecting.hand_in import ClassOf, HandIn
from staff.collecting.tree import ROOT, Tree, read_archive, read_folder
from staff.collecting.unpacked import Store
from tmagrade.basics.errors import UsageError
from tmagrade.submissions.names import is_junk, printable
from tmagrade.submissions.submission import HandInTime

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_[0-9]+(\..+)?")
MAX_BYTES = 512 << 20
MAX_DEPTH = 50
MOST_REPETITION = 4


def is_gradescope_export(folder: Path) -> bool:
    """Beside students' own names the metadata is what one of them handed in, to say whose the others' work is."""
    return (folder / METADATA).is_file() and not any(
        entry.is_dir() or suffix_of(entry.name) is not None
        for entry in folder.iterdir()
        if not is_junk(entry.name) and SUBMISSION.fullmatch(entry.name) is None
    )


def read_gradescope(folder: Path, store: Store) -> ClassOf:
    found = ClassOf(platform="gradescope")
    metadata = _load(folder / METADATA)
    for name in sorted(entry.name for entry in folder.iterdir()):
        if name not in metadata and not is_junk(name) and name != METADATA:
            found.ignored.append(f"{printable(name)}: {METADATA} does not say whose it is")
    for name, about in sorted(metadata.items()):
        place = folder / name
        shown = printable(name)
        if "/" in name or name in ("", ".", "..") or place.is_symlink() or not place.exists():
            found.ignored.append(f"{shown}: {METADATA} speaks of it, but it is not there")
            continue
        students = list(_students(about))
        if not students:
            found.ignored.append(f"{shown}: {METADATA} does not say whose it is")
        for student in students:
            read = partial(_read, place=place, store=store)
            when = _time(about)
            time = HandInTime(datetime.fromtimestamp(when, UTC), "gradescope") if when else None
            found.hand_ins.append(HandIn(student, f"{printable(student)} {shown}", read, (when,), time))
    return found


def _read(tree: Tree, place: Path, store: Store) -> None:
    if place.is_dir():
        read_folder(tree, place, store)
    elif suffix_of(place.name) is not None:
        read_archive(tree, place, store, ROOT)
    else:
        tree.files[ROOT / place.name] = place


def _load(path: Path) -> dict[str, Any]:
    import yaml  # no other command needs it

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """The safe loader, to which Ruby's classes are the plain values that they hold."""

    def plain(loader: Any, suffix: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", plain)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
        with path.open("rb") as file:
            _demand_small(yaml.parse(file, Loader))
            file.seek(0)
            value = yaml.load(file, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {printable(str(error))}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} is not what Gradescope writes: it should map submissions to their submitters")
    return {str(name): about for name, about in value.items()}


def _demand_small(events: Iterable[Any]) -> None:
    """ValueError where the text says much more than it has bytes: by aliases of what has aliases, or by folders within
    folders. Gradescope's own file has an alias here and there."""
    sizes: dict[str, int] = {}  # of what has an anchor and is complete
    open_: list[tuple[str | None, int]] = []  # anchors, and how much had been said before them
    said = 0
    for count, event in enumerate(events):
        kind = type(event).__name__
        if kind == "AliasEvent":
            if event.anchor not in sizes:
                raise ValueError("an alias stands within what it stands for")
            said += sizes[event.anchor]
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            open_.append((event.anchor, said))
            said += 1
            if len(open_) > MAX_DEPTH:
                raise ValueError(f"it is nested more than {MAX_DEPTH} deep")
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            anchor, before = open_.pop()
            if anchor is not None:
                sizes[anchor] = said - before
        elif kind == "ScalarEvent":
            said += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        if said > MOST_REPETITION * count + 1000:
            raise ValueError("its aliases say much more than it has bytes")


def _students(about: Any) -> Iterator[str]:
    """The e-mail address, as the only name of a student's that no other has; else the number, else the name."""
    submitters = about.get(":submitters") if isinstance(about, dict) else None
    for submitter in submitters if isinstance(submitters, list) else []:
        if isinstance(submitter, dict):
            names = [submitter.get(key) for key in (":email", ":sid", ":name")]
            yield from [str(name) for name in names if name and isinstance(name, (str, int))][:1]


def _time(about: Any) -> float:
    value = about.get(":created_at")
    if isinstance(value, dict):  # one of Ruby's times
        value = value.get("utc") or value.get("time")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return 0.0
    if not isinstance(value, datetime):
        return 0.0
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
