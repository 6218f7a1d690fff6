"""What a repository on GitHub runs at each push, by its .github/workflows/grade.yml."""

import os
import secrets
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import SeedsOption, app, only_one, out, reported_errors
from tmagrade.commands.student_commands import grade_folder, print_parts_of
from tmagrade.course.labs import Lab, load_labs, select_labs
from tmagrade.machine.backend import choose_backend


@app.command()
def actions(
    labs: Annotated[
        str | None, typer.Option(help="lab3,lab4. Without it: those whose files differ from the first commit's.")
    ] = None,
    seeds: SeedsOption = 3,
) -> None:
    """Grades labs in a workflow of GitHub's: with annotations, and a summary where GITHUB_STEP_SUMMARY names its file.

    Exits 0 when nothing is wrong, 1 otherwise.

    Example:

        tmagrade actions --labs lab3
    """
    from tmagrade.outputs.actions import annotations, summary_text

    with reported_errors(), only_one():
        known = load_labs(HERE.labs)
        chosen = select_labs(known, labs) if labs is not None else begun(known, HERE.root)
        results = []
        for lab in chosen:
            # What a student's program prints must not be taken for a command of the workflow's.
            word = secrets.token_hex(16)
            print_line(out, f"::stop-commands::{word}")
            try:
                print_line(out, lab.id, "bold")
                results.append(grade_folder(HERE.labs / lab.id, lab.id, choose_backend(None), seeds)[1])
                print_parts_of(results[-1])
            finally:
                print_line(out, f"::{word}::")
        if not results:
            print_line(out, "no lab differs from the first commit: there is nothing to grade yet")
        for line in annotations(results, HERE.root):
            out.print(line, soft_wrap=True, markup=False, highlight=False, emoji=False)
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(summary_text(results))
        if any(part.verdict not in ("pass", "pending") for result in results for part in result.parts):
            raise typer.Exit(1)


def begun(labs: list[Lab], root: Path) -> list[Lab]:
    """The labs whose files are not those of the repository's first commit, which is the release; all where git knows
    no commits, as in a checkout of the last one alone."""
    first = _git(root, "rev-list", "--max-parents=0", "HEAD")
    if not first or _git(root, "rev-parse", "--is-shallow-repository") == ["true"]:
        return labs
    changed = set(_git(root, "diff", "--name-only", "-z", first[-1], "--", "labs"))
    return [lab for lab in labs if any(name.startswith(f"labs/{lab.id}/") for name in changed)]


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    return [word for word in done.stdout.replace("\0", "\n").split("\n") if word] if done.returncode == 0 else []
