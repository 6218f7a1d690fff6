"""tmagrade: the command line."""

import fcntl
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer
from rich.console import Console
from rich.text import Text

from tmagrade import doctor as doctor_module
from tmagrade.backend import ANY_GPU, Backend, choose_backend, emulator_engines, gpu_engines, hopper_gpus, is_policy
from tmagrade.cache import NO_ROOM, cannot_write
from tmagrade.canary import demand_limits
from tmagrade.display import progress_for
from tmagrade.errors import GraderFault, UsageError
from tmagrade.grading import Grading, Job
from tmagrade.identical_submissions import identical
from tmagrade.judging import Asked
from tmagrade.labs import Lab, load_labs, select_labs
from tmagrade.outputs.explain import explanation
from tmagrade.outputs.folder import files_of, write_outputs
from tmagrade.outputs.grades import Facts, Grades, read_grades, students_of
from tmagrade.outputs.names import few_of, find_result, find_student
from tmagrade.outputs.wording import bounded
from tmagrade.paths import HERE
from tmagrade.programs import DEBUGGING, build_program, program_engine, run_program
from tmagrade.progress import Progress
from tmagrade.regrading import changes, demand_same_rules, merged, of_student, other_grader
from tmagrade.sandbox import NoSandbox, Sandbox, demand_sandbox, sandbox_if_any
from tmagrade.scoring import PENDING, LabResult
from tmagrade.slurm import Array, Slurm
from tmagrade.student_loop import StudentLoop, demand_policy, lines
from tmagrade.submissions import Layout, Submission, find_submissions, solutions_as_student
from tmagrade.tables import print_line, print_parts, print_table
from tmagrade.toolkit import find_toolkit
from tmagrade.typed import UNREADABLE
from tmagrade.watching import saves

USAGE_STATUS = 2
FAULT_STATUS = 3
INTERRUPT_STATUS = 130


class SampleClass(StrEnum):
    FEW = "few"
    ALL = "all"


class Executor(StrEnum):
    LOCAL = "local"
    SLURM = "slurm"


app = typer.Typer(
    name="tmagrade",
    help="Builds, judges and scores the TMA labs, on an sm_90 GPU or on the emulator.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)

out = Console()
err = Console(stderr=True)

BackendOption = Annotated[
    Optional[Backend],  # noqa: UP045 (older Typer cannot read the newer spelling in this place)
    typer.Option(help="Who executes. Without it: the GPU where there is an sm_90 one, else the emulator."),
]
LabOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="Which lab the folder holds. Without it: the one that the folder is named after."),
]
FolderArgument = Annotated[Path, typer.Argument(help="The folder with the lab's .cu file.")]
SeedsOption = Annotated[int, typer.Option(min=0, help="How many random engines, beside late and early.")]

PartOption = Annotated[Optional[str], typer.Option(help="Only this part, without a score.")]  # noqa: UP045
CaseOption = Annotated[Optional[str], typer.Option(help="Only this case, by the name that the verdict has.")]  # noqa: UP045
PolicyOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="Only this timing policy of the emulator: early, late or random:N."),
]
DataOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="Inputs that show where a kernel puts what: index (0, 1, 2, ...) or ones; else random."),
]
SeedOption = Annotated[Optional[int], typer.Option(min=0, help="The random inputs of an earlier run.")]  # noqa: UP045
# Of a program that one runs, the emulator's own variable says the policy as well.
RunPolicyOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(envvar="TMAEMU_ASYNC", help="On the emulator, under this timing policy: early, late or random:N."),
]

NoSandboxOption = Annotated[
    bool, typer.Option("--no-sandbox", help="Compile and run the students' code without bubblewrap around it.")
]


@contextmanager
def reported_errors() -> Iterator[None]:
    """Turns the grader's own errors into a message and an exit status."""
    try:
        yield
    except UsageError as error:
        print_line(err, f"tmagrade: {error}", "red")
        raise typer.Exit(USAGE_STATUS) from error
    except GraderFault as fault:
        print_line(err, f"tmagrade: grader fault: {fault}", "magenta")
        raise typer.Exit(FAULT_STATUS) from fault
    except OSError as error:
        if error.errno in NO_ROOM:
            said = cannot_write(error.filename2 or error.filename or HERE.state, error)
        elif error.filename is None:
            raise
        else:
            said = f"grader fault: {error.filename2 or error.filename}: {error.strerror}"
        print_line(err, f"tmagrade: {said}", "magenta")
        raise typer.Exit(FAULT_STATUS) from error
    except KeyboardInterrupt:
        print_line(err, "tmagrade: interrupted. What is done is kept; the same command goes on from there.", "yellow")
        raise typer.Exit(INTERRUPT_STATUS) from None


@contextmanager
def only_one() -> Iterator[None]:
    """Two gradings at once would build in each other's stages."""
    demand_limits()  # before anything else can fail of them
    HERE.state.mkdir(parents=True, exist_ok=True)
    with open(HERE.lock, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError("another tmagrade is at work in this repository") from None
        except OSError as error:
            said = (
                f"{HERE.lock} cannot be locked: {error.strerror}; set TMAGRADE_STATE to a folder where that is possible"
            )
            raise UsageError(said) from error
        yield


@app.command()
def grade(
    submissions: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            help="Folder with <student>/<lab>/*.cu or <student>.zip, or what Canvas or Gradescope let you download. "
            "Without it: the solutions and some of the sample class."
        ),
    ] = None,
    labs: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Only these labs, comma-separated; beginnings of names will do."),
    ] = None,
    layout: Annotated[
        Optional[Layout],  # noqa: UP045
        typer.Option(
            help="How the class lies there: a folder or an archive a student, or what Canvas or Gradescope wrote. "
            "Without it: what the names right in the folder say."
        ),
    ] = None,
    backend: BackendOption = None,
    seeds: SeedsOption = 3,
    jobs: Annotated[Optional[int], typer.Option(min=1, help="How many at once. Without it: all cores.")] = None,  # noqa: UP045
    output: Annotated[Path, typer.Option(help="Where the grades go.")] = HERE.grades,
    only: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            help="Grade this student of the class again, into the grades that are there, and say what changed."
        ),
    ] = None,
    no_sandbox: NoSandboxOption = False,
    executor: Annotated[Executor, typer.Option(help="Who does the work: this machine, or a Slurm cluster.")] = (
        Executor.LOCAL
    ),
    sample_class: Annotated[
        Optional[SampleClass],  # noqa: UP045
        typer.Option(
            "--class",
            help="Of the sample class, about one wrong student a lab or all. Without it: few; no --submissions.",
        ),
    ] = None,
    slurm: Annotated[str, typer.Option(help="Options for sbatch, as in --slurm '--partition=gpu --gres=gpu:1'.")] = "",
) -> None:
    """Grades a class and writes report.html, grades.json, grades.csv, STUDENT/feedback.md and STUDENT/results.json.

    Exits 0 when grading worked, whatever the scores; 3 where the grader itself failed.

    Examples:

        tmagrade grade

        tmagrade grade --submissions ~/fall/handed-in --labs lab3,lab4

        tmagrade grade --submissions ~/fall/handed-in --only ada

        tmagrade grade --submissions ~/fall/handed-in --executor slurm --slurm "--partition=short --cpus-per-task=2"
    """
    with reported_errors(), only_one():
        known = load_labs(HERE.labs)
        wanted = select_labs(known, labs)
        before = read_grades(output) if only is not None else None
        if submissions is not None and sample_class is not None:
            raise UsageError("--class chooses from the sample class: leave it out, or --submissions")
        found = _submissions(submissions, layout, known, wanted, sample_class or SampleClass.FEW)
        if only is not None:
            found = of_student(found, only)
        sandbox = _sandbox(no_sandbox)
        started = _now()
        with progress_for(out) as progress:
            if executor is Executor.SLURM:
                if before is not None:
                    raise UsageError("--only grades on this machine: leave out --executor slurm")
                grading = _grading_on_slurm(backend or Backend.EMULATOR, seeds, sandbox, slurm, progress)
            else:
                grading = _grading(choose_backend(backend), seeds, jobs, sandbox, progress)
            if before is not None:
                demand_same_rules(before, grading.backend.value, [submission.lab for submission in found])
            jobs_done = grading.run(found, anew=before is not None)
        facts = Facts(grading.backend.value, grading.toolkit.version, grading.digest, started, _now())
        if before is not None:
            _write_regraded(output, before, jobs_done, facts)
        else:
            _write_class(output, wanted, jobs_done, facts)
        _end_with_faults(jobs_done)


def _write_class(output: Path, labs: list[Lab], jobs: list[Job], facts: Facts) -> None:
    students = students_of((job.submission.student, _result(job)) for job in jobs)
    gone = write_outputs(output, Grades(facts, tuple(labs), students))
    print_table(out, students)
    shown = os.path.relpath(output)
    print_line(out, f"\n{facts.backend} backend; written: {shown}/report.html and what it is made from")
    for work in identical(dict.fromkeys(job.work for job in jobs), HERE.labs):
        names = ", ".join(submission.student for submission in work.submissions)
        print_line(out, f"identical submissions of {work.lab.id}: {names}", "yellow")
    if gone:
        print_line(err, f"tmagrade: not in this grading, so removed from {shown}: {few_of(gone)}", "yellow")


def _write_regraded(output: Path, before: Grades, jobs: list[Job], facts: Facts) -> None:
    """Of a lab in which the grader has failed, the old score stands."""
    student = jobs[0].submission.student
    results = [result for result in map(_result, jobs) if result.fault is None]
    if (other := other_grader(before.facts, facts)) is not None:
        print_line(err, f"tmagrade: {other}", "yellow")
    if results:
        write_outputs(output, merged(before, student, results, facts))
    for line in changes(before, student, results):
        print_line(out, line)


def _result(job: Job) -> LabResult:
    return bounded(job.result())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _submissions(
    folder: Path | None, layout: Layout | None, known: list[Lab], wanted: list[Lab], sample_class: SampleClass
) -> list[Submission]:
    if folder is None:
        if not HERE.class_tables.is_dir():
            raise UsageError(
                "this copy of the course has no solutions and no sample class to grade. To test a lab type "
                "`make -C labs/LAB`; to grade a folder, `make grade SUBMISSIONS=folder`"
            )
        chosen = _write_sample_class(known, sample_class)
        found = find_submissions(HERE.sample_class, known, wanted, HERE.unpacked, Layout.PLAIN)
        handed_in = [one for one in found.submissions if (one.student, one.lab.id) in chosen]
        return solutions_as_student(HERE.solutions, wanted) + handed_in
    if folder.absolute() == HERE.sample_class and HERE.class_tables.is_dir():
        _write_sample_class(known, SampleClass.ALL)
    found = find_submissions(folder, known, wanted, HERE.unpacked, layout)
    for line in found.ignored:
        print_line(err, f"tmagrade: ignored {line}", "yellow")
    return found.submissions


def _write_sample_class(known: list[Lab], wanted: SampleClass) -> set[tuple[str, str]]:
    """Writes the whole class. Whose work, for which lab, is to be graded."""
    from tmagrade.sample_class import few_of_class, write_sample_class  # students do not have it

    students = write_sample_class(HERE, known)
    chosen = few_of_class(students) if wanted is SampleClass.FEW else students
    return {(student.name, student.lab.id) for student in chosen}


def _sandbox(none_wanted: bool) -> Sandbox:
    if not none_wanted:
        return demand_sandbox(HERE, find_toolkit(HERE))
    print_line(err, "tmagrade: no sandbox: the students' code can read and write what you can", "yellow")
    return NoSandbox(HERE, find_toolkit(HERE))


def _grading(backend: Backend, seeds: int, jobs: int | None, sandbox: Sandbox, progress: Progress) -> Grading:
    return Grading(
        repository=HERE,
        toolkit=find_toolkit(HERE),
        sandbox=sandbox,
        emulator_engines=emulator_engines(seeds),
        gpu_engines=gpu_engines(hopper_gpus()) if backend is Backend.GPU else [],
        cores=jobs or len(os.sched_getaffinity(0)),
        progress=progress,
    )


def _grading_on_slurm(
    backend: Backend, seeds: int, sandbox: Sandbox, sbatch_options: str, progress: Progress
) -> Grading:
    options = ["--backend", backend.value, "--seeds", str(seeds)]
    options += ["--no-sandbox"] if isinstance(sandbox, NoSandbox) else []
    return Grading(
        repository=HERE,
        toolkit=find_toolkit(HERE),
        sandbox=sandbox,
        emulator_engines=emulator_engines(seeds),
        gpu_engines=[ANY_GPU] if backend is Backend.GPU else [],
        cores=1,  # of this machine, which only waits
        progress=progress,
        slurm=Slurm(HERE, sbatch_options, options),
    )


@app.command("grade-one", hidden=True)
def grade_one(
    folder: Path, task: int, backend: BackendOption = None, seeds: SeedsOption = 3, no_sandbox: NoSandboxOption = False
) -> None:
    """Grades the submissions of one task of a Slurm array into the records; FOLDER has the array's files."""
    with reported_errors(), progress_for(out) as progress:
        demand_limits()
        array = Array(folder)
        cores = int(os.environ.get("SLURM_CPUS_ON_NODE", "0")) or None
        grading = _grading(choose_backend(backend), seeds, cores, _sandbox(no_sandbox), progress)
        for job in grading.run(array.submissions(task, load_labs(HERE.labs))):
            array.write_fault(job.work)


def _end_with_faults(jobs: list[Job]) -> None:
    faults: dict[tuple[str, str], list[str]] = {}
    for job in jobs:
        if (fault := job.result().fault) is not None:
            faults.setdefault((job.submission.lab.id, fault), []).append(job.submission.student)
    for (lab, fault), students in faults.items():
        print_line(err, f"tmagrade: grader fault: {few_of(students)}/{lab}: {fault}", "magenta")
    if faults:
        print_line(err, "tmagrade: these points are pending: nobody has lost them", "magenta")
        raise typer.Exit(FAULT_STATUS)


def _lab_of(folder: Path, name: str | None) -> Lab:
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    known = load_labs(HERE.labs)
    chosen = select_labs(known, name or folder.resolve().name)
    if len(chosen) != 1:
        raise UsageError("one lab at a time: " + ", ".join(lab.id for lab in chosen))
    return chosen[0]


def _grade_folder(folder: Path, name: str | None, backend: Backend, seeds: int) -> LabResult:
    lab = _lab_of(folder, name)
    sandbox = sandbox_if_any(HERE, find_toolkit(HERE))
    with progress_for(out) as progress:
        grading = _grading(backend, seeds, None, sandbox, progress)
        jobs = grading.run([Submission("you", lab, folder.resolve())])
    _end_with_faults(jobs)
    return _result(jobs[0])


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
        result = _grade_folder(folder, lab, choose_backend(backend), seeds)
        print_parts(out, result)
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
    if tried.problem or any(case.wrong for case in tried.cases):
        raise typer.Exit(1)


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
        result = _grade_folder(folder, lab, Backend.EMULATOR, seeds)
        # Hygiene does not tell again what a part has against it: so those that are wrong are shown, too.
        wrong = [part.id for part in result.parts if part.verdict not in ("pass", PENDING)]
        _print_only(result, {"hygiene", *wrong})


@app.command()
def bench(folder: FolderArgument = Path(), lab: LabOption = None) -> None:
    """Measures one lab's bandwidth on the GPU.

    Example:

        tmagrade bench labs/lab3-bulk-copy
    """
    with reported_errors(), only_one():
        if _lab_of(folder, lab).bandwidth is None:
            raise UsageError("this lab has no bandwidth part")
        result = _grade_folder(folder, lab, choose_backend(Backend.GPU), 0)
        _print_only(result, {"bandwidth"})


def _print_only(result: LabResult, names: Collection[str]) -> None:
    parts = tuple(part for part in result.parts if part.id in names)
    print_parts(out, LabResult(result.lab, parts), with_score=False)
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
        Optional[str],  # noqa: UP045
        typer.Option(help="Only what this part launches. Without it: all that the program's main does."),
    ] = None,
    policy: Annotated[str, typer.Option(help="When the TMA engine acts: late, early or random:SEED.")] = "late",
) -> None:
    """Runs a lab's program on the emulator and writes who did what after what: a trace for https://ui.perfetto.dev,
    and a page with the timeline of one CTA. The program is your own: no sandbox is around it.

    Example:

        tmagrade trace labs/lab3-bulk-copy --part pipeline
    """
    from tmagrade.timelines import trace_part  # no other command needs it

    with reported_errors(), only_one():
        if not is_policy(policy):
            raise UsageError(f"--policy is late, early or random:SEED with a number, not {policy}")
        chosen = _lab_of(folder, lab)
        traced = trace_part(HERE, find_toolkit(HERE), chosen, part, folder.resolve(), policy)
        print_line(out, f"{os.path.relpath(traced.trace)}: for https://ui.perfetto.dev, which sends it nowhere")
        print_line(out, f"{os.path.relpath(traced.page)}: the timeline of {traced.cta}, for a browser")


@app.command()
def explain(
    student: Annotated[str, typer.Argument(help="The student's name, or a part of it that fits no other.")],
    lab: Annotated[str, typer.Argument(help="The lab's name, or its beginning.")],
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
) -> None:
    """Shows how a score came about, from the grades.json of the last grading alone.

    Example:

        tmagrade explain ada lab3
    """
    with reported_errors():
        stored = read_grades(grades)
        found = find_student(stored, student)
        result = find_result(found, lab)
        try:
            lines = list(explanation(found, result, stored.facts))
        except (*UNREADABLE, AssertionError, RuntimeError, ZeroDivisionError) as error:
            said = f"{grades}: what it says of {found.id}, {result.lab.id} does not fit together ({error!r})"
            raise UsageError(f"{said}: grade again") from error
        for line in lines:
            print_line(out, line)
        files = ", ".join(os.path.relpath(path) for path in files_of(grades, found.id))
        print_line(out, f"files: {files or 'none besides grades.json'}")


@app.command()
def release(
    out_folder: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write, new or empty.")],
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder, save .git.")] = False,
) -> None:
    """Writes what students receive: no solutions, no sample class, none of the checks that the course keeps.

    Example:

        tmagrade release ../tma-labs-students
    """
    with reported_errors():
        _demand_solutions("there is nothing to hold back here")
        from tmagrade.release import write_release  # students do not have it

        count = write_release(HERE, out_folder, force=force)
        print_line(out, f"What students receive is in {out_folder}: {count} files")


@app.command("new-lab")
def new_lab(
    name: Annotated[str, typer.Argument(help="lab, its number, and words: lab12-two-words.")],
    title: Annotated[Optional[str], typer.Option(help="Without it: the words of the name.")] = None,  # noqa: UP045
    idea: Annotated[Optional[str], typer.Option(help="What the lab teaches, in a sentence.")] = None,  # noqa: UP045
) -> None:
    """Writes a small lab that can be built, graded and tested as it stands, to be made into your own.

    Example:

        tmagrade new-lab lab12-two-words --idea "Two words say more than one."
    """
    with reported_errors():
        _demand_solutions("nobody can add a lab here")
        from tmagrade.new_lab import name_lab, write_new_lab  # students do not have it

        lab = name_lab(name, title, idea, load_labs(HERE.labs))
        for file in write_new_lab(HERE, lab):
            print_line(out, file)
        print_line(
            out, f"\n{lab.id} works as it stands: `make grade LABS=lab{lab.number}` grades its solution and a wrong"
        )
        print_line(out, "student. handout/inside/add-a-lab.md says how to make it your own.")


def _demand_solutions(said: str) -> None:
    if not HERE.solutions.is_dir():
        raise UsageError(f"{said}: this is what students received")


@app.command()
def doctor() -> None:
    """Says what this machine has and what to do about what it lacks.

    Exits 0 when nothing is lacking, 1 otherwise.
    """
    findings = doctor_module.examine(HERE)
    for finding in findings:
        line = Text(f"{finding.what:<16}")
        line.append("ok    " if finding.fine else "lacks ", style="green" if finding.fine else "red")
        line.append(finding.detail)
        out.print(line, soft_wrap=True, highlight=False)
        if not finding.fine:
            print_line(out, f"{'':<22}{finding.remedy}", "yellow")
    if not all(finding.fine for finding in findings):
        raise typer.Exit(1)
