"""The work of `submit`; submit_command.py, which says how it is typed, starts without it."""

from datetime import datetime
from pathlib import Path

import typer

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.basics.untrusted import visible
from tmagrade.commands.command_line import out
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.gpu_queue.client import follow, hand_in, in_words, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket
from tmagrade.submissions.packing import pack_lab

SUBMITTED = "submitted.txt"  # below build: the tickets of who works in this repository


def submit_lab(queue: Path | None, folder: Path, name: str | None, nickname: str, wait: bool) -> None:
    if queue is None:
        raise UsageError("which queue? --queue (make submit QUEUE=folder), or TMAGRADE_QUEUE, says which folder it is")
    lab = _lab_in(folder.resolve(), name)
    places, ticket = Places(queue), Ticket.new(lab.id, nickname)
    hand_in(places, ticket, pack_lab(folder, lab))
    _note(ticket, queue)
    if not wait:
        print_line(out, "handed in; tmagrade submit --history says what became of it")
        return
    verdict = follow(places, ticket, lambda words: print_line(out, words))
    print_line(out, visible(str(verdict.get("text", ""))))
    print_line(out, visible(str(verdict.get("left", ""))))
    if verdict.get("state") != "done":
        raise typer.Exit(1)


def _lab_in(folder: Path, name: str | None) -> Lab:
    chosen = select_labs(load_labs(HERE.labs), name or folder.name)
    if len(chosen) != 1:
        raise UsageError("one lab at a time: " + ", ".join(lab.id for lab in chosen))
    return chosen[0]


def print_submitted(queue: Path | None) -> None:
    """What became of everything that was submitted from this repository, the newest last. Without a queue each is
    looked for in its own."""
    path = HERE.build / SUBMITTED
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for at, ticket, its_own in _tickets(lines):
        place = queue or its_own
        if place is None:
            print_line(out, f"{at}  {ticket.lab}  --queue says which folder it was handed to")
            continue
        verdict = read_verdict(Places(place).verdict(ticket))
        score = f": {verdict['score']:g} of {verdict['max']:g}" if verdict.get("state") == "done" else ""
        print_line(out, f"{at}  {ticket.lab}  {in_words(verdict)}{score}")


def _tickets(lines: list[str]) -> list[tuple[str, Ticket, Path | None]]:
    """An earlier version did not write down which queue it was."""
    parts = [[*line.split("  ", 2), "", ""][:3] for line in lines]
    noted = [(at, Ticket.of(name), Path(queue) if queue else None) for at, name, queue in parts]
    return [(at, ticket, queue) for at, ticket, queue in noted if ticket is not None]


def _note(ticket: Ticket, queue: Path) -> None:
    HERE.build.mkdir(exist_ok=True)
    with (HERE.build / SUBMITTED).open("a", encoding="utf-8") as file:
        file.write(f"{datetime.now():%Y-%m-%d %H:%M}  {ticket.name}  {queue.absolute()}\n")
