"""A student's side: puts a hand-in into the shared folder, and reads what became of it."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tmagrade.basics.errors import UsageError
from tmagrade.gpu_queue.places import MOST_BYTES, Places, Ticket

# What becomes of a hand-in that does not change any more.
ENDED = ("done", "refused", "replaced", "failed")
PATIENCE_SECONDS = 0.5


def hand_in(places: Places, ticket: Ticket, content: bytes) -> None:
    """Puts the archive there: whole, or not at all."""
    if not places.incoming.is_dir():
        raise UsageError(f"{places.root} is no queue: nobody has started `tmagrade serve` there, or it is not mounted")
    if len(content) > MOST_BYTES:
        raise UsageError(f"what would be handed in is larger than {MOST_BYTES >> 20} MiB")
    unfinished = places.incoming / f"{ticket.ticket}.unfinished"
    try:
        unfinished.write_bytes(content)
        unfinished.chmod(0o644)  # the server's user reads it; nobody else can list the folder
        unfinished.rename(places.incoming / ticket.name)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"{places.incoming} cannot be written: {error.strerror}") from error


def read_verdict(path: Path) -> dict[str, Any]:
    """Empty where there is none yet."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def follow(
    places: Places, ticket: Ticket, say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> dict[str, Any]:
    """Says each new place in line, until there is an end."""
    said = ""
    while True:
        verdict = read_verdict(places.verdict(ticket))
        words = in_words(verdict)
        if words != said:
            say(words)
            said = words
        if verdict.get("state") in ENDED:
            return verdict
        sleep(PATIENCE_SECONDS)


def in_words(verdict: dict[str, Any]) -> str:
    state, place = verdict.get("state"), verdict.get("place")
    if state is None:
        return "handed in; the server has not seen it yet"
    if state == "waiting":
        return "next in line" if place == 1 else f"number {place} in line"
    return {
        "running": "it is graded now",
        "done": "graded",
        "refused": "refused",
        "replaced": "replaced",
        "failed": "not graded",
    }[str(state)]
