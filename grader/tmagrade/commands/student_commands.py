"""What a student types: `make` in a lab's folder calls these."""

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.building.programs import DEBUGGING, build_program, program_engine, run_program
from tmagrade.building.sandbox import sandbox_if_any
from tmagrade.commands.command_line import (
    INTERRUPT_STATUS,
    BackendOption,
    CaseOption,
    DataOption,
    FolderArgument,
    LabOption,
    PartOption,
    PolicyOption,
    RunPolicyOption,
    SeedOption,
    SeedsOption,
    app,
    only_one,
    out,
    reported_errors,
)
from tmagrade.commands.watching import saves
from tmagrade.course.done import RIGHT, note
from tmagrade.course.labs import Lab, labs_with, select_labs
from tmagrade.judging.judge import Asked
from tmagrade.judging.student_loop import StudentLoop, Tried, demand_policy
from tmagrade.machine.backend import Backend, choose_backend, emulator_engines, is_policy
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.outputs.loop_text import again, lines
from tmagrade.outputs.wording import from_here
from tmagrade.submissions.submission import Submission

if TYPE_CHECKING:
    from tmagrade.grading.grading import Job
    from tmagrade.judging.scoring import LabResult


def _lab_of(folder: Path, name: str | None) -> Lab:
    if not folder.is_dir():
        instead = f": give the folder that it is in, {folder.parent}" if folder.is_file() else ""
        raise UsageError(f"{folder} is not a folder{instead}")
    wanted = name or folder.resolve().name
    try:
        chosen = select_labs(labs_with(HERE.labs, wanted), wanted)
    except UsageError as error:
        if name is not None:
            raise
        raise UsageError(
            f"{folder.resolve().name} is no lab's name: say with --lab which lab is in it; {error}"
        ) from error
    if len(chosen) != 1:
        raise UsageError("one lab at a time: " + ", ".join(lab.id for lab in chosen))
    return chosen[0]


def grade_folder(folder: Path, name: str | None, backend: Backend, seeds: int) -> tuple["Job", "LabResult"]:
    # Between two edits the commands start without these.
    from tmagrade.commands.display import progress_for
    from tmagrade.commands.start_grading import end_with_faults, local_grading, result_of

    lab = _lab_of(folder, name)
    sandbox = sandbox_if_any(HERE, find_toolkit(HERE))
    with progress_for(out, own=True) as progress:
        grading = local_grading(backend, seeds, None, sandbox, progress, own=True)
        jobs = grading.run([Submission("you", lab, folder.resolve())], own=True)
    end_with_faults(jobs)
    return jobs[0], result_of(jobs[0])


@app.command()
def test(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    backend: BackendOption = None,
    seeds: SeedsOption = 3,
    part: PartOption = None,
    case: CaseOption = None,
    policy: PolicyOption = None,
    data: DataOption = None,
    seed: SeedOption = None,
) -> None:
    """Grades one lab's folder as the course will, and says why points are missing.

    With a part, a case, a policy, data or a seed: runs only that, on the emulator, and gives no score.

    Exits 0 when nothing is wrong, 1 otherwise.

    Examples:

        tmagrade test labs/lab3-bulk-copy

        tmagrade test labs/lab3-bulk-copy --part one-tile --case "1024 ints" --data index
    """
    with reported_errors(), only_one():
        asked = Asked(part, case, data, seed)
        if asked != Asked() or policy is not None:
            if backend is Backend.GPU:
                raise UsageError("parts, cases, policies and data are chosen on the emulator: leave out --backend gpu")
            _try(folder, lab, asked, _policies(policy, seeds))
            return
        job, result = grade_folder(folder, lab, choose_backend(backend), seeds)
        print_warnings(job, result)
        print_parts_of(result)
        _print_how_to_repeat(job)
        ids = {part.id for part in result.lab.parts}
        note(HERE, result.lab, folder, {part.id: part.verdict for part in result.parts if part.id in ids})
        if any(part.verdict not in ("pass", "pending") for part in result.parts):
            raise typer.Exit(1)


def _policies(policy: str | None, seeds: int) -> list[str]:
    return [demand_policy(policy)] if policy is not None else [engine.name for engine in emulator_engines(seeds)]


def _try(folder: Path, name: str | None, asked: Asked, policies: Sequence[str]) -> None:
    lab = _lab_of(folder, name)
    toolkit = find_toolkit(HERE)
    loop = StudentLoop(HERE, toolkit, sandbox_if_any(HERE, toolkit), len(os.sched_getaffinity(0)))
    tried = loop.run(lab, folder.resolve(), asked, policies)
    for line in lines(tried, asked.data):
        out.print(line, soft_wrap=True, highlight=False)
    if asked.part is not None and asked == Asked(asked.part) and len(policies) > 1:
        note(HERE, lab, folder, {asked.part: _verdict_of(tried)})
    if tried.problem or any(case.wrong for case in tried.cases):
        raise typer.Exit(1)


def _verdict_of(tried: Tried) -> str:
    """Of a part that was run under every policy: what is first against it, or that it is right."""
    if tried.problem:
        return tried.problem.partition(":")[0]
    return next((case.verdict for each in tried.cases for case in each.wrong.values()), RIGHT)


@app.command()
def watch(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    part: PartOption = None,
    case: CaseOption = None,
    policy: PolicyOption = None,
    data: DataOption = None,
    seed: SeedOption = None,
) -> None:
    """Runs a lab's cases now, and again each time that its file is saved. Ctrl-C ends it.

    Example:

        tmagrade watch labs/lab3-bulk-copy --part one-tile
    """
    with reported_errors():
        policies = _policies(policy, 3)
        for _ in saves(folder):
            print_line(out, f"{datetime.now():%H:%M:%S}  {folder.resolve().name}", "bold")
            try:
                with reported_errors(), only_one():
                    _try(folder, lab, Asked(part, case, data, seed), policies)
            except typer.Exit as ended:
                if ended.exit_code == INTERRUPT_STATUS:
                    raise
            print_line(out, "waiting for the next save", "dim")  # an editor's task ends here, too


@app.command()
def check(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    seeds: SeedsOption = 10,
    part: PartOption = None,
    case: CaseOption = None,
    policy: PolicyOption = None,
    data: DataOption = None,
    seed: SeedOption = None,
) -> None:
    """Runs one lab on the emulator under the late, early and random engines: what luck hides on hardware.

    Example:

        tmagrade check labs/lab3-bulk-copy --seeds 20
    """
    with reported_errors(), only_one():
        asked = Asked(part, case, data, seed)
        if asked != Asked() or policy is not None:
            _try(folder, lab, asked, _policies(policy, seeds))
            return
        job, result = grade_folder(folder, lab, Backend.EMULATOR, seeds)
        from tmagrade.judging.scoring import PENDING

        # Hygiene does not tell again what a part has against it: so those that are wrong are shown, too.
        wrong = [part.id for part in result.parts if part.verdict not in ("pass", PENDING)]
        print_warnings(job, result)
        _print_only(result, {"hygiene", *wrong}, job)


@app.command()
def bench(folder: FolderArgument = Path(), lab: LabOption = None) -> None:
    """Measures one lab's bandwidth on the GPU.

    Example:

        tmagrade bench labs/lab3-bulk-copy
    """
    with reported_errors(), only_one():
        if _lab_of(folder, lab).bandwidth is None:
            raise UsageError("this lab has no bandwidth part")
        _, result = grade_folder(folder, lab, choose_backend(Backend.GPU), 0)
        _print_only(result, {"bandwidth"})


def print_parts_of(result: "LabResult", *, with_score: bool = True) -> None:
    from tmagrade.outputs.tables import print_parts

    print_parts(out, result, with_score=with_score)


def print_warnings(job: "Job", result: "LabResult") -> None:
    is_told_of_refused = any(part.verdict == "missing" for part in result.parts)
    built = job.work.built
    if built is not None and (remarks := built.warnings if is_told_of_refused else built.remarks):
        print_line(out, from_here(remarks), "yellow")


def _print_how_to_repeat(job: "Job") -> None:
    """The one case to look at first, on the emulator with the inputs that it had."""
    for policy, judged in job.work.counted.items():
        wrong = [case for case in judged.cases if case.verdict not in ("pass", "missing") and not case.bypasses_tma]
        if wrong:
            print_line(out, f"Run this case alone: {again(wrong[0], policy, int(judged.seed), None)}", "bold")
            return


def _print_only(result: "LabResult", names: Collection[str], job: "Job | None" = None) -> None:
    parts = tuple(part for part in result.parts if part.id in names)
    print_parts_of(replace(result, parts=parts), with_score=False)
    if job is not None:
        _print_how_to_repeat(job)
    if any(part.verdict != "pass" for part in parts):
        raise typer.Exit(1)


@app.command()
def run(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    backend: BackendOption = None,
    policy: RunPolicyOption = None,
) -> None:
    """Builds a lab's program with its own main, and runs it: your own, for no sandbox is around it.

    Example:

        tmagrade run labs/lab4-single-tile --policy early
    """
    with reported_errors():
        if policy is not None and backend is Backend.GPU:
            raise UsageError("a GPU has its own timing: leave out --policy, or --backend gpu")
        _run(folder, lab, backend if policy is None else Backend.EMULATOR, policy)


@app.command()
def stats(folder: FolderArgument = Path(), lab: LabOption = None, policy: RunPolicyOption = None) -> None:
    """Runs a lab's program on the emulator and says what each kernel did: sectors, bank conflicts, TMA bytes, waits.

    Example:

        tmagrade stats labs/lab8-swizzle
    """
    with reported_errors():
        _run(folder, lab, Backend.EMULATOR, policy, {"TMAEMU_STATS": "table"})


@app.command()
def debug(folder: FolderArgument = Path(), lab: LabOption = None, policy: RunPolicyOption = None) -> None:
    """Runs a lab's program on the emulator with its strictest check, and says which tools help there.

    Example:

        tmagrade debug labs/lab3-bulk-copy
    """
    with reported_errors():
        print_line(out, DEBUGGING, "dim")
        _run(folder, lab, Backend.EMULATOR, policy, {"TMAEMU_CHECK": "strict"})


def _run(
    folder: Path, name: str | None, backend: Backend | None, policy: str | None, variables: dict[str, str] | None = None
) -> None:
    if policy is not None:
        demand_policy(policy)
    chosen = _lab_of(folder, name)
    program = build_program(HERE, find_toolkit(HERE), chosen, folder.resolve())
    engine = program_engine(choose_backend(backend), policy)
    raise typer.Exit(run_program(HERE, find_toolkit(HERE), program, engine, variables or {}))


@app.command()
def trace(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    part: Annotated[
        str | None,
        typer.Option(help="Only what this part launches. Without it: all that the program's main does."),
    ] = None,
    policy: Annotated[str, typer.Option(help="When the TMA engine acts: late, early or random:SEED.")] = "late",
) -> None:
    """Runs a lab's program on the emulator and writes who did what after what: a trace for https://ui.perfetto.dev,
    and a page with the timeline of one CTA. The program is your own: no sandbox is around it.

    Example:

        tmagrade trace labs/lab3-bulk-copy --part pipeline
    """
    from tmagrade.timelines.trace import trace_part  # no other command needs it

    with reported_errors(), only_one():
        if not is_policy(policy):
            raise UsageError(f"--policy is late, early or random:SEED with a number, not {policy}")
        chosen = _lab_of(folder, lab)
        traced = trace_part(HERE, find_toolkit(HERE), chosen, part, folder.resolve(), policy)
        print_line(out, f"{os.path.relpath(traced.trace)}: for https://ui.perfetto.dev, which sends it nowhere")
        print_line(out, f"{os.path.relpath(traced.page)}: the timeline of {traced.cta}, for a browser")
