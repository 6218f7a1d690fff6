"""The list of PTX instructions in the handout is the one that the emulator's tables give."""

from __future__ import annotations

import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]


def test_the_list_of_instructions_is_up_to_date() -> None:
    listed = subprocess.run(
        [REPOSITORY / "build/bin/tmaemu-instructions"], capture_output=True, text=True, timeout=60, check=True
    )
    committed = (REPOSITORY / "handout/reference/instructions.md").read_text()
    assert committed == listed.stdout, "run `make instructions`"
