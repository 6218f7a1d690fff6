"""What a student's shell has set: not what `make` tells the programs that it starts, nor what would make a clone use
another's set-up, nor what has Python compile all files anew at each start, as some containers do."""

import os

OURS = (
    *("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"),
    *("TMAGRADE_STATE", "SETUP", "PYTHONPATH"),
    "PYTHONDONTWRITEBYTECODE",
)


def of_students() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OURS}
