"""Grading a class, and what becomes of its grades, as the command line has it."""

from pathlib import Path
from typing import Annotated

import typer

from staff.grading.asked import ClassAsked, Executor, SampleClass
from staff.platforms.find import Layout
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.commands.command_line import BackendOption, NoSandboxOption, SeedsOption, app, only_one, reported_errors


@app.command()
def grade(
    submissions: Annotated[
        Path | None,
        typer.Option(
            help="Folder with `<student>/<lab>/*.cu` or `<student>.zip`, or what Canvas, Gradescope or Moodle "
            "let you download. Without it: the solutions and some of the sample class."
        ),
    ] = None,
    labs: Annotated[
        str | None,
        typer.Option(help="Only these labs, comma-separated; beginnings of names will do."),
    ] = None,
    layout: Annotated[
        Layout | None,
        typer.Option(
            help="How the class lies there: a folder or an archive a student, what Canvas, Gradescope or Moodle wrote, "
            "or clones from GitHub. Without it: what the names right in the folder say."
        ),
    ] = None,
    prefix: Annotated[
        str | None, typer.Option(help="What the names of clones from GitHub begin with, as lab3- of lab3-login.")
    ] = None,
    backend: BackendOption = None,
    seeds: SeedsOption = 3,
    jobs: Annotated[int | None, typer.Option(min=1, help="How many at once. Without it: all cores.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Where the grades go, to those that are there. Without it: build/grades, or build/sample-grades for "
            "the solutions and the sample class."
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            help="Grade this student of the class again, into the grades that are there, and say what changed."
        ),
    ] = None,
    no_sandbox: NoSandboxOption = False,
    executor: Annotated[Executor, typer.Option(help="Who does the work: this machine, or a Slurm cluster.")] = (
        Executor.LOCAL
    ),
    sample_class: Annotated[
        SampleClass | None,
        typer.Option(
            "--class",
            help="Of the sample class: few, about one wrong student a lab, or all. Without it: few; no --submissions.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Grade, and say each score that would be another one and why; keep no grades."),
    ] = False,
    bandwidth_alone: Annotated[
        bool,
        typer.Option(
            "--bandwidth-alone",
            help="Measure bandwidth on this machine's GPU, and add its points to the grades that the emulator gave.",
        ),
    ] = False,
    slurm: Annotated[str, typer.Option(help="Options for sbatch, as in --slurm '--partition=gpu --gres=gpu:1'.")] = "",
) -> None:
    """Grades a class and writes report.html, grades.json, grades.csv, STUDENT/feedback.md and STUDENT/results.json.

    Exits 0 when grading worked, whatever the scores; 3 where the grader itself failed; 4 where
    something may be a hand-in, and counts for nobody.

    Examples:

        tmagrade grade

        tmagrade grade --submissions ~/fall/handed-in --labs lab3,lab4

        tmagrade grade --submissions ~/fall/handed-in --only ada

        tmagrade grade --submissions ~/fall/handed-in --dry-run

        tmagrade grade --submissions ~/fall/handed-in --bandwidth-alone

        tmagrade grade --submissions ~/fall/handed-in --executor slurm --slurm "--partition=short --cpus-per-task=2"
    """
    from staff.commands.bandwidth_alone import measure_bandwidth  # a student's commands start without it
    from staff.commands.class_grading import grade_class

    asked = ClassAsked(
        submissions=submissions,
        labs=labs,
        layout=layout,
        prefix=prefix,
        backend=backend,
        seeds=seeds,
        jobs=jobs,
        output=output,
        only=only,
        no_sandbox=no_sandbox,
        executor=executor,
        sample_class=sample_class,
        slurm=slurm,
        dry_run=dry_run,
        bandwidth_alone=bandwidth_alone,
    )
    with reported_errors(), only_one():
        if bandwidth_alone:
            measure_bandwidth(asked)
        else:
            grade_class(asked)


@app.command()
def explain(
    student: Annotated[str, typer.Argument(help="The student's name, or a part of it that fits no other.")],
    lab: Annotated[str | None, typer.Argument(help="The lab's name, or its beginning. Without it: the sum.")] = None,
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
) -> None:
    """Shows how a score came about: from the grades.json of the last grading, and from the term where there is one.

    Examples:

        tmagrade explain ada lab3

        tmagrade explain ada
    """
    from staff.commands.explaining import explain_scores

    with reported_errors():
        explain_scores(student, lab, grades)


@app.command()
def forget(
    student: Annotated[
        str | None, typer.Option(help="Remove these students' scores; whole names, with commas.")
    ] = None,
    labs: Annotated[str | None, typer.Option(help="Remove only these labs' scores, comma-separated.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Remove all grades, and all that was handed in, built and recorded.")
    ] = False,
    grades: Annotated[Path, typer.Option(help="Where the grades are.")] = HERE.grades,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
) -> None:
    """Removes grades, which no other command does. Says what it would remove, and asks first.

    Examples:

        tmagrade forget --student ada

        tmagrade forget --labs lab3 --yes
    """
    from staff.commands.forgetting import forget_all, forget_scores

    with reported_errors(), only_one():
        if everything and not student and not labs:
            forget_all(grades, yes)
        elif (student or labs) and not everything:
            forget_scores(grades, student, labs, yes)
        else:
            raise UsageError(
                "what to remove? --student, --labs, both, or --all alone (make forget STUDENT=, LABS=, ALL=yes)"
            )


@app.command("grade-one", hidden=True)
def grade_one(
    folder: Path, task: int, backend: BackendOption = None, seeds: SeedsOption = 3, no_sandbox: NoSandboxOption = False
) -> None:
    """Grades the submissions of one task of a Slurm array into the records; FOLDER has the array's files."""
    from staff.commands.class_grading import grade_task

    with reported_errors():
        grade_task(folder, task, backend, seeds, no_sandbox)
