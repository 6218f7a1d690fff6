"""The compiler: nvcc, or nvcc's own commands side by side where they are known to come to the same library."""

import os
import shutil
import subprocess
from pathlib import Path

from tmagrade.basics.cache import key_of, recall, remember, write_atomically
from tmagrade.basics.paths import Repository
from tmagrade.building import side_by_side
from tmagrade.building.compiler_output import speaks_of_the_text
from tmagrade.building.nvcc_plan import NotUnderstood, Plan, read_plan
from tmagrade.building.sandbox import LIBRARY, Sandbox
from tmagrade.course.labs import Lab
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.toolkit import Toolkit

# Of processors, for nvcc and all that it starts. The solutions take 1.5 to 3.8 seconds, lab 11's the most: a 15th. One
# without end is tried twice.
COMPILER_SECONDS = 60.0
# By the clock, six times that, as for a launcher's call: on a busy machine a compiler may have a sixth of a processor.
COMPILER_TIMEOUT_SECONDS = 6 * COMPILER_SECONDS

# The releases of CUDA of which every solution was compiled both ways, to the same bytes (test_side_by_side.py).
UNDERSTOOD = ("13.0",)


HOST_COMPILERS = ("gcc", "g++")


class Compiler:
    def __init__(self, repository: Repository, toolkit: Toolkit, processes: Processes, sandbox: Sandbox) -> None:
        self.repository = repository
        self.toolkit = toolkit
        self.processes = processes
        self.sandbox = sandbox
        self._plans: dict[str, tuple[Path, Plan | None]] = {}

    def compile(self, lab: Lab, work: Path) -> Finished:
        """Makes the library of the text in the stage `work`, and what the compiler says is nvcc's."""
        finished = self._side_by_side(lab, work)
        return self._nvcc(lab, work) if finished is None else finished

    def _nvcc(self, lab: Lab, work: Path) -> Finished:
        (work / LIBRARY).write_bytes(b"")
        return self.run(self.sandbox.compiler(lab, work), work)

    def _side_by_side(self, lab: Lab, work: Path) -> Finished | None:
        """None where nvcc itself is to be asked: the commands are not known, or one failed with no word on the text."""
        (work / LIBRARY).write_bytes(b"")
        plan = self._plan(lab, work)
        if plan is None:
            return None
        guess = self._last_module_id(lab)
        finished = self.run(self.sandbox.shell(lab, work, side_by_side.script(plan, guess)), work)
        if finished.timed_out:  # as nvcc would, which does the same work
            return finished
        if finished.status == side_by_side.AS_NVCC and speaks_of_the_text(finished.output):
            return finished
        module_id, said = side_by_side.told(finished.output)
        if finished.status != 0 or module_id is None or (work / LIBRARY).stat().st_size == 0:
            return None
        if module_id != guess:
            write_atomically(self._module_id_file(lab), module_id)
        return Finished(finished.status, said, cut=finished.cut)

    def _plan(self, lab: Lab, work: Path) -> Plan | None:
        """The same for every text of a lab; without a sandbox, for every text in that stage."""
        if not self.toolkit.version.startswith(tuple(f"{release}." for release in UNDERSTOOD)):
            return None
        between = self.sandbox.between(work)
        place, plan = self._plans.get(lab.id, (None, None))
        if place != between:
            plan = self._asked(lab, work, between)
            self._plans[lab.id] = (between, plan)
        return plan

    def _asked(self, lab: Lab, work: Path, between: Path) -> Plan | None:
        try:
            return read_plan(self._printed_plan(lab, work, between), between, LIBRARY)
        except NotUnderstood:
            return None

    def _printed_plan(self, lab: Lab, work: Path, between: Path) -> str:
        """What nvcc says. Kept where it is the same for every stage: nvcc takes a 30th of a compilation to say it."""
        elsewhere = self.repository.work / "any" / work.name
        is_kept = self.sandbox.between(elsewhere) == between
        command = self.sandbox.plan(lab, elsewhere)
        key = key_of(command, self.toolkit.version, *map(_state_of, self._programs()))
        kept = self.repository.work / "plans" / f"{lab.id}.json"
        known = recall(kept, key, str) if is_kept else None
        if known is not None:
            return known
        planned = self.run(self.sandbox.plan(lab, work), work)
        if planned.status != 0 or planned.cut:
            raise NotUnderstood(f"nvcc says no plan: {planned.output[:200]}")
        if is_kept:
            remember(kept, key, planned.output)
        return planned.output

    def _programs(self) -> list[Path]:
        """What the plan depends on besides its command: the host's compiler, whose version is among the words."""
        found = [shutil.which(name, path=self.sandbox.search_path) for name in HOST_COMPILERS]
        return [self.toolkit.nvcc, self.toolkit.nvcc.with_name("nvcc.profile"), *map(Path, filter(None, found))]

    def _module_id_file(self, lab: Lab) -> Path:
        return self.repository.work / "module-ids" / lab.id

    def _last_module_id(self, lab: Lab) -> str | None:
        try:
            known = self._module_id_file(lab).read_text()
        except (OSError, UnicodeDecodeError):
            return None
        return known if side_by_side.MODULE_ID.fullmatch(known) else None

    def run(self, command: list[str], work: Path, stderr: int = subprocess.STDOUT) -> Finished:
        """A program of the compiler's, with its limits, in the stage."""
        return self.processes.run(
            command,
            cwd=work,
            environment=dict(os.environ),
            timeout_seconds=COMPILER_TIMEOUT_SECONDS,
            processor_seconds=COMPILER_SECONDS,
            stderr=stderr,
        )


def _state_of(program: Path) -> str:
    """Another one where the program was replaced."""
    try:
        status = program.stat()
    except OSError:
        return f"{program} is not there"
    return f"{program.resolve()} {status.st_size} {status.st_mtime_ns}"
