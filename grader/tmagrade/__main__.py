import sys

from tmagrade.commands.command_line import app

# What a student types between two edits: nobody then waits for the imports that only other commands need.
STUDENTS = ("test", "watch", "check", "bench", "run", "stats", "debug", "trace")

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STUDENTS:
        from tmagrade.commands import student_commands  # noqa: F401 (it adds its commands)
    else:
        from tmagrade.commands import cli  # noqa: F401 (it adds all)
    app(prog_name="tmagrade")
