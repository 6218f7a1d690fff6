"""Where things stand on this machine is no student's business: what a process printed last may name it."""

import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

ELSEWHERE = "..."


def without(own: Path, others: Iterable[Path]) -> Callable[[str], str]:
    """What takes the names of folders out of a text: a file in `own` keeps its name alone; of one below the others, and
    below the user's home and the folders for temporary files, stays what comes after them."""
    home = Path(os.environ.get("HOME", "/"))
    known = {*others, home}
    places = {str(form) for place in known for form in (place, place.resolve()) if len(place.parts) > 1}
    longest_first = sorted(places, key=len, reverse=True)
    inner = "|".join(re.escape(str(form)) for form in sorted({own, own.resolve()}, key=lambda form: -len(str(form))))
    outer = "|".join(map(re.escape, longest_first))
    # Not in the middle of a longer path, and not the beginning of another name, save where the name goes on anyway.
    found = re.compile(rf"(?<![\w.-])(?:(?P<own>{inner})/|(?P<outer>{outer})(?![\w.])|(?:{_scratch()})[\w.-]*)")
    return lambda text: found.sub(lambda match: "" if match["own"] else ELSEWHERE, text)


def _scratch() -> str:
    """The beginnings of the names of scratch folders (scratch.py)."""
    return "|".join(re.escape(f"{place}/tmagrade-") for place in ("/dev/shm", tempfile.gettempdir()))
