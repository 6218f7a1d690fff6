"""make attacks-served: hands in some of the attacks as `tmagrade submit` does, to a server that is
killed while it grades one of them. Each verdict is what attacks.toml says, nothing is left behind, and whoever hands in
behind an attack is graded as if it were not there.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacks import HONEST, Attack, make_class, read_attacks
from run import PROGRAM, SECRET, forget_verdicts, somebody_listens
from traces import changes, files_left, processes_left, shared_memory_left, shared_memory_names, state_of

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs
from tmagrade.gpu_queue.client import ENDED, hand_in, read_verdict
from tmagrade.gpu_queue.places import Places, Ticket
from tmagrade.machine.scratch import SETTLED_SECONDS
from tmagrade.submissions.packing import pack_lab

STATE = HERE.build / "attacks-served"

# What one student can do to the server, to the sandbox, to the compiler, and to the reader of a verdict.
ATTACKS = (
    "forges-the-verdicts-file",
    "kills-all-it-can",
    "leaves-a-daemon",
    "starts-a-fork-bomb",
    "takes-private-memory",
    "fills-the-disk",
    "spins-on-the-device",
    "prints-without-end",
    "opens-the-network",
    "reads-the-environment",
    "writes-outside",
    "computes-while-compiling",
    "prints-terminal-escapes",
    "prints-html",
)
MOST_SECONDS = 1800.0
[SECRET_WORDS] = SECRET.values()
KILLED_DURING = "spins-on-the-device"  # which takes the longest
HONEST_LAB = "lab3-bulk-copy"
A_ROW = re.compile(r"^\| `([\w-]+)` \| .* \| ([\w ]+) \| [^|]* \|$", re.MULTILINE)


@dataclass
class Queue:
    """A server, started again when it is killed, and what students see of it."""

    places: Places
    an_hour: int
    log: Path
    server: subprocess.Popen[bytes] | None = None
    servers: list[int] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | SECRET | {"PYTHONPATH": str(HERE.grader), "TMAGRADE_STATE": str(STATE / "state")}

    def start(self) -> None:
        options = ["--backend", "emulator", "--seeds", "0", "--an-hour", str(self.an_hour)]
        command = [sys.executable, "-c", PROGRAM, "serve", "--queue", str(self.places.root), *options]
        with self.log.open("ab") as log:
            self.server = subprocess.Popen(command, cwd=HERE.root, env=self.environment, stdout=log, stderr=log)
        self.servers.append(self.server.pid)

    def end(self) -> None:
        """As a service manager does, and whoever has started it in the background, where Ctrl-C is ignored."""
        assert self.server is not None
        self.server.terminate()
        self.server.wait()

    def kill(self) -> None:
        assert self.server is not None
        self.server.kill()
        self.server.wait()

    def submit(self, folder: Path, lab: Lab) -> Ticket:
        ticket = Ticket.new(lab.id, "")
        hand_in(self.places, ticket, pack_lab(folder, lab))
        return ticket

    def wait(self, ticket: Ticket, *states: str) -> dict[str, Any]:
        deadline = time.monotonic() + MOST_SECONDS
        while (verdict := self.verdict(ticket)).get("state") not in states:
            if time.monotonic() > deadline or (self.server is not None and self.server.poll() is not None):
                raise SystemExit(f"no verdict of {ticket.lab}; what the server said: {self.log}")
            time.sleep(0.1)
        return verdict

    def verdict(self, ticket: Ticket) -> dict[str, Any]:
        return read_verdict(self.places.verdict(ticket))


def deviations(attack: Attack, verdict: dict[str, Any]) -> Iterator[str]:
    """Where a verdict is not what attacks.toml says, a line each."""
    text = str(verdict.get("text", ""))
    if verdict.get("state") != "done":
        yield f"{attack.name}: {verdict}"
        return
    got = {part: said for part, said in A_ROW.findall(text) if part not in attack.unlisted}
    if not got or any(said not in attack.allowed(part) for part, said in got.items()):
        yield f"{attack.name}: {got}, expected {attack.verdicts}: {text[-800:]}"
    if verdict["score"] > attack.points + attack.gains:
        yield f"{attack.name}: {verdict['score']:g} points"
    if attack.says is not None and not re.search(attack.says, text):
        yield f"{attack.name}: no message matches {attack.says!r}: {text[-800:]}"
    if not all(character.isprintable() or character == "\n" for character in text):
        yield f"{attack.name}: its verdict has control characters"
    if SECRET_WORDS in text:
        yield f"{attack.name}: its verdict has what only the instructor knows"


def still_there(state: Path) -> list[str]:
    """The processes of a grader that was killed, if they do not end soon: its guard ends them."""
    deadline = time.monotonic() + 10
    while (left := processes_left(state)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def serve(attacks: Sequence[Attack], queue: Queue) -> Iterator[str]:
    """Each attack with somebody honest behind it, whom an attack may only have wait."""
    labs = {lab.id: lab for lab in load_labs(HERE.labs)}
    queue.start()
    killed = time.monotonic() - 2 * SETTLED_SECONDS
    for number, attack in enumerate(attacks):
        ticket = queue.submit(STATE / "class" / attack.name / attack.lab, labs[attack.lab])
        honest = queue.submit(STATE / "class" / HONEST[number % 2] / HONEST_LAB, labs[HONEST_LAB])
        if attack.name == KILLED_DURING:
            queue.wait(ticket, "running")
            time.sleep(2)
            queue.kill()
            killed = time.monotonic()
            yield from (f"of a server that was killed: {line}" for line in still_there(STATE / "state"))
            queue.start()
        verdict = queue.wait(ticket, *ENDED)
        print(f"{attack.name}: {verdict.get('score')}", flush=True)
        yield from deviations(attack, verdict)
        behind = queue.wait(honest, *ENDED)
        if (behind.get("score"), behind.get("max")) != (75, 100):
            yield f"behind {attack.name}: {behind}"
    # A server looks now and then for what one that was killed has left in memory, and removes it once it is old enough.
    time.sleep(max(killed + 2 * SETTLED_SECONDS - time.monotonic(), 0))
    queue.wait(queue.submit(STATE / "class" / HONEST[0] / HONEST_LAB, labs[HONEST_LAB]), *ENDED)
    more = queue.submit(STATE / "class" / HONEST[0] / HONEST_LAB, labs[HONEST_LAB])
    if queue.wait(more, *ENDED)["state"] != "refused":
        yield "one more than an hour's hand-ins was graded"
    queue.end()
    yield from (f"was left in the queue: {path}" for path in (*queue.places.running.iterdir(), *queue.places.line()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(ATTACKS), help="these attacks, comma-separated")
    wanted = parser.parse_args().only.split(",")
    attacks = [attack for attack in read_attacks() if attack.name in wanted]
    shutil.rmtree(STATE / "queue", ignore_errors=True)
    make_class(STATE / "class", attacks)
    forget_verdicts(STATE / "state")
    before, shared_memory = state_of(STATE / "class"), shared_memory_names()
    queue = Queue(Places(STATE / "queue"), 2 * len(attacks) + 1, STATE / "server.log")
    queue.places.make()
    with somebody_listens(), contextlib.ExitStack() as ends:
        ends.callback(queue.kill)
        lines = [*serve(attacks, queue)]
    lines += [f"changed: {path}" for path in changes(before, state_of(STATE / "class"))]
    lines += [f"a file was left: {path}" for path in files_left(HERE.build / "bin", HERE.build / "lib")]
    lines += [f"a process was left: {line}" for line in processes_left(STATE / "state")]
    lines += [
        f"shared memory was left: {one}" for pid in queue.servers for one in shared_memory_left(pid, shared_memory)
    ]
    shutil.rmtree(STATE / "class")
    print("\n".join(lines) or f"{len(attacks)} attacks through serve, of which none gained a point")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
