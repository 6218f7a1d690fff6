import sys
from importlib import import_module

from tmagrade.basics.paths import HERE
from tmagrade.commands.command_line import app

# What a student types between two edits: nobody then waits for the imports that only other commands need.
STUDENTS = ("test", "watch", "check", "bench", "run", "stats", "debug", "trace")

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STUDENTS:
        from tmagrade.commands import student_commands  # noqa: F401 (it adds its commands)
    else:
        # The commands of the course's staff are a package beside this one, which a release lacks.
        import_module("staff.commands.cli" if (HERE.grader / "staff").is_dir() else "tmagrade.commands.cli")
    app(prog_name="tmagrade")
