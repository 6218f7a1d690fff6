"""Puts something else in the place of what all modules of the command line import."""

from collections.abc import Callable
from typing import Any

from staff.commands import (
    bandwidth_alone,
    class_grading,
    class_handed_in,
    course_commands,
    explaining,
    feedback_files,
    forgetting,
    publication,
    reviewing,
    serving,
    similarity_command,
    term_canvas,
    term_here,
    term_people,
    term_publishing,
    term_times,
    term_work,
)
from staff.grading import start
from staff.outputs import folder, keeping
from staff.term import remarks
from tmagrade.commands import (
    actions_command,
    cli,
    command_line,
    hand_in_command,
    labs_command,
    start_grading,
    student_commands,
    submitting,
)

MODULES = (
    *(actions_command, cli, command_line, hand_in_command, labs_command, start_grading, student_commands, submitting),
    *(bandwidth_alone, class_grading, class_handed_in, course_commands, explaining, forgetting, reviewing, serving),
    *(publication, similarity_command, term_canvas, term_here, term_people, term_publishing, term_times, term_work),
    *(feedback_files, folder, start, keeping, remarks),
)


def put_in_commands(name: str, value: object, put: Callable[[Any, str, object], None] = setattr) -> None:
    for module in MODULES:
        if hasattr(module, name):
            put(module, name, value)
