"""What a student hands in: checked, built, run, and packed into one file with a receipt."""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from tmagrade.basics.cache import replace_atomically
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import FolderArgument, LabOption, app, only_one, out, reported_errors
from tmagrade.commands.student_commands import grade_folder, print_parts_of, print_warnings
from tmagrade.commands.typed_in import from_where_typed
from tmagrade.machine.backend import choose_backend


@app.command("hand-in")
def hand_in(
    folder: FolderArgument = Path(),
    lab: LabOption = None,
    to: Annotated[Path | None, typer.Option(help="The file to write. Without it: build/hand-in/LAB.zip.")] = None,
) -> None:
    """Builds and runs a lab as `test` does, and writes one zip to hand in, with a receipt: also if not all is right.

    Example:

        tmagrade hand-in labs/lab3-bulk-copy
    """
    from tmagrade.outputs.wording import score_text  # a student's other commands start without these
    from tmagrade.submissions.packing import pack_lab

    with reported_errors(), only_one():
        job, result = grade_folder(folder, lab, choose_backend(None), 3)
        print_warnings(job, result)
        print_parts_of(result)
        path = to or HERE.build / "hand-in" / f"{result.lab.id}.zip"
        when = datetime.now().astimezone().isoformat(timespec="seconds")
        receipt = f"{result.lab.id}, packed {when}\nin this folder: {score_text(result)}"
        content = pack_lab(folder, result.lab, receipt)
        replace_atomically(path, lambda unfinished: unfinished.write_bytes(content))
        digest = hashlib.sha256(content).hexdigest()
        print_line(out, f"hand in {from_where_typed(path)} ({len(content)} bytes)", "bold")
        print_line(out, f"receipt: {when}, {score_text(result)}, SHA-256 {digest}")
