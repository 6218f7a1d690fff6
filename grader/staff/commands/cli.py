"""All commands: those that students have, and those of the course's staff."""

# Imported for the commands that they add. What only one command needs is imported there.
from staff.commands import (  # noqa: F401
    class_commands,
    course_commands,
    review_command,
    serve_command,
    similarity_command,
    term_commands,
)
from tmagrade.commands.cli import app

__all__ = ["app"]
