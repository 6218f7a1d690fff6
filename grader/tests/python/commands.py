"""Puts something else in the place of what all modules of the command line import."""

from collections.abc import Callable
from typing import Any

from tmagrade.commands import (
    actions_command,
    bandwidth_alone,
    class_grading,
    cli,
    command_line,
    explaining,
    forgetting,
    hand_in_command,
    labs_command,
    serving,
    similarity_command,
    start_grading,
    student_commands,
    term_here,
    term_publishing,
    term_work,
)

MODULES = (
    actions_command,
    bandwidth_alone,
    cli,
    class_grading,
    command_line,
    explaining,
    forgetting,
    hand_in_command,
    labs_command,
    serving,
    similarity_command,
    start_grading,
    student_commands,
    term_here,
    term_publishing,
    term_work,
)


def put_in_commands(name: str, value: object, put: Callable[[Any, str, object], None] = setattr) -> None:
    for module in MODULES:
        if hasattr(module, name):
            put(module, name, value)
