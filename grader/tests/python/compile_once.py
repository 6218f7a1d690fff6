"""nvcc for tests that want the same program: it is compiled once, and copied for those that come later."""

import subprocess
from pathlib import Path

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

_made: dict[tuple[str, ...], bytes] = {}


def compile_once(text: str, program: Path, *options: str | Path, cwd: Path | None = None) -> Path:
    """Makes the program of the text, which is beside it as a .cu file."""
    source = program.with_suffix(program.suffix + ".cu")
    source.write_text(text)
    key = (text, program.name, *map(str, options), str(cwd))
    if key not in _made:
        subprocess.run([find_toolkit(HERE).nvcc, *options, "-o", program, source], check=True, cwd=cwd)
        _made[key] = program.read_bytes()
    program.write_bytes(_made[key])
    program.chmod(0o755)
    return program
